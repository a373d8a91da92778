import { expect, test } from 'vitest';
import { buildFilms, march } from '../../../cases/films/march.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { films } from '../../../src/methods/films/films.ts';
import { reportWires } from '../../../src/methods/films/stages.ts';
import type { StepReport } from '../../../src/methods/method.ts';

function buildWave() {
  const resources = { heap: createHeap(), threads: createSingleThread() };
  const mode = { order: 2, amplitude: 0.1 };
  return buildFilms(resources, 0.5, {
    start: [{ type: 'bubble', centre: [0, 0, 0], radius: 1, divisions: 3, mode }],
  });
}

test('the state holds what continues the run, and figures come with the report', () => {
  const { model, state } = buildWave();
  let last: StepReport | undefined;
  march(model, state, 0.3, (_, report) => {
    last = report;
  });
  const { numbers, arrays } = films.save(state);
  expect(Object.keys(numbers)).toEqual(['time', 'popped', 'width', 'maxSpeed']);
  for (const figure of ['kineticEnergy', 'momentum', 'angularMomentum', 'returnedMomentum']) {
    expect(arrays).not.toHaveProperty(figure);
    expect(last!.figures).toHaveProperty(figure);
  }
  expect(films.measure(model, state, last).kineticEnergy).toBe(last!.figures!.kineticEnergy);
  expect(last!.figures!.kineticEnergy).toBeGreaterThan(0);
});

test('a checkpoint of an earlier version, with figures in it, is read', () => {
  const { model, state } = buildWave();
  march(model, state, 0.1);
  const { numbers, arrays } = films.save(state);
  const older = {
    numbers: { ...numbers, kineticEnergy: 1 },
    arrays: { ...arrays, momentum: new Float64Array(3), returnedMomentum: new Float64Array(3) },
  };
  expect(films.save(films.restore(model, older))).toEqual({ numbers, arrays });
});

test('wires that are not solved say so, and that a shorter step does not help', () => {
  const report = (isSolved: boolean) => {
    const solver: StepReport['solver'] = {};
    const events: Record<string, number> = {};
    const wireSolves = [
      { iterations: 5, residual: 1e-4, isSolved: true },
      { iterations: 60, residual: isSolved ? 1e-4 : 0.2, isSolved },
    ];
    reportWires({ wireSolves }, solver, events);
    return { wires: solver['wires'], events };
  };
  expect(report(false)).toEqual({
    wires: { iterations: 65, residual: 0.2, converged: false, shorterStepHelps: false },
    events: { wiresUnsolved: 1 },
  });
  expect(report(true).wires.converged).toBe(true);
  expect(report(true).events).toEqual({});
});
