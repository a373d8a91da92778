/**
 * Cost of a frame of the viscous method (1/30 s): seconds per stage, iterations and bytes at about 100 and
 * 500 thousand and 1.4 million tets, on a column of thick liquid that falls and spreads, with a graded
 * interior.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { emptyRoom } from '../../cases/shared/scene.ts';
import {
  describeCost,
  describeGrowth,
  measureSteps,
  type StepCost,
  type Stepped,
} from '../../cases/shared/step-cost.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import { viscous } from '../../src/methods/viscous/viscous.ts';
import type { RefereeCase } from '../../src/run/referee.ts';

/** Lattice cells across the column's 0.5 m. */
const CELLS = { '100k': 22, '500k': 43, '1.4m': 71 } as const;
const WARM_CELLS = 11;
const FRAME = 1 / 30;
/** Pa s: the creature of the paper's figure 2. */
const VISCOSITY = 40;
/** Bounds of the acceptance table, for two cores. */
const MOST_SECONDS = 20;
const MOST_BYTES = 3e9;

function startColumn(cells: number, resources: Resources): Stepped {
  const material = { name: 'thick', density: 1000, viscosity: VISCOSITY, surfaceTension: 0 };
  const room = { min: [0, 0, 0], max: [1.2, 0.8, 0.6] } as const;
  const model = viscous.build(
    {
      ...emptyRoom('viscous', room, 0.5 / cells),
      wall: 'no-slip',
      gravity: [0, -9.81, 0],
      liquids: [{ shape: box([-0.1, -0.1, -0.1], [0.5, 0.5, 0.45]), velocity: [0, 0, 0], material }],
      options: {},
    },
    resources,
  );
  const state = viscous.start(model);
  const work = viscous.createWork(model);
  return {
    clock: work.clock,
    stableStep: () => Math.min(FRAME, viscous.stableTimeStep(model, state)),
    step: (dt) => viscous.step(model, state, work, dt),
    measure: () => ({ tets: state.mesh.tetCount, triangles: state.surface.triangleCount }),
    free: () => viscous.release?.(state),
  };
}

function warmUp(resources: Resources): void {
  const warm = startColumn(WARM_CELLS, resources);
  for (let n = 0; n < 4; n++) warm.step(warm.stableStep());
  warm.free();
}

async function measureSize(
  size: keyof typeof CELLS,
  createResources: () => Promise<Resources>,
): Promise<{ cost: StepCost; steps: number }> {
  const resources = await createResources();
  const column = startColumn(CELLS[size], resources);
  let steps = 1;
  const counted: Stepped = {
    ...column,
    stableStep: () => {
      const dt = column.stableStep();
      steps = Math.ceil(FRAME / dt - 1e-9);
      return FRAME / steps;
    },
  };
  const cost = measureSteps(counted, 'viscosity', resources, { settling: 1, measured: 1 });
  return { cost, steps };
}

const frameAt = (size: keyof typeof CELLS): RefereeCase => ({
  name: `viscous-frame/${size}`,
  method: 'viscous',
  title: `a frame of the viscous method at ${size} tets`,
  onRequest: true,
  async run({ createResources }) {
    warmUp(await createResources());
    const { cost, steps } = await measureSize(size, createResources);
    const seconds = (steps * cost.total) / 1000;
    return [
      ...describeCost(cost),
      reportRow('steps of a frame', steps, ''),
      ...(size === '1.4m'
        ? [
            atMost('a frame', seconds, MOST_SECONDS, 's'),
            atMost('heap at most', cost.heapPeakBytes, MOST_BYTES, 'bytes'),
          ]
        : [reportRow('a frame', seconds, 's')]),
    ];
  },
});

export const viscousFrames: RefereeCase[] = [
  ...(Object.keys(CELLS) as (keyof typeof CELLS)[]).map(frameAt),
  {
    name: 'viscous-frame',
    method: 'viscous',
    title: 'growth of a step of the viscous method from 100k to 500k tets',
    async run({ createResources }) {
      warmUp(await createResources());
      const small = await measureSize('100k', createResources);
      const large = await measureSize('500k', createResources);
      return [
        ...describeCost(small.cost),
        ...describeCost(large.cost),
        ...describeGrowth(small.cost, large.cost),
      ];
    },
  },
];
