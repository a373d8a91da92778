/** Small scenes for the tests of the lattice method, and what is needed to run them. */
import { emptyRoom } from '../../../cases/shared/scene.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import type { Vec3 } from '../../../src/core/types.ts';
import type { LiquidState } from '../../../src/flow/liquid/state.ts';
import { AREA } from '../../../src/flow/mesh/face-geometry.ts';
import type { Implicit } from '../../../src/geometry/implicit.ts';
import { halfSpace } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import type { LatticeModel } from '../../../src/methods/lattice/model.ts';
import type { StepReport } from '../../../src/methods/method.ts';
import type { Scene } from '../../../src/scene/scene.ts';

export const heap = createHeap();
export const threads = createSingleThread();

export interface SceneParts {
  readonly domain: readonly [Vec3, Vec3];
  readonly resolution: number;
  readonly gravity?: Vec3;
  readonly liquids: readonly (Implicit | { shape: Implicit; velocity: Vec3; density?: number })[];
  readonly solids?: readonly Implicit[];
  readonly options?: Record<string, unknown>;
  /** Pa s */
  readonly viscosity?: number;
  readonly wall?: Scene['wall'];
}

export function composeScene(parts: SceneParts): Scene {
  return {
    ...emptyRoom('lattice', { min: parts.domain[0], max: parts.domain[1] }, parts.resolution),
    ...(parts.wall && { wall: parts.wall }),
    gravity: parts.gravity ?? [0, 0, 0],
    liquids: parts.liquids.map((liquid) => {
      const { shape, velocity, density } =
        'shape' in liquid
          ? { density: 1000, ...liquid }
          : { shape: liquid, velocity: [0, 0, 0] as Vec3, density: 1000 };
      const { viscosity = 0 } = parts;
      return { shape, velocity, material: { name: 'water', density, viscosity, surfaceTension: 0 } };
    }),
    solids: (parts.solids ?? []).map((shape, n) => ({ name: `solid ${n}`, shape, wall: 'slip' })),
    options: parts.options ?? {},
  };
}

export interface Started {
  readonly model: LatticeModel;
  readonly state: LiquidState;
  step(dt: number): StepReport;
}

export function startScene(parts: SceneParts, team: Threads = threads, ownHeap = heap): Started {
  const model = lattice.build(composeScene(parts), { heap: ownHeap, threads: team });
  const state = lattice.start(model);
  const work = lattice.createWork(model);
  return { model, state, step: (dt) => lattice.step(model, state, work, dt) };
}

/** Liquid below the plane through `point` that is level under `gravity`. */
export function levelPool(point: Vec3, gravity: Vec3): Implicit {
  const g = Math.hypot(...gravity);
  return halfSpace(point, [-gravity[0] / g, -gravity[1] / g, -gravity[2] / g]);
}

/** The cells of a pool. */
const POOL_CELL = 0.1;

export interface PoolParts extends Pick<SceneParts, 'solids' | 'options'> {
  /** The domain, from the origin. */
  readonly size: Vec3;
  /** A point of the surface, and what it is level under. */
  readonly level: Vec3;
  readonly gravity: Vec3;
}

/** A pool in a box, level under its gravity. */
export function startPool({ size, level, gravity, ...more }: PoolParts): Started {
  const liquids = [levelPool(level, gravity)];
  return startScene({ domain: [[0, 0, 0], size], resolution: POOL_CELL, gravity, liquids, ...more });
}

/** Sets every face's velocity to the normal component of a field at its centre. */
export function sampleOnFaces(
  state: LiquidState,
  field: (x: number, y: number, z: number) => Vec3,
): Float64Array {
  const { mesh, derived } = state;
  const { faceVertex, faceCount } = derived.topology;
  const { faceForm, form } = derived.geometry;
  const out = heap.scope('test faces').f64(faceCount);
  for (let f = 0; f < faceCount; f++) {
    const c = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      for (let a = 0; a < 3; a++) c[a] += mesh.position[3 * faceVertex[3 * f + i] + a] / 3;
    const u = field(c[0], c[1], c[2]);
    for (let a = 0; a < 3; a++) out[f] += (u[a] * form[faceForm[f] + a]) / form[faceForm[f] + AREA];
  }
  return out;
}

/** Centre of a face. */
export function faceCentre(state: LiquidState, f: number): Vec3 {
  const { mesh, derived } = state;
  const c: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < 3; i++)
    for (let a = 0; a < 3; a++) c[a] += mesh.position[3 * derived.topology.faceVertex[3 * f + i] + a] / 3;
  return c;
}
