/**
 * A flow rate over time and its exact integral: constant, or linear between [time, flow] pairs and constant
 * before the first and after the last; 0 outside start..end.
 */
import type { Seconds } from '../core/types.ts';
import type { FlowRateSpec } from './schema.ts';

export interface FlowRate {
  /** m^3/s at time t */
  at(time: Seconds): number;
  /** m^3 from time 0 to t, exact */
  until(time: Seconds): number;
  /** From then on it is 0 for good; Infinity: never. */
  readonly over: Seconds;
}

export function buildFlowRate(spec: FlowRateSpec, start: Seconds = 0, end: Seconds = Infinity): FlowRate {
  const knots = typeof spec === 'number' ? [[0, spec]] : spec;
  const first = Math.max(0, start);
  const clamp = (time: Seconds) => Math.min(Math.max(time, first), Math.max(first, end));
  const begun = integrate(knots, first);
  return {
    at: (time) => (time >= start && time < end ? interpolate(knots, time) : 0),
    until: (time) => integrate(knots, clamp(time)) - begun,
    over: lastFlow(knots) === 0 ? Math.min(end, knots[knots.length - 1][0]) : end,
  };
}

type Knots = readonly (readonly number[])[];

function lastFlow(knots: Knots): number {
  return knots[knots.length - 1][1];
}

function interpolate(knots: Knots, time: Seconds): number {
  const i = knots.findIndex(([t]) => t > time);
  if (i === 0) return knots[0][1];
  if (i < 0) return knots[knots.length - 1][1];
  const [t0, f0] = knots[i - 1];
  const [t1, f1] = knots[i];
  return f0 + ((f1 - f0) * (time - t0)) / (t1 - t0);
}

/** From the first knot to `time`; negative before it. */
function integrate(knots: Knots, time: Seconds): number {
  const [t0, f0] = knots[0];
  if (time <= t0) return f0 * (time - t0);
  let sum = 0;
  for (let i = 1; i < knots.length; i++) {
    const [a, fa] = knots[i - 1];
    const [b, fb] = knots[i];
    if (time < b) return sum + 0.5 * (fa + interpolate(knots, time)) * (time - a);
    sum += 0.5 * (fa + fb) * (b - a);
  }
  const [last, flow] = knots[knots.length - 1];
  return sum + flow * (time - last);
}
