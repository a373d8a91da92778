import { describe, expect, it } from 'vitest';
import { createBlockList } from '../../src/core/block-list.ts';
import { RunError } from '../../src/core/errors.ts';
import { createHeap } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';

const MEBIBYTE = 2 ** 20;

describe('heap', () => {
  it('hands out zero-filled, aligned views of the four kinds', () => {
    const scope = createHeap().scope('test');
    for (const view of [scope.f64(7), scope.f32(3), scope.i32(5), scope.u8(1), scope.f64(0)]) {
      expect(view.byteOffset % 64).toBe(0);
      expect(view.byteOffset).toBeGreaterThanOrEqual(65536); // page 0 is the kernels'
      expect(view.every((entry) => entry === 0)).toBe(true);
    }
  });

  it('keeps views valid while the memory grows', () => {
    const heap = createHeap();
    const scope = heap.scope('test');
    const early = scope.f64(1000).fill(7);
    const before = heap.memory.buffer.byteLength;
    const late = scope.f64(40 * MEBIBYTE);
    expect(heap.memory.buffer.byteLength).toBeGreaterThan(before);
    late[late.length - 1] = 3;
    early[999] = 8;
    expect(new Float64Array(heap.memory.buffer, early.byteOffset, 1000)[999]).toBe(8);
    expect(early[0]).toBe(7);
    expect(heap.owns(early) && heap.owns(late)).toBe(true);
    expect(heap.owns(new Float64Array(3))).toBe(false);
  });

  it('clears memory that is used again', () => {
    const heap = createHeap();
    const first = heap.scope('first');
    const view = first.f64(1000).fill(1);
    const { byteOffset } = view;
    first.free();
    const again = heap.scope('second').f64(1000);
    expect(again.byteOffset).toBe(byteOffset);
    expect(again.every((entry) => entry === 0)).toBe(true);
  });

  it('counts bytes in use and their peak', () => {
    const heap = createHeap();
    const a = heap.scope('a');
    const b = heap.scope('b');
    a.f64(1000);
    b.f64(2000);
    expect(heap.bytesInUse).toBe(a.bytes + b.bytes);
    const peak = heap.bytesInUse;
    a.free();
    expect(heap.bytesInUse).toBe(b.bytes);
    b.free();
    expect(heap.bytesInUse).toBe(0);
    expect(heap.peakBytes).toBe(peak);
  });

  it('says how much was asked for when it is full, and goes on working', () => {
    const heap = createHeap({ maximumBytes: 32 * MEBIBYTE });
    const scope = heap.scope('pressure');
    scope.u8(20 * MEBIBYTE);
    expect(() => scope.u8(20 * MEBIBYTE)).toThrow(RunError);
    expect(() => scope.u8(20 * MEBIBYTE)).toThrow(/20\.0 MiB in scope "pressure" with 20\.0 MiB.*coarser/);
    expect(scope.u8(10 * MEBIBYTE).length).toBe(10 * MEBIBYTE);
  });

  it('works unshared, with the full size from the start', () => {
    const heap = createHeap({ shared: false, maximumBytes: 64 * MEBIBYTE });
    const scope = heap.scope('test');
    const early = scope.f64(10).fill(5);
    const { buffer } = heap.memory;
    scope.f64(6 * MEBIBYTE)[1] = 1;
    expect(heap.memory.buffer).toBe(buffer);
    expect(early[9]).toBe(5);
    expect(() => scope.f64(6 * MEBIBYTE)).toThrow(RunError);
  });

  it('refuses a freed scope and a length that is no count', () => {
    const scope = createHeap().scope('gone');
    expect(() => scope.f64(-1)).toThrow(RunError);
    expect(() => scope.f64(1.5)).toThrow(RunError);
    scope.free();
    expect(() => scope.f64(1)).toThrow(/"gone" used after free/);
  });

  it('never lets live views overlap and wastes little, scopes freed in any order', () => {
    const heap = createHeap({ maximumBytes: 512 * MEBIBYTE });
    const random = createRandom(1);
    const live: { scope: ReturnType<typeof heap.scope>; views: { view: Int32Array; mark: number }[] }[] = [];
    let mark = 1;
    for (let round = 0; round < 400; round++) {
      if (live.length === 12) {
        const [{ scope, views }] = live.splice(Math.floor(random.next() * live.length), 1);
        for (const { view, mark } of views) expect(view.every((entry) => entry === mark)).toBe(true);
        scope.free();
      }
      const scope = heap.scope(`round ${round}`);
      const views = Array.from({ length: 8 }, () => {
        const view = scope.i32(Math.floor(2 ** (random.next() * 17))).fill(++mark);
        return { view, mark };
      });
      live.push({ scope, views });
    }
    expect(heap.memory.buffer.byteLength).toBeLessThan(2 * heap.peakBytes + 17 * MEBIBYTE);
  });
});

describe('block list', () => {
  it('merges everything back into one block', () => {
    const blocks = createBlockList(0, 64 * 1000);
    const taken = Array.from({ length: 100 }, (_, i) => blocks.take(64 * (1 + (i % 9)))!);
    for (let i = 0; i < 100; i += 2) blocks.give(taken[i]);
    for (let i = 1; i < 100; i += 2) blocks.give(taken[i]);
    expect(blocks.bytesInUse).toBe(0);
    expect(blocks.take(64 * 1000)?.offset).toBe(0);
  });
});
