/**
 * Where background edges cross the surface, and the warping of lattice points that lie too close to a
 * crossing (Labelle and Shewchuk 2007, section 3; [chentanez-2007] 3.3). All roots are sought in lockstep, so
 * a field that samples many points in parallel is used at full width. Cost: two to six evaluations per
 * crossing edge.
 *
 * Deviation: the points are warped all at once, each to its nearest crossing, rather than one after the
 * other. The result does not depend on the order of the points, and the angle bounds, which hold per
 * tetrahedron for every combination of warped corners, are the same.
 */
import { RunError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';
import { withRoom } from './buffers.ts';
import type { Grid } from './grid.ts';
import type { Points } from './points.ts';
import type { Sampler } from './sampler.ts';

/** Length of the short edges of the lattice (centre to corner) in cell edges; the long ones have length 1. */
export const SHORT_EDGE = Math.sqrt(3) / 2;

/**
 * Fractions of an edge within which a crossing pulls the point onto the surface. Found by search over all
 * signs, warps and cuts of a BCC tet for the diagonal rule of stencil.ts: they give the widest margin to the
 * bounds on the angles.
 */
export const ALPHA_LONG = 0.26;
export const ALPHA_SHORT = 0.38;

/**
 * Root search ends when the residual is this fraction of the end values, or the bracket this fraction of the
 * edge.
 */
const ROOT = { tolerance: 1e-12, mostIterations: 100 };

/** Edges whose ends have opposite signs, and where the surface cuts them. */
export interface CutEdges {
  readonly count: number;
  /** Points at the two ends: positive and negative. */
  readonly positive: Int32Array;
  readonly negative: Int32Array;
  /** Parameter from the positive to the negative end. */
  readonly t: Float64Array;
}

export interface Crossings extends CutEdges {
  /** Edge of Points.edgeBase numbering, and whether it is a long one. */
  readonly edge: Int32Array;
  readonly isLong: Uint8Array;
  /** Crossing of every owned edge, NONE where the surface does not cross it. */
  readonly edgeToCrossing: Int32Array;
}

export function findCrossings(grid: Grid, points: Points, sampler: Sampler): Crossings {
  const crossings = collectCrossings(grid, points);
  if (sampler.field.crossing) solveByField(points, crossings, sampler);
  else solveLockstep(points.position, points.value, crossings, sampler);
  return crossings;
}

/** Lists every background edge of the surface cells whose ends have opposite signs, once. */
function collectCrossings(grid: Grid, points: Points): Crossings {
  const { state, edgeBase } = points;
  const edgeToCrossing = new Int32Array(points.edgeCount).fill(NONE);
  let positive = new Int32Array(1024);
  let negative = new Int32Array(1024);
  let edge = new Int32Array(1024);
  let count = 0;
  const addEdge = (p: number, q: number, e: number): void => {
    if (state[p] * state[q] !== -1 || edgeToCrossing[e] !== NONE) return;
    if (count === edge.length) {
      positive = withRoom(positive, 2 * count);
      negative = withRoom(negative, 2 * count);
      edge = withRoom(edge, 2 * count);
    }
    positive[count] = state[p] > 0 ? p : q;
    negative[count] = state[p] > 0 ? q : p;
    edge[count] = e;
    edgeToCrossing[e] = count++;
  };
  const corner = new Int32Array(8);
  const longFlag = new Uint8Array(points.edgeCount);
  for (let s = 0; s < points.surfaceCellCount; s++) {
    const cell = points.surfaceCells[s];
    const i = cell % grid.nx;
    const j = Math.floor(cell / grid.nx) % grid.ny;
    const k = Math.floor(cell / (grid.nx * grid.ny));
    const centre = grid.centre[grid.entry(i, j, k)];
    const base = edgeBase[centre];
    for (let c = 0; c < 8; c++) {
      corner[c] = grid.corner[grid.entry(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))];
      addEdge(centre, corner[c], base + c);
    }
    for (let a = 0; a < 3; a++) {
      const above =
        grid.centre[grid.entry(i + (a === 0 ? 1 : 0), j + (a === 1 ? 1 : 0), k + (a === 2 ? 1 : 0))];
      longFlag[base + 8 + a] = 1;
      if (above >= 0) addEdge(centre, above, base + 8 + a);
      for (let c = 0; c < 8; c++) {
        if (c & (1 << a)) continue;
        const e = edgeBase[corner[c]] + a;
        longFlag[e] = 1;
        addEdge(corner[c], corner[c | (1 << a)], e);
      }
    }
  }
  const isLong = new Uint8Array(count);
  for (let x = 0; x < count; x++) isLong[x] = longFlag[edge[x]];
  return { count, positive, negative, edge, isLong, t: new Float64Array(count), edgeToCrossing };
}

function solveByField(points: Points, crossings: Crossings, sampler: Sampler): void {
  const { position, value } = points;
  const { field } = sampler;
  const start = performance.now();
  for (let x = 0; x < crossings.count; x++) {
    const a = crossings.positive[x];
    const b = crossings.negative[x];
    const t = field.crossing!(
      position[3 * a],
      position[3 * a + 1],
      position[3 * a + 2],
      position[3 * b],
      position[3 * b + 1],
      position[3 * b + 2],
      value[a],
      value[b],
    );
    if (!(t >= 0 && t <= 1))
      throw new RunError(
        'stuffing',
        `the field puts a crossing at ${t} of an edge`,
        'return a parameter from 0 to 1',
      );
    crossings.t[x] = t;
  }
  sampler.evaluations += crossings.count;
  sampler.seconds += (performance.now() - start) / 1000;
}

/**
 * Illinois false position (Dowell and Jarratt 1971) on every edge at once; converged edges leave the batch.
 */
export function solveLockstep(
  position: Float64Array,
  value: Float64Array,
  edges: CutEdges,
  sampler: Sampler,
): void {
  const { count, positive, negative, t } = edges;
  const lowT = new Float64Array(count);
  const highT = new Float64Array(count).fill(1);
  const lowValue = new Float64Array(count);
  const highValue = new Float64Array(count);
  const lastSide = new Int8Array(count);
  const active = new Int32Array(count);
  for (let x = 0; x < count; x++) {
    lowValue[x] = value[positive[x]];
    highValue[x] = value[negative[x]];
    active[x] = x;
  }
  const probe = new Float64Array(3 * count);
  const probeValue = new Float64Array(count);
  let activeCount = count;
  for (let iteration = 0; activeCount > 0 && iteration < ROOT.mostIterations; iteration++) {
    for (let n = 0; n < activeCount; n++) {
      const x = active[n];
      const span = highT[x] - lowT[x];
      let s = lowT[x] + (span * lowValue[x]) / (lowValue[x] - highValue[x]);
      // Rounding can put the secant on an end of the bracket, where nothing would be learnt.
      if (!(s > lowT[x] && s < highT[x])) s = lowT[x] + 0.5 * span;
      t[x] = s;
      setProbe(position, positive[x], negative[x], s, probe, n);
    }
    sampler.sample(probe, activeCount, probeValue);
    let kept = 0;
    for (let n = 0; n < activeCount; n++) {
      const x = active[n];
      const v = probeValue[n];
      const scale = value[positive[x]] - value[negative[x]];
      if (Math.abs(v) <= ROOT.tolerance * scale) continue;
      if (v > 0) {
        lowT[x] = t[x];
        lowValue[x] = v;
        if (lastSide[x] === 1) highValue[x] *= 0.5;
        lastSide[x] = 1;
      } else {
        highT[x] = t[x];
        highValue[x] = v;
        if (lastSide[x] === -1) lowValue[x] *= 0.5;
        lastSide[x] = -1;
      }
      if (highT[x] - lowT[x] > ROOT.tolerance) active[kept++] = x;
    }
    activeCount = kept;
  }
}

export function setProbe(
  position: Float64Array,
  p: number,
  q: number,
  s: number,
  probe: Float64Array,
  n: number,
): void {
  for (let a = 0; a < 3; a++)
    probe[3 * n + a] = position[3 * p + a] + s * (position[3 * q + a] - position[3 * p + a]);
}

/**
 * Moves every point that has a crossing within alpha of an incident edge to its nearest crossing. Returns how
 * many.
 */
export function warpPoints(points: Points, crossings: Crossings): number {
  const nearest = new Int32Array(points.count).fill(NONE);
  const distance = new Float64Array(points.count);
  for (let x = 0; x < crossings.count; x++) {
    const alpha = crossings.isLong[x] ? ALPHA_LONG : ALPHA_SHORT;
    const length = crossings.isLong[x] ? 1 : SHORT_EDGE;
    const t = crossings.t[x];
    const p = t < 0.5 ? crossings.positive[x] : crossings.negative[x];
    const near = t < 0.5 ? t : 1 - t;
    if (near >= alpha) continue;
    if (nearest[p] !== NONE && distance[p] < near * length) continue;
    if (nearest[p] !== NONE && distance[p] === near * length && !precedes(points, crossings, x, nearest[p]))
      continue;
    nearest[p] = x;
    distance[p] = near * length;
  }
  const target = new Float64Array(3 * points.count);
  let warped = 0;
  for (let p = 0; p < points.count; p++) {
    const x = nearest[p];
    if (x !== NONE)
      setProbe(points.position, crossings.positive[x], crossings.negative[x], crossings.t[x], target, p);
  }
  for (let p = 0; p < points.count; p++) {
    if (nearest[p] === NONE) continue;
    for (let a = 0; a < 3; a++) points.position[3 * p + a] = target[3 * p + a];
    points.state[p] = 0;
    warped++;
  }
  return warped;
}

/**
 * Order of two crossings at the same distance from a point: by where the edges' ends lie, not by when they
 * were found.
 */
function precedes(points: Points, crossings: Crossings, x: number, y: number): boolean {
  for (let a = 0; a < 3; a++) {
    const atX =
      points.position[3 * crossings.positive[x] + a] + points.position[3 * crossings.negative[x] + a];
    const atY =
      points.position[3 * crossings.positive[y] + a] + points.position[3 * crossings.negative[y] + a];
    if (atX !== atY) return atX < atY;
  }
  return false;
}
