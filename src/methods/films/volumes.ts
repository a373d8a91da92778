/**
 * The air in a bubble cannot leave it: at the end of a step every compartment has the volume it began with, and what sources gave it.
 *
 * The air's own fluxes keep volumes but for the flatness of faces in a finite step; remeshing, T1 and stopped collisions take more. Both are given back by the least
 * displacement that does it: with G the gradient of a compartment's volume by vertex and m the area of a vertex, sum m |d|^2 is least for
 *     d_v = (1 / m_v) sum_c lambda_c G_cv     where     sum_e (sum_v G_cv . G_ev / m_v) lambda_e = -excess_c
 * by conjugate gradients, and Newton's method since volumes are cubic. The motion of a step is corrected before it is made safe from collisions; what comes after it is settled at the
 * end of the step, in rounds that are safe as well.
 *
 * Two accounts are kept. Debts on half-faces (compartments.ts) follow pieces of bubbles through all edits; but where an edit removes the last face of a piece, the tracker books nothing.
 * The volume that each region is meant to have, by label, catches that.
 *
 * Not in the thesis, which corrects no volumes. The displacement is a constant pressure's per compartment; it changes no circulation. Cost: linear, times a few iterations.
 */
import { NONE } from '../../core/types.ts';
import { type AdvanceReport, advanceVertices } from '../../tracking/multimaterial/advance.ts';
import { faceOf } from '../../tracking/multimaterial/mesh.ts';
import type { Tracker } from '../../tracking/multimaterial/tracker.ts';
import {
  type Compartments,
  computeDebts,
  computeVolumes,
  findCompartments,
  spreadDebts,
} from './compartments.ts';

/** Excess that the end of a step leaves to the next motion, as a share of the compartment's volume. */
const TOLERANCE = 1e-4;
/** Excess that Newton's method leaves, likewise. */
const EXACT = 1e-7;
const MOST_NEWTON = 4;
/** Rounds at the end of a step; what then is left is settled in the next. */
const MOST_ROUNDS = 4;
/** Longest displacement in a round, in L: more is settled in part. */
const LONGEST = 0.1;
const MOST_ITERATIONS = 200;
/** Residual of the multipliers, as a share: Newton's next round takes the rest. */
const SOLVED = 1e-4;

type IsGhost = ((f: number) => boolean) | undefined;

/** Moves the vertices to `proposed` (vertexFill x 3), corrected so that the books are settled, safe from collisions. */
export function moveKeepingVolumes(
  tracker: Tracker,
  isGhost: IsGhost,
  proposed: Float64Array,
): AdvanceReport {
  const compartments = findCompartments(tracker, isGhost);
  return settle(tracker, compartments, computeDebts(tracker.mesh, compartments), proposed);
}

/** The volume of each closed region, by label: what it is meant to have from then on. */
export function measureMeant(tracker: Tracker, isGhost: IsGhost): Map<number, number> {
  const meant = new Map<number, number>();
  const compartments = findCompartments(tracker, isGhost);
  audit(tracker, compartments, computeDebts(tracker.mesh, compartments), meant);
  return meant;
}

/**
 * Settles what edits took since the motion. `meant`: volume each region is to have, by label; regions new to it begin with what they have. Returns the number of rounds.
 */
export function keepVolumes(tracker: Tracker, isGhost: IsGhost, meant: Map<number, number>): number {
  const { mesh } = tracker;
  const compartments = findCompartments(tracker, isGhost);
  const debt = computeDebts(mesh, compartments);
  const isLost = audit(tracker, compartments, debt, meant);
  for (let round = 0; ; round++) {
    const volume = computeVolumes(mesh, compartments.of, compartments.count, mesh.position);
    const isSettled = debt.every((d, c) => Math.abs(d) <= TOLERANCE * volume[c]);
    if (isSettled || round === MOST_ROUNDS) {
      if (round === 0 && isLost) spreadDebts(mesh, compartments, debt);
      return round;
    }
    settle(tracker, compartments, debt, mesh.position.slice(0, 3 * mesh.vertexFill));
  }
}

/** Adds to the debts of each region's largest piece what the books do not know of; true where there was such. */
function audit(
  { mesh }: Tracker,
  { of, count, label, isMain }: Compartments,
  debt: Float64Array,
  meant: Map<number, number>,
): boolean {
  const volume = computeVolumes(mesh, of, count, mesh.position);
  const excess = new Map<number, number>();
  for (let c = 0; c < count; c++) excess.set(label[c], (excess.get(label[c]) ?? 0) + volume[c] - debt[c]);
  const closed = new Set<number>();
  let isLost = false;
  for (let c = 0; c < count; c++) {
    if (!isMain[c]) continue;
    closed.add(label[c]);
    const wanted = meant.get(label[c]);
    if (wanted === undefined) meant.set(label[c], excess.get(label[c])!);
    else {
      const lost = excess.get(label[c])! - wanted;
      debt[c] += lost;
      if (Math.abs(lost) > EXACT * wanted) isLost = true;
    }
  }
  for (const region of [...meant.keys()]) if (!closed.has(region)) meant.delete(region);
  return isLost;
}

/** Goes to `proposed` with all debts settled as far as may be; `debt` becomes what is left, on the half-faces too. */
function settle(
  tracker: Tracker,
  compartments: Compartments,
  debt: Float64Array,
  proposed: Float64Array,
): AdvanceReport {
  const { mesh } = tracker;
  const { of, count } = compartments;
  const before = computeVolumes(mesh, of, count, mesh.position);
  correct(tracker, compartments, before, debt, proposed);
  const report = advanceVertices(tracker, proposed);
  const after = computeVolumes(mesh, of, count, mesh.position);
  for (let c = 0; c < count; c++) debt[c] += after[c] - before[c];
  spreadDebts(mesh, compartments, debt);
  return report;
}

/** Newton's method on the volumes at `proposed`, which are to be `before` less `debt`. */
function correct(
  tracker: Tracker,
  { of, count }: Compartments,
  before: Float64Array,
  debt: Float64Array,
  proposed: Float64Array,
): void {
  const { mesh } = tracker;
  let room = LONGEST * tracker.length;
  for (let n = 0; n < MOST_NEWTON; n++) {
    const excess = computeVolumes(mesh, of, count, proposed);
    let worst = 0;
    for (let c = 0; c < count; c++) {
      excess[c] += debt[c] - before[c];
      worst = Math.max(worst, Math.abs(excess[c]) / Math.abs(before[c]));
    }
    if (worst <= EXACT) return;
    const gradients = buildGradients(tracker, of, proposed);
    const lambda = solveMultipliers(gradients, mesh.vertexFill, excess);
    const step = new Float64Array(3 * mesh.vertexFill);
    const longest = applyTranspose(gradients, mesh.vertexFill, lambda, step);
    const share = longest > room ? room / longest : 1;
    for (let i = 0; i < step.length; i++) proposed[i] += share * step[i];
    if (share < 1) return;
    room -= longest;
  }
}

/** Entries G_cv of all vertices, flat: vertex v has [start[v], start[v + 1]). */
interface Gradients {
  readonly start: Int32Array;
  readonly compartment: Int32Array;
  /** (entries x 3) m^2, divided by the square root of the vertex's area */
  readonly value: Float64Array;
  /** (vertices) 1 / sqrt(area), 1/m */
  readonly scale: Float64Array;
  readonly count: number;
}

function buildGradients({ mesh, policy }: Tracker, of: Int32Array, p: Float64Array): Gradients {
  const { face } = mesh;
  const start = new Int32Array(mesh.vertexFill + 1);
  const scale = new Float64Array(mesh.vertexFill);
  const compartment: number[] = [];
  const value: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++) {
    const begin = compartment.length;
    start[v] = begin;
    if (!mesh.isVertex(v) || policy.isHeld?.(v)) continue;
    let area = 0;
    for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = mesh.cornerNextAtVertex[corner]) {
      const f = faceOf(corner);
      const a = 3 * face[3 * f];
      const b = 3 * face[3 * f + 1];
      const c = 3 * face[3 * f + 2];
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const wx = p[c] - p[a];
      const wy = p[c + 1] - p[a + 1];
      const wz = p[c + 2] - p[a + 2];
      const x = (uy * wz - uz * wy) / 6;
      const y = (uz * wx - ux * wz) / 6;
      const z = (ux * wy - uy * wx) / 6;
      area += Math.sqrt(x * x + y * y + z * z);
      for (let side = 0; side < 2; side++) {
        const wanted = of[2 * f + side];
        if (wanted === NONE) continue;
        const sign = side === 0 ? -1 : 1;
        let n = begin;
        while (n < compartment.length && compartment[n] !== wanted) n++;
        if (n === compartment.length) {
          compartment.push(wanted);
          value.push(0, 0, 0);
        }
        value[3 * n] += sign * x;
        value[3 * n + 1] += sign * y;
        value[3 * n + 2] += sign * z;
      }
    }
    scale[v] = area > 0 ? 1 / Math.sqrt(area) : 0;
    for (let n = 3 * begin; n < value.length; n++) value[n] *= scale[v];
  }
  start[mesh.vertexFill] = compartment.length;
  return {
    start,
    compartment: Int32Array.from(compartment),
    value: Float64Array.from(value),
    scale,
    count: compartment.length,
  };
}

/** Displacements from multipliers; returns the longest. */
function applyTranspose(g: Gradients, vertexCount: number, lambda: Float64Array, out: Float64Array): number {
  let longest = 0;
  for (let v = 0; v < vertexCount; v++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = lambda[g.compartment[n]] * g.scale[v];
      x += l * g.value[3 * n];
      y += l * g.value[3 * n + 1];
      z += l * g.value[3 * n + 2];
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
    longest = Math.max(longest, x * x + y * y + z * z);
  }
  return Math.sqrt(longest);
}

/** y = G G^T x, with the areas in G. */
function applySystem(g: Gradients, vertexCount: number, x: Float64Array, y: Float64Array): void {
  y.fill(0);
  for (let v = 0; v < vertexCount; v++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = x[g.compartment[n]];
      sx += l * g.value[3 * n];
      sy += l * g.value[3 * n + 1];
      sz += l * g.value[3 * n + 2];
    }
    for (let n = g.start[v]; n < g.start[v + 1]; n++)
      y[g.compartment[n]] += sx * g.value[3 * n] + sy * g.value[3 * n + 1] + sz * g.value[3 * n + 2];
  }
}

/** Conjugate gradients with the diagonal; compartments all of whose vertices are held stay as they are. */
function solveMultipliers(g: Gradients, vertexCount: number, excess: Float64Array): Float64Array {
  const count = excess.length;
  const diagonal = new Float64Array(count);
  for (let n = 0; n < g.count; n++)
    diagonal[g.compartment[n]] += g.value[3 * n] ** 2 + g.value[3 * n + 1] ** 2 + g.value[3 * n + 2] ** 2;
  const lambda = new Float64Array(count);
  const residual = excess.map((e, c) => (diagonal[c] > 0 ? -e : 0));
  const direction = new Float64Array(count);
  const product = new Float64Array(count);
  let wanted = 0;
  for (let c = 0; c < count; c++) wanted += residual[c] ** 2;
  let rho = 0;
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    let next = 0;
    let size = 0;
    for (let c = 0; c < count; c++) {
      next += diagonal[c] > 0 ? residual[c] ** 2 / diagonal[c] : 0;
      size += residual[c] ** 2;
    }
    if (size <= SOLVED ** 2 * wanted) break;
    for (let c = 0; c < count; c++)
      direction[c] =
        (diagonal[c] > 0 ? residual[c] / diagonal[c] : 0) + (n === 0 ? 0 : next / rho) * direction[c];
    rho = next;
    applySystem(g, vertexCount, direction, product);
    let curvature = 0;
    for (let c = 0; c < count; c++) curvature += direction[c] * product[c];
    if (!(curvature > 0)) break;
    for (let c = 0; c < count; c++) {
      lambda[c] += (rho / curvature) * direction[c];
      residual[c] -= (rho / curvature) * product[c];
    }
  }
  return lambda;
}
