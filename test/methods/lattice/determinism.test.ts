import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import { box, sphere } from '../../../src/geometry/shapes.ts';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import type { StateRecord } from '../../../src/methods/method.ts';
import { copyState, expectSameState } from '../same-state.ts';
import { composeScene, heap, type SceneParts, threads } from './scenes.ts';

const scene: SceneParts = {
  domain: [
    [0, 0, 0],
    [1.2, 1, 1],
  ],
  resolution: 0.1,
  gravity: [0, 0, -9.81],
  liquids: [box([-1, -1, -1], [0.57, 3, 0.72])],
  solids: [sphere([0.85, 0.5, 0.1], 0.2)],
};
const STEPS = 6;
const DT = 0.02;

/** Runs the scene; returns the saved states after half the steps and at the end. */
function run(team = threads, freshWork = false): [StateRecord, StateRecord] {
  const model = lattice.build(composeScene(scene), { heap, threads: team });
  const state = lattice.start(model);
  let work = lattice.createWork(model);
  let half: StateRecord | undefined;
  for (let n = 0; n < STEPS; n++) {
    if (freshWork) work = lattice.createWork(model);
    lattice.step(model, state, work, DT);
    if (n === STEPS / 2 - 1) half = copyState(lattice.save(state));
  }
  const end = copyState(lattice.save(state));
  lattice.release?.(state);
  return [half!, end];
}

describe('the same bytes', () => {
  const [half, end] = run();
  const pair = createThreads({ heap, count: 2 });
  afterAll(async () => (await pair).close());

  it('come of a run that moves', () => {
    expect(end.numbers['triangleCount']).not.toBe(half.numbers['triangleCount']);
    // Enough faces that two threads both have work.
    expect(end.arrays['faceVelocity'].length).toBeGreaterThan(8192);
  });

  it('when work is thrown away between steps', () => {
    expectSameState(run(threads, true)[1], end);
  });

  it('with two threads', async () => {
    expectSameState((await run(await pair))[1], end);
  });

  it('after saving and restoring mid-run, on another model', () => {
    const model = lattice.build(composeScene(scene), { heap, threads });
    const state = lattice.restore(model, half);
    expectSameState(lattice.save(state), half);
    expect(lattice.stableTimeStep(model, state)).toBeGreaterThan(0);
    const work = lattice.createWork(model);
    for (let n = STEPS / 2; n < STEPS; n++) lattice.step(model, state, work, DT);
    expectSameState(lattice.save(state), end);
  });

  it('are not touched by measuring and drawing', () => {
    const model = lattice.build(composeScene(scene), { heap, threads });
    const state = lattice.restore(model, half);
    lattice.measure(model, state);
    const frame = lattice.surface(model, state);
    const volume = lattice.volume!(model, state);
    frame.mesh.position.fill(0);
    volume.mesh.position.fill(0);
    expectSameState(lattice.save(state), half);
  });

  it('and no heap is left behind by steps', () => {
    const model = lattice.build(composeScene(scene), { heap, threads });
    const before = heap.bytesInUse;
    const state = lattice.restore(model, half);
    const work = lattice.createWork(model);
    lattice.step(model, state, work, DT);
    lattice.measure(model, state);
    lattice.surface(model, state);
    lattice.volume!(model, state);
    lattice.release?.(state);
    expect(heap.bytesInUse).toBe(before);
  });
});
