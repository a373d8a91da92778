/**
 * Dam break on a dry bed (Ritter 1892): a long reservoir of depth H is let go at once. The front runs at 2
 * sqrt(gH) in a thin tip, and at the gate the depth stays at 4/9 H until the reservoir's far end is felt, at
 * 1.84 L/H sqrt(H/g). Ritter's water is shallow; real water takes a time of sqrt(H/g) or two to get under
 * way, so the front's speed is read after that. The gate takes longer: there the depth nears 4/9 H from
 * above, at T = 2, 3, 4, 5, 6 it is 11, 6, 3.6, 2.5, 1.8 % off with 10 cells and a reservoir of 6 H. So it is
 * read late, before the far end is felt.
 */
import { GRAVITY, type March, marchTo, startMarch } from '../../cases/lattice/march.ts';
import { findWetStretches, measureVolumeOn } from '../../cases/lattice/surface-measures.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { box } from '../../src/geometry/shapes.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** m */
const DEPTH = 0.4;
/** In H: the reservoir, whose far end is felt at T = 7.4, and the bed before it; the front comes 10 H far. */
const RESERVOIR = 4;
const BED = 10.5;
const CEILING = 1.2;
/** Cells across: the flow is plane. */
const BREADTH = 2;
/** In sqrt(H/g): when the front is read and when the gate, from and to; between looks. */
const FRONT = [2, 4] as const;
const AT_GATE = [4, 5.5] as const;
const LOOK = 0.1;
/**
 * The issue's: for H/h, the least speed of the front in sqrt(gH); share of 4/9 H; height of a lump in cells.
 */
const SPEED_BOUNDS: readonly (readonly [number, number])[] = [
  [10, 1.6],
  [20, 1.75],
  [40, 1.85],
];
const GATE_BOUND = 0.04;
const LUMP_BOUND = 1.3;

const GATE = RESERVOIR * DEPTH;
const TIME_UNIT = Math.sqrt(DEPTH / GRAVITY);

/** Farthest place of the surface within a cell of the bed, m */
function measureFront({ state }: March, cell: number): number {
  const { position, vertexCount } = state.surface;
  let front = 0;
  for (let v = 0; v < vertexCount; v++)
    if (position[3 * v + 2] <= cell) front = Math.max(front, position[3 * v]);
  return front;
}

/** Mean depth within a tenth of H of the gate, m */
function measureGateDepth({ state }: March, breadth: number): number {
  const reach = 0.1 * DEPTH;
  const volume = measureVolumeOn(state.surface, [
    { axis: 0, at: GATE - reach, sign: 1 },
    { axis: 0, at: GATE + reach, sign: -1 },
  ]);
  return volume / (2 * reach * breadth);
}

/**
 * How far the highest lump before the gate stands above the thinnest place behind it, m. What is detached
 * stands above the bed.
 */
function measureLump({ state }: March, cell: number): { height: number; at: number } {
  const far = GATE + BED * DEPTH;
  let worst = { height: 0, at: 0 };
  for (const y of [0.517, 1.483]) {
    const columns: [number, number][] = [];
    for (let x = GATE + 0.137 * cell; x < far; x += cell / 2) columns.push([x, y * cell]);
    let least = Number.POSITIVE_INFINITY;
    findWetStretches(state.surface, columns).forEach((stretches, n) => {
      const top = stretches.at(-1)?.to ?? 0;
      least = Math.min(least, top);
      if (top - least > worst.height) worst = { height: top - least, at: columns[n][0] };
    });
  }
  return worst;
}

/** Slope of a straight line through points. */
function fitSlope(x: readonly number[], y: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xx, xy] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    xx += (x[i] - mx) ** 2;
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / xx;
}

function judgeDam(context: RefereeContext, cells: number, bound: number, resources: Resources): RefereeRow[] {
  const cell = DEPTH / cells;
  const breadth = BREADTH * cell;
  const march = startMarch(
    {
      domain: { min: [0, 0, 0], max: [(RESERVOIR + BED) * DEPTH, breadth, CEILING * DEPTH] },
      resolution: cell,
      liquid: box([-1, -1, -1], [GATE, 1, DEPTH]),
    },
    resources,
  );
  const volume = march.measure().volume!;
  const time: number[] = [];
  const front: number[] = [];
  const gate: number[] = [];
  let lump = { height: 0, at: 0, time: 0 };
  let drift = 0;
  for (let n = 1; n * LOOK <= AT_GATE[1] + 1e-9; n++) {
    const until = n * LOOK * TIME_UNIT;
    marchTo(march, until, LOOK * TIME_UNIT);
    drift = Math.max(drift, Math.abs(march.measure().volume! / volume - 1));
    const found = measureLump(march, cell);
    if (found.height > lump.height) lump = { ...found, time: n * LOOK };
    if (n % 10 === 0) context.note(`T = ${n * LOOK}, ${march.steps} steps`);
    const isWithin = ([from, to]: readonly [number, number]) =>
      n * LOOK > from - 1e-9 && n * LOOK < to + 1e-9;
    if (isWithin(FRONT)) {
      time.push(march.time / TIME_UNIT);
      front.push((measureFront(march, cell) - GATE) / DEPTH);
    }
    if (isWithin(AT_GATE)) gate.push(measureGateDepth(march, breadth) / DEPTH);
  }
  march.free();
  const depth = gate.reduce((sum, d) => sum + d, 0) / gate.length;
  return [
    atLeast(`speed of the front, T in [${FRONT.join(', ')}]`, fitSlope(time, front), bound, 'sqrt(gH)', 2),
    reportRow(`front at T = ${FRONT[1]}`, front.at(-1)!, 'H', 2 * FRONT[1]),
    atMost(
      `depth at the gate off 4/9 H, T in [${AT_GATE.join(', ')}]`,
      Math.abs(depth / (4 / 9) - 1),
      GATE_BOUND,
      '',
      0,
    ),
    reportRow('depth at the gate', depth, 'H', 0.4444),
    atMost(
      `highest lump over the thinnest place behind it, T = ${lump.time.toFixed(1)}, x = ${((lump.at - GATE) / DEPTH).toFixed(1)} H`,
      lump.height / cell,
      LUMP_BOUND,
      'cells',
      0,
    ),
    reportRow('volume off, at most', drift, '', 0),
    reportRow('steps', march.steps, ''),
  ];
}

export const ritterCases: RefereeCase[] = SPEED_BOUNDS.map(([cells, bound]) => ({
  name: `ritter/${cells}-cells`,
  title: `dam break on a dry bed, ${cells} cells deep: front, depth at the gate, lumps`,
  onRequest: true,
  run: async (context) => judgeDam(context, cells, bound, await context.createResources()),
}));
