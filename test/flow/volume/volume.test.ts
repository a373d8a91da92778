/** Volume piece by piece: targets, shifts, droplets. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { DROPLET_SIZE, sumDroplets } from '../../../src/flow/volume/droplets.ts';
import { shiftToTargets } from '../../../src/flow/volume/shift.ts';
import { inheritTargets } from '../../../src/flow/volume/targets.ts';
import { cylinder, halfSpace, sphere } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import { findPieces } from '../../../src/tracking/contouring/pieces.ts';
import { startScene } from '../../methods/lattice/scenes.ts';

const pieces = (volume: number[]) => ({
  count: volume.length,
  vertexPiece: new Int32Array(0),
  inCavity: new Uint8Array(0),
  volume: Float64Array.from(volume),
});

describe('targets', () => {
  it('go on from piece to piece', () => {
    const { target, lost } = inheritTargets(pieces([0.9, 2.2]), Float64Array.of(1, 2), [
      new Set([0]),
      new Set([1]),
    ]);
    expect(Array.from(target)).toEqual([1, 2]);
    expect(lost.size).toBe(0);
  });

  it('add up where pieces merge, and are shared by volume where one splits', () => {
    const merged = inheritTargets(pieces([2.9]), Float64Array.of(1, 2), [new Set([0, 1])]);
    expect(merged.target[0]).toBeCloseTo(3, 12);
    const split = inheritTargets(pieces([1, 3]), Float64Array.of(5), [new Set([0]), new Set([0])]);
    expect(Array.from(split.target)).toEqual([1.25, 3.75]);
  });

  it('of pieces that nothing comes from are handed back, and new ones are owed nothing', () => {
    const { target, lost } = inheritTargets(pieces([0.5]), Float64Array.of(1, 2), [new Set<number>()]);
    expect(target[0]).toBe(0);
    expect([...lost]).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });
});

/** Octahedra around points on the x axis, as one surface. */
function buildOctahedra(...shapes: { at: number; radius: number }[]) {
  const position = shapes.flatMap(({ at, radius: r }) =>
    [
      [r, 0, 0],
      [-r, 0, 0],
      [0, r, 0],
      [0, -r, 0],
      [0, 0, r],
      [0, 0, -r],
    ].flatMap(([x, y, z]) => [at + x, y, z]),
  );
  const face = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
  const triangle = shapes.flatMap((_, n) => face.map((v) => v + 6 * n));
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    wall: new Uint8Array(triangle.length / 3),
  };
}

describe('shifts', () => {
  const heap = createHeap();
  const shift = (surface: ReturnType<typeof buildOctahedra>, target: number[], weight?: number[]) => {
    const scratch = heap.scope('test');
    const result = shiftToTargets(
      surface,
      findPieces(surface),
      {
        target: Float64Array.from(target),
        weight: Float64Array.from(weight ?? Array(surface.vertexCount).fill(1)),
      },
      () => Number.POSITIVE_INFINITY,
      1,
      scratch,
    );
    scratch.free();
    return result;
  };

  it('meet the targets of all pieces', () => {
    const surface = buildOctahedra({ at: 0, radius: 1 }, { at: 5, radius: 0.5 });
    const { largest } = shift(surface, [1.4, 0.15]);
    const { volume } = findPieces(surface);
    expect(volume[0]).toBeCloseTo(1.4, 12);
    expect(volume[1]).toBeCloseTo(0.15, 12);
    expect(largest).toBeLessThan(0.1);
  });

  it('move most where the weights are largest', () => {
    const surface = buildOctahedra({ at: 0, radius: 1 });
    const before = surface.position.slice();
    const { volume } = findPieces(surface);
    shift(surface, [1.02 * volume[0]], [10, 1, 1, 1, 1, 1]);
    expect(findPieces(surface).volume[0]).toBeCloseTo(1.02 * volume[0], 12);
    const moved = surface.position.map((x, n) => x - before[n]);
    expect(moved[0] / -moved[3]).toBeCloseTo(10, 9); // the vertices at (1, 0, 0) and (-1, 0, 0), both outwards
  });

  it('turn no scrap inside out that should hold nothing, or less: it stays a piece', () => {
    for (const target of [0, -0.1]) {
      const surface = buildOctahedra({ at: 0, radius: 1 }, { at: 5, radius: 0.05 });
      shift(surface, [4 / 3, target]);
      const { count, volume } = findPieces(surface);
      expect(count).toBe(2);
      expect(volume[1]).toBeGreaterThan(0);
      expect(volume[1]).toBeLessThan((4 / 3) * 0.05 ** 3);
    }
  });
});

const domain: [[number, number, number], [number, number, number]] = [
  [0, 0, 0],
  [1, 1, 1],
];

/** Liquid in the room, under gravity. */
const startLiquid = (liquids: Parameters<typeof startScene>[0]['liquids']) =>
  startScene({ domain, resolution: 0.1, gravity: [0, 0, -9.81], liquids });
const total = ({ pieceTarget, droplets }: { pieceTarget: Float64Array; droplets: Float64Array }) =>
  pieceTarget.reduce((a, b) => a + b, 0) + sumDroplets(droplets);

describe('in a run', () => {
  it('each of two drops keeps its own volume, in flight and when they have landed', () => {
    const started = startLiquid([sphere([0.3, 0.5, 0.7], 0.2), sphere([0.75, 0.5, 0.35], 0.17)]);
    const { state, model } = started;
    const meant = state.pieceTarget.slice();
    expect(meant.length).toBe(2);
    for (let n = 0; n < 4; n++) started.step(0.02);
    expect(state.derived.pieces.count).toBe(2);
    for (let p = 0; p < 2; p++)
      expect(Math.abs(state.derived.pieces.volume[p] / meant[p] - 1)).toBeLessThan(1e-9);
    for (let n = 0; n < 16; n++) started.step(Math.min(0.02, lattice.stableTimeStep(model, state)));
    expect(Math.abs(total(state) / (meant[0] + meant[1]) - 1)).toBeLessThan(1e-9);
    const { volume } = lattice.measure(model, state);
    expect(Math.abs(volume! / (meant[0] + meant[1]) - 1)).toBeLessThan(0.01);
  });

  it('a droplet falls on its parabola, counts in the volume and is taken up by the liquid it meets', () => {
    const started = startLiquid([sphere([0.5, 0.5, 0.3], 0.25)]);
    const { state, model } = started;
    const before = lattice.measure(model, state).volume!;
    state.droplets = Float64Array.of(0.5, 0.5, 0.9, 0, 0, -3, 1e-4);
    expect(lattice.measure(model, state).volume! - before).toBeCloseTo(1e-4, 12);
    started.step(0.02);
    expect(state.droplets.length).toBe(DROPLET_SIZE);
    expect(state.droplets[2]).toBeCloseTo(0.9 - 3 * 0.02 - 0.5 * 9.81 * 0.02 ** 2, 12);
    for (let n = 0; n < 7; n++) started.step(0.02);
    expect(state.droplets.length).toBe(0);
    expect(Math.abs(total(state) / (before + 1e-4) - 1)).toBeLessThan(1e-9);
  });

  it('a scrap that cannot be thinned to what it should hold becomes a droplet: nothing is gained', () => {
    const started = startScene({
      domain,
      resolution: 0.1,
      liquids: [sphere([0.3, 0.5, 0.5], 0.2), sphere([0.8, 0.5, 0.5], 0.07)],
    });
    const { state, model } = started;
    state.pieceTarget[1] *= 0.3;
    const meant = total(state);
    const { volume } = state.derived.pieces;
    expect(volume[0] + volume[1]).toBeGreaterThan(1.02 * meant);
    started.step(0.02);
    expect(state.derived.pieces.count).toBe(1);
    expect(state.droplets.length).toBe(DROPLET_SIZE);
    expect(Math.abs(lattice.measure(model, state).volume! / meant - 1)).toBeLessThan(1e-9);
  });

  it('a film without tetrahedra slides down a slope', () => {
    const normal = [Math.SQRT1_2, 0, Math.SQRT1_2] as const; // of a slope of 45 degrees, down along x
    const along = (r: number): [number, number, number] => [0.5 + r * normal[0], 0.5, 0.4 + r * normal[2]];
    const started = startScene({
      domain,
      resolution: 0.1,
      gravity: [0, 0, -9.81],
      liquids: [sphere([0.2, 0.2, 0.9], 0.09), cylinder(along(-0.05), along(0.009), 0.12)],
      solids: [halfSpace([0.5, 0.5, 0.4], normal)],
    });
    const { state } = started;
    const meant = total(state);
    for (let n = 0; n < 5 && state.derived.pieces.count > 1; n++) started.step(0.01);
    // Droplets with the film's volume, on their way down.
    expect(state.derived.pieces.count).toBe(1);
    expect(state.droplets.length).toBeGreaterThan(0);
    const from = state.droplets.slice();
    for (let n = 0; n < 8; n++) started.step(0.01);
    expect(state.droplets.length).toBe(from.length);
    for (let d = 0; d < from.length; d += DROPLET_SIZE) {
      const [x, , z, u] = state.droplets.subarray(d);
      const acceleration = (u - from[d + 3]) / 0.08;
      expect(acceleration / (0.5 * 9.81)).toBeGreaterThan(0.9);
      expect(acceleration / (0.5 * 9.81)).toBeLessThan(1.1);
      expect((x - 0.5) * normal[0] + (z - 0.4) * normal[2]).toBeGreaterThan(0);
    }
    expect(Math.abs(total(state) / meant - 1)).toBeLessThan(1e-9);
  });

  it('a droplet rests on the floor: its middle is a radius above it', () => {
    const started = startLiquid([sphere([0.3, 0.5, 0.85], 0.1)]);
    const { state } = started;
    state.droplets = Float64Array.of(0.8, 0.5, 0.05, 0, 0, -1, 1e-5);
    for (let n = 0; n < 5; n++) started.step(0.02);
    expect(state.droplets[2]).toBeCloseTo(Math.cbrt(3e-5 / (4 * Math.PI)), 6);
  });
});
