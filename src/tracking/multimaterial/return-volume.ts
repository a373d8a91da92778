/**
 * Giving back what remeshing took: every edit books the volume each region gained on half-faces of that
 * region (edit.ts). Here the books are settled, shell by shell, by the least motion that does it
 * (least-motion.ts).
 *
 * A shell is a connected set of half-faces that look into the same region: the inside of one drop, the
 * outside of one cluster. The motion vanishes with the debts, spreads over whole shells and is far smaller
 * than an edge. It is added to the client's proposed positions, so that one pass of collision handling covers
 * both. Not in the thesis, whose tracker loses 1.9 % in the Enright test. Cost: that of least-motion.ts.
 */
import { createSets, findRoot, unite } from '../../core/disjoint-sets.ts';
import { NONE } from '../../core/types.ts';
import { setNormal } from '../../math/triangle.ts';
import { EdgeFan, pairHalfFaces } from './around.ts';
import { computeLeastMotion } from './least-motion.ts';
import { computeFaceArea } from './measure.ts';
import type { MultiMesh } from './mesh.ts';
import type { Tracker } from './tracker.ts';

/** Residual of the motion, as a share of the debts. */
const TOLERANCE = 1e-8;
/** Longest displacement, in L: a debt that needs more (a drop about to vanish) is given back in part. */
const LONGEST = 0.02;

/** Connected half-faces: shell of each half-face of a living face, numbered from 0. */
export function findShells(mesh: MultiMesh): { readonly shell: Int32Array; readonly count: number } {
  const shell = createSets(2 * mesh.faceFill);
  const fan = new EdgeFan(mesh);
  const pair: number[] = [];
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    const pairs = pairHalfFaces(mesh, e, fan, pair);
    for (let n = 0; n < pairs; n++) unite(shell, pair[2 * n], pair[2 * n + 1]);
  }
  let count = 0;
  const number = new Int32Array(shell.length).fill(NONE);
  for (let h = 0; h < shell.length; h++) {
    if (!mesh.isFace(h >> 1)) continue;
    const root = findRoot(shell, h);
    if (number[root] === NONE) number[root] = count++;
  }
  for (let h = 0; h < shell.length; h++) number[h] = mesh.isFace(h >> 1) ? number[findRoot(shell, h)] : NONE;
  return { shell: number, count };
}

const corner = new Float64Array(9);
const normal = new Float64Array(3);

/**
 * Volume that a face sweeps towards its front on its way between two sets of positions. A face that moves
 * linearly sweeps mean displacement . integral of its area vector over time; the integrand is quadratic, so
 * Simpson's rule is exact, and the sum over a shell is the change of its volume to rounding.
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
    setNormal(corner, 0, 3, 6, normal);
    // Simpson's weights over 6, the area vector's half, the mean's third.
    const weight = (stage === 1 ? 4 : 1) / 36;
    volume += weight * (mx * normal[0] + my * normal[1] + mz * normal[2]);
  }
  return volume;
}

/**
 * Books the volume that a motion from positions `from` (vertexFill x 3) to the present ones gave each region.
 * For clients whose flow keeps volumes: what the flat faces gain or lose on the way is an error like that of
 * remeshing, and goes back with it.
 *
 * What a shell owes as a whole is spread over it by area. Booked face by face, a shell that travels would
 * carry large debts in front and behind that cancel, until it comes apart and they do not.
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
 * Adds the displacement that settles the books to `proposed` (vertexFill x 3). The books are cleared, unless
 * the client books the motion (bookMotion) and with it what was truly given back; then what the proposed
 * motion itself would gain is settled ahead. Returns the sum of the debts' sizes that are settled, m^3.
 */
export function addVolumeReturn(tracker: Tracker, proposed: Float64Array, isMotionBooked = false): number {
  const { mesh } = tracker;
  let total = 0;
  for (let h = 0; h < 2 * mesh.faceFill; h++) if (mesh.isFace(h >> 1)) total += Math.abs(mesh.debt[h]);
  if (total === 0 && !isMotionBooked) return 0;
  const { shell, count } = findShells(mesh);
  const debt = new Float64Array(count);
  for (let h = 0; h < 2 * mesh.faceFill; h++) if (shell[h] !== NONE) debt[shell[h]] += mesh.debt[h];
  for (let f = 0; f < mesh.faceFill && isMotionBooked; f++) {
    if (!mesh.isFace(f)) continue;
    const volume = computeSweptVolume(mesh, f, mesh.position, proposed);
    debt[shell[2 * f]] -= volume;
    debt[shell[2 * f + 1]] += volume;
  }
  balanceDebts(mesh, shell, debt);
  const step = new Float64Array(3 * mesh.vertexFill);
  const longest = computeLeastMotion(tracker, shell, mesh.position, debt, TOLERANCE, step);
  const share = longest > LONGEST * tracker.length ? (LONGEST * tracker.length) / longest : 1;
  for (let n = 0; n < step.length; n++) proposed[n] += share * step[n];
  for (let h = 0; h < 2 * mesh.faceFill && !isMotionBooked; h++) {
    if (shell[h] !== NONE && mesh.debt[h] !== 0) mesh.setDebt(h, (1 - share) * mesh.debt[h]);
  }
  return share * total;
}

/**
 * Makes the debts of shells that share faces add up to nothing, as the volumes on the two sides of a surface
 * do: after a surface has come apart, what was booked before may not, by a hair, and the system then has no
 * solution. Parts that touch in a vertex or an edge alone are tied no more than parts that do not touch.
 */
function balanceDebts(mesh: MultiMesh, shell: Int32Array, debt: Float64Array): void {
  const group = Int32Array.from(debt, (_, r) => r);
  const find = (r: number) => {
    while (group[r] !== r) r = group[r] = group[group[r]];
    return r;
  };
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [a, b] = [find(shell[2 * f]), find(shell[2 * f + 1])];
    if (a !== b) group[Math.max(a, b)] = Math.min(a, b);
  }
  const sum = new Float64Array(debt.length);
  const count = new Float64Array(debt.length);
  for (let r = 0; r < debt.length; r++) {
    sum[find(r)] += debt[r];
    count[find(r)]++;
  }
  for (let r = 0; r < debt.length; r++) debt[r] -= sum[find(r)] / count[find(r)];
}
