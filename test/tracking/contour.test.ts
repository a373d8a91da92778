import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/core/types.ts';
import { measureSurface, type TrackedSurface } from '../../src/tracking/contouring/surface.ts';
import {
  boxWalls,
  buildSpace,
  contourOf,
  countUnmatchedEdges,
  randomField,
  rangeOverFreeVertices,
  recontour,
  type ScalarFunction,
} from './contours.ts';

/** V - E + F of a closed surface: two for every piece, less two for every handle. */
const measureEuler = ({ vertexCount, triangleCount }: TrackedSurface) => vertexCount - triangleCount / 2;

const countWalls = (surface: TrackedSurface) => surface.wall.reduce((sum, w) => sum + w, 0);

describe('moving surfaces', () => {
  it('carries a sphere to and fro for 40 steps', () => {
    const h = 0.05;
    const radius = 0.3;
    const frame = buildSpace([-0.5, -0.5, -0.5], h, [25, 21, 21]);
    const sphereAt =
      (x0: number): ScalarFunction =>
      (x, y, z) =>
        radius - Math.hypot(x - x0, y - 0.01, z + 0.005);
    let surface = contourOf(frame, sphereAt(0)).surface;
    const exact = (4 / 3) * Math.PI * radius ** 3;
    const start = measureSurface(surface).volume;
    expect(Math.abs(start / exact - 1)).toBeLessThan(0.02);
    let x0 = 0;
    for (let n = 0; n < 40; n++) {
      const dx = (n % 20 < 10 ? 1 : -1) * 0.37 * h;
      const now = x0;
      surface = recontour(
        frame,
        surface,
        ([x, y, z]) => [x + dx, y, z],
        ([x, y, z]) => [x - dx, y, z],
        ([x, y, z]) => sphereAt(now)(x, y, z) > 0,
      );
      x0 += dx;
    }
    expect(countUnmatchedEdges(surface)).toBe(0);
    const { volume, centroid } = measureSurface(surface);
    expect(Math.abs(volume / start - 1)).toBeLessThan(0.01);
    expect(Math.abs(centroid[0] - x0)).toBeLessThan(0.01 * h);
    const [low, high] = rangeOverFreeVertices(surface, sphereAt(x0));
    expect(Math.max(-low, high)).toBeLessThan(0.02 * radius);
  });

  it('turns an off-centre ball through two full turns in 100 steps', () => {
    const h = 0.05;
    const frame = buildSpace([-0.6, -0.6, -0.35], h, [25, 25, 15]);
    const angle = (4 * Math.PI) / 100;
    const turn =
      (a: number) =>
      ([x, y, z]: Vec3): Vec3 => [Math.cos(a) * x - Math.sin(a) * y, Math.sin(a) * x + Math.cos(a) * y, z];
    const ball =
      (a: number): ScalarFunction =>
      (x, y, z) => {
        const [cx, cy] = turn(a)([0.25, 0, 0]);
        return 0.2 - Math.hypot(x - cx, y - cy, z);
      };
    let surface = contourOf(frame, ball(0)).surface;
    const start = measureSurface(surface).volume;
    for (let n = 0; n < 100; n++) {
      surface = recontour(
        frame,
        surface,
        turn(angle),
        turn(-angle),
        ([x, y, z]) => ball(n * angle)(x, y, z) > 0,
      );
      if (n === 24) {
        // Half a turn: it has moved, to the other side.
        expect(measureSurface(surface).centroid[0]).toBeLessThan(-0.24);
      }
    }
    const { volume, centroid } = measureSurface(surface);
    expect(Math.abs(volume / start - 1)).toBeLessThan(0.02);
    expect(Math.hypot(centroid[0] - 0.25, centroid[1], centroid[2])).toBeLessThan(0.02 * h);
    const [low, high] = rangeOverFreeVertices(surface, ball(0));
    expect(Math.max(-low, high)).toBeLessThan(0.03 * 0.2);
  });

  it('keeps a plane in a tank plane, still or sinking', () => {
    const h = 0.1;
    const frame = buildSpace([-0.3, -0.3, -0.3], h, [17, 17, 17], boxWalls([0, 0, 0], [1, 1, 1]));
    const normal = [0.21, -0.13, 1];
    const length = Math.hypot(...normal);
    const planeAt =
      (level: number): ScalarFunction =>
      (x, y, z) =>
        (level - (normal[0] * (x - 0.5) + normal[1] * (y - 0.5) + normal[2] * z)) / length;
    let level = 0.653;
    let surface = contourOf(frame, planeAt(level)).surface;
    expect(measureSurface(surface).volume).toBeCloseTo(0.653, 12);
    for (let n = 0; n < 20; n++) {
      const dz = n < 10 ? 0 : -0.023;
      const now = level;
      surface = recontour(
        frame,
        surface,
        ([x, y, z]) => [x, y, z + dz],
        ([x, y, z]) => [x, y, z - dz],
        ([x, y, z]) => planeAt(now)(x, y, z) > 0,
      );
      level += dz;
      expect(countUnmatchedEdges(surface)).toBe(0);
    }
    const [low, high] = rangeOverFreeVertices(surface, planeAt(level));
    expect(Math.max(-low, high)).toBeLessThan(1e-10);
    expect(measureSurface(surface).volume).toBeCloseTo(0.423, 9);
  });
});

describe('thin sheets', () => {
  const h = 0.1;
  const frame = buildSpace([-1, -1, -1], h, [21, 21, 21]);
  const normals: Vec3[] = [
    [0, 0, 1],
    [2 / 7, 3 / 7, 6 / 7],
    [0, 0.6, 0.8],
    [Math.SQRT1_2, Math.SQRT1_2, 0],
    [1 / Math.sqrt(3), -1 / Math.sqrt(3), 1 / Math.sqrt(3)],
  ];

  /** A round plate of the given thickness, its middle somewhere between the nodes. */
  const plate =
    (thickness: number, [nx, ny, nz]: Vec3): ScalarFunction =>
    (x, y, z) => {
      const dx = x - 0.013;
      const dy = y + 0.021;
      const dz = z - 0.034;
      const along = dx * nx + dy * ny + dz * nz;
      const radial = Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along));
      return Math.min(thickness / 2 - Math.abs(along), 0.6 - radial);
    };

  it('are whole and without holes from max |n_i| cells of thickness on', () => {
    for (const normal of normals) {
      const thickness = 1.02 * Math.max(...normal.map(Math.abs)) * h;
      const { surface } = contourOf(frame, plate(thickness, normal));
      expect(countUnmatchedEdges(surface)).toBe(0);
      // One piece without handles.
      expect(measureEuler(surface)).toBe(2);
      const volume = Math.PI * 0.6 ** 2 * thickness;
      expect(measureSurface(surface).volume).toBeGreaterThan(0.8 * volume);
      expect(measureSurface(surface).volume).toBeLessThan(1.1 * volume);
    }
  });

  it('of air stay open as well', () => {
    for (const normal of normals) {
      const thickness = 1.02 * Math.max(...normal.map(Math.abs)) * h;
      const gap = plate(thickness, normal);
      const ball: ScalarFunction = (x, y, z) => Math.min(0.8 - Math.hypot(x, y, z), -gap(x, y, z));
      const { surface } = contourOf(frame, ball);
      expect(countUnmatchedEdges(surface)).toBe(0);
      // The ball's own surface and that of the flat bubble in it.
      expect(measureEuler(surface)).toBe(4);
    }
  });
});

describe('liquid against walls', () => {
  const h = 0.1;
  const frame = buildSpace([-0.3, -0.3, -0.3], h, [27, 17, 17], boxWalls([0, 0, 0], [2, 1, 1]));

  it('has the exact volume of a block of liquid in a corner, with a sharp contact line', () => {
    const block: ScalarFunction = (x, y, z) => Math.min(0.637 - x, 0.451 - z, 10 + y);
    const { surface } = contourOf(frame, block);
    expect(countUnmatchedEdges(surface)).toBe(0);
    // Marching cubes cuts the one free edge (x = 0.637, z = 0.451) by less than half a cell's square.
    const exact = 0.637 * 0.451;
    const { volume, freeArea } = measureSurface(surface);
    expect(volume).toBeLessThan(exact);
    expect(volume).toBeGreaterThan(exact - 0.5 * h * h);
    expect(Math.abs(freeArea - (0.637 + 0.451))).toBeLessThan(h);
    const layer = contourOf(frame, (_x, _y, z) => 0.451 - z).surface;
    expect(measureSurface(layer).volume).toBeCloseTo(2 * 0.451, 12);
    expect(measureSurface(layer).freeArea).toBeCloseTo(2, 12);
    expect(measureSurface(layer).area).toBeCloseTo(2 + 2 + 2 * 3 * 0.451, 12);
  });

  it('fills a closed vessel without any free surface, and leaves an empty one empty', () => {
    const full = contourOf(frame, () => 5).surface;
    expect(measureSurface(full).volume).toBeCloseTo(2, 12);
    expect(measureSurface(full).freeArea).toBe(0);
    expect(countWalls(full)).toBe(full.triangleCount);
    expect(countUnmatchedEdges(full)).toBe(0);
    expect(contourOf(frame, () => -5).surface.triangleCount).toBe(0);
  });

  it('stops signs at a dam: full on one side, dry on the other', () => {
    const box = boxWalls([0, 0, 0], [2, 1, 1]);
    // A dam from floor to lid, thinner than two cells, off the nodes.
    const dammed = buildSpace([-0.3, -0.3, -0.3], h, [27, 17, 17], (x, y, z) =>
      Math.min(box(x, y, z), Math.abs(x - 1.03) - 0.09),
    );
    const filled = contourOf(dammed, (x) => 1 - x).surface;
    expect(countUnmatchedEdges(filled)).toBe(0);
    // Where the dam, off the nodes, meets the walls, the corner is chamfered within its cell.
    const chamfer = 4 * 0.5 * 0.04 * h;
    expect(measureSurface(filled).volume).toBeLessThan(0.94 + 1e-12);
    expect(measureSurface(filled).volume).toBeGreaterThan(0.94 - chamfer);
    expect(measureSurface(filled).freeArea).toBe(0);
    // A pool on the left alone: the surface ends at the dam.
    const pool = contourOf(dammed, (x, _y, z) => (x < 1.03 ? 0.55 - z : -0.2)).surface;
    expect(countUnmatchedEdges(pool)).toBe(0);
    expect(measureSurface(pool).volume).toBeCloseTo(0.94 * 0.55, 2);
    const [lowX, highX] = rangeOverFreeVertices(pool, (x) => x);
    expect(lowX).toBeCloseTo(0, 12);
    expect(highX).toBeLessThan(0.94 + 1e-9);
    // Nothing found by seeds at all, so that each chamber asks for itself.
    const asked = contourOf(
      dammed,
      (x) => (x < 1.03 ? -0.5 : 0.5),
      () => false,
    ).surface;
    expect(measureSurface(asked).volume).toBeLessThan(0.88 + 1e-12);
    expect(measureSurface(asked).volume).toBeGreaterThan(0.88 - 2 * chamfer);
  });

  it('keeps out of obstacles', () => {
    const box = boxWalls([0, 0, 0], [2, 1, 1]);
    const around: ScalarFunction = (x, y, z) =>
      Math.min(box(x, y, z), Math.hypot(x - 0.9, y - 0.5, z - 0.3) - 0.27);
    const obstructed = buildSpace([-0.3, -0.3, -0.3], h, [27, 17, 17], around);
    const pool = contourOf(obstructed, (_x, _y, z) => 0.44 - z).surface;
    expect(countUnmatchedEdges(pool)).toBe(0);
    let deepest = 0;
    for (let v = 0; v < pool.vertexCount; v++)
      deepest = Math.min(
        deepest,
        around(pool.position[3 * v], pool.position[3 * v + 1], pool.position[3 * v + 2]),
      );
    // Along a cell edge the obstacle is found by linear interpolation: a chord of h in a ball of 0.27.
    expect(deepest).toBeGreaterThan(-(h * h) / (4 * 0.27));
    // Volume of the ball below the level z = 0.44 (cap of height 0.14 + 0.27).
    const cap = (Math.PI * 0.41 ** 2 * (3 * 0.27 - 0.41)) / 3;
    expect(Math.abs(measureSurface(pool).volume - (2 * 0.44 - cap))).toBeLessThan(0.05 * cap);
  });

  it('closes whatever part of the seeds is missing', () => {
    const nodes: Vec3 = [12, 11, 13];
    for (let seed = 1; seed <= 6; seed++) {
      const f = randomField(seed, [0, 0, 0], h, nodes, -0.5);
      const open = buildSpace([0, 0, 0], h, nodes);
      const one = contourOf(open, f, (i, j, k) => i === 5 && j === 5 && k === 6).surface;
      expect(one.triangleCount).toBeGreaterThan(0);
      expect(countUnmatchedEdges(one)).toBe(0);
    }
  });
});
