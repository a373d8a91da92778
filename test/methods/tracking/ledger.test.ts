import { describe, expect, test } from 'vitest';
import type { StepRecord } from '../../../src/run/runner.ts';
import { expectLedger } from '../../run/check-ledger.ts';
import { createRun, load } from './run-scene.ts';

async function run(name: string, frames?: number) {
  const made = createRun(await load(name));
  const records: StepRecord[] = [];
  for (const event of made.events(frames)) if (event.type === 'step') records.push(event.record);
  return { records, balance: made.balance(), total: expectLedger(records).volume! };
}

describe('the ledger of the tracker', () => {
  test('a flow that keeps volumes: motion and edits are errors, and what they took is given back', async () => {
    const { total, balance } = await run('enright', 20);
    expect(total['growth']).toBeUndefined();
    for (const cause of ['transport', 'correction', 'remeshing'])
      expect(Math.abs(total[cause])).toBeGreaterThan(1e-6 * total['start']);
    // They cancel.
    const left = total['transport'] + total['correction'] + total['remeshing'];
    expect(Math.abs(left)).toBeLessThan(1e-4 * total['start']);
    expect(balance.volume!.kept).toBeCloseTo(1, 4);
    expect(balance.within).toBe(true);
  });

  test('normal flow grows regions by design, so what should be there grows with them', async () => {
    const { total, records, balance } = await run('two-spheres', 20);
    expect(total['transport']).toBeUndefined();
    expect(Math.abs(total['growth'])).toBeGreaterThan(0.1 * total['start']);
    expect(records.at(-1)!.ledger.volumeMeant! / records.at(-1)!.volume!).toBeCloseTo(1, 1);
    expect(balance.volume!.meant).toBeCloseTo(total['start'] + total['growth'], 12);
  });

  test('a region that vanishes is booked as dropped', async () => {
    const { total, records } = await run('t2');
    const regions = records.map(({ events }) => events['regions'] ?? Infinity);
    expect(Math.min(...regions)).toBeLessThan(regions[1]);
    expect(total['dropped']).toBeLessThan(0);
    expect(total['dropped']).toBeGreaterThan(-1e-3 * total['start']);
  });

  test('walls that hold the surface are no error of volume', async () => {
    const { total, balance } = await run('voronoi', 2);
    expect(balance.volume!.kept).toBeCloseTo(1, 9);
    expect(Math.abs(total['correction'])).toBeLessThan(1e-9);
  });
});
