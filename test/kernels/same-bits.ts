/** Holds the two forms of a kernel to each other: what it takes follows from its declaration. */
import { expect } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { isCompiled, type Kernel, type Result } from '../../src/core/kernels.ts';
import type { Columns, Values } from '../../src/core/records.ts';

type View = Float64Array | Float32Array | Int32Array | Uint8Array;

const heaps = [true, false].map((shared) => createHeap({ shared, maximumBytes: 2 ** 25 }));

/** Views as `copy` makes them, numbers as they are; a view that comes twice is copied once. */
function copyValues<C extends Columns>(values: Values<C>, columns: C, copy: (view: View) => View): Values<C> {
  const copies = new Map<unknown, View>();
  const entries = Object.keys(columns).map((name) => {
    const value = values[name] as number | View;
    if (typeof value === 'number') return [name, value];
    if (!copies.has(value)) copies.set(value, copy(value));
    return [name, copies.get(value)];
  });
  return Object.fromEntries(entries) as Values<C>;
}

const listBytes = (view: View) => Buffer.from(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));

/**
 * Runs both forms over [begin, end) on copies of the values, the compiled one on shared and on unshared
 * memory. Every array and the result must be the same, byte by byte, but for scratch, what it holds being
 * nobody's business. Returns what the compiled form left.
 */
export function expectSameBits<C extends Columns, R extends Result>(
  kernel: Kernel<C, R>,
  begin: number,
  end: number,
  values: Values<C>,
): { result: R; values: Values<C> } {
  const { columns, kernelName } = kernel;
  const loose = copyValues(values, columns, (view) => view.slice());
  const slow = kernel.plain(begin, end, loose);
  const runs = heaps.map((heap) => {
    expect(isCompiled(heap.memory)).toBe(true);
    const scope = heap.scope('test');
    const onHeap = copyValues(values, columns, (view) => {
      const type = view.constructor.name.replace(/(\w)\w*?(\d+)Array/, '$1$2').toLowerCase();
      const copy = scope[type as 'f64' | 'f32' | 'i32' | 'u8'](view.length);
      copy.set(view);
      return copy;
    });
    const fast = kernel(begin, end, onHeap);
    expect(Object.is(fast, slow), `${kernelName}: ${fast} and ${slow}`).toBe(true);
    for (const name of Object.keys(columns)) {
      if (typeof onHeap[name] === 'number' || /^(scratch|batch)$/.test(name)) continue;
      const [a, b] = [onHeap[name], loose[name]] as View[];
      expect(listBytes(a).equals(listBytes(b)), `${kernelName}: ${name}`).toBe(true);
    }
    const left = copyValues(onHeap, columns, (view) => view.slice());
    scope.free();
    return { result: fast, values: left };
  });
  return runs[0];
}
