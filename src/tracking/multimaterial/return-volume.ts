/**
 * Giving back what remeshing took: every edit books the volume each region gained on half-faces of that region (edit.ts). Here the books are settled, shell by
 * shell, by the least motion that does it.
 *
 * A shell is a connected set of half-faces that look into the same region: the inside of one drop, the outside of one cluster. With G the gradient of a
 * shell's volume by vertex and m the area of a vertex, the displacement that minimises sum m |d|^2 while every shell loses its debt is
 *     d_v = (1 / m_v) sum_r lambda_r G_rv     where     sum_s (sum_v G_rv . G_sv / m_v) lambda_s = -debt_r
 * solved by conjugate gradients without a matrix. It vanishes with the debts, spreads over whole shells and is far smaller than an edge. It is added to the
 * client's proposed positions, so that one pass of collision handling covers both. Not in the thesis, whose tracker loses 1.9 % in the Enright test.
 * Cost: linear in faces, times the few iterations that the number of neighbouring shells asks for.
 */
import { NONE } from '../../core/types.ts';
import { EdgeFan, pairHalfFaces } from './around.ts';
import { computeFaceArea } from './measure.ts';
import { faceOf, type MultiMesh } from './mesh.ts';
import type { Tracker } from './tracker.ts';

const MOST_ITERATIONS = 200;
const TOLERANCE = 1e-8;
/** Longest displacement, in L: a debt that needs more (a drop about to vanish) is given back in part. */
const LONGEST = 0.02;

/** Connected half-faces: shell of each half-face of a living face, numbered from 0. */
export function findShells(mesh: MultiMesh): { readonly shell: Int32Array; readonly count: number } {
  const shell = new Int32Array(2 * mesh.faceFill);
  for (let h = 0; h < shell.length; h++) shell[h] = h;
  const find = (h: number) => {
    while (shell[h] !== h) {
      shell[h] = shell[shell[h]];
      h = shell[h];
    }
    return h;
  };
  const fan = new EdgeFan(mesh);
  const pair: number[] = [];
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    const pairs = pairHalfFaces(mesh, e, fan, pair);
    for (let n = 0; n < pairs; n++) {
      const a = find(pair[2 * n]);
      const b = find(pair[2 * n + 1]);
      if (a < b) shell[b] = a;
      else shell[a] = b;
    }
  }
  let count = 0;
  const number = new Int32Array(shell.length).fill(NONE);
  for (let h = 0; h < shell.length; h++) {
    if (!mesh.isFace(h >> 1)) continue;
    const root = find(h);
    if (number[root] === NONE) number[root] = count++;
  }
  for (let h = 0; h < shell.length; h++) number[h] = mesh.isFace(h >> 1) ? number[find(h)] : NONE;
  return { shell: number, count };
}

/** Entries G_rv of all vertices, flat: vertex v has [start[v], start[v + 1]). */
interface Gradients {
  readonly start: Int32Array;
  readonly shell: Int32Array;
  /** (entries x 3) m^2, divided by the square root of the vertex's area */
  readonly value: Float64Array;
  /** 1 / sqrt(area of the vertex), 1/m */
  readonly scale: Float64Array;
}

const corner = new Float64Array(9);

/**
 * Volume that a face sweeps towards its front on its way between two sets of positions. A face that moves linearly sweeps mean displacement . integral of its
 * area vector over time; the integrand is quadratic, so Simpson's rule is exact, and the sum over a shell is the change of its volume to rounding.
 */
function computeSweptVolume(mesh: MultiMesh, f: number, from: Float64Array, to: Float64Array): number {
  const { face } = mesh;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let i = 0; i < 3; i++) {
    const o = 3 * face[3 * f + i];
    mx += to[o] - from[o];
    my += to[o + 1] - from[o + 1];
    mz += to[o + 2] - from[o + 2];
  }
  let volume = 0;
  for (let stage = 0; stage < 3; stage++) {
    const t = stage / 2;
    for (let i = 0; i < 3; i++) {
      const o = 3 * face[3 * f + i];
      for (let k = 0; k < 3; k++) corner[3 * i + k] = (1 - t) * from[o + k] + t * to[o + k];
    }
    const ux = corner[3] - corner[0];
    const uy = corner[4] - corner[1];
    const uz = corner[5] - corner[2];
    const wx = corner[6] - corner[0];
    const wy = corner[7] - corner[1];
    const wz = corner[8] - corner[2];
    // Simpson's weights over 6, the area vector's half, the mean's third.
    const weight = (stage === 1 ? 4 : 1) / 36;
    volume += weight * (mx * (uy * wz - uz * wy) + my * (uz * wx - ux * wz) + mz * (ux * wy - uy * wx));
  }
  return volume;
}

/**
 * Books the volume that a motion from positions `from` (vertexFill x 3) to the present ones gave each region. For clients whose flow keeps volumes: what the
 * flat faces gain or lose on the way is an error like that of remeshing, and goes back with it.
 *
 * What a shell owes as a whole is spread over it by area. Booked face by face, a shell that travels would carry large debts in front and behind that cancel, until it
 * comes apart and they do not.
 */
export function bookMotion(tracker: Tracker, from: Float64Array): void {
  const { mesh } = tracker;
  const { shell, count } = findShells(mesh);
  const debt = new Float64Array(count);
  const area = new Float64Array(count);
  const faceArea = new Float64Array(mesh.faceFill);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const volume = computeSweptVolume(mesh, f, from, mesh.position);
    faceArea[f] = computeFaceArea(mesh, f);
    debt[shell[2 * f]] += mesh.debt[2 * f] - volume;
    debt[shell[2 * f + 1]] += mesh.debt[2 * f + 1] + volume;
    area[shell[2 * f]] += faceArea[f];
    area[shell[2 * f + 1]] += faceArea[f];
  }
  for (let h = 0; h < 2 * mesh.faceFill; h++) {
    const r = shell[h];
    if (r !== NONE) mesh.setDebt(h, area[r] > 0 ? (debt[r] * faceArea[h >> 1]) / area[r] : 0);
  }
}

/**
 * Adds the displacement that settles the books to `proposed` (vertexFill x 3). The books are cleared, unless the client books the motion (bookMotion) and
 * with it what was truly given back; then what the proposed motion itself would gain is settled ahead. Shells with a face
 * that `isOpen` are left alone. Returns the sum of the debts' sizes that are settled, m^3.
 */
export function addVolumeReturn(
  tracker: Tracker,
  proposed: Float64Array,
  isMotionBooked = false,
  isOpen?: (f: number) => boolean,
): number {
  const { mesh } = tracker;
  let total = 0;
  for (let h = 0; h < 2 * mesh.faceFill; h++) if (mesh.isFace(h >> 1)) total += Math.abs(mesh.debt[h]);
  if (total === 0 && !isMotionBooked) return 0;
  const found = findShells(mesh);
  const { shell, count } = isOpen ? dropOpenShells(mesh, found, isOpen) : found;
  const debt = new Float64Array(count);
  for (let h = 0; h < 2 * mesh.faceFill; h++) if (shell[h] !== NONE) debt[shell[h]] += mesh.debt[h];
  for (let f = 0; f < mesh.faceFill && isMotionBooked; f++) {
    if (!mesh.isFace(f)) continue;
    const volume = computeSweptVolume(mesh, f, mesh.position, proposed);
    if (shell[2 * f] !== NONE) debt[shell[2 * f]] -= volume;
    if (shell[2 * f + 1] !== NONE) debt[shell[2 * f + 1]] += volume;
  }
  const gradients = buildGradients(tracker, shell);
  balanceDebts(mesh, shell, debt);
  const lambda = solveMultipliers(gradients, mesh.vertexFill, debt);
  const step = new Float64Array(3 * mesh.vertexFill);
  const longest = applyTranspose(gradients, mesh.vertexFill, lambda, step);
  const share = longest > LONGEST * tracker.length ? (LONGEST * tracker.length) / longest : 1;
  for (let n = 0; n < step.length; n++) proposed[n] += share * step[n];
  for (let h = 0; h < 2 * mesh.faceFill && !isMotionBooked; h++) {
    if (shell[h] !== NONE && mesh.debt[h] !== 0) mesh.setDebt(h, (1 - share) * mesh.debt[h]);
  }
  return share * total;
}

/** Without the shells that hold an open face: air comes and goes through them, so they owe nothing. The others are numbered anew. */
function dropOpenShells(
  mesh: MultiMesh,
  { shell, count }: { readonly shell: Int32Array; readonly count: number },
  isOpen: (f: number) => boolean,
): { readonly shell: Int32Array; readonly count: number } {
  const number = new Int32Array(count);
  for (let h = 0; h < shell.length; h++) if (shell[h] !== NONE && isOpen(h >> 1)) number[shell[h]] = NONE;
  let left = 0;
  for (let s = 0; s < count; s++) if (number[s] !== NONE) number[s] = left++;
  const kept = shell.map((s) => (s === NONE ? NONE : number[s]));
  for (let h = 0; h < shell.length; h++)
    if (shell[h] !== NONE && kept[h] === NONE && mesh.debt[h] !== 0) mesh.setDebt(h, 0);
  return { shell: kept, count: left };
}

/**
 * Makes the debts of shells that share faces add up to nothing, as the volumes on the two sides of a surface do: after a surface has come apart, what was booked
 * before may not, by a hair, and the system then has no solution. Parts that touch in a vertex or an edge alone are tied no more than parts that do not touch.
 * Groups with an open neighbour have no such tie.
 */
function balanceDebts(mesh: MultiMesh, shell: Int32Array, debt: Float64Array): void {
  const group = Int32Array.from(debt, (_, r) => r);
  const find = (r: number) => {
    while (group[r] !== r) r = group[r] = group[group[r]];
    return r;
  };
  const isOpen = new Uint8Array(debt.length);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f) || shell[2 * f] === NONE || shell[2 * f + 1] === NONE) continue;
    const [a, b] = [find(shell[2 * f]), find(shell[2 * f + 1])];
    if (a !== b) group[Math.max(a, b)] = Math.min(a, b);
  }
  for (let h = 0; h < shell.length; h++)
    if (shell[h] === NONE && shell[h ^ 1] !== NONE) isOpen[find(shell[h ^ 1])] = 1;
  const sum = new Float64Array(debt.length);
  const count = new Float64Array(debt.length);
  for (let r = 0; r < debt.length; r++) {
    sum[find(r)] += debt[r];
    count[find(r)]++;
  }
  for (let r = 0; r < debt.length; r++) if (!isOpen[find(r)]) debt[r] -= sum[find(r)] / count[find(r)];
}

function buildGradients({ mesh, policy }: Tracker, shell: Int32Array): Gradients {
  const { face, position: p } = mesh;
  const start = new Int32Array(mesh.vertexFill + 1);
  const scale = new Float64Array(mesh.vertexFill);
  // Two sides at most vertices, more on curves.
  let shells = new Int32Array(3 * mesh.vertexFill + 64);
  let value = new Float64Array(3 * shells.length);
  let count = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    const begin = count;
    start[v] = begin;
    if (!mesh.isVertex(v) || policy.isHeld?.(v)) continue;
    let area = 0;
    for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = mesh.cornerNextAtVertex[corner]) {
      const f = faceOf(corner);
      const a = 3 * face[3 * f];
      const b = 3 * face[3 * f + 1];
      const c = 3 * face[3 * f + 2];
      area += computeFaceArea(mesh, f) / 3;
      const ux = p[b] - p[a];
      const uy = p[b + 1] - p[a + 1];
      const uz = p[b + 2] - p[a + 2];
      const wx = p[c] - p[a];
      const wy = p[c + 1] - p[a + 1];
      const wz = p[c + 2] - p[a + 2];
      const x = (uy * wz - uz * wy) / 6;
      const y = (uz * wx - ux * wz) / 6;
      const z = (ux * wy - uy * wx) / 6;
      for (let side = 0; side < 2; side++) {
        const wanted = shell[2 * f + side];
        if (wanted === NONE) continue;
        const sign = side === 0 ? -1 : 1;
        let n = begin;
        while (n < count && shells[n] !== wanted) n++;
        if (n === count) {
          if (count === shells.length) {
            shells = extend(shells, new Int32Array(2 * count));
            value = extend(value, new Float64Array(6 * count));
          }
          shells[count++] = wanted;
        }
        value[3 * n] += sign * x;
        value[3 * n + 1] += sign * y;
        value[3 * n + 2] += sign * z;
      }
    }
    scale[v] = area > 0 ? 1 / Math.sqrt(area) : 0;
    for (let n = 3 * begin; n < 3 * count; n++) value[n] *= scale[v];
  }
  start[mesh.vertexFill] = count;
  return { start, shell: shells.subarray(0, count), value: value.subarray(0, 3 * count), scale };
}

function extend<T extends Int32Array | Float64Array>(from: T, longer: T): T {
  longer.set(from);
  return longer;
}

/** Displacements from multipliers; returns the longest. */
function applyTranspose(g: Gradients, vertexCount: number, lambda: Float64Array, out: Float64Array): number {
  let longest = 0;
  for (let v = 0; v < vertexCount; v++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = lambda[g.shell[n]] * g.scale[v];
      x += l * g.value[3 * n];
      y += l * g.value[3 * n + 1];
      z += l * g.value[3 * n + 2];
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
    longest = Math.max(longest, Math.hypot(x, y, z));
  }
  return longest;
}

/** y = G G^T x, with the areas in G. */
function applySystem(g: Gradients, vertexCount: number, x: Float64Array, y: Float64Array): void {
  y.fill(0);
  for (let v = 0; v < vertexCount; v++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = x[g.shell[n]];
      sx += l * g.value[3 * n];
      sy += l * g.value[3 * n + 1];
      sz += l * g.value[3 * n + 2];
    }
    for (let n = g.start[v]; n < g.start[v + 1]; n++)
      y[g.shell[n]] += sx * g.value[3 * n] + sy * g.value[3 * n + 1] + sz * g.value[3 * n + 2];
  }
}

/** Conjugate gradients with the diagonal. The system is singular (all shells of a cluster alike), but its right side is consistent. */
function solveMultipliers(g: Gradients, vertexCount: number, debt: Float64Array): Float64Array {
  const count = debt.length;
  const diagonal = new Float64Array(count);
  for (let n = 0; n < g.shell.length; n++)
    diagonal[g.shell[n]] += g.value[3 * n] ** 2 + g.value[3 * n + 1] ** 2 + g.value[3 * n + 2] ** 2;
  const lambda = new Float64Array(count);
  const residual = debt.map((d) => -d);
  const direction = new Float64Array(count);
  const product = new Float64Array(count);
  let wanted = 0;
  for (let r = 0; r < count; r++) wanted += residual[r] ** 2;
  const bound = TOLERANCE * Math.sqrt(wanted);
  let rho = 0;
  for (let n = 0; n < MOST_ITERATIONS; n++) {
    let next = 0;
    let size = 0;
    for (let r = 0; r < count; r++) {
      next += residual[r] ** 2 / diagonal[r];
      size += residual[r] ** 2;
    }
    if (Math.sqrt(size) <= bound) break;
    for (let r = 0; r < count; r++)
      direction[r] = residual[r] / diagonal[r] + (n === 0 ? 0 : next / rho) * direction[r];
    rho = next;
    applySystem(g, vertexCount, direction, product);
    let curvature = 0;
    for (let r = 0; r < count; r++) curvature += direction[r] * product[r];
    if (!(curvature > 0)) break;
    for (let r = 0; r < count; r++) {
      lambda[r] += (rho / curvature) * direction[r];
      residual[r] -= (rho / curvature) * product[r];
    }
  }
  return lambda;
}
