import { describe, expect, expectTypeOf, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import {
  allocateViews,
  copyToHeap,
  defineRecord,
  describeRecord,
  omitColumns,
  readRecord,
  saveRecord,
  type ValuesOf,
} from '../../src/core/records.ts';

const record = defineRecord('drop', {
  time: { type: 'number', unit: 's', meaning: 'since the start' },
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'where vertices are' },
  contact: { type: 'u8', per: 'vertex', meaning: '1 on contact lines' },
  triangle: { type: 'i32', per: 'face', stride: 3, meaning: 'corners' },
  weight: { type: 'f32', meaning: 'of the rule' },
  walls: { type: 'u8', per: 'face', optional: true, meaning: 'what each face lies on' },
});

const values = {
  time: -0,
  position: Float64Array.of(0, 1, 2, 3, 4, Number.NaN),
  contact: Uint8Array.of(1, 0),
  triangle: Int32Array.of(0, 1, 0),
  weight: Float32Array.of(0.5, 0.25),
  walls: undefined,
};

describe('records', () => {
  it('give the types of their values', () => {
    expectTypeOf<ValuesOf<typeof record>>().toEqualTypeOf<{
      readonly time: number;
      readonly position: Float64Array;
      readonly contact: Uint8Array;
      readonly triangle: Int32Array;
      readonly weight: Float32Array;
      readonly walls: Uint8Array | undefined;
    }>();
    expectTypeOf(omitColumns({ a: 'f64', b: 'number' } as const, 'a')).toEqualTypeOf<{
      readonly b: 'number';
    }>();
    expect(omitColumns({ a: 'f64', b: 'number' } as const, 'a')).toEqual({ b: 'number' });
  });

  it('are saved in the order declared, and read back as they were', () => {
    const { time, ...rest } = values;
    const saved = saveRecord(record, { ...rest, time });
    expect(Object.keys(saved.arrays)).toEqual(['position', 'contact', 'triangle', 'weight']);
    expect(Object.is(saved.numbers['time'], -0)).toBe(true);
    expect(saved.arrays['position']).toBe(values.position);
    const { walls: _, ...others } = values;
    expect(readRecord(record, saved)).toEqual(others);
    const withWalls = readRecord(record, saveRecord(record, { ...values, walls: Uint8Array.of(2) }));
    expect(withWalls.walls).toEqual(Uint8Array.of(2));
  });

  it.each([
    ['no contact in it', { contact: undefined }],
    ['no time in it', { time: undefined }],
    ['position is a Float32Array, not f64', { position: Float32Array.of(1, 2, 3) }],
    ['5 numbers of position, no multiple of 3', { position: new Float64Array(5) }],
    ['3 rows of contact and 2 of position, one per vertex', { contact: new Uint8Array(3) }],
  ])('are refused when damaged: %s', (what, damage) => {
    const saved = saveRecord(record, { ...values, ...damage } as unknown as typeof values);
    expect(() => readRecord(record, saved)).toThrow(`checkpoint: ${what}`);
  });

  it('lie on the heap: views by the number of rows, or copies of what was read', () => {
    const heap = createHeap({ maximumBytes: 2 ** 20 });
    const scope = heap.scope('test');
    const views = allocateViews(record, scope, { vertex: 4, face: 2 });
    expectTypeOf(views).toEqualTypeOf<
      Pick<ValuesOf<typeof record>, 'position' | 'contact' | 'triangle' | 'walls'>
    >();
    expect(Object.entries(views).map(([name, view]) => [name, view!.length])).toEqual([
      ['position', 12],
      ['contact', 4],
      ['triangle', 6],
      ['walls', 2],
    ]);
    expect(() => allocateViews(record, scope, { vertex: 4 })).toThrow('no count of "face"');
    const copies = copyToHeap(record, values, scope);
    expect(copies.position).toEqual(values.position);
    expect([copies.position, copies.contact, copies.weight].every((view) => heap.owns(view))).toBe(true);
    expect(Object.is(copies.time, -0)).toBe(true);
    expect(copies.walls).toBe(undefined);
  });

  it('describe themselves', () => {
    expect(describeRecord(record).split('\n')).toEqual([
      '| column     | type   | per        | unit | meaning                               |',
      '| ---------- | ------ | ---------- | ---- | ------------------------------------- |',
      '| `time`     | number |            | s    | since the start                       |',
      '| `position` | f64    | vertex x 3 | m    | where vertices are                    |',
      '| `contact`  | u8     | vertex     |      | 1 on contact lines                    |',
      '| `triangle` | i32    | face x 3   |      | corners                               |',
      '| `weight`   | f32    |            |      | of the rule                           |',
      '| `walls`    | u8     | face       |      | what each face lies on; may be absent |',
    ]);
  });
});
