/** What every ledger must hold to, whatever the method. */
import { expect } from 'vitest';
import { MEANT_VOLUME } from '../../src/methods/ledger.ts';
import type { StepRecord } from '../../src/run/runner.ts';

const EXACT = 1e-9;

const sum = (causes: Record<string, number> | undefined): number =>
  Object.values(causes ?? {}).reduce((total, value) => total + value, 0);
const motionOf = ({ kineticEnergy, surfaceEnergy }: StepRecord) =>
  (kineticEnergy ?? 0) + (surfaceEnergy ?? 0);

/**
 * In every step the causes make up the change, the method names all of it, and the totals add up to what
 * there is. Returns the last totals.
 */
export function expectLedger(records: readonly StepRecord[]): StepRecord['ledger']['total'] {
  const most = Math.max(...records.map(({ volume }) => volume ?? 0));
  const energies = records.flatMap(({ ledger }) => Object.values(ledger.total.energy ?? {}).map(Math.abs));
  const mostEnergy = Math.max(0, ...energies);
  records.forEach((record, n) => {
    const { ledger } = record;
    const total = ledger.total.volume!;
    expect(Math.abs(sum(total) - record.volume!)).toBeLessThanOrEqual(EXACT * most);
    const meant = MEANT_VOLUME.reduce((all, cause) => all + (total[cause] ?? 0), 0);
    expect(Math.abs(ledger.volumeMeant! - meant)).toBeLessThanOrEqual(EXACT * most);
    expect(Math.abs(sum(ledger.total.energy) - motionOf(record))).toBeLessThanOrEqual(EXACT * mostEnergy);
    if (n === 0) return;
    const before = records[n - 1];
    expect(Math.abs(before.volume! + sum(ledger.volume) - record.volume!)).toBeLessThanOrEqual(
      EXACT * record.volume!,
    );
    expect(Math.abs(ledger.volume!['unexplained'])).toBeLessThanOrEqual(EXACT * record.volume!);
    expect(ledger.energy?.['unexplained']).toBeUndefined();
    const motion = motionOf(before) + sum(ledger.energy);
    expect(Math.abs(motion - motionOf(record))).toBeLessThanOrEqual(EXACT * mostEnergy);
  });
  return records.at(-1)!.ledger.total;
}
