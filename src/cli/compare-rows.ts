/** Figures of two commits side by side: what got worse beyond the noise of the machine. */

/** One figure of a benchmark in one run. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
}

export type Verdict = 'worse' | 'better' | 'same';

export interface ComparedFigure {
  readonly what: string;
  readonly unit: string;
  /** Best of all runs of each commit */
  readonly before: number;
  readonly now: number;
  /** Cost now over cost before: above 1 is slower or larger */
  readonly ratio: number;
  /** Share by which two runs of one commit differ */
  readonly noise: number;
  readonly verdict: Verdict;
}

/** What counts as a change. */
const NEWS = {
  /** Changes below this share are no news even on a machine without noise. */
  least: 0.02,
  /** A change counts from so many times the noise on. */
  noises: 2,
  /** Seconds: what other load may take from a single short stage, in every run of a commit */
  seconds: 0.01,
};
const SECONDS_IN: Record<string, number> = { s: 1, ms: 1e-3 };
const COST_UNITS = new Set([
  's',
  'ms',
  'us',
  'ns',
  'bytes',
  'bytes per tet',
  'KiB',
  'MiB',
  'GiB',
  'MB',
  'GB',
]);

/** +1 where less is better, -1 where more is better, 0 for figures that are no cost. */
export function findSense(unit: string): -1 | 0 | 1 {
  if (COST_UNITS.has(unit)) return 1;
  return unit.endsWith('/s') ? -1 : 0;
}

/**
 * Compares the figures that both commits have, in this commit's order. Other load only ever adds to a cost,
 * so the best run of a commit stands for it, and what lies between its best and its second best is noise.
 */
export function compareFigures(
  before: readonly (readonly Figure[])[],
  now: readonly (readonly Figure[])[],
): ComparedFigure[] {
  const compared: ComparedFigure[] = [];
  for (const { what, unit } of now[0] ?? []) {
    const sense = findSense(unit);
    const costsOf = (runs: readonly (readonly Figure[])[]) =>
      runs
        .flatMap((run) => run.find((figure) => figure.what === what && figure.unit === unit)?.value ?? [])
        .map((value) => value ** sense)
        .sort((a, b) => a - b);
    const [a, b] = [costsOf(before), costsOf(now)];
    // A figure of 0 has no ratio.
    if (sense === 0 || a.length === 0 || !(a[0] > 0) || !(b[0] > 0)) continue;
    const ratio = b[0] / a[0];
    const noise = Math.max(...[a, b].map((costs) => (costs.length > 1 ? costs[1] / costs[0] - 1 : 0)));
    const least = Math.max(
      NEWS.least,
      NEWS.noises * noise,
      NEWS.seconds / (a[0] * (SECONDS_IN[unit] ?? Infinity)),
    );
    const verdict = ratio > 1 + least ? 'worse' : ratio < 1 / (1 + least) ? 'better' : 'same';
    compared.push({ what, unit, before: a[0] ** sense, now: b[0] ** sense, ratio, noise, verdict });
  }
  return compared;
}
