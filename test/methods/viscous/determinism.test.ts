import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import type { StateRecord } from '../../../src/methods/method.ts';
import { viscous } from '../../../src/methods/viscous/viscous.ts';
import { copyState, expectSameState } from '../same-state.ts';
import { column, composeScene, heap, startScene, threads } from './scenes.ts';

describe('the same bytes', () => {
  const scene = column(20);
  const STEPS = 4;
  const DT = 0.02;

  function run(team = threads): [StateRecord, StateRecord] {
    const { model, state, step } = startScene(scene, team);
    let half: StateRecord | undefined;
    for (let n = 0; n < STEPS; n++) {
      step(DT);
      if (n === STEPS / 2 - 1) half = copyState(viscous.save(state));
    }
    expect(viscous.stableTimeStep(model, state)).toBeGreaterThan(0);
    return [half!, copyState(viscous.save(state))];
  }

  const [half, end] = run();
  const pair = createThreads({ heap, count: 2 });
  afterAll(async () => (await pair).close());

  it('with two threads', async () => {
    expectSameState(run(await pair)[1], end);
  });

  it('after saving and restoring, on another model', () => {
    const model = viscous.build(composeScene(scene), { heap, threads });
    const state = viscous.restore(model, half);
    expectSameState(viscous.save(state), half);
    const work = viscous.createWork(model);
    for (let n = STEPS / 2; n < STEPS; n++) viscous.step(model, state, work, DT);
    expectSameState(viscous.save(state), end);
  });
});
