/**
 * Cost of a step of the lattice method as the work grows: seconds per stage and bytes at about 20, 50, 100
 * and 500 thousand and a million tets, on a collapsing column with a graded interior. Every stage must grow
 * no worse than n^1.1, the pressure solve with its iterations included. Each stage counts with its best step,
 * so that what else runs on the machine disturbs little; a coarse run before the first warms the compiler for
 * all sizes alike.
 */
import { type March, startMarch } from '../../cases/lattice/march.ts';
import {
  describeCost,
  describeGrowth,
  measureSteps,
  type StepCost,
  type Stepped,
} from '../../cases/shared/step-cost.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase } from '../../src/run/referee.ts';

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

const measureColumn = (cells: number, resources: Resources, steps: number): StepCost => {
  const march = startColumn(cells, resources);
  const { work } = march;
  const stepped = { ...stepsOf(march), clock: work.clock };
  return measureSteps(stepped, 'pressure', resources, { settling: SETTLING_STEPS, measured: steps });
};

const stepsOf = (march: March): Omit<Stepped, 'clock'> => ({
  stableStep: () => march.stableStep(LONGEST_STEP),
  step: (dt) => march.step(dt),
  measure: () => march.measure() as { tets: number; triangles: number },
  free: () => march.free(),
});

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
    return describeCost(measureColumn(cells, await createResources(), STEPS_OF_ONE_SIZE));
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
        costs.push(measureColumn(cells, await createResources(), MEASURED_STEPS));
      }
      return [
        ...costs.flatMap(describeCost),
        ...SPANS.flatMap(([a, b]) => describeGrowth(costs[a], costs[b])),
      ];
    },
  },
];
