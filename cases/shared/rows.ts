/** Rows of the tables of validation/ and bench/. */
import type { RefereeRow } from '../../src/run/referee.ts';

/** A figure that is only reported. */
export function reportRow(
  what: string,
  measured: number | string,
  unit: string,
  reference: number | string = '',
): RefereeRow {
  return { what, measured, reference, bound: '', unit, pass: true };
}

/** A figure that must not exceed `most`; NaN falls short. */
export function atMost(
  what: string,
  measured: number,
  most: number,
  unit: string,
  reference: number | string = '',
): RefereeRow {
  return { what, measured, reference, bound: `<= ${most}`, unit, pass: measured <= most };
}

/** A figure that must reach `least`; NaN falls short. */
export function atLeast(
  what: string,
  measured: number,
  least: number,
  unit: string,
  reference: number | string = '',
): RefereeRow {
  return { what, measured, reference, bound: `>= ${least}`, unit, pass: measured >= least };
}

/** A figure given as text that must equal its reference. */
export function equalTo(what: string, measured: string, reference: string): RefereeRow {
  return { what, measured, reference, bound: 'equal', unit: '', pass: measured === reference };
}

/** Observed order p of error ~ size^p between two sizes. */
export function computeOrder(sizeA: number, errorA: number, sizeB: number, errorB: number): number {
  return Math.log(errorA / errorB) / Math.log(sizeA / sizeB);
}
