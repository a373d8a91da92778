/**
 * Cost of a step of the lattice method as the work grows: seconds per stage and bytes at about 20, 50, 100 and 500 thousand and a
 * million tets, on a collapsing column with a graded interior. Every stage must grow no worse than n^1.1, the pressure solve with
 * its iterations included. Each stage counts with its best step, so that what else runs on the machine disturbs little; a
 * coarse run before the first warms the compiler for all sizes alike.
 */
import { type March, startMarch } from '../../cases/lattice/march.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** Lattice cells across the column's 0.5 m. */
const CELLS = [11, 16, 22, 42, 58];
/** Places in CELLS between which growth is measured: 20k to 500k tets, and 50k to 1M. */
const SPANS = [
  [0, 3],
  [1, 4],
] as const;
const WARM_STEPS = 12;
const SETTLING_STEPS = 1;
const MEASURED_STEPS = 3;
const STEPS_OF_ONE_SIZE = 6;
/** The bound of the project's acceptance table. */
const EXPONENT_BOUND = 1.1;
/** s: frames of a film, where the method's own limit is longer */
const LONGEST_STEP = 1 / 60;

function startColumn(cells: number, resources: Resources): March {
  return startMarch(
    {
      domain: { min: [0, 0, 0], max: [1.6, 0.8, 0.8] },
      resolution: 0.5 / cells,
      liquid: box([-0.1, -0.1, -0.1], [0.5, 0.9, 0.45]),
    },
    resources,
  );
}

interface StepCost {
  readonly tets: number;
  readonly triangles: number;
  /** Best milliseconds of each stage, and of the whole step */
  readonly stage: Record<string, number>;
  readonly total: number;
  /** Least processor milliseconds of a step over all threads, waiting loops included */
  readonly processor: number;
  readonly iterations: number;
  readonly heapBytes: number;
  readonly heapPeakBytes: number;
  /** Largest resident set seen after a step */
  readonly residentBytes: number;
}

function measureSteps(cells: number, resources: Resources, steps: number): StepCost {
  const march = startColumn(cells, resources);
  for (let n = 0; n < SETTLING_STEPS; n++) march.step(march.stableStep(LONGEST_STEP));
  const stage: Record<string, number> = {};
  let total = Number.POSITIVE_INFINITY;
  let processor = Number.POSITIVE_INFINITY;
  let iterations = 0;
  let residentBytes = 0;
  for (let n = 0; n < steps; n++) {
    const dt = march.stableStep(LONGEST_STEP);
    march.work.clock.reset();
    const start = performance.now();
    const before = process.cpuUsage();
    const report = march.step(dt);
    const { user, system } = process.cpuUsage(before);
    total = Math.min(total, performance.now() - start);
    processor = Math.min(processor, (user + system) / 1000);
    iterations += report.solver['pressure'].iterations / steps;
    for (const [name, ms] of Object.entries(march.work.clock.milliseconds))
      stage[name] = Math.min(stage[name] ?? Number.POSITIVE_INFINITY, ms);
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss());
  }
  const { tets, triangles } = march.measure() as { tets: number; triangles: number };
  const heapBytes = resources.heap.bytesInUse;
  march.free();
  return {
    tets,
    triangles,
    stage,
    total,
    processor,
    iterations,
    heapBytes,
    heapPeakBytes: resources.heap.peakBytes,
    residentBytes,
  };
}

function describe(cost: StepCost): RefereeRow[] {
  const name = `${Math.round(cost.tets / 1000)}k tets`;
  return [
    reportRow(`${name}: tets, surface triangles`, `${cost.tets}, ${cost.triangles}`, ''),
    reportRow(`${name}: step`, cost.total / 1000, 's'),
    reportRow(`${name}: step, processor time`, cost.processor / 1000, 's'),
    ...Object.entries(cost.stage).map(([stage, ms]) => reportRow(`${name}: ${stage}`, ms / 1000, 's')),
    reportRow(`${name}: pressure iterations per step`, Math.round(cost.iterations), ''),
    reportRow(`${name}: heap between steps`, Math.round(cost.heapBytes / cost.tets), 'bytes per tet'),
    reportRow(`${name}: heap at most`, Math.round(cost.heapPeakBytes / cost.tets), 'bytes per tet'),
    reportRow(`${name}: resident`, Math.round(cost.residentBytes / 2 ** 20), 'MiB'),
  ];
}

/** Exponents of the growth between two sizes. */
function describeGrowth(small: StepCost, large: StepCost): RefereeRow[] {
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

/** Runs a coarse column, so that all sizes find their loops compiled. */
function warmUp(resources: Resources): void {
  const warm = startColumn(CELLS[0], resources);
  for (let n = 0; n < WARM_STEPS; n++) warm.step(warm.stableStep(LONGEST_STEP));
  warm.free();
}

/** The same at one size, for `bench --against`. */
const stepAt = (tets: string, cells: number): RefereeCase => ({
  name: `step-cost/${tets}`,
  method: 'lattice-step',
  title: `seconds and bytes per step at ${tets} tets`,
  onRequest: true,
  async run({ createResources }) {
    warmUp(await createResources());
    return describe(measureSteps(cells, await createResources(), STEPS_OF_ONE_SIZE));
  },
});

export const stepCostCases: RefereeCase[] = [
  stepAt('20k', CELLS[0]),
  stepAt('113k', CELLS[2]),
  stepAt('473k', CELLS[3]),
  stepAt('937k', CELLS[4]),
  {
    name: 'step-cost',
    method: 'lattice',
    title: 'seconds and bytes per step at 20k, 50k, 100k, 500k and 1M tets',
    async run({ createResources, note }) {
      note('warming');
      warmUp(await createResources());
      const costs: StepCost[] = [];
      for (const cells of CELLS) {
        note(`${cells} cells across the column`);
        costs.push(measureSteps(cells, await createResources(), MEASURED_STEPS));
      }
      return [...costs.flatMap(describe), ...SPANS.flatMap(([a, b]) => describeGrowth(costs[a], costs[b]))];
    },
  },
];
