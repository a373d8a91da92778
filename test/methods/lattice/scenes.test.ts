/**
 * The bundled scenes, coarse and short: volume against what was emitted and drained, energy against what is
 * put in, nothing inside solids, and the same bytes on one thread and on two.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createThreads } from '../../../src/core/threads/node.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import type { Implicit } from '../../../src/geometry/implicit.ts';
import { measureMotion } from '../../../src/geometry/motions.ts';
import { measureShadow, moveToPose } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import type { StateRecord } from '../../../src/methods/method.ts';
import { loadScene } from '../../../src/scene/load.ts';
import type { Scene } from '../../../src/scene/scene.ts';

interface SceneCase {
  readonly name: string;
  readonly resolution: number;
  readonly until: number;
  /** Largest error of the volume, relative to all that ever was in the scene. */
  readonly volumeError: number;
  /** Whether jets meet in front of their nozzles. */
  readonly jetsMeet?: boolean;
  /** A speed that some of the liquid must have reached, m/s; 0: all of it must lie still. */
  readonly speed: number;
}

const cases: readonly SceneCase[] = [
  { name: 'chutes', resolution: 0.06, until: 0.25, volumeError: 0.06, speed: 1.5 },
  { name: 'statue', resolution: 0.1, until: 0.3, volumeError: 0.03, speed: 1.5 },
  { name: 'hemisphere', resolution: 0.1, until: 0.3, volumeError: 0.02, speed: 1 },
  { name: 'stirred-tank', resolution: 0.08, until: 0.4, volumeError: 0.02, speed: 0.3 },
  { name: 'basin', resolution: 0.06, until: 0.4, volumeError: 0.03, speed: 2 },
  { name: 'plunge', resolution: 0.08, until: 0.5, volumeError: 0.02, speed: 0.5 },
  { name: 'spray', resolution: 0.04, until: 0.1, volumeError: 0.05, speed: 3, jetsMeet: true },
  { name: 'dam-break', resolution: 0.08, until: 0.3, volumeError: 0.02, speed: 1 },
  { name: 'drop-into-pool', resolution: 0.08, until: 0.2, volumeError: 0.02, speed: 1 },
  { name: 'falling-blob', resolution: 0.08, until: 0.2, volumeError: 0.02, speed: 1.5 },
  { name: 'martin-moyce', resolution: 0.0142875, until: 0.1, volumeError: 0.02, speed: 0.5 },
  { name: 'still-pool', resolution: 0.125, until: 0.5, volumeError: 1e-6, speed: 0 },
];

/** m/s: a thousandth of sqrt(g H) where H is half a metre. */
const LYING_STILL = 2e-3;

/** kg/m^3: water, in all of them. */
const DENSITY = 998.2;

const heap = createHeap();
const pair = createThreads({ heap, count: 2 });
afterAll(async () => (await pair).close());

async function load({ name, resolution }: SceneCase): Promise<Scene> {
  const file = fileURLToPath(new URL(`../../../scenes/lattice/${name}.jsonc`, import.meta.url));
  const sets = [`resolution=${resolution}`];
  const loaded = await loadScene(
    { file, text: readFileSync(file, 'utf8') },
    { methods: [lattice], readFile, sets },
  );
  return loaded.scene;
}

/** Runs a scene in even steps; the saved state and what was measured on the way. */
function run(scene: Scene, until: number, threads: Threads) {
  const model = lattice.build(scene, { heap, threads });
  const state = lattice.start(model);
  const work = lattice.createWork(model);
  const first = lattice.measure(model, state);
  let time = 0;
  let topSpeed = 0;
  let drained = 0;
  while (time < until - 1e-9) {
    const longest = Math.min(lattice.stableTimeStep(model, state), 1 / scene.fps);
    const dt = (until - time) / Math.ceil((until - time) / longest);
    const { solver, ledger } = lattice.step(model, state, work, dt);
    drained -= ledger?.volume?.drained ?? 0;
    expect(Object.values(solver).every((s) => s.converged)).toBe(true);
    time += dt;
    topSpeed = Math.max(topSpeed, lattice.measure(model, state).maxSpeed!);
  }
  const last = lattice.measure(model, state);
  const depth = measureDepth(scene, time, state.surface.position, state.surface.vertexCount);
  const record = lattice.save(state);
  const arrays = Object.entries(record.arrays).map(([key, array]) => [key, array.slice()]);
  const saved: StateRecord = { numbers: record.numbers, arrays: Object.fromEntries(arrays) };
  lattice.release?.(state);
  return { first, last, drained, topSpeed, depth, saved };
}

/** How far the surface reaches into a solid, where the solids are at that time, metres. */
function measureDepth(scene: Scene, time: number, position: Float64Array, vertexCount: number): number {
  const solids = scene.solids.map(
    ({ shape, motion }): Implicit => (motion ? moveToPose(shape, motion.poseAt(time)) : shape),
  );
  let deepest = 0;
  for (let v = 0; v < vertexCount; v++)
    for (const solid of solids)
      deepest = Math.max(deepest, solid.value(position[3 * v], position[3 * v + 1], position[3 * v + 2]));
  return deepest;
}

/**
 * Joules that come in with the emitters' liquid, as from the top of each nozzle, and what the nozzles work
 * against the pressure before them, if jets meet there: at most their own stagnation pressure.
 */
function measureGivenEnergy({ emitters, domain, gravity }: Scene, until: number, meet: boolean): number {
  const parts = 100;
  let sum = 0;
  for (const { shape, direction, material, flowAt, emittedUntil } of emitters) {
    const section = measureShadow(shape, direction, domain);
    const height = Math.min(shape.bounds.max[2], domain.max[2]) - domain.min[2];
    for (let n = 0; n < parts; n++) {
      const speed = flowAt(((n + 0.5) / parts) * until) / section;
      const volume = emittedUntil(((n + 1) / parts) * until) - emittedUntil((n / parts) * until);
      sum += material.density * volume * ((meet ? 1 : 0.5) * speed * speed - gravity[2] * height);
    }
  }
  return sum;
}

/**
 * Joules of all liquid moving as fast as the fastest point of a solid has: what moving solids can give at
 * most.
 */
function pushedEnergy({ solids, domain }: Scene, until: number, volume: number): number {
  const speed = solids.reduce((top, { shape, motion }) => {
    if (!motion) return top;
    return Math.max(top, measureMotion(motion, shape.bounds, until, 100, domain).topSpeed);
  }, 0);
  return 0.5 * DENSITY * volume * speed * speed;
}

describe.each(cases)('$name', (sceneCase) => {
  const { until, resolution, jetsMeet } = sceneCase;
  const scene = load(sceneCase);
  const single = scene.then((s) => run(s, until, createSingleThread()));

  it('keeps its volume: the start, and what came and went', async () => {
    const { emitters } = await scene;
    const { first, last, drained } = await single;
    const emitted = emitters.reduce((sum, emitter) => sum + emitter.emittedUntil(until), 0);
    const expected = first.volume! + emitted - drained;
    expect(Math.abs(last.volume! - expected)).toBeLessThan(sceneCase.volumeError * (first.volume! + emitted));
    // What is drawn off leaves less than half behind an emitter that runs: the bound would tell if nothing
    // flowed.
    if (emitted > 0) expect(last.volume!).toBeGreaterThan(first.volume! + 0.5 * emitted);
  });

  it('moves, or lies still', async () => {
    const { topSpeed } = await single;
    if (sceneCase.speed > 0) expect(topSpeed).toBeGreaterThan(sceneCase.speed);
    else expect(topSpeed).toBeLessThan(LYING_STILL);
  });

  it('has no more energy than gravity, nozzles and solids give', async () => {
    const { first, last } = await single;
    const given = measureGivenEnergy(await scene, until, jetsMeet ?? false);
    const before = first.kineticEnergy! + first.potentialEnergy!;
    const after = last.kineticEnergy! + last.potentialEnergy!;
    expect(after).toBeLessThan(1.02 * before + given + pushedEnergy(await scene, until, last.volume!));
  });

  it('has no surface inside solids', async () => {
    expect((await single).depth).toBeLessThan(0.25 * resolution);
  });

  it('gives the same bytes on two threads', async () => {
    const { saved } = await single;
    const other = run(await scene, until, await pair).saved;
    expect(other.numbers).toEqual(saved.numbers);
    for (const [name, array] of Object.entries(saved.arrays)) {
      const bytes = (x: typeof array) => Buffer.from(x.buffer, x.byteOffset, x.byteLength);
      expect(Buffer.compare(bytes(array), bytes(other.arrays[name])), name).toBe(0);
    }
  });
});
