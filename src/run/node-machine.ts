/** What this machine has for a run: memory, cores, and how fast it is now. */
import { availableParallelism, totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Machine } from './budget.ts';

/**
 * Time of a round of the probe on one idle core of the machine that costs were measured on (a 2-core cloud
 * machine), ms.
 */
const REFERENCE_MS = 2.3;
/** Rounds that are timed, after one that lets the engine compile. */
const ROUNDS = 24;
/** Numbers the probe walks over: more than the nearest caches hold. */
const LENGTH = 2 ** 17;

let slowness: number | undefined;

export function describeMachine(threads?: number): Machine {
  const constrained = process.constrainedMemory?.() ?? 0;
  const all = totalmem();
  slowness ??= measureSlowness();
  return {
    memoryBytes: constrained > 0 ? Math.min(constrained, all) : all,
    plainBytes: getHeapStatistics().heap_size_limit,
    threads: Math.min(threads ?? Infinity, availableParallelism()),
    slowness,
  };
}

/**
 * A fixed piece of work of the kind that runs do: sums over numbers found by ids. With other programs about,
 * it waits as a run would.
 */
function measureSlowness(): number {
  const value = new Float64Array(LENGTH);
  const id = new Int32Array(LENGTH);
  for (let i = 0; i < LENGTH; i++) {
    value[i] = 1 / (1 + i);
    id[i] = Math.imul(i, 0x9e3779b1) & (LENGTH - 1);
  }
  runProbe(value, id);
  const start = performance.now();
  for (let n = 0; n < ROUNDS; n++) runProbe(value, id);
  return (performance.now() - start) / (ROUNDS * REFERENCE_MS);
}

function runProbe(value: Float64Array, id: Int32Array): void {
  for (let pass = 0; pass < 8; pass++)
    for (let i = 0; i < LENGTH; i++) value[i] = 0.5 * value[i] + Math.sqrt(0.25 * value[id[i]] + 1e-3);
}
