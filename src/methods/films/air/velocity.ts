/**
 * The air's motion from the sheet ([da-2017] 14.1, 15.4), in a form of our own for the part across the films.
 *
 * Sheet strength: gamma = n x grad(front - back), constant on each face (14.1). Its vector potential A = 1/(4
 * pi) int gamma / r is integrated over pairs of faces (integrals/panels/near-pairs.ts); no length of
 * regularisation enters. The flux through a region's surface, weighted by the hat function of a vertex, is by
 * parts
 *     W_iv = -sum_f int A . (n x grad hat_v) = sum_f e_v . A_f / 2           (e_v: the edge opposite v, wound with the outward normal)
 * which is the Galerkin form of the hypersingular operator (Nedelec 1982): symmetric and positive, the
 * derivative of the kinetic energy
 *     T = rho/2 sum_f a_f gamma_f . A_f = rho/2 sum_iv potential_iv W_iv
 * by rho potential_iv. Fluxes into a closed region add up to nothing exactly, so volumes are kept; and with
 * tension.ts waves neither grow nor fade.
 *
 * A vertex then moves so that G_i . u = W_i for all its regions; what that leaves open (along films and
 * curves) is taken from the regularised Biot-Savart sum (15.3): there its error only shifts points on the
 * surface.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../../../core/records.ts';
import type { Threads } from '../../../core/threads/task.ts';
import { addNearPotential, type NearPairs } from '../../../integrals/panels/near-pairs.ts';
import type { Sheet } from '../circulation/sheet.ts';
import { defineSheetTask } from './sheet-task.ts';
import type { FilmSums } from './sums.ts';
import { gradientsRecord } from './tension.ts';

/** Of a sheet's faces. */
const faceRecord = defineRecord('face fields', {
  middle: { type: 'f64', per: 'face', stride: 3, unit: 'm', meaning: 'barycentre' },
  strength: { type: 'f64', per: 'face', stride: 3, unit: 'm^3/s', meaning: 'area times sheet strength' },
  vectorPotential: { type: 'f64', per: 'face', stride: 3, unit: 'm^2/s', meaning: 'mean over the face' },
});
export type FaceFields = ValuesOf<typeof faceRecord>;

export const createFaceFields = (sheet: Sheet, scope: HeapScope): FaceFields =>
  allocateViews(faceRecord, scope, { face: sheet.faceCount });

/** Barycentres of faces. */
export const computeMiddles = defineSheetTask(
  'films/compute-face-middles',
  'faceCount',
  { middle: 'f64' },
  (begin, end, { sheet, middle }) => {
    const { corner, position: p } = sheet;
    for (let f = begin; f < end; f++) {
      const a = 3 * corner[3 * f];
      const b = 3 * corner[3 * f + 1];
      const c = 3 * corner[3 * f + 2];
      for (let k = 0; k < 3; k++) middle[3 * f + k] = (p[a + k] + p[b + k] + p[c + k]) / 3;
    }
  },
);

/** Area times n x grad of the circulation (14.1). */
export const computeStrength = defineSheetTask(
  'films/compute-strength',
  'faceCount',
  { potential: 'f64', strength: 'f64' },
  (begin, end, { sheet, potential, strength }) => {
    const { corner, cornerFront: front, cornerBack: back, position: p } = sheet;
    for (let f = begin; f < end; f++) {
      const c = 3 * f;
      const g0 = potential[front[c]] - potential[back[c]];
      const g1 = potential[front[c + 1]] - potential[back[c + 1]];
      const g2 = potential[front[c + 2]] - potential[back[c + 2]];
      const i = 3 * corner[c];
      const j = 3 * corner[c + 1];
      const k = 3 * corner[c + 2];
      for (let x = 0; x < 3; x++) {
        const e0 = p[k + x] - p[j + x];
        const e1 = p[i + x] - p[k + x];
        const e2 = p[j + x] - p[i + x];
        strength[c + x] = -0.5 * (g0 * e0 + g1 * e1 + g2 * e2);
      }
    }
  },
);

/** Mean vector potential on every face: middles of faces, corrected where faces are near. */
export function computeVectorPotential(
  { middle, strength, vectorPotential }: FaceFields,
  near: NearPairs,
  sums: FilmSums,
  threads: Threads,
): void {
  sums.addUpPotential(middle, strength, near.softening, vectorPotential);
  addNearPotential(near, strength, threads, vectorPotential);
}

/** Flux W out of every region at every vertex, m^3/s per entry. */
export const computeFlux = defineSheetTask(
  'films/compute-flux',
  'vertexCount',
  { vectorPotential: 'f64', flux: 'f64' },
  (begin, end, { sheet, vectorPotential: a, flux }) => {
    const { position: p, corner, cornerFront: front, cornerBack: back } = sheet;
    const { cornerStart, vertexCorner, entryStart } = sheet;
    for (let v = begin; v < end; v++) {
      flux.fill(0, entryStart[v], entryStart[v + 1]);
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const f = c - (c % 3);
        const j = 3 * corner[f + ((c - f + 1) % 3)];
        const k = 3 * corner[f + ((c - f + 2) % 3)];
        const w =
          0.5 * ((p[k] - p[j]) * a[f] + (p[k + 1] - p[j + 1]) * a[f + 1] + (p[k + 2] - p[j + 2]) * a[f + 2]);
        flux[back[c]] += w;
        flux[front[c]] -= w;
      }
    }
  },
);

/**
 * Corrects the velocities so that every region's flux at a vertex is W: u += M^+ sum_i G_i (W_i - G_i . u).
 */
export const imposeFlux = defineSheetTask(
  'films/impose-flux',
  'vertexCount',
  { gradients: gradientsRecord, flux: 'f64', velocity: 'f64' },
  (begin, end, { sheet, gradients, flux, velocity: u }) => {
    const { entryStart } = sheet;
    const { volumeGradient: g, inverse: m } = gradients;
    for (let v = begin; v < end; v++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let n = entryStart[v]; n < entryStart[v + 1]; n++) {
        const miss =
          flux[n] - g[3 * n] * u[3 * v] - g[3 * n + 1] * u[3 * v + 1] - g[3 * n + 2] * u[3 * v + 2];
        x += g[3 * n] * miss;
        y += g[3 * n + 1] * miss;
        z += g[3 * n + 2] * miss;
      }
      const i = 6 * v;
      u[3 * v] += m[i] * x + m[i + 1] * y + m[i + 2] * z;
      u[3 * v + 1] += m[i + 1] * x + m[i + 3] * y + m[i + 4] * z;
      u[3 * v + 2] += m[i + 2] * x + m[i + 4] * y + m[i + 5] * z;
    }
  },
);
