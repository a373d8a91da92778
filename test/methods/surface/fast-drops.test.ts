/** Drops thrown at walls: the step sees them come, and walls too thin to be seen are refused. */
import { expect, test } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { methods } from '../../../src/run/registry.ts';
import { loadScene } from '../../../src/scene/load.ts';

const SPEED = 50;
const SHORTEST = 0.5 * 0.05;

async function load(more: Record<string, unknown>) {
  const text = JSON.stringify({
    ...{ version: 1, method: 'surface', duration: 0.1, resolution: 0.05, gravity: [0, 0, 0] },
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    liquids: [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.4], radius: 0.2 }, velocity: [0, 0, -SPEED] }],
    ...more,
  });
  const readFile = async () => new Uint8Array();
  return (await loadScene({ file: 'a.jsonc', text }, { methods, readFile })).scene;
}

async function start(more: Record<string, unknown>) {
  const model = surface.build(await load(more), { heap: createHeap(), threads: createSingleThread() });
  return { model, state: surface.start(model) };
}

test('a drop comes no more than a shortest edge nearer to walls in a step, from the first on', async () => {
  const { model, state } = await start({});
  const work = surface.createWork(model);
  for (let n = 0; n < 2; n++) {
    const dt = surface.stableTimeStep(model, state);
    expect(SPEED * dt).toBeGreaterThan(0.3 * SHORTEST);
    expect(SPEED * dt).toBeLessThanOrEqual(SHORTEST);
    surface.step(model, state, work, dt);
  }
});

test('in the open only waves and what drops do to each other set the step', async () => {
  const open = ['-x', '+x', '-y', '+y', '-z', '+z'];
  const { model, state } = await start({ surface: { open } });
  expect(SPEED * surface.stableTimeStep(model, state)).toBeGreaterThan(10 * SHORTEST);
});

test('walls thinner than a shortest edge are refused, thicker ones are not', async () => {
  const plate = (thickness: number) => ({
    solids: [{ shape: { type: 'box', min: [0, 0, 0.1], max: [1, 1, 0.1 + thickness] } }],
  });
  const thin = await load(plate(0.01));
  expect(() => surface.check?.(thin)).toThrow(
    /less than a shortest edge, 0\.025 m: liquid would get through/,
  );
  const thick = await load(plate(0.04));
  expect(() => surface.check?.(thick)).not.toThrow();
});
