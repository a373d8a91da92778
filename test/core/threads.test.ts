import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, it } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { createHeap, findMemory } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import { createThreads as createBrowserThreads } from '../../src/core/threads/browser.ts';
import { createThreads } from '../../src/core/threads/node.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { defineTask } from '../../src/core/threads/task.ts';
import { axpy } from '../../src/linalg/vector-kernels.ts';
import { defineTestTasks } from './test-tasks.js';

const entry = new URL('./test-tasks.js', import.meta.url);
const heap = createHeap();
const tasks = defineTestTasks(defineTask, RunError, findMemory);
const axpyTask = defineTask('test.axpy', axpy);
const unknownToWorkers = defineTask('test.unknown', () => {});
const teams = [
  createSingleThread(),
  await createThreads({ heap, count: 2, entry }),
  await createThreads({ heap, count: 4, entry }),
];
afterAll(() => Promise.all(teams.map((team) => team.close())));

describe('threads', () => {
  it.each(teams)('visit every index once', (threads) => {
    for (const [count, grain] of [
      [0, 1],
      [1, 1],
      [10, 3],
      [1000, 1],
      [12345, 100],
    ]) {
      const scope = heap.scope('test');
      const x = scope.f64(count);
      for (let repeat = 0; repeat < 5; repeat++) threads.run(tasks.addIndex, count, grain, 2, x);
      expect(x.every((value, i) => value === 10 * i)).toBe(true);
      scope.free();
    }
  });

  it('give the same bits whatever their number', () => {
    const scope = heap.scope('test');
    const x = scope.f64(100_000);
    const random = createRandom(1);
    for (let i = 0; i < x.length; i++) x[i] = (random.next() - 0.5) * 10 ** (20 * random.next());
    const sums = teams.map((threads) => threads.sum(tasks.sumRange, x.length, 777, x));
    const largest = teams.map((threads) => threads.max(tasks.largest, x.length, 777, x));
    expect(new Set(sums).size).toBe(1);
    expect(sums[0]).not.toBe(x.reduce((a, b) => a + b)); // chunked, so not the plain order
    expect(new Set(largest)).toEqual(new Set([x.reduce((a, b) => Math.max(a, b))]));
    scope.free();
  });

  it('pass views of all kinds, also on memory that grew after they started', () => {
    for (const threads of teams) {
      const scope = heap.scope('test');
      scope.u8(heap.memory.buffer.byteLength); // what follows lies beyond the old end
      const n = 5000;
      const [f64, f32, i32, u8] = [scope.f64(n), scope.f32(n), scope.i32(n), scope.u8(n)];
      threads.run(tasks.kinds, n, 10, f64, f32, i32, u8);
      for (let i = 0; i < n; i++) expect([f64[i], f32[i], i32[i], u8[i]]).toEqual([i, i, i, i & 255]);
      scope.free();
    }
  });

  it('pass values by the names of columns, whatever order they are given in', () => {
    for (const threads of teams) {
      const scope = heap.scope('test');
      const n = 5000;
      for (let scale = 1; scale < 4; scale++) {
        const [u8, i32, f32, f64] = [scope.u8(n), scope.i32(n), scope.f32(n), scope.f64(n)];
        expect(threads.sum(tasks.named, n, 10, { u8, other: 5, i32, scale, f32, f64 })).toBe(n);
        for (let i = 0; i < n; i++)
          expect([f64[i], f32[i], i32[i], u8[i]]).toEqual([scale * i, i, i, i & 255]);
      }
      scope.free();
    }
  });

  it('pass groups of columns, each under its own name', () => {
    for (const threads of teams) {
      const scope = heap.scope('test');
      const n = 300;
      const [place, numbers, out] = [scope.f64(n).fill(2), scope.i32(n).fill(5), scope.f64(n)];
      for (let count = 0; count < 3; count++) {
        const values = { other: { place: numbers }, out, scale: 10, flow: { place, count } };
        threads.run(tasks.grouped, n, 7, values);
        expect(out.every((value) => value === 25 + count)).toBe(true);
      }
      scope.free();
    }
  });

  it('give a body one object for all calls, so that it is compiled for one shape', () => {
    const seen: object[] = [];
    const inner = { recordName: 'inner', columns: { x: 'f64' } } as const;
    const task = defineTask('test.shape', { inner, a: 'number' }, (_begin, _end, values) => {
      seen.push(values, values.inner);
      return values.a + values.inner.x[0];
    });
    const x = Float64Array.of(10);
    expect(teams[0].sum(task, 1, 1, { a: 1, inner: { x } })).toBe(11);
    const other = { x: Float64Array.of(20), y: 3 };
    expect(teams[0].sum(task, 1, 1, { inner: other, a: 2.5 })).toBe(22.5);
    expect(seen[0]).toBe(seen[2]);
    expect(seen[1]).toBe(seen[3]);
  });

  it('ask for names where there are more than eight parameters', () => {
    const define = () =>
      defineTask(
        'test.long',
        (_b, _e, _1: number, _2: number, _3: number, _4: number, _5: number, _6: number, _7: number) => {},
      );
    expect(define).toThrow('task test.long: 9 parameters; give its arguments names');
  });

  it('run kernels as tasks, with the same bits as one call would give', () => {
    for (const threads of teams) {
      const scope = heap.scope('test');
      const [x, y] = [scope.f64(1000).fill(2), scope.f64(1000).fill(3)];
      threads.run(axpyTask, 1000, 16, { a: 5, x, y });
      expect(y.every((value) => value === 13)).toBe(true);
      scope.free();
    }
  });

  it('refuse a column that is not on the heap, by its name', () => {
    const x = heap.scope('test').f64(100);
    const run = () => teams[1].run(axpyTask, 100, 10, { a: 1, x, y: new Float64Array(100) });
    expect(run).toThrow(/argument y \(Float64Array of 100\) is not on the heap/);
  });

  it('know their views to be on the heap, so that kernels run compiled, however the memory grew', () => {
    for (const threads of teams) {
      const scope = heap.scope('test');
      for (let round = 0; round < 10; round++) {
        scope.u8(24 * 2 ** 20);
        const x = scope.f64(1000);
        for (let repeat = 0; repeat < 20; repeat++)
          expect(threads.sum(tasks.countKnown, 1000, 1, x)).toBe(1000);
      }
      scope.free();
    }
  });

  it('survive many small jobs in a row', () => {
    const x = heap.scope('test').f64(64);
    for (let i = 0; i < 20_000; i++) teams[1 + (i & 1)].run(tasks.addIndex, 64, 16, 1, x);
    expect(x[63]).toBe(63 * 20_000);
  });

  it.each(teams)('rethrow an error with its message and class, and go on', (threads) => {
    const scope = heap.scope('test');
    const flag = () => {
      const word = scope.i32(1);
      if (threads.count === 1) word[0] = 1;
      return word;
    };
    expect(() => threads.run(tasks.fail, 2, 1, 0, flag())).toThrow('plain failure at 1');
    expect(() => threads.run(tasks.fail, 2, 1, 1, flag())).toThrow(RunError);
    expect(() => threads.run(tasks.fail, 2, 1, 1, flag())).toThrow('test: chunk at 1; do not worry');
    const x = scope.f64(100);
    threads.run(tasks.addIndex, 100, 1, 1, x);
    expect(x[99]).toBe(99);
  });

  it('refuse a view off the heap, a bad range, and a task the workers do not know', () => {
    const [one, two] = teams;
    const loose = new Float64Array(100);
    expect(() => two.run(tasks.addIndex, 100, 1, 1, loose)).toThrow(
      /argument 1 \(Float64Array of 100\) is not on the heap/,
    );
    one.run(tasks.addIndex, 100, 1, 1, loose);
    expect(loose[99]).toBe(99);
    for (const threads of teams) {
      expect(() => threads.run(tasks.addIndex, -1, 1, 1, loose)).toThrow(RunError);
      expect(() => threads.run(tasks.addIndex, 10, 0, 1, loose)).toThrow(RunError);
    }
    const slow = () => {
      // the worker may come too late to a job; ask until it takes part
      for (let i = 0; i < 100_000; i++) two.run(unknownToWorkers, 64, 1);
    };
    expect(slow).toThrow(/test\.unknown: unknown in the workers; import its module/);
  });

  it('fall back to one thread with a reason', async () => {
    const plain = createHeap({ shared: false, maximumBytes: 2 ** 20 });
    const threads = await createThreads({ heap: plain, count: 2 });
    expect(threads.count).toBe(1);
    expect(threads.reason).toMatch(/not shared/);
    const createWorker = () => {
      throw new Error('not reached');
    };
    const inPage = await createBrowserThreads({ heap: plain, count: 2, createWorker });
    expect(inPage.reason).toMatch(/cross-origin isolated/);
    expect((await createThreads({ heap, count: 1 })).reason).toBeUndefined();
  });

  it('report a worker module that is missing', async () => {
    const missing = new URL('./no-such-worker.js', import.meta.url);
    await expect(createThreads({ heap, count: 2, entry: missing })).rejects.toThrow(/npm run build/);
  });

  it('keep no process alive, closed or not', () => {
    for (const close of ['', 'await threads.close();']) {
      const program = `
        const { createHeap } = await import('./dist/src/core/heap.js');
        const { createThreads } = await import('./dist/src/core/threads/node.js');
        const threads = await createThreads({ heap: createHeap(), count: 3 });
        ${close}
        console.log(threads.count);`;
      const cwd = new URL('../..', import.meta.url);
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd,
        timeout: 20_000,
      });
      expect(output.toString().trim()).toBe('3');
    }
  });
});
