import { describe, expect, test } from 'vitest';
import type { Run, StepRecord } from '../../../src/run/runner.ts';
import { expectLedger } from '../../run/check-ledger.ts';
import { createRun, load, takeFilms } from './run-scene.ts';

async function start(name: string, sets: readonly string[] = []): Promise<Run> {
  return createRun(await load(name, sets));
}

function finish(run: Run, frames?: number) {
  const records: StepRecord[] = [];
  for (const event of run.events(frames)) if (event.type === 'step') records.push(event.record);
  return { records, total: expectLedger(records), balance: run.balance() };
}

describe('the ledger of films', () => {
  test('what the motion and the edits take is given back, and tension alone moves the air', async () => {
    const { total, balance } = finish(await start('cluster'), 3);
    for (const cause of ['transport', 'correction', 'remeshing'])
      expect(Math.abs(total.volume![cause])).toBeGreaterThan(1e-6 * total.volume!['start']);
    expect(balance.volume!.kept).toBeCloseTo(1, 3);
    expect(total.energy!['work']).toBeUndefined();
    expect(balance.energy!.rise).toBeLessThan(0.005);
    expect(balance.within).toBe(true);
  });

  test('air that is blown in is meant; the work of blowing is not taken for an error', async () => {
    const { total, balance } = finish(await start('blowing'), 4);
    expect(total.volume!['emitted']).toBeGreaterThan(0.01 * total.volume!['start']);
    expect(balance.volume!.meant).toBeCloseTo(total.volume!['start'] + total.volume!['emitted'], 12);
    expect(balance.volume!.kept).toBeCloseTo(1, 3);
    expect(total.energy!['work']).not.toBe(0);
    expect(balance.energy!.work).toBeDefined();
  });

  test('bursts set air free and take the energy of their films; what should be there is what is left', async () => {
    const { total, balance, records } = finish(await start('net-motion'));
    expect(records.some(({ events }) => events['bursts'] === 1)).toBe(true);
    expect(total.volume!['popped']).toBeLessThan(-0.01 * total.volume!['start']);
    expect(total.energy!['popped']).toBeLessThan(0);
    expect(balance.volume!.kept).toBeCloseTo(1, 3);
    expect(balance.within).toBe(true);
  });

  test('films that close nothing hold what air they like', async () => {
    const { total, balance } = finish(await start('catenoid'));
    expect(Math.abs(total.volume!['growth'])).toBeGreaterThan(1e-3 * total.volume!['start']);
    expect(total.volume!['transport']).toBe(0);
    expect(balance.volume!.kept).toBeCloseTo(1, 9);
  });

  test('a film that a person pops is meant too', async () => {
    const run = await start('double-bubble');
    const records: StepRecord[] = [];
    for (const event of run.events()) {
      if (event.type !== 'step') continue;
      records.push(event.record);
      const { position } = takeFilms(run);
      if (records.length === 5) expect(run.poke([position[0], position[1], position[2]])).toBe(true);
      if (records.length === 8) break;
    }
    const { volume, energy } = expectLedger(records);
    expect(records[5].ledger.volume!['popped']).toBeLessThan(0);
    expect(energy!['popped']).toBeLessThan(0);
    const last = records.at(-1)!;
    expect(last.ledger.volumeMeant).toBeCloseTo(volume!['start'] + volume!['popped'], 12);
    expect(Math.abs(last.volume! / last.ledger.volumeMeant! - 1)).toBeLessThan(1e-3);
  });
});
