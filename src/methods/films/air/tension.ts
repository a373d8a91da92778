/**
 * Surface tension as a pressure per vertex and region ([da-2017] 15.3), by a rule of our own that is the same
 * on films, triple curves and points where they meet.
 *
 * Let g be the gradient of the film's area by the position of a vertex, and G_i that of the volume of region
 * i. Pressures p_i do the work of tension in every virtual motion of the vertex when
 *     sum_i p_i G_i = sigma g                                                                      (1)
 * The G_i of a vertex add up to nothing, so a film gives one equation in one jump, a triple curve two in two,
 * a quadruple point three in three: (1) has one solution across the film or curve; along them, where no
 * region's volume changes, motion is not the air's business. We take the least-squares solution of least
 * norm, p_i = G_i . M^+ sigma g with M = sum_i G_i G_i^T (its weak directions held up: FLOOR). Then
 * d(potential_i)/dt = -p_i / rho is equation (14.9), and
 *     - air at rest (p_i the same everywhere in a region) is exactly the discrete balance grad area = sum p_i grad volume: the least area for the volumes, as in
 *       Brakke's Evolver; so angles tend to 120 and 109.47 degrees with refinement. The published sum of dihedral angles does not balance there;
 *     - the air's momentum, rho sum potential_i G_i, changes by -sigma sum g = 0 but for tangential remainders.
 * The same pseudo-inverse gives vertex velocities from fluxes (velocity.ts): the two are adjoint, so that
 * what tension loses the air gains.
 *
 * Cost: linear; threads by vertex.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../../../core/records.ts';
import { SymmetricEigen, sumOuterProducts } from '../../../math/symmetric-eigen.ts';
import { CORNER, COT_B, COT_C, NORMAL, setCorner, U, W } from '../../../math/triangle.ts';
import type { Sheet } from '../circulation/sheet.ts';
import { defineSheetTask } from './sheet-task.ts';

/**
 * Eigenvalues of M below this share of the greatest count as this much. They belong to junctions with films
 * all but folded onto each other or with slivers on one side (one quadruple point in thirty of a foam); a
 * wave there goes as the inverse root of the eigenvalue, so that a single one set the time step of all, or
 * swung up. Along a film or curve, where they are none, nothing comes of it: G has no part there.
 */
export const FLOOR = 0.05;
/**
 * The greatest eigenvalue of M itself counts as no less than FLOOR of what it is where films are flat: 2 a^2
 * on a film, with a the third of the area around the vertex; 1/2 and 2/9 a^2 where three and six films meet
 * at their angles. It is next to nothing where films are folded up around a vertex, so that no volume changes
 * as it goes: a fold that remeshing left in a kneaded foam had a pressure of 4e15 Pa.
 */
const FLAT_FILM = 2;
const FLAT_JUNCTION = 2 / 9;

/** Of a sheet's vertices and entries. */
export const gradientsRecord = defineRecord('vertex gradients', {
  volumeGradient: {
    type: 'f64',
    per: 'entry',
    stride: 3,
    unit: 'm^2',
    meaning: "gradient of a region's volume",
  },
  areaGradient: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: "gradient of the film's area" },
  inverse: {
    type: 'f64',
    per: 'vertex',
    stride: 6,
    unit: 'm^-4',
    meaning: 'M^+ as [xx, xy, xz, yy, yz, zz]',
  },
});
export type VertexGradients = ValuesOf<typeof gradientsRecord>;

export const createVertexGradients = (sheet: Sheet, scope: HeapScope): VertexGradients =>
  allocateViews(gradientsRecord, scope, { vertex: sheet.vertexCount, entry: sheet.entryCount });

/** Gradients and pseudo-inverses at the sheet's positions. */
export const computeVertexGradients = defineSheetTask(
  'films/compute-gradients',
  'vertexCount',
  { gradients: gradientsRecord },
  (begin, end, { sheet, gradients }) => {
    const { position: p, corner, entryStart, cornerFront, cornerBack, cornerStart, vertexCorner } = sheet;
    const { volumeGradient, areaGradient, inverse } = gradients;
    const eigen = new SymmetricEigen();
    const seen = new Float64Array(CORNER);
    for (let v = begin; v < end; v++) {
      volumeGradient.fill(0, 3 * entryStart[v], 3 * entryStart[v + 1]);
      let gx = 0;
      let gy = 0;
      let gz = 0;
      let area = 0;
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const base = c - (c % 3);
        const b = 3 * corner[base + ((c - base + 1) % 3)];
        const d = 3 * corner[base + ((c - base + 2) % 3)];
        const a = 3 * v;
        const double = setCorner(p, a, b, d, seen);
        if (double === 0) continue;
        area += double / 6;
        const [x, y, z] = [seen[NORMAL], seen[NORMAL + 1], seen[NORMAL + 2]];
        // Volume behind the face grows as the vertex goes along the normal, by a third of the area vector.
        const back = 3 * cornerBack[c];
        const front = 3 * cornerFront[c];
        volumeGradient[back] += x / 6;
        volumeGradient[back + 1] += y / 6;
        volumeGradient[back + 2] += z / 6;
        volumeGradient[front] -= x / 6;
        volumeGradient[front + 1] -= y / 6;
        volumeGradient[front + 2] -= z / 6;
        const cotB = seen[COT_B];
        const cotD = seen[COT_C];
        gx -= 0.5 * (cotD * seen[U] + cotB * seen[W]);
        gy -= 0.5 * (cotD * seen[U + 1] + cotB * seen[W + 1]);
        gz -= 0.5 * (cotD * seen[U + 2] + cotB * seen[W + 2]);
      }
      areaGradient[3 * v] = gx;
      areaGradient[3 * v + 1] = gy;
      areaGradient[3 * v + 2] = gz;
      setInverse(volumeGradient, entryStart[v], entryStart[v + 1], area, eigen, inverse, 6 * v);
    }
  },
);

const sums = new Float64Array(6);

/** M^+ of the gradients of entries [first, last) with a third of the area around them. */
function setInverse(
  g: Float64Array,
  first: number,
  last: number,
  area: number,
  eigen: SymmetricEigen,
  out: Float64Array,
  at: number,
): void {
  sumOuterProducts(g, first, last, sums);
  const { 0: xx, 1: xy, 2: xz, 3: yy, 4: yz, 5: zz } = sums;
  out.fill(0, at, at + 6);
  const trace = xx + yy + zz;
  if (trace === 0) return;
  if (last - first === 2) {
    // One film: M = 2 G G^T, of rank one.
    const s = 1 / (trace * Math.max(trace, FLOOR * FLAT_FILM * area * area));
    out[at] = xx * s;
    out[at + 1] = xy * s;
    out[at + 2] = xz * s;
    out[at + 3] = yy * s;
    out[at + 4] = yz * s;
    out[at + 5] = zz * s;
    return;
  }
  eigen.solve(xx, xy, xz, yy, yz, zz);
  const { value, vector: q } = eigen;
  const least = FLOOR * Math.max(value[0], FLAT_JUNCTION * area * area);
  for (let i = 0; i < 3; i++) {
    const s = 1 / Math.max(value[i], least);
    out[at] += s * q[3 * i] * q[3 * i];
    out[at + 1] += s * q[3 * i] * q[3 * i + 1];
    out[at + 2] += s * q[3 * i] * q[3 * i + 2];
    out[at + 3] += s * q[3 * i + 1] * q[3 * i + 1];
    out[at + 4] += s * q[3 * i + 1] * q[3 * i + 2];
    out[at + 5] += s * q[3 * i + 2] * q[3 * i + 2];
  }
}

/**
 * Pressures that balance tension, Pa, per entry; least norm, so that only differences at a vertex mean
 * anything.
 */
export const computePressure = defineSheetTask(
  'films/compute-pressure',
  'vertexCount',
  { gradients: gradientsRecord, tension: 'number', out: 'f64' },
  (begin, end, { sheet, gradients, tension, out }) => {
    const { entryStart } = sheet;
    const { volumeGradient: g, areaGradient, inverse: m } = gradients;
    for (let v = begin; v < end; v++) {
      const x = tension * areaGradient[3 * v];
      const y = tension * areaGradient[3 * v + 1];
      const z = tension * areaGradient[3 * v + 2];
      const i = 6 * v;
      const sx = m[i] * x + m[i + 1] * y + m[i + 2] * z;
      const sy = m[i + 1] * x + m[i + 3] * y + m[i + 4] * z;
      const sz = m[i + 2] * x + m[i + 4] * y + m[i + 5] * z;
      for (let n = entryStart[v]; n < entryStart[v + 1]; n++)
        out[n] = g[3 * n] * sx + g[3 * n + 1] * sy + g[3 * n + 2] * sz;
    }
  },
);
