/** What a page has for a run: memory and cores, as far as browsers say. */
import type { Machine } from '../../../src/run/budget.ts';

const GIB = 2 ** 30;
/** Where a browser does not say; those that do say no more than 8 or 32. GiB. */
const ASSUMED_MEMORY = 8;
/** What engines give to plain arrays of a page, 64 bit. */
const PLAIN_BYTES = 2 * GIB;

export function describePage(): Machine {
  const { deviceMemory = ASSUMED_MEMORY, hardwareConcurrency } = navigator as Navigator & {
    readonly deviceMemory?: number;
  };
  return {
    memoryBytes: deviceMemory * GIB,
    plainBytes: PLAIN_BYTES,
    threads: hardwareConcurrency,
    // Only memory and steps are asked for.
    slowness: 1,
  };
}
