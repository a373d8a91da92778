import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { NONE } from '../../../src/core/types.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { computeButterfly } from '../../../src/tracking/multimaterial/butterfly.ts';
import { collapseEdge } from '../../../src/tracking/multimaterial/collapse.ts';
import { flipEdge } from '../../../src/tracking/multimaterial/flip.ts';
import { improveMesh } from '../../../src/tracking/multimaterial/improve.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions, type TrackerOptions } from '../../../src/tracking/multimaterial/options.ts';
import { VertexValues } from '../../../src/tracking/multimaterial/policy.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../../src/tracking/multimaterial/shapes.ts';
import { moveVertex, smoothVertex } from '../../../src/tracking/multimaterial/smooth.ts';
import { splitEdge, splitFace } from '../../../src/tracking/multimaterial/split.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { findDefects, isClean, validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

const shapes: Record<string, () => LabelledTriangles> = {
  sphere: () => buildSpheres([{ levels: 2 }]),
  quartered: () => buildQuarteredSphere({ levels: 2 }),
  cells: () => buildCellBlock(2, 1),
};

function createTracker(
  shape: LabelledTriangles,
  options: Partial<TrackerOptions> = {},
  policy = {},
): Tracker {
  return new Tracker(
    buildMultiMesh(shape),
    resolveOptions({ minEdge: 0.15, maxEdge: 0.4, ...options }),
    policy,
  );
}

const volumesOf = (tracker: Tracker) => new Map(measureRegions(tracker.mesh).map((r) => [r.label, r.volume]));
const debtsOf = (tracker: Tracker) => {
  const debt = new Map<number, number>();
  const { mesh } = tracker;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    for (const h of [2 * f, 2 * f + 1])
      debt.set(mesh.label[h], (debt.get(mesh.label[h]) ?? 0) + mesh.debt[h]);
  }
  return debt;
};

describe('atomic edits', () => {
  for (const [name, build] of Object.entries(shapes)) {
    it(`${name}: any sequence leaves a valid, intersection-free mesh; refused edits leave no trace`, () => {
      fc.assert(
        fc.property(fc.integer(), fc.boolean(), (seed, topology) => {
          const random = createRandom(seed);
          const tracker = createTracker(build(), { topology, maxVolumeChange: 0.01 });
          const { mesh } = tracker;
          const start = volumesOf(tracker);
          let done = 0;
          for (let n = 0; n < 60; n++) {
            const before = mesh.snapshot();
            if (editAtRandom(tracker, random)) done++;
            else expect(isSame(mesh.snapshot(), before), `${seed} edit ${n} left a trace`).toBe(true);
            expect(isClean(findDefects(mesh)), `${seed} edit ${n}`).toBe(true);
          }
          expect(done).toBeGreaterThan(10);
          expect(findIntersection(mesh)).toBeUndefined();
          // What remeshing gave a region is booked to the last digit, unless the region is gone.
          const now = volumesOf(tracker);
          const debts = debtsOf(tracker);
          if (now.size !== start.size) return;
          for (const [label, volume] of start)
            expect(now.get(label)! - debts.get(label)!).toBeCloseTo(volume, 12);
        }),
        { numRuns: 12, seed: 7 },
      );
    });
  }

  it('keeps the volume of every region in collapses between equals and in smoothing', () => {
    const tracker = createTracker(shapes['quartered'](), { maxEdge: 0.9, smoothAngle: 60 });
    const { mesh } = tracker;
    const random = createRandom(3);
    for (let v = 0; v < mesh.vertexFill; v++) {
      // Roughen in the open, so that smoothing has work to do.
      const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
      const s = () => 0.03 * (random.next() - 0.5);
      moveVertex(tracker, v, x + s(), y + s(), z + s(), 'all');
    }
    const start = volumesOf(tracker);
    let moved = 0;
    for (let v = 0; v < mesh.vertexFill; v++) if (smoothVertex(tracker, v)) moved++;
    expect(moved).toBeGreaterThan(30);
    for (const [label, volume] of volumesOf(tracker)) expect(volume).toBeCloseTo(start.get(label)!, 12);
    let collapsed = 0;
    for (let e = 0; e < mesh.edgeFill && collapsed < 20; e++) {
      if (!mesh.isEdge(e)) continue;
      const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
      if (tracker.features.rank(a) !== 0 || tracker.features.rank(b) !== 0) continue;
      if (collapseEdge(tracker, e)) collapsed++;
    }
    expect(collapsed).toBeGreaterThanOrEqual(10);
    for (const [label, volume] of volumesOf(tracker)) expect(volume).toBeCloseTo(start.get(label)!, 10);
  });

  it('cuts a tip of one vertex off where a collapse may not pinch it off', () => {
    const tracker = createTracker(buildSpheres([{ levels: 2 }]), { topology: false });
    const { mesh } = tracker;
    const [a, b, c] = mesh.face.slice(0, 3);
    const faces = mesh.faceCount;
    const start = volumesOf(tracker).get(1)!;
    const tip = splitFace(tracker, 0, 1 / 3, 1 / 3, 1 / 3, 'safety');
    const out = [0, 1, 2].map((k) => 1.04 * mesh.position[3 * tip + k]);
    expect(moveVertex(tracker, tip, out[0], out[1], out[2], 'safety')).toBeUndefined();
    expect(collapseEdge(tracker, mesh.findEdge(a, b))).toBe(true);
    expect(tracker.events['cut tip']).toBe(1);
    expect(mesh.isVertex(tip)).toBe(false);
    expect(mesh.findFace(a, b, c)).not.toBe(NONE);
    expect(mesh.faceCount).toBe(faces);
    expect(volumesOf(tracker).get(1)).toBeCloseTo(start, 12);
    validateMesh(mesh);
  });

  it('refuses a flip that would run over another surface, and allows it without', () => {
    // A roof of two faces, closed below; a small tetrahedron under the ridge lies where the flip would sweep.
    const roof = [0, 0, 0, 2, 0, 0, 1, -1, -0.5, 1, 1, -0.5, 1, 0, -3];
    const roofFaces = [0, 1, 3, 1, 0, 2, 2, 0, 4, 1, 2, 4, 3, 1, 4, 0, 3, 4];
    const seed = [1, 0, -0.1, 1.05, 0, -0.2, 0.95, 0.05, -0.2, 0.95, -0.05, -0.2];
    const seedFaces = [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2].map((v) => v + 5);
    const label = (pairs: number, front: number, back: number) => Array(pairs).fill([front, back]).flat();
    const options = { minEdge: 0.5, maxEdge: 3, maxVolumeChange: 10, featureAngle: 170 };
    const alone = createTracker({ position: roof, triangle: roofFaces, label: label(6, 0, 1) }, options);
    expect(flipEdge(alone, alone.mesh.findEdge(0, 1))).toBe(true);
    const both = createTracker(
      {
        position: [...roof, ...seed],
        triangle: [...roofFaces, ...seedFaces],
        label: [...label(6, 0, 1), ...label(4, 1, 2)],
      },
      options,
    );
    validateMesh(both.mesh);
    expect(findIntersection(both.mesh)).toBeUndefined();
    expect(flipEdge(both, both.mesh.findEdge(0, 1))).toBe(false);
    expect(both.events['flip refused: collision']).toBe(1);
  });

  it('places new vertices near the sphere they stand for', () => {
    const out = new Float64Array(3);
    const irregular: number[] = [];
    for (const levels of [2, 3, 4]) {
      const tracker = createTracker(buildSpheres([{ levels }]));
      const { mesh } = tracker;
      const p = mesh.position;
      let worst = 0;
      let worstIrregular = 0;
      let halfway = 0;
      for (let e = 0; e < mesh.edgeFill; e++) {
        computeButterfly(mesh, tracker.features, e, out);
        const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
        const off = Math.abs(Math.hypot(...out) - 1);
        if (mesh.countEdges(a) === 5 || mesh.countEdges(b) === 5)
          worstIrregular = Math.max(worstIrregular, off);
        worst = Math.max(worst, off);
        const middle = [0, 1, 2].map((k) => (p[3 * a + k] + p[3 * b + k]) / 2);
        halfway = Math.max(halfway, 1 - Math.hypot(...middle));
      }
      irregular.push(worstIrregular);
      // Where rings of different shape meet, the regular stencil is of second order, with a small factor.
      expect(worst).toBeLessThan(halfway / 4);
    }
    // Around a vertex of valence five the surface is symmetric: fourth order.
    expect(irregular[1]).toBeLessThan(irregular[0] / 14);
    expect(irregular[2]).toBeLessThan(irregular[1] / 14);
  });

  it('brings a bad mesh within its bounds and keeps volumes, labels and attributes', () => {
    const values = new VertexValues(3);
    const tracker = createTracker(
      buildQuarteredSphere({ levels: 3 }),
      { minEdge: 0.08, maxEdge: 0.2 },
      values,
    );
    const { mesh } = tracker;
    values.reserve(mesh.vertexFill);
    for (let v = 0; v < mesh.vertexFill; v++) {
      mesh.setPosition(v, 3 * mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]);
      values.data.set(mesh.position.subarray(3 * v, 3 * v + 3), 3 * v);
    }
    tracker.rebuildGrid();
    const start = volumesOf(tracker);
    for (let n = 0; n < 4; n++) improveMesh(tracker);
    validateMesh(mesh);
    expect(findIntersection(mesh)).toBeUndefined();
    expect(mesh.faceCount).toBeGreaterThan(3000);
    let long = 0;
    for (let e = 0; e < mesh.edgeFill; e++) {
      if (!mesh.isEdge(e)) continue;
      const [a, b] = [3 * mesh.edgeVertex[2 * e], 3 * mesh.edgeVertex[2 * e + 1]];
      const p = mesh.position;
      if (Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]) > 0.2) long++;
    }
    expect(long).toBeLessThan(0.005 * mesh.edgeCount);
    // Subdivision comes nearer to the quarters of the ellipsoid than the flat faces were; the rest is booked.
    const debts = new Map<number, number>();
    for (let h = 0; h < 2 * mesh.faceFill; h++)
      if (mesh.isFace(h >> 1)) debts.set(mesh.label[h], (debts.get(mesh.label[h]) ?? 0) + mesh.debt[h]);
    for (const [label, volume] of volumesOf(tracker)) {
      expect(volume - debts.get(label)!).toBeCloseTo(start.get(label)!, 10);
      const exact = label === 0 ? -4 * Math.PI : Math.PI;
      expect(Math.abs(volume / exact - 1)).toBeLessThan(Math.abs(start.get(label)! / exact - 1));
    }
    let off = 0;
    for (let v = 0; v < mesh.vertexFill; v++) {
      if (!mesh.isVertex(v)) continue;
      for (let k = 0; k < 3; k++)
        off = Math.max(off, Math.abs(values.data[3 * v + k] - mesh.position[3 * v + k]));
    }
    expect(off).toBeLessThan(0.3);
  });
});

type Snapshot = ReturnType<Tracker['mesh']['snapshot']>;
const bytesOf = (array: Int32Array | Float64Array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const isSame = (a: Snapshot, b: Snapshot) =>
  [...a.ints, ...a.floats].every((array, n) => bytesOf(array).equals(bytesOf([...b.ints, ...b.floats][n])));

function editAtRandom(tracker: Tracker, random: ReturnType<typeof createRandom>): boolean {
  const { mesh } = tracker;
  const pick = (fill: number, lives: (n: number) => boolean) => {
    let n = random.nextInt(fill);
    while (!lives(n)) n = random.nextInt(fill);
    return n;
  };
  const bounds = random.next() < 0.5 ? 'all' : 'safety';
  const e = pick(mesh.edgeFill, (n) => mesh.isEdge(n));
  const v = pick(mesh.vertexFill, (n) => mesh.isVertex(n));
  switch (random.nextInt(6)) {
    case 0:
      return splitEdge(tracker, e, bounds) !== NONE;
    case 1:
      return collapseEdge(tracker, e, bounds);
    case 2:
      return flipEdge(tracker, e, bounds);
    case 3:
      return smoothVertex(tracker, v, bounds);
    case 4: {
      const f = pick(mesh.faceFill, (n) => mesh.isFace(n));
      const [a, b] = [0.2 + 0.3 * random.next(), 0.2 + 0.3 * random.next()];
      return splitFace(tracker, f, a, b, 1 - a - b, bounds) !== NONE;
    }
    default: {
      const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
      const s = () => 0.4 * (random.next() - 0.5);
      return moveVertex(tracker, v, x + s(), y + s(), z + s(), 'safety') === undefined;
    }
  }
}
