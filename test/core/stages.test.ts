import { expect, it } from 'vitest';
import { createStageClock, timed } from '../../src/core/stages.ts';

function busy(milliseconds: number): number {
  const end = performance.now() + milliseconds;
  let turns = 0;
  while (performance.now() < end) turns++;
  return turns;
}

it('adds up the time of each stage and hands back its result', () => {
  const clock = createStageClock();
  expect(timed(clock, 'advect', () => busy(5))).toBeGreaterThan(0);
  timed(clock, 'advect', () => busy(5));
  timed(clock, 'project', () => busy(1));
  expect(clock.milliseconds.advect).toBeGreaterThanOrEqual(10);
  expect(clock.milliseconds.project).toBeGreaterThanOrEqual(1);
  clock.reset();
  expect(clock.milliseconds).toEqual({ advect: 0, project: 0 });
});

it('counts a stage that throws', () => {
  const clock = createStageClock();
  expect(() =>
    timed(clock, 'mesh', () => {
      busy(2);
      throw new Error('no mesh');
    }),
  ).toThrow('no mesh');
  expect(clock.milliseconds.mesh).toBeGreaterThanOrEqual(2);
});
