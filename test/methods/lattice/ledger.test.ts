import { describe, expect, test } from 'vitest';
import { lattice } from '../../../src/methods/lattice/lattice.ts';
import { expectLedger } from '../../run/check-ledger.ts';
import { runUnitScene } from '../../run/unit-run.ts';
import { heap, threads } from './scenes.ts';

const pool = (depth: number) => ({ shape: { type: 'box', min: [-1, -1, -1], max: [2, 2, depth] } });

const run = (scene: object) => runUnitScene(lattice, { duration: 0.3, fps: 20, ...scene }, { heap, threads });

describe('volume', () => {
  test('a ball in free fall is moved without a trace: what is booked is contouring and its correction', async () => {
    const liquids = [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.6], radius: 0.25 } }];
    const { records } = await run({ liquids, duration: 0.15 });
    const { volume } = expectLedger(records);
    expect(Math.abs(volume!['transport'])).toBeLessThan(1e-9 * volume!['start']);
    expect(Math.abs(volume!['contouring'])).toBeGreaterThan(1e-6 * volume!['start']);
    expect(records.at(-1)!.centreOfMass![2]).toBeLessThan(0.55);
  });

  test('pieces that hold no tetrahedra become droplets, and nothing of them is lost', async () => {
    // A drop of half a cell's radius beside a ball: it holds no tets soon after the start.
    const liquids = [
      { shape: { type: 'sphere', centre: [0.3, 0.5, 0.6], radius: 0.2 } },
      { shape: { type: 'sphere', centre: [0.75, 0.55, 0.85], radius: 0.06 }, velocity: [0.5, 0, 0] },
    ];
    const { records, run: made } = await run({ liquids, duration: 0.3 });
    const { volume } = expectLedger(records);
    const dropped = records.reduce((sum, { events }) => sum + (events['droplets'] ?? 0), 0);
    expect(dropped).toBeGreaterThan(0);
    expect(Math.max(...records.map((r) => r.particles!))).toBeGreaterThan(0);
    expect(made.balance().volume!.meant).toBe(volume!['start']);
    for (const { volume: now } of records) expect(Math.abs(now! / volume!['start'] - 1)).toBeLessThan(0.01);
  });

  test('emitters and drains are booked as the scene asks, and what they should bring is what should be there', async () => {
    const { records } = await run({
      liquids: [pool(0.45)],
      emitters: [
        {
          name: 'tap',
          shape: { type: 'cylinder', from: [0.3, 0.5, 0.6], to: [0.3, 0.5, 1], radius: 0.17 },
          direction: [0, 0, -1],
          flow: 0.05,
        },
      ],
      drains: [{ name: 'sink', shape: { type: 'box', min: [0.6, 0.3, 0], max: [1, 0.7, 0.25] }, flow: 0.02 }],
    });
    const { volume, energy } = expectLedger(records);
    expect(volume!['emitted']).toBeCloseTo(0.05 * 0.3, 12);
    expect(volume!['drained']).toBeLessThan(-0.9 * 0.02 * 0.3);
    expect(volume!['drained']).toBeGreaterThanOrEqual(-0.02 * 0.3 - 1e-12);
    const { ledger, volume: now } = records.at(-1)!;
    expect(Math.abs(now! / ledger.volumeMeant! - 1)).toBeLessThan(0.05);
    // The tap pours from above, and the sink takes what the pool presses out.
    expect(energy!['sources']).not.toBe(0);
    expect(energy!['gravity']).toBeGreaterThan(0);
  });
});

describe('energy', () => {
  test('gravity works and nothing else in free fall', async () => {
    const liquids = [{ shape: { type: 'sphere', centre: [0.5, 0.5, 0.6], radius: 0.25 } }];
    const { records } = await run({ liquids, duration: 0.15 });
    const { energy } = expectLedger(records);
    expect(energy!['walls']).toBe(0);
    expect(energy!['sources']).toBe(0);
    const last = records.at(-1)!;
    const fallen = records[0].potentialEnergy! - last.potentialEnergy!;
    expect(energy!['gravity']).toBeCloseTo(fallen, 6);
    expect(Math.abs(energy!['numerics'])).toBeLessThan(0.05 * fallen);
  });

  test('a solid that sinks slowly into a pool lifts it: the work at its wall is what the pool gains in height', async () => {
    const ball = {
      name: 'ball',
      shape: { type: 'sphere', centre: [0.5, 0.5, 0.8], radius: 0.25 },
      motion: { translate: { velocity: [0, 0, -0.25], end: 1.2, ramp: 0.2 } },
    };
    const { records } = await run({ liquids: [pool(0.5)], solids: [ball], duration: 1.2, resolution: 0.083 });
    const { energy } = expectLedger(records);
    const lifted = records.at(-1)!.potentialEnergy! - records[0].potentialEnergy!;
    expect(lifted).toBeGreaterThan(5);
    expect(energy!['walls'] / lifted).toBeGreaterThan(0.75);
    expect(energy!['walls'] / lifted).toBeLessThan(1.25);
  });
});
