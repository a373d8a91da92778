/**
 * Films that meet: the equal double bubble and the films of an octahedral frame at rest, against Plateau's angles, the double bubble's area and
 * sum p V = 2/3 sigma_f A. Units: film tension, air density and a length of one.
 */
import { createAir, updateFrames } from '../src/methods/films/air/air.ts';
import { buildSheet } from '../src/methods/films/circulation/sheet.ts';
import type { FilmsModel } from '../src/methods/films/model.ts';
import type { FilmsState } from '../src/methods/films/state.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../src/run/referee.ts';
import { measureArea, measureRegions } from '../src/tracking/multimaterial/measure.ts';
import {
  buildFilms,
  march,
  measureAngleMiss,
  measureCurveAngles,
  measureFilmAngles,
  measureMiss,
} from './films-march.ts';
import { atMost, reportRow } from './rows.ts';

/** Degrees */
const FILM_ANGLE = 120;
const CURVE_ANGLE = 109.4712;
const FILM_BOUND = 1;
const CURVE_BOUND = 1.5;
/** % */
const AREA_BOUND = 0.3;
const PRESSURE_BOUND = 1;
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
  updateFrames(air);
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

/** Rows of one size; the coarsest only reports what refinement is to better. Returns the worst vertex's angle. */
function addDoubleBubble(model: FilmsModel, state: FilmsState, rows: RefereeRow[], before: number): number {
  const { mesh } = state.tracker;
  const regions = measureRegions(mesh).filter(({ label }) => label > 0);
  const radius = Math.cbrt(regions[0].volume / ((9 / 8) * Math.PI));
  const area = measureArea(mesh);
  const pressures = measurePressures(model, state);
  const work = regions.reduce((sum, { label, volume }) => sum + pressures.get(label)! * volume, 0);
  const miss = measureAngleMiss(measureFilmAngles(mesh), FILM_ANGLE);
  const name = `double bubble, ${mesh.vertexCount} vertices`;
  const isCoarsest = before === Infinity;
  const hold = (what: string, value: number, bound: number, unit: string) =>
    isCoarsest ? reportRow(what, value, unit, 0) : atMost(what, value, bound, unit, 0);
  rows.push(
    hold(
      `${name}: area error`,
      100 * Math.abs(area / ((27 / 4) * Math.PI * radius ** 2) - 1),
      AREA_BOUND,
      '%',
    ),
    hold(`${name}: angle of two films along the curve, from 120`, miss.curves, FILM_BOUND, 'degrees'),
    reportRow(`${name}: the same of a single vertex, at worst`, miss.vertices, 'degrees', 0),
    atMost(
      `${name}: pressure error`,
      100 * Math.abs((pressures.get(1)! * radius) / 2 - 1),
      PRESSURE_BOUND,
      '%',
      2,
    ),
    atMost(
      `${name}: sum p V over 2/3 sigma A, error`,
      100 * Math.abs(work / ((2 / 3) * area) - 1),
      PRESSURE_BOUND,
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
    method: 'films',
    title: 'equal double bubble at rest: 120 degrees, area 27/4 pi R^2, pressure, p V',
    run: (context) => runDoubleBubble(context, [0.25, 0.125]),
  },
  {
    name: 'films/double-bubble-fine',
    method: 'films',
    title: 'the same once more refined',
    onRequest: true,
    run: (context) => runDoubleBubble(context, [0.125, 0.0625]),
  },
  {
    name: 'films/octahedron',
    method: 'films',
    title: 'films of an octahedral frame at rest: 120 degrees on curves, 109.47 where curves meet',
    async run({ createResources, note }) {
      const rows: RefereeRow[] = [];
      let before = Infinity;
      for (const resolution of [0.2, 0.1]) {
        const { model, state } = buildFilms(await createResources(), resolution, octahedronOptions());
        const steps = march(model, state, REST);
        const { mesh } = state.tracker;
        note(`${mesh.vertexCount} vertices, ${steps} steps`);
        const films = measureAngleMiss(measureFilmAngles(mesh, model.isOpening), FILM_ANGLE);
        const curves = measureCurveAngles(mesh, model.isOpening);
        const { mean, worst } = measureMiss(curves, CURVE_ANGLE);
        const name = `octahedron, ${mesh.vertexCount} vertices`;
        rows.push(
          reportRow(`${name}: points where four curves meet`, curves.length / 6, ''),
          atMost(
            `${name}: angle of two films along their curve, from 120, at worst`,
            films.curves,
            FILM_BOUND,
            'degrees',
            0,
          ),
          reportRow(`${name}: the same of a single vertex, at worst`, films.vertices, 'degrees', 0),
          reportRow(`${name}: mean angle between curves`, mean, 'degrees', CURVE_ANGLE),
          atMost(
            `${name}: angle farthest from 109.47`,
            curves.length > 0 ? worst : Number.NaN,
            CURVE_BOUND,
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
