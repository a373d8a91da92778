/** Worker module of the thread tests: the real one, and tasks that misbehave. */
import { RunError } from '../../dist/src/core/errors.js';
import { findMemory } from '../../dist/src/core/heap.js';
import { defineTask } from '../../dist/src/core/threads/task.js';
import { axpy } from '../../dist/src/linalg/vector-kernels.js';

export { serve } from '../../dist/src/worker.js';

/** The same bodies for both sides: the main thread passes its own defineTask and RunError. */
export function defineTestTasks(define, ErrorClass, findMemory) {
  return {
    /** Counts chunks whose view is known to lie on a heap: what sends it to WebAssembly. */
    countKnown: define('test.countKnown', (_begin, _end, x) => (findMemory(x.buffer) ? 1 : 0)),
    addIndex: define('test.addIndex', (begin, end, a, x) => {
      for (let i = begin; i < end; i++) x[i] += a * i;
    }),
    kinds: define('test.kinds', (begin, end, f64, f32, i32, u8) => {
      for (let i = begin; i < end; i++) {
        f64[i] = i;
        f32[i] = i;
        i32[i] = i;
        u8[i] = i;
      }
    }),
    /** The same by name; returns how many it set. */
    named: define(
      'test.named',
      { scale: 'number', f64: 'f64', f32: 'f32', i32: 'i32', u8: 'u8' },
      (begin, end, { scale, f64, f32, i32, u8 }) => {
        for (let i = begin; i < end; i++) {
          f64[i] = scale * i;
          f32[i] = i;
          i32[i] = i;
          u8[i] = i;
        }
        return end - begin;
      },
    ),
    /** out = the flow's places times scale, its number of rows being told too. */
    grouped: define(
      'test.grouped',
      {
        scale: 'number',
        flow: { recordName: 'flow', columns: { place: 'f64', count: 'number' } },
        other: { recordName: 'other', columns: { place: 'i32' } },
        out: 'f64',
      },
      (begin, end, { scale, flow, other, out }) => {
        for (let i = begin; i < end; i++) out[i] = scale * flow.place[i] + flow.count + other.place[i];
      },
    ),
    sumRange: define('test.sumRange', (begin, end, x) => {
      let sum = 0;
      for (let i = begin; i < end; i++) sum += x[i];
      return sum;
    }),
    largest: define('test.largest', (begin, end, x) => {
      let largest = x[begin];
      for (let i = begin; i < end; i++) largest = Math.max(largest, x[i]);
      return largest;
    }),
    /** Chunk 0 waits until another thread has thrown, so the error is a worker's whenever it can be. */
    fail: define('test.fail', (begin, _end, kind, flag) => {
      if (begin === 0) {
        Atomics.wait(flag, 0, 0, 2000);
        return;
      }
      Atomics.store(flag, 0, 1);
      Atomics.notify(flag, 0);
      if (kind === 1) throw new ErrorClass('test', `chunk at ${begin}`, 'do not worry');
      throw new Error(`plain failure at ${begin}`);
    }),
  };
}

defineTestTasks(defineTask, RunError, findMemory);
defineTask('test.axpy', axpy);
