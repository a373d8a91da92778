/** What the referees of the films share: scenes from options alone, marching, and geometry of junctions. */
import { createStageClock } from '../src/core/stages.ts';
import { NONE } from '../src/core/types.ts';
import { films } from '../src/methods/films/films.ts';
import type { FilmsModel } from '../src/methods/films/model.ts';
import type { FilmsState } from '../src/methods/films/state.ts';
import type { Resources, StepReport } from '../src/methods/method.ts';
import { faceOf, type MultiMesh } from '../src/tracking/multimaterial/mesh.ts';

/** All referees run in units of film tension, air density and a length of one. */
export function buildFilms(
  resources: Resources,
  resolution: number,
  options: Record<string, unknown>,
): { model: FilmsModel; state: FilmsState } {
  const model = films.build(
    {
      name: 'referee',
      method: 'films',
      duration: 1,
      fps: 1,
      gravity: [0, 0, 0],
      domain: { min: [-10, -10, -10], max: [10, 10, 10] },
      wall: 'slip',
      resolution,
      liquids: [],
      solids: [],
      emitters: [],
      drains: [],
      seed: 1,
      options: { tension: 1, airDensity: 1, ...options },
    },
    resources,
  );
  return { model, state: films.start(model) };
}

/** Steps until a time, or until `visit` says false. */
export function march(
  model: FilmsModel,
  state: FilmsState,
  until: number,
  // biome-ignore lint/suspicious/noConfusingVoidType: visits that say nothing go on
  visit?: (dt: number, report: StepReport) => boolean | void,
): number {
  const work = { clock: createStageClock() };
  let steps = 0;
  while (state.time < until * (1 - 1e-9)) {
    const dt = Math.min(films.stableTimeStep(model, state), until - state.time);
    const report = films.step(model, state, work, dt);
    steps++;
    if (visit?.(dt, report) === false) break;
  }
  return steps;
}

type Vector = [number, number, number];
const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: readonly number[]): Vector => {
  const size = Math.hypot(a[0], a[1], a[2]);
  return [a[0] / size, a[1] / size, a[2] / size];
};
const angle = (a: readonly number[], b: readonly number[]) =>
  (Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) * 180) / Math.PI;

/**
 * Films' angles at vertices inside triple curves, degrees, by the two films as `1-2 1-3`: each film's tangent at the curve, by a quadratic through two rings of its
 * vertices. One vertex's estimate scatters with the mesh; the mean along a curve does not.
 */
export function measureFilmAngles(
  mesh: MultiMesh,
  isOpening: (label: number) => boolean = () => false,
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let v = 0; v < mesh.vertexFill; v++) {
    const curve = findCurve(mesh, v, isOpening);
    if (curve?.length !== 2) continue;
    const tangent = computeTangent(mesh, v, curve);
    const directions: { name: string; direction: Vector }[] = [];
    for (const pair of listPairs(mesh, v)) {
      const direction = fitDirection(mesh, v, pair, tangent);
      if (direction) directions.push({ name: pair.join('-'), direction });
    }
    if (directions.length !== 3) continue;
    directions.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (let i = 0; i < 3; i++) {
      const [a, b] = [directions[i], directions[(i + 1) % 3]];
      const name = [a.name, b.name].sort().join(' ');
      found.set(name, [...(found.get(name) ?? []), angle(a.direction, b.direction)]);
    }
  }
  return found;
}

/** Angles between the curves at vertices where four meet, degrees: tangents by a parabola through three vertices of each. */
export function measureCurveAngles(mesh: MultiMesh, isOpening: (label: number) => boolean): number[] {
  const found: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++) {
    const ends = findCurve(mesh, v, isOpening);
    if (ends?.length !== 4) continue;
    const tangents: Vector[] = [];
    for (const w of ends) {
      const further = findCurve(mesh, w, isOpening)?.filter((x) => x !== v);
      if (further?.length !== 1) continue;
      tangents.push(computeStart(mesh, v, w, further[0]));
    }
    if (tangents.length !== 4) continue;
    for (let i = 0; i < 4; i++) for (let j = i + 1; j < 4; j++) found.push(angle(tangents[i], tangents[j]));
  }
  return found;
}

/** Other ends of the triple edges at a vertex; undefined where it is none or on an opening. */
function findCurve(mesh: MultiMesh, v: number, isOpening: (label: number) => boolean): number[] | undefined {
  if (!mesh.isVertex(v)) return undefined;
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    if (isOpening(mesh.label[2 * faceOf(c)]) || isOpening(mesh.label[2 * faceOf(c) + 1])) return undefined;
  const ends: number[] = [];
  for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
    if (mesh.edgeValence[d >> 1] === 3) ends.push(mesh.edgeVertex[d ^ 1]);
  return ends;
}

const point = (mesh: MultiMesh, v: number): Vector => [
  mesh.position[3 * v],
  mesh.position[3 * v + 1],
  mesh.position[3 * v + 2],
];
const minus = (a: readonly number[], b: readonly number[]): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Tangent in the middle of three points: of the parabola through them by chord length. */
function computeTangent(mesh: MultiMesh, v: number, [a, b]: number[]): Vector {
  const [x, p, q] = [point(mesh, v), point(mesh, a), point(mesh, b)];
  const [u, w] = [minus(x, p), minus(q, x)];
  const [lu, lw] = [Math.hypot(...u), Math.hypot(...w)];
  return unit([0, 1, 2].map((k) => (u[k] / lu) * lw + (w[k] / lw) * lu));
}

/** Tangent at the first of three points. */
function computeStart(mesh: MultiMesh, v: number, a: number, b: number): Vector {
  const [u, w] = [minus(point(mesh, a), point(mesh, v)), minus(point(mesh, b), point(mesh, a))];
  const [lu, lw] = [Math.hypot(...u), Math.hypot(...w)];
  return unit([0, 1, 2].map((k) => u[k] / lu + ((u[k] / lu - w[k] / lw) * lu) / (lu + lw)));
}

function listPairs(mesh: MultiMesh, v: number): [number, number][] {
  const pairs = new Map<string, [number, number]>();
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const [a, b] = [mesh.label[2 * faceOf(c)], mesh.label[2 * faceOf(c) + 1]];
    pairs.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [Math.min(a, b), Math.max(a, b)]);
  }
  return [...pairs.values()];
}

/** Direction in which a film leaves the curve at v. */
function fitDirection(
  mesh: MultiMesh,
  v: number,
  pair: [number, number],
  tangent: Vector,
): Vector | undefined {
  const near = gatherFilm(mesh, gatherFilm(mesh, new Set([v]), pair), pair);
  near.delete(v);
  const offsets = [...near].map((w) => minus(point(mesh, w), point(mesh, v)));
  const mean: Vector = [0, 0, 0];
  for (const x of offsets) for (let k = 0; k < 3; k++) mean[k] += x[k] - dot(x, tangent) * tangent[k];
  if (offsets.length < 5 || Math.hypot(...mean) === 0) return undefined;
  // Fitted anew in the frame of the direction found: in a tilted one even a sphere has cubic terms, which the fit leaves out (2.5 degrees on an exact double bubble of 300 vertices).
  let away = unit(mean);
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const normal = cross(tangent, away);
    const slope = fitSlope(offsets, away, tangent, normal);
    if (slope === undefined) return undefined;
    away = unit([0, 1, 2].map((k) => away[k] + slope * normal[k]));
  }
  return away;
}

/** Rounds of fitting: the tilt falls by a factor of ten in each. */
const FIT_ROUNDS = 4;

/** Vertices well off the curve that a quadratic asks for, and how far off that is, as a share of the farthest: a film as narrow as an edge has fewer, and is fitted by a plane. */
const LEAST_OFF = 3;
const OFF = 0.2;

/** Pivot, as a share of the matrix's largest entry, below which the vertices do not tell the terms of a quadratic apart: a plane is fitted then. */
const SINGULAR = 1e-6;

/** The slope a of z = a r + b r^2 + c s^2 + d r s through the origin, by least squares. */
function fitSlope(
  offsets: readonly Vector[],
  away: Vector,
  tangent: Vector,
  normal: Vector,
): number | undefined {
  const farthest = Math.max(...offsets.map((x) => Math.hypot(...x)));
  const isNarrow = offsets.filter((x) => dot(x, away) > OFF * farthest).length < LEAST_OFF;
  const matrix = Array.from({ length: 4 }, () => new Array<number>(5).fill(0));
  for (const x of offsets) {
    const [r, s, z] = [away, tangent, normal].map((axis) => dot(x, axis) / farthest);
    const row = [r, r * r, s * s, r * s];
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) matrix[i][j] += row[i] * row[j];
      matrix[i][4] += row[i] * z;
    }
  }
  const plane = matrix[0][0] > 0 ? matrix[0][4] / matrix[0][0] : undefined;
  return isNarrow ? plane : (solve(matrix)?.[0] ?? plane);
}

/** Adds the vertices of all faces of a film at these vertices. */
function gatherFilm(mesh: MultiMesh, from: Set<number>, [a, b]: [number, number]): Set<number> {
  const out = new Set(from);
  for (const v of from) {
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = faceOf(c);
      const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
      if (Math.min(front, back) !== a || Math.max(front, back) !== b) continue;
      for (let i = 0; i < 3; i++) out.add(mesh.face[3 * f + i]);
    }
  }
  return out;
}

/** Solution of the rows of an augmented matrix; undefined where it is singular. */
function solve(m: number[][]): number[] | undefined {
  const n = m.length;
  const least = SINGULAR * Math.max(...m.flatMap((row) => row.slice(0, n).map(Math.abs)));
  for (let i = 0; i < n; i++) {
    let best = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(m[r][i]) > Math.abs(m[best][i])) best = r;
    if (!(Math.abs(m[best][i]) > least)) return undefined;
    [m[i], m[best]] = [m[best], m[i]];
    for (let r = 0; r < n; r++) {
      if (r === i) continue;
      const s = m[r][i] / m[i][i];
      for (let c = i; c <= n; c++) m[r][c] -= s * m[i][c];
    }
  }
  return m.map((row, i) => row[n] / row[i]);
}

/** Mean and worst distance from a value. */
export function measureMiss(values: readonly number[], truth: number): { mean: number; worst: number } {
  let sum = 0;
  let worst = 0;
  for (const value of values) {
    sum += value;
    worst = Math.max(worst, Math.abs(value - truth));
  }
  return { mean: sum / values.length, worst };
}

/** Of each pair of films' mean angle along their curve the one farthest from a value, how far; and the same of single vertices. */
export function measureAngleMiss(
  angles: ReadonlyMap<string, readonly number[]>,
  truth: number,
): { curves: number; vertices: number } {
  let curves = angles.size > 0 ? 0 : Number.NaN;
  let vertices = curves;
  for (const values of angles.values()) {
    const { mean, worst } = measureMiss(values, truth);
    curves = Math.max(curves, Math.abs(mean - truth));
    vertices = Math.max(vertices, worst);
  }
  return { curves, vertices };
}
