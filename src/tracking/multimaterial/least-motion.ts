/**
 * The least motion that changes volumes by given amounts. With G the gradient of a volume by vertex and m the
 * area of a vertex, the displacement that minimises sum m |d|^2 while every volume loses its excess is
 *     d_v = (1 / m_v) sum_r lambda_r G_rv     where     sum_s (sum_v G_rv . G_sv / m_v) lambda_s = -excess_r
 * to first order, solved by conjugate gradients without a matrix. The volumes are those enclosed by sets of
 * half-faces: shells, compartments. Cost: linear in faces, times the few iterations that the number of
 * neighbouring volumes asks for.
 */
import { NONE } from '../../core/types.ts';
import { createCgWork, iterateCg } from '../../linalg/krylov/cg.ts';
import { createSequentialOperator } from '../../linalg/operator.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import { sequentialSpace } from '../../linalg/vector-space.ts';
import { setVolumeGradient } from '../../math/triangle.ts';
import { faceOf } from './mesh.ts';
import type { Tracker } from './tracker.ts';

const MOST_ITERATIONS = 200;

/** Entries G_rv of all vertices, flat: vertex v has [start[v], start[v + 1]). */
interface Gradients {
  readonly start: Int32Array;
  readonly volume: Int32Array;
  /** (entries x 3) m^2, divided by the square root of the vertex's area */
  readonly value: Float64Array;
  /** (vertices) 1 / sqrt(area), 1/m */
  readonly scale: Float64Array;
}

/**
 * Displacements (vertexFill x 3, m) of the vertices at `position` that take `excess` (m^3) from each volume;
 * `of` names the volume that each half-face looks into, or NONE. Held vertices stay; a volume that has no
 * others stays as it is. `tolerance`: residual, as a share. Returns the longest displacement.
 */
export function computeLeastMotion(
  tracker: Tracker,
  of: Int32Array,
  position: Float64Array,
  excess: Float64Array,
  tolerance: number,
  outStep: Float64Array,
): number {
  const gradients = buildGradients(tracker, of, position);
  const lambda = solveMultipliers(gradients, excess, tolerance);
  return applyTranspose(gradients, lambda, outStep);
}

function buildGradients({ mesh, policy, walls }: Tracker, of: Int32Array, p: Float64Array): Gradients {
  const { face } = mesh;
  const start = new Int32Array(mesh.vertexFill + 1);
  const scale = new Float64Array(mesh.vertexFill);
  // Two sides at most vertices, more on curves.
  let volume = new Int32Array(3 * mesh.vertexFill + 64);
  let value = new Float64Array(3 * volume.length);
  let count = 0;
  const normal = new Float64Array(3);
  for (let v = 0; v < mesh.vertexFill; v++) {
    const begin = count;
    start[v] = begin;
    if (!mesh.isVertex(v) || policy.isHeld?.(v)) continue;
    let area = 0;
    for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = mesh.cornerNextAtVertex[corner]) {
      const f = faceOf(corner);
      setVolumeGradient(p, face, f, normal);
      const { 0: x, 1: y, 2: z } = normal;
      // A third of the face: the area vector is three times (x, y, z).
      area += Math.sqrt(x * x + y * y + z * z);
      for (let side = 0; side < 2; side++) {
        const wanted = of[2 * f + side];
        if (wanted === NONE) continue;
        const sign = side === 0 ? -1 : 1;
        let n = begin;
        while (n < count && volume[n] !== wanted) n++;
        if (n === count) {
          if (count === volume.length) {
            volume = extend(volume, new Int32Array(2 * count));
            value = extend(value, new Float64Array(6 * count));
          }
          volume[count++] = wanted;
        }
        value[3 * n] += sign * x;
        value[3 * n + 1] += sign * y;
        value[3 * n + 2] += sign * z;
      }
    }
    scale[v] = area > 0 ? 1 / Math.sqrt(area) : 0;
    for (let n = 3 * begin; n < 3 * count; n++) value[n] *= scale[v];
    if (walls && walls.count(v) > 0) for (let n = begin; n < count; n++) walls.slide(v, value, 3 * n);
  }
  start[mesh.vertexFill] = count;
  return { start, volume: volume.subarray(0, count), value: value.subarray(0, 3 * count), scale };
}

function extend<T extends Int32Array | Float64Array>(from: T, longer: T): T {
  longer.set(from);
  return longer;
}

/** Displacements from multipliers; returns the longest. */
function applyTranspose(g: Gradients, lambda: Float64Array, out: Float64Array): number {
  let longest = 0;
  for (let v = 0; v < g.scale.length; v++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = lambda[g.volume[n]] * g.scale[v];
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
function applySystem(g: Gradients, x: Float64Array, y: Float64Array): void {
  y.fill(0);
  for (let v = 0; v < g.scale.length; v++) {
    let sx = 0;
    let sy = 0;
    let sz = 0;
    for (let n = g.start[v]; n < g.start[v + 1]; n++) {
      const l = x[g.volume[n]];
      sx += l * g.value[3 * n];
      sy += l * g.value[3 * n + 1];
      sz += l * g.value[3 * n + 2];
    }
    for (let n = g.start[v]; n < g.start[v + 1]; n++)
      y[g.volume[n]] += sx * g.value[3 * n] + sy * g.value[3 * n + 1] + sz * g.value[3 * n + 2];
  }
}

/**
 * Conjugate gradients with the diagonal. Where all volumes around are in it the system is singular, but its
 * right side is consistent.
 */
function solveMultipliers(g: Gradients, excess: Float64Array, tolerance: number): Float64Array {
  const count = excess.length;
  const diagonal = new Float64Array(count);
  for (let n = 0; n < g.volume.length; n++)
    diagonal[g.volume[n]] += g.value[3 * n] ** 2 + g.value[3 * n + 1] ** 2 + g.value[3 * n + 2] ** 2;
  const lambda = new Float64Array(count);
  const residual = excess.map((e, r) => (diagonal[r] > 0 ? -e : 0));
  const target = tolerance ** 2 * sequentialSpace.dot(residual, residual);
  const work = createCgWork(sequentialSpace, count, true);
  const vectors = { x: lambda, r: residual };
  iterateCg(
    sequentialSpace,
    createSequentialOperator(count, (x, y) => applySystem(g, x, y)),
    createDiagonal(diagonal),
    vectors,
    work,
    (square) => square <= target,
    MOST_ITERATIONS,
  );
  return lambda;
}

/** z = r / diagonal, 0 where a volume has no vertex that may move. */
function createDiagonal(diagonal: Float64Array): Preconditioner {
  return {
    name: 'diagonal',
    apply(r, outZ) {
      let dot = 0;
      for (let i = 0; i < r.length; i++) {
        outZ[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : 0;
        dot += diagonal[i] > 0 ? r[i] ** 2 / diagonal[i] : 0;
      }
      return dot;
    },
  };
}
