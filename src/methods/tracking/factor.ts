/** A factor over time: a constant, or steps that each hold from their time on; 0 before the first. */
import type { Seconds } from '../../core/types.ts';
import type { FactorSpec } from './options-flows.ts';

/** Times that agree to this are one: a step that ends at a change may miss it by rounding. */
const SAME = 1e-9;

const isReached = (knot: Seconds, time: Seconds) => time >= knot - SAME * Math.max(1, knot);

export function factorAt(spec: FactorSpec, time: Seconds): number {
  if (typeof spec === 'number') return spec;
  let value = 0;
  for (const [knot, next] of spec) if (isReached(knot, time)) value = next;
  return value;
}

/** The next change after a time; infinite if there is none. */
export function findChange(spec: FactorSpec, time: Seconds): Seconds {
  if (typeof spec === 'number') return Infinity;
  return spec.find(([knot]) => !isReached(knot, time))?.[0] ?? Infinity;
}
