/**
 * What steps of a method cost, stage by stage, and how that grows with their meshes: each stage counts with
 * its best step.
 */
import type { StageClock } from '../../src/core/stages.ts';
import type { Resources, StepReport } from '../../src/methods/method.ts';
import type { RefereeRow } from '../../src/run/referee.ts';
import { atMost, reportRow } from './rows.ts';

/** The bound of the project's acceptance tables. */
const EXPONENT_BOUND = 1.1;

/** A run in hand. */
export interface Stepped {
  readonly clock: StageClock;
  stableStep(): number;
  step(dt: number): StepReport;
  measure(): { readonly tets: number; readonly triangles: number };
  free(): void;
}

export interface StepCost {
  readonly tets: number;
  readonly triangles: number;
  /** Best milliseconds of each stage, and of the whole step */
  readonly stage: Record<string, number>;
  readonly total: number;
  /** Least processor milliseconds of a step over all threads, waiting loops included */
  readonly processor: number;
  /** Of `solver`, on the mean */
  readonly solver: string;
  readonly iterations: number;
  readonly heapBytes: number;
  readonly heapPeakBytes: number;
  /** Largest resident set seen after a step */
  readonly residentBytes: number;
}

/** `solver`: whose iterations are counted. */
export function measureSteps(
  march: Stepped,
  solver: string,
  resources: Resources,
  { settling, measured: steps }: { readonly settling: number; readonly measured: number },
): StepCost {
  for (let n = 0; n < settling; n++) march.step(march.stableStep());
  const stage: Record<string, number> = {};
  let total = Number.POSITIVE_INFINITY;
  let processor = Number.POSITIVE_INFINITY;
  let iterations = 0;
  let residentBytes = 0;
  for (let n = 0; n < steps; n++) {
    const dt = march.stableStep();
    march.clock.reset();
    const start = performance.now();
    const before = process.cpuUsage();
    const report = march.step(dt);
    const { user, system } = process.cpuUsage(before);
    total = Math.min(total, performance.now() - start);
    processor = Math.min(processor, (user + system) / 1000);
    iterations += report.solver[solver].iterations / steps;
    for (const [name, ms] of Object.entries(march.clock.milliseconds))
      stage[name] = Math.min(stage[name] ?? Number.POSITIVE_INFINITY, ms);
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss());
  }
  const { tets, triangles } = march.measure();
  const heapBytes = resources.heap.bytesInUse;
  march.free();
  return {
    tets,
    triangles,
    stage,
    total,
    processor,
    solver,
    iterations,
    heapBytes,
    heapPeakBytes: resources.heap.peakBytes,
    residentBytes,
  };
}

export function describeCost(cost: StepCost): RefereeRow[] {
  const name = `${Math.round(cost.tets / 1000)}k tets`;
  return [
    reportRow(`${name}: tets, surface triangles`, `${cost.tets}, ${cost.triangles}`, ''),
    reportRow(`${name}: step`, cost.total / 1000, 's'),
    reportRow(`${name}: step, processor time`, cost.processor / 1000, 's'),
    ...Object.entries(cost.stage).map(([stage, ms]) => reportRow(`${name}: ${stage}`, ms / 1000, 's')),
    reportRow(`${name}: ${cost.solver} iterations per step`, Math.round(cost.iterations), ''),
    reportRow(`${name}: heap between steps`, Math.round(cost.heapBytes / cost.tets), 'bytes per tet'),
    reportRow(`${name}: heap at most`, Math.round(cost.heapPeakBytes / cost.tets), 'bytes per tet'),
    reportRow(`${name}: resident`, Math.round(cost.residentBytes / 2 ** 20), 'MiB'),
  ];
}

/** Exponents of the growth between two sizes. */
export function describeGrowth(small: StepCost, large: StepCost): RefereeRow[] {
  const span = `from ${Math.round(small.tets / 1e3)}k to ${Math.round(large.tets / 1e3)}k tets`;
  const exponent = (a: number, b: number) => Math.log(b / a) / Math.log(large.tets / small.tets);
  return [
    ...Object.keys(large.stage).map((name) =>
      atMost(
        `${name}, growth ${span}`,
        exponent(small.stage[name], large.stage[name]),
        EXPONENT_BOUND,
        'n^p',
      ),
    ),
    reportRow(`iterations, growth ${span}`, exponent(small.iterations, large.iterations), 'n^p'),
    reportRow(`whole step, growth ${span}`, exponent(small.total, large.total), 'n^p'),
    reportRow(`processor time, growth ${span}`, exponent(small.processor, large.processor), 'n^p'),
    atMost(
      `heap at most, growth ${span}`,
      exponent(small.heapPeakBytes, large.heapPeakBytes),
      EXPONENT_BOUND,
      'n^p',
    ),
  ];
}
