/**
 * Emitters and drains against the integrals of their flows, as shipped and with the volume correction off.
 * The second row of each is only reported: it shows what the fluxes and the tracking do by themselves (a
 * fountain loses volume by tracking).
 */
import { type LatticeSetup, marchTo, startMarch } from '../../cases/lattice/march.ts';
import { judgeEach } from '../../cases/shared/judge-each.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { box, cylinder } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { buildFlowRate } from '../../src/scene/flow-rate.ts';
import { materialPresets } from '../../src/scene/materials.ts';

/** Of the volume moved, as the project asks. */
const BOUND = 0.01;
const LONGEST_STEP = 1 / 60;
const DOMAIN = { min: [0, 0, 0], max: [1, 1, 1] } as const;

const jetFlow = buildFlowRate(0.03);
const fillFlow = buildFlowRate([
  [0, 0],
  [0.3, 0.06],
  [1, 0.06],
]);
const drainFlow = buildFlowRate(0.08);

interface Source {
  readonly name: string;
  readonly duration: number;
  readonly setup: LatticeSetup;
  /** m^3 gained from 0 to t */
  readonly gained: (time: number) => number;
}

const emitter = (
  flow: ReturnType<typeof buildFlowRate>,
  from: readonly number[],
  to: readonly number[],
  radius: number,
) => ({
  name: 'nozzle',
  shape: cylinder(from as [number, number, number], to as [number, number, number], radius),
  material: materialPresets['water'],
  direction: unit(from, to),
  flowAt: flow.at,
  emittedUntil: flow.until,
  shutFrom: flow.over,
});

function unit(from: readonly number[], to: readonly number[]): [number, number, number] {
  const d = from.map((x, a) => to[a] - x);
  const length = Math.hypot(...d);
  return [d[0] / length, d[1] / length, d[2] / length];
}

const SOURCES: Source[] = [
  {
    name: 'jet in free flight',
    duration: 0.25,
    setup: {
      domain: DOMAIN,
      resolution: 1 / 32,
      gravity: [0, 0, 0],
      emitters: [emitter(jetFlow, [0.1, 0.5, 0.5], [0.3, 0.5, 0.5], 0.1)],
    },
    gained: jetFlow.until,
  },
  {
    name: 'tap under water, flow rising',
    duration: 1,
    setup: {
      domain: DOMAIN,
      resolution: 1 / 20,
      liquid: box([-1, -1, -1], [2, 2, 0.513]),
      emitters: [emitter(fillFlow, [0.5, 0.5, 0.1], [0.5, 0.5, 0.3], 0.13)],
    },
    gained: fillFlow.until,
  },
  {
    name: 'drain in the floor',
    duration: 1,
    setup: {
      domain: DOMAIN,
      resolution: 1 / 20,
      liquid: box([-1, -1, -1], [2, 2, 0.513]),
      drains: [
        {
          name: 'drain',
          shape: cylinder([0.5, 0.5, -0.1], [0.5, 0.5, 0.15], 0.15),
          flowAt: drainFlow.at,
          drainedUntil: drainFlow.until,
        },
      ],
    },
    gained: (time) => -drainFlow.until(time),
  },
];

function runSource({ name, duration, setup, gained }: Source, resources: Resources): RefereeRow[] {
  const wanted = gained(duration);
  const measureError = (volumeCorrection: boolean) => {
    const march = startMarch({ ...setup, options: { volumeCorrection } }, resources);
    const start = march.measure().volume!;
    marchTo(march, duration, LONGEST_STEP);
    const change = march.measure().volume! - start;
    march.free();
    return Math.abs(change / wanted - 1);
  };
  return [
    atMost(`${name}: gain off the flow's integral`, measureError(true), BOUND, '', 0),
    reportRow(`${name}: the same without volume correction`, measureError(false), '', 0),
    reportRow(`${name}: the flow's integral`, wanted, 'm^3'),
  ];
}

export const sourceCases: RefereeCase[] = [
  {
    name: 'lattice/sources',
    title: 'volume brought by emitters and taken by drains, against the integrals of their flows',
    run: judgeEach(SOURCES, ({ name }) => name, runSource),
  },
];
