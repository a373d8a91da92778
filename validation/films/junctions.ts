/**
 * Films that meet: double bubbles, of equal volumes and of others, and the films of an octahedral frame at
 * rest, against Plateau's angles, the double bubble's area and pressures and sum p V = 2/3 sigma_f A. Units:
 * film tension, air density and a length of one.
 */
import { computeDoubleBubble } from '../../cases/films/double-bubble.ts';
import {
  buildFilms,
  march,
  measureAngleMiss,
  measureCurveAngles,
  measureFilmAngles,
  measureMiss,
} from '../../cases/films/march.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { createAir, updateGradients } from '../../src/methods/films/air/air.ts';
import { buildSheet } from '../../src/methods/films/circulation/sheet.ts';
import type { FilmsModel } from '../../src/methods/films/model.ts';
import type { FilmsState } from '../../src/methods/films/state.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { measureArea, measureRegions } from '../../src/tracking/multimaterial/measure.ts';

/** Between films along a curve, and between curves in a point, degrees. */
const ANGLE = { films: 120, curves: 109.4712 };
/** What they, in degrees, and areas and pressures, in %, may be off. */
const BOUND = { films: 1, curves: 1.5, area: 0.3, pressure: 1 };
/** Degrees that count as none. */
const EXACT = 0.01;
/** Time to come to rest with the drag below, in sqrt(rho R^3 / sigma_f). */
const REST = 8;
const DRAG = 3;

/** Mean pressure of each region against the outside, over the vertices of its own outer film. */
function measurePressures(model: FilmsModel, state: FilmsState): Map<number, number> {
  const scope = model.heap.scope('referee');
  const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
  const air = createAir(sheet, model.constants, model.sums, model.threads, scope);
  updateGradients(air);
  const sums = new Map<number, [number, number]>();
  for (let v = 0; v < sheet.vertexCount; v++) {
    const n = sheet.entryStart[v];
    if (sheet.entryStart[v + 1] - n !== 2 || sheet.entryRegion[n] !== 0) continue;
    const sum = sums.get(sheet.entryRegion[n + 1]) ?? [0, 0];
    sum[0] += air.pressure[n + 1] - air.pressure[n];
    sum[1]++;
    sums.set(sheet.entryRegion[n + 1], sum);
  }
  scope.free();
  return new Map([...sums].map(([label, [sum, count]]) => [label, sum / count]));
}

/**
 * Rows of one size; the coarsest only reports what refinement is to better. Returns the worst vertex's angle.
 */
function addDoubleBubble(model: FilmsModel, state: FilmsState, rows: RefereeRow[], before: number): number {
  const { mesh } = state.tracker;
  const regions = measureRegions(mesh).filter(({ label }) => label > 0);
  const radius = Math.cbrt(regions[0].volume / ((9 / 8) * Math.PI));
  const area = measureArea(mesh);
  const pressures = measurePressures(model, state);
  const work = regions.reduce((sum, { label, volume }) => sum + pressures.get(label)! * volume, 0);
  const miss = measureAngleMiss(measureFilmAngles(mesh), ANGLE.films);
  const name = `double bubble, ${mesh.vertexCount} vertices`;
  const isCoarsest = before === Infinity;
  const hold = (what: string, value: number, bound: number, unit: string) =>
    isCoarsest ? reportRow(what, value, unit, 0) : atMost(what, value, bound, unit, 0);
  rows.push(
    hold(
      `${name}: area error`,
      100 * Math.abs(area / ((27 / 4) * Math.PI * radius ** 2) - 1),
      BOUND.area,
      '%',
    ),
    hold(`${name}: angle of two films along the curve, from 120`, miss.curves, BOUND.films, 'degrees'),
    reportRow(`${name}: the same of a single vertex, at worst`, miss.vertices, 'degrees', 0),
    atMost(
      `${name}: pressure error`,
      100 * Math.abs((pressures.get(1)! * radius) / 2 - 1),
      BOUND.pressure,
      '%',
      2,
    ),
    atMost(
      `${name}: sum p V over 2/3 sigma A, error`,
      100 * Math.abs(work / ((2 / 3) * area) - 1),
      BOUND.pressure,
      '%',
      1,
    ),
  );
  if (!isCoarsest)
    rows.push(atMost(`${name}: worst vertex over that of the coarser mesh`, miss.vertices / before, 0.9, ''));
  return miss.vertices;
}

async function runDoubleBubble(
  { createResources, note }: RefereeContext,
  sizes: readonly number[],
): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  let before = Infinity;
  for (const resolution of sizes) {
    const { model, state } = buildFilms(await createResources(), resolution, {
      start: [
        { type: 'double-bubble', centre: [0, 0, 0], radius: 1, distance: 1, stretch: [1.1, 0.95, 0.95] },
      ],
      drag: DRAG,
    });
    const steps = march(model, state, REST);
    note(`${state.tracker.mesh.vertexCount} vertices, ${steps} steps`);
    before = addDoubleBubble(model, state, rows, before);
  }
  return rows;
}

/** Bodies of revolution that share a disk and become a double bubble of unlike volumes. */
function unequalOptions(): Record<string, unknown> {
  // Radius and height by turns.
  const sheet = (left: number, right: number, ...profile: number[]) => ({
    profile: profile.flatMap((r, n) => (n % 2 === 0 ? [[r, profile[n + 1]]] : [])),
    left,
    right,
  });
  const sheets = [
    sheet(1, 0, 0, -0.8, 0.6, -0.7, 0.75, -0.3, 0.7, 0),
    sheet(2, 0, 0.7, 0, 1.1, 0.4, 1.1, 1.3, 0.6, 1.9, 0, 2),
    sheet(1, 2, 0.7, 0, 0, 0),
  ];
  return { start: [{ type: 'revolution', sheets }], drag: DRAG };
}

/** The coarser mesh only reports what refinement is to better. */
async function runUnequal({ createResources, note }: RefereeContext): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const { resolution, isHeld } of [
    { resolution: 0.25, isHeld: false },
    { resolution: 0.14, isHeld: true },
  ]) {
    const { model, state } = buildFilms(await createResources(), resolution, unequalOptions());
    const steps = march(model, state, REST);
    const { mesh } = state.tracker;
    note(`${mesh.vertexCount} vertices, ${steps} steps`);
    const volumes = new Map(measureRegions(mesh).map(({ label, volume }) => [label, volume]));
    const { radii, area } = computeDoubleBubble(volumes.get(1)!, volumes.get(2)!);
    const pressures = measurePressures(model, state);
    const miss = measureAngleMiss(measureFilmAngles(mesh), ANGLE.films);
    const hold = (what: string, value: number, bound: number, unit: string) => {
      const name = `${mesh.vertexCount} vertices: ${what}`;
      return isHeld ? atMost(name, value, bound, unit, 0) : reportRow(name, value, unit, 0);
    };
    const holdPressure = (what: string, label: number) => {
      const error = 100 * Math.abs((pressures.get(label)! * radii[label - 1]) / 2 - 1);
      return hold(`pressure of the ${what}, error`, error, BOUND.pressure, '%');
    };
    rows.push(
      reportRow(`${mesh.vertexCount} vertices: smaller radius over larger`, radii[0] / radii[1], ''),
      hold('area error', 100 * Math.abs(measureArea(mesh) / area - 1), BOUND.area, '%'),
      hold('angle of two films along the curve, from 120', miss.curves, BOUND.films, 'degrees'),
      holdPressure('smaller', 1),
      holdPressure('larger', 2),
    );
  }
  return rows;
}

/** Corners of an octahedron of radius 1 as a closed run over its twelve edges. */
const EDGES = [
  [1, 0, 0],
  [0, 1, 0],
  [-1, 0, 0],
  [0, -1, 0],
  [1, 0, 0],
  [0, 0, 1],
  [-1, 0, 0],
  [0, 0, -1],
  [0, 1, 0],
  [0, 0, 1],
  [0, -1, 0],
  [0, 0, -1],
];

/** Films from the edges of an octahedral frame of radius 1 to a point off its middle. */
export const octahedronOptions = (): Record<string, unknown> => ({
  start: [{ type: 'frame', solid: 'octahedron', centre: [0, 0, 0], radius: 1, middle: [0.1, 0.05, 0.025] }],
  openings: [0],
  wires: [{ type: 'polyline', closed: true, points: EDGES }],
  drag: DRAG,
});

export const filmsJunctionCases: RefereeCase[] = [
  {
    name: 'films/double-bubble',
    title: 'equal double bubble at rest: 120 degrees, area 27/4 pi R^2, pressure, p V',
    run: (context) => runDoubleBubble(context, [0.25, 0.125]),
  },
  {
    name: 'films/double-bubble-fine',
    title: 'the same once more refined',
    onRequest: true,
    run: (context) => runDoubleBubble(context, [0.125, 0.0625]),
  },
  {
    name: 'films/unequal-double-bubble',
    title: 'double bubble of unlike volumes at rest: 120 degrees, area, both pressures',
    run: runUnequal,
  },
  {
    name: 'films/octahedron',
    title: 'films of an octahedral frame at rest: 120 degrees on curves, 109.47 where curves meet',
    async run({ createResources, note }) {
      const rows: RefereeRow[] = [];
      let before = Infinity;
      for (const resolution of [0.2, 0.1]) {
        const { model, state } = buildFilms(await createResources(), resolution, octahedronOptions());
        const steps = march(model, state, REST);
        const { mesh } = state.tracker;
        note(`${mesh.vertexCount} vertices, ${steps} steps`);
        const films = measureAngleMiss(measureFilmAngles(mesh, model.isOpening), ANGLE.films);
        const curves = measureCurveAngles(mesh, model.isOpening);
        const { mean, worst } = measureMiss(curves, ANGLE.curves);
        const name = `octahedron, ${mesh.vertexCount} vertices`;
        rows.push(
          reportRow(`${name}: points where four curves meet`, curves.length / 6, ''),
          atMost(
            `${name}: angle of two films along their curve, from 120, at worst`,
            films.curves,
            BOUND.films,
            'degrees',
            0,
          ),
          reportRow(`${name}: the same of a single vertex, at worst`, films.vertices, 'degrees', 0),
          reportRow(`${name}: mean angle between curves`, mean, 'degrees', ANGLE.curves),
          atMost(
            `${name}: angle farthest from 109.47`,
            curves.length > 0 ? worst : Number.NaN,
            BOUND.curves,
            'degrees',
            0,
          ),
        );
        // Flat films between straight curves are met exactly: then there is nothing left to refine.
        if (before < Infinity && before > EXACT)
          rows.push(atMost(`${name}: miss over that of the coarser mesh`, worst / before, 0.9, ''));
        before = worst;
      }
      return rows;
    },
  },
];
