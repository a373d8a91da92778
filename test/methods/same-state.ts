/** States of runs, kept and compared to the last bit. */
import { expect } from 'vitest';
import type { StateRecord } from '../../src/methods/method.ts';

export const copyState = (record: StateRecord): StateRecord => ({
  numbers: { ...record.numbers },
  arrays: Object.fromEntries(Object.entries(record.arrays).map(([name, array]) => [name, array.slice()])),
});

export function expectSameState(a: StateRecord, b: StateRecord): void {
  expect(a.numbers).toEqual(b.numbers);
  expect(Object.keys(a.arrays)).toEqual(Object.keys(b.arrays));
  for (const [name, array] of Object.entries(a.arrays)) {
    const bytes = (x: typeof array) => Buffer.from(x.buffer, x.byteOffset, x.byteLength);
    if (Buffer.compare(bytes(array), bytes(b.arrays[name])) !== 0) expect(name).toBe('equal to the last bit');
  }
}
