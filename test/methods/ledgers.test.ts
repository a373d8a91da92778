/** The books of the methods that have no test of ledgers of their own, on one scene. */
import { expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { flip } from '../../src/methods/flip/flip.ts';
import { viscous } from '../../src/methods/viscous/viscous.ts';
import { expectLedger } from '../run/check-ledger.ts';
import { runUnitScene } from '../run/unit-run.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

it.each([
  ['viscous', viscous, 20],
  ['flip', flip, 0.001],
])('%s: causes make up every change of volume and energy', async (_, method, viscosity) => {
  const liquid = { density: 1000, viscosity };
  const { records } = await runUnitScene(
    method,
    {
      resolution: 0.1,
      duration: 0.05,
      fps: 40,
      materials: { liquid },
      liquids: [
        { material: 'liquid', shape: { type: 'box', min: [-1, -1, -1], max: [2, 2, 0.3] } },
        { material: 'liquid', shape: { type: 'sphere', centre: [0.7, 0.5, 0.6], radius: 0.2 } },
      ],
      emitters: [
        {
          name: 'tap',
          material: 'liquid',
          shape: { type: 'cylinder', from: [0.25, 0.5, 0.6], to: [0.25, 0.5, 1], radius: 0.17 },
          direction: [0, 0, -1],
          flow: 0.05,
        },
      ],
    },
    resources,
  );
  const { volume } = expectLedger(records);
  expect(records.length).toBeGreaterThan(1);
  expect(volume!['emitted']).toBeCloseTo(0.05 * 0.05, 3);
});
