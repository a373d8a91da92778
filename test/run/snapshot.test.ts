import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeCrc32 } from '../../src/run/crc32.ts';
import { decodeSnapshot, encodeSnapshot } from '../../src/run/snapshot.ts';

test('CRC-32 gives the check value of the standard', () => {
  expect(computeCrc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(computeCrc32(new Uint8Array(0))).toBe(0);
});

const sample = {
  method: 'ball',
  frame: 7,
  step: 123,
  time: 0.1 + 0.2,
  record: {
    numbers: { count: 5, minusZero: -0, tiny: Number.MIN_VALUE },
    arrays: {
      a: Float64Array.of(1, Math.PI, -0),
      b: Int32Array.of(-1, 2 ** 31 - 1, 3),
      c: Uint8Array.of(1, 2, 3),
      d: Float32Array.of(0.1),
      empty: new Float64Array(0),
    },
  },
};

test('a snapshot survives the trip to bytes and back, bit for bit', () => {
  const back = decodeSnapshot(encodeSnapshot(sample), 'x');
  expect(back).toEqual(sample);
  expect(Object.is(back.record.numbers['minusZero'], -0)).toBe(true);
});

test('books survive with it, in their order; a checkpoint from before there were any has none', () => {
  const books = { 'volume.start': 0.1, 'last.volume': 0.3, 'energy.numerics': -1e-300 };
  const back = decodeSnapshot(encodeSnapshot({ ...sample, books }), 'x');
  expect(back).toEqual({ ...sample, books });
  expect(Object.keys(back.books!)).toEqual(Object.keys(books));
  expect(decodeSnapshot(encodeSnapshot(sample), 'x').books).toBeUndefined();
});

test('bytes at an odd offset of a Node Buffer are read as well', () => {
  const bytes = encodeSnapshot(sample);
  const buffer = Buffer.alloc(bytes.length + 3);
  buffer.set(bytes, 3);
  expect(decodeSnapshot(buffer.subarray(3), 'x')).toEqual(sample);
});

test('random arrays survive the trip', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), fc.array(fc.integer()), fc.uint8Array(), (f, i, u) => {
      const arrays = { f: Float64Array.from(f), i: Int32Array.from(i), u: Uint8Array.from(u) };
      const back = decodeSnapshot(encodeSnapshot({ ...sample, record: { numbers: {}, arrays } }), 'x');
      expect(back.record.arrays).toEqual(arrays);
    }),
    { seed: 1, numRuns: 200 },
  );
});

test('a flip of any one bit, and any cut, is found', () => {
  const bytes = encodeSnapshot(sample);
  for (let i = 0; i < bytes.length; i++) {
    const damaged = bytes.slice();
    damaged[i] ^= 1 << (i % 8);
    expect(() => decodeSnapshot(damaged, 'x')).toThrow(/x: (not a checkpoint|the checkpoint is damaged)/);
    if (i > 0) expect(() => decodeSnapshot(bytes.subarray(0, i), 'x')).toThrow();
  }
});
