/** What the referees of the films share: scenes from options alone, marching, and geometry of junctions. */
import { createStageClock } from '../../src/core/stages.ts';
import { NONE, type Vec3 } from '../../src/core/types.ts';
import { solveByElimination } from '../../src/math/dense-solve.ts';
import { cross, dot, normalise, perAxis, subtract } from '../../src/math/vectors.ts';
import { films } from '../../src/methods/films/films.ts';
import type { FilmsModel } from '../../src/methods/films/model.ts';
import type { FilmsState } from '../../src/methods/films/state.ts';
import type { Resources, StepReport } from '../../src/methods/method.ts';
import { faceOf, type MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';
import { emptyRoom } from '../shared/scene.ts';

/** All referees run in units of film tension, air density and a length of one. */
export function buildFilms(
  resources: Resources,
  resolution: number,
  options: Record<string, unknown>,
): { model: FilmsModel; state: FilmsState } {
  const model = films.build(
    {
      ...emptyRoom('films', { min: [-10, -10, -10], max: [10, 10, 10] }, resolution),
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

const angle = (a: Vec3, b: Vec3) => (Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) * 180) / Math.PI;

/**
 * Films' angles at vertices inside triple curves, degrees, by the two films as `1-2 1-3`: each film's tangent
 * at the curve, by a quadratic through two rings of its vertices. One vertex's estimate scatters with the
 * mesh; the mean along a curve does not.
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
    const directions: { name: string; direction: Vec3 }[] = [];
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

/**
 * Angles between the curves at vertices where four meet, degrees: tangents by a parabola through three
 * vertices of each.
 */
export function measureCurveAngles(mesh: MultiMesh, isOpening: (label: number) => boolean): number[] {
  const found: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++) {
    const ends = findCurve(mesh, v, isOpening);
    if (ends?.length !== 4) continue;
    const tangents: Vec3[] = [];
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

const point = (mesh: MultiMesh, v: number): Vec3 => [
  mesh.position[3 * v],
  mesh.position[3 * v + 1],
  mesh.position[3 * v + 2],
];

/** Tangent in the middle of three points: of the parabola through them by chord length. */
function computeTangent(mesh: MultiMesh, v: number, [a, b]: number[]): Vec3 {
  const [x, p, q] = [point(mesh, v), point(mesh, a), point(mesh, b)];
  const [u, w] = [subtract(x, p), subtract(q, x)];
  const [lu, lw] = [Math.hypot(...u), Math.hypot(...w)];
  return normalise(perAxis((k) => (u[k] / lu) * lw + (w[k] / lw) * lu));
}

/** Tangent at the first of three points. */
function computeStart(mesh: MultiMesh, v: number, a: number, b: number): Vec3 {
  const [u, w] = [subtract(point(mesh, a), point(mesh, v)), subtract(point(mesh, b), point(mesh, a))];
  const [lu, lw] = [Math.hypot(...u), Math.hypot(...w)];
  return normalise(perAxis((k) => u[k] / lu + ((u[k] / lu - w[k] / lw) * lu) / (lu + lw)));
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
function fitDirection(mesh: MultiMesh, v: number, pair: [number, number], tangent: Vec3): Vec3 | undefined {
  const near = gatherFilm(mesh, gatherFilm(mesh, new Set([v]), pair), pair);
  near.delete(v);
  const offsets = [...near].map((w) => subtract(point(mesh, w), point(mesh, v)));
  const mean: [number, number, number] = [0, 0, 0];
  for (const x of offsets) for (let k = 0; k < 3; k++) mean[k] += x[k] - dot(x, tangent) * tangent[k];
  if (offsets.length < 5 || Math.hypot(...mean) === 0) return undefined;
  // Fitted anew in the frame of the direction found: in a tilted one even a sphere has cubic terms, which the
  // fit leaves out (2.5 degrees on an exact double bubble of 300 vertices).
  let away = normalise(mean);
  for (let round = 0; round < FIT_ROUNDS; round++) {
    const normal = cross(tangent, away);
    const slope = fitSlope(offsets, away, tangent, normal);
    if (slope === undefined) return undefined;
    away = normalise(perAxis((k) => away[k] + slope * normal[k]));
  }
  return away;
}

/** Rounds of fitting: the tilt falls by a factor of ten in each. */
const FIT_ROUNDS = 4;

/**
 * Vertices well off the curve that a quadratic asks for, and how far off that is, as a share of the farthest:
 * a film as narrow as an edge has fewer, and is fitted by a plane.
 */
const LEAST_OFF = 3;
const OFF = 0.2;

/**
 * Pivot, as a share of the matrix's largest entry, below which the vertices do not tell the terms of a
 * quadratic apart: a plane is fitted then.
 */
const SINGULAR = 1e-6;

/** The slope a of z = a r + b r^2 + c s^2 + d r s through the origin, by least squares. */
function fitSlope(offsets: readonly Vec3[], away: Vec3, tangent: Vec3, normal: Vec3): number | undefined {
  const farthest = Math.max(...offsets.map((x) => Math.hypot(...x)));
  const isNarrow = offsets.filter((x) => dot(x, away) > OFF * farthest).length < LEAST_OFF;
  const matrix = new Float64Array(16);
  const right = new Float64Array(4);
  for (const x of offsets) {
    const [r, s, z] = [away, tangent, normal].map((axis) => dot(x, axis) / farthest);
    const row = [r, r * r, s * s, r * s];
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < 4; j++) matrix[4 * i + j] += row[i] * row[j];
      right[i] += row[i] * z;
    }
  }
  const plane = matrix[0] > 0 ? right[0] / matrix[0] : undefined;
  return !isNarrow && solveByElimination(matrix, 4, right, SINGULAR) ? right[0] : plane;
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

/**
 * Of each pair of films' mean angle along their curve the one farthest from a value, how far; and the same of
 * single vertices.
 */
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
