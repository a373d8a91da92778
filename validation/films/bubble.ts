/**
 * Bubbles against formulas: frequencies of the modes n = 2 to 5, and the pressure of Laplace. Units: film
 * tension, air density and radius 1.
 */
import { buildFilms, march } from '../../cases/films/march.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { createAir, updateGradients } from '../../src/methods/films/air/air.ts';
import { buildSheet } from '../../src/methods/films/circulation/sheet.ts';
import type { FilmsModel } from '../../src/methods/films/model.ts';
import { computeLegendre } from '../../src/methods/films/start/start.ts';
import type { FilmsState } from '../../src/methods/films/state.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** Parts of an edge of the icosahedron for about 1, 4 and 16 thousand vertices. */
const DIVISIONS = [10, 20, 40];
/**
 * Share of the stable step at 16 thousand vertices, where steps are dear: leapfrog errs by (omega dt)^2 / 24,
 * a millionth for these modes.
 */
const FINE_CFL = 0.9;
/** Small enough that the frequency's change with the square of it does not show. */
const AMPLITUDE = 0.01;
/**
 * % at 16 thousand vertices, and decay per period; error over that of the mesh with half as many divisions,
 * which is 0.25 for second order and 0.5 for first; error of the pressure.
 */
const BOUND = { frequency: 1, decay: 2, convergence: 0.6, pressure: 1 };
/**
 * % of 4 gamma / R that a vertex's jump may be off, by divisions. In balance all jumps are the same, dA/dV =
 * 2A / 3V of the mesh: with vertices on the sphere and edges h its area lacks 5/24 h^2 and its volume 3/8
 * h^2, so the jump is h^2/6 too high: 0.672 and 0.168 %, a quarter for half the edge. The faces are not all
 * alike, for which a tenth more is allowed, and what is left of the swing (SWING_LEFT).
 */
const JUMP_BOUND: ReadonlyMap<number, number> = new Map([
  [6, 0.75],
  [12, 0.2],
]);
/**
 * % of the largest jump off the mean: waves decay by exp(-DRAG t / 2), from the 19 % of the start to 0.011 %,
 * whatever the mesh.
 */
const SWING_LEFT = 0.015;
/** % off at the ends of the ellipsoid's longest axis at the start: curvature a/2 (1/b^2 + 1/c^2) is 1.104. */
const START_LEAST = 10;
const DRAG = 3;
const REST = 5;

/** omega_n of a bubble with air of one density on both sides. */
const computeFrequency = (n: number) => Math.sqrt(((n - 1) * n * (n + 1) * (n + 2)) / (2 * n + 1));
/** Mean edge of a unit sphere of 20 n^2 faces. */
const edgeOf = (divisions: number) => Math.sqrt((16 * Math.PI) / (20 * Math.sqrt(3))) / divisions;

function measureMode({ tracker }: FilmsState, n: number): number {
  const { mesh } = tracker;
  const p = mesh.position;
  let above = 0;
  let below = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const r = Math.hypot(p[3 * v], p[3 * v + 1], p[3 * v + 2]);
    const legendre = computeLegendre(n, p[3 * v + 2] / r);
    above += (r - 1) * legendre;
    below += legendre * legendre;
  }
  return above / below;
}

/** Half the width of the parabola through the turn, as a share of the period. */
const TURN = 0.06;

/**
 * Frequency from the time of the first turn, half a period after the start: a parabola through the amplitudes
 * around the least. Neither an offset of the amplitudes nor their size enters; a fit of a cosine errs by
 * them.
 */
function findFrequency(time: readonly number[], value: readonly number[], period: number): number {
  let least = 0;
  for (let i = 1; i < time.length; i++) if (time[i] < 0.75 * period && value[i] < value[least]) least = i;
  const s = [0, 0, 0, 0, 0];
  const r = [0, 0, 0];
  for (let i = 0; i < time.length; i++) {
    const x = (time[i] - time[least]) / period;
    if (Math.abs(x) > TURN) continue;
    for (let p = 0; p < 5; p++) s[p] += x ** p;
    for (let p = 0; p < 3; p++) r[p] += value[i] * x ** p;
  }
  // Slope and bend of the least-squares parabola by Cramer's rule; their common denominator drops out.
  const slope =
    r[1] * (s[0] * s[4] - s[2] * s[2]) -
    r[0] * (s[1] * s[4] - s[2] * s[3]) -
    r[2] * (s[0] * s[3] - s[1] * s[2]);
  const bend =
    r[2] * (s[0] * s[2] - s[1] * s[1]) -
    r[1] * (s[0] * s[3] - s[1] * s[2]) +
    r[0] * (s[1] * s[3] - s[2] * s[2]);
  return Math.PI / (time[least] - (period * slope) / (2 * bend));
}

/** Periods to run: the peak after one must have been passed. */
const PERIODS = 1.05;

/** Runs mode n for a period. */
function swing(resources: Resources, divisions: number, n: number) {
  const { model, state } = buildFilms(resources, edgeOf(divisions), {
    cfl: divisions === DIVISIONS[2] ? FINE_CFL : 0.6,
    start: [
      { type: 'bubble', centre: [0, 0, 0], radius: 1, divisions, mode: { order: n, amplitude: AMPLITUDE } },
    ],
  });
  const truth = computeFrequency(n);
  const period = (2 * Math.PI) / truth;
  const time = [0];
  const value = [measureMode(state, n)];
  const begin = performance.now();
  const steps = march(model, state, PERIODS * period, () => {
    time.push(state.time);
    value.push(measureMode(state, n));
  });
  const omega = findFrequency(time, value, period);
  const peak = Math.max(...value.filter((_, i) => time[i] > 0.75 * period));
  return {
    vertices: state.tracker.mesh.vertexCount,
    error: 100 * Math.abs(omega / truth - 1),
    omega,
    truth,
    decay: 100 * (1 - peak / value[0]),
    swing: (-100 * Math.min(...value)) / value[0],
    seconds: (performance.now() - begin) / 1000 / steps,
  };
}

async function runModes(
  { createResources, note }: RefereeContext,
  orders: readonly number[],
  sizes: readonly number[],
): Promise<RefereeRow[]> {
  const rows: RefereeRow[] = [];
  for (const n of orders) {
    let before = Infinity;
    for (const divisions of sizes) {
      const run = swing(await createResources(), divisions, n);
      note(
        `n = ${n}, ${run.vertices} vertices: omega ${run.omega.toFixed(5)}, ${run.seconds.toFixed(3)} s per step`,
      );
      const name = `n = ${n}, ${run.vertices} vertices`;
      rows.push(
        divisions === DIVISIONS[2]
          ? atMost(`${name}: frequency error`, run.error, BOUND.frequency, '%', run.truth)
          : reportRow(`${name}: frequency error`, run.error, '%', run.truth),
      );
      if (before < Infinity)
        rows.push(
          atMost(`${name}: error over that of the coarser mesh`, run.error / before, BOUND.convergence, ''),
        );
      // A bubble that stays as it is does not decay either: it must have been on the other side in between.
      rows.push(atLeast(`${name}: swing to the other side`, run.swing, 100 - BOUND.decay, '%', 100));
      rows.push(atMost(`${name}: decay in a period`, Math.abs(run.decay), BOUND.decay, '%', 0));
      before = run.error;
    }
  }
  return rows;
}

/**
 * Jumps of pressure over a bubble's vertices: their mean, and how far from it and from 2, the formula's, the
 * worst of them is.
 */
function measureJumps(model: FilmsModel, state: FilmsState): { mean: number; spread: number; miss: number } {
  const scope = model.heap.scope('referee');
  const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
  const air = createAir(sheet, model.constants, model.sums, model.threads, scope);
  updateGradients(air);
  const jumps = Float64Array.from(
    { length: sheet.vertexCount },
    (_, v) => air.pressure[2 * v + 1] - air.pressure[2 * v],
  );
  scope.free();
  const mean = jumps.reduce((sum, jump) => sum + jump, 0) / jumps.length;
  const findWorst = (from: number) =>
    jumps.reduce((worst, jump) => Math.max(worst, Math.abs(jump - from)), 0);
  return { mean, spread: findWorst(mean), miss: findWorst(2) };
}

/** The jumps over an ellipsoid, and over the bubble that it has become at rest. */
function comeToRest(resources: Resources, divisions: number) {
  const { model, state } = buildFilms(resources, edgeOf(divisions), {
    start: [{ type: 'bubble', centre: [0, 0, 0], radius: 1, divisions, stretch: [1.05, 1, 1 / 1.05] }],
    drag: DRAG,
  });
  const start = measureJumps(model, state);
  march(model, state, REST);
  return { start, rest: measureJumps(model, state) };
}

export const filmsBubbleCases: RefereeCase[] = [
  {
    name: 'films/bubble-modes',
    title: 'frequencies of a bubble, 1 and 4 thousand vertices, no damping',
    run: (context) => runModes(context, [2, 3], DIVISIONS.slice(0, 2)),
  },
  {
    name: 'films/bubble-modes-high',
    title: 'the same for n = 4 and 5',
    onRequest: true,
    run: (context) => runModes(context, [4, 5], DIVISIONS.slice(0, 2)),
  },
  {
    name: 'films/bubble-modes-fine',
    title: 'frequencies of a bubble, 1, 4 and 16 thousand vertices, no damping',
    onRequest: true,
    run: (context) => runModes(context, [2, 3], DIVISIONS),
  },
  {
    name: 'films/laplace-pressure',
    title: 'pressure in a bubble at rest: 2 sigma_f / R = 4 gamma / R',
    async run({ createResources }) {
      const rows: RefereeRow[] = [];
      for (const [divisions, bound] of JUMP_BOUND) {
        const { start, rest } = comeToRest(await createResources(), divisions);
        const name = `${10 * divisions ** 2 + 2} vertices`;
        rows.push(
          atMost(`${name}: pressure error`, 100 * Math.abs(rest.mean / 2 - 1), BOUND.pressure, '%', 2),
          atLeast(`${name}: worst vertex at the start`, 50 * start.miss, START_LEAST, '%'),
          atMost(`${name}: worst vertex at rest`, 50 * rest.miss, bound, '%', 0),
          atMost(`${name}: worst vertex off the mean`, 50 * rest.spread, SWING_LEFT, '%', 0),
        );
      }
      return rows;
    },
  },
];
