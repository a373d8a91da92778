/**
 * One tet of the nodal pressure: gradients of its barycentric coordinates, its 4 x 4 matrix, and the ghosts
 * at its corners in the air ([ando-2013] 3, eqs. (5) to (13)).
 *
 * A ghost pressure is p_G = sum of w_i p_i over the liquid corners i. With K the matrix of the tet, eq. (12)
 * is w_i = c K_iG and c = phi_G / (sum of K_jG phi_j), the sum over liquid corners: the matrix gains c K_iG
 * K_jG and stays symmetric.
 *
 * Two things are ours:
 * - On the body-centred lattice some corners are coupled to no other of their tet, and (12) is 0/0. There the
 *   weights are equal, w_i = phi_G / (sum of phi_j). The matrix has no entry for them, but the gradient has.
 * - Where c < 0 the matrix loses. The paper takes a ghost's weights back until the diagonal keeps a quarter,
 *   eq. (13): such a tet is of first order, and a still pool flows there. Instead the tet is *extended*:
 *   ghosts w_i = phi_G phi_i / (sum of phi_j^2), the least ones that are exact where p is linear, the matrix
 *   E^T K E with E = (1; w), and E^T before its flux. This is the energy of the tet's own pressure, so it is
 *   never negative, whatever the weights.
 * Where couplings of both signs nearly cancel, c is huge: such a tet is extended too.
 * A tet is extended from the loss on where -c K_GG exceeds 3/4 over the number of ghosts. Below it the liquid
 * block keeps a quarter: the block is at least the outer product of the ghost's column over K_GG (Schur).
 */
import type { F64View, I32View } from '../../core/types.ts';
import { setTetGradients } from '../../math/triangle.ts';

/** What a tet's matrix keeps of itself at least, eq. (13). */
const LEAST_KEPT = 0.25;
/**
 * Level sets of liquid corners count as this at least, in cube roots of the tet's volume: an interface
 * through a node stays solvable.
 */
const LEAST_DEPTH = 1e-3;
/**
 * A ghost whose square weighs more than so many of its own entries has couplings that cancel, not a surface
 * at a node: extended.
 */
const MOST_GAIN = 4 / LEAST_DEPTH;
/** A column that is smaller than this share of the tet's largest entry couples to nothing: rounding. */
const NO_COUPLING = 1e-10;

export class PressureElement {
  /** (4 x 3) gradients of the barycentric coordinates, 1/m */
  readonly gradient = new Float64Array(12);
  /** (4 x 4) of the liquid corners, ghosts put in; rows and columns of others are zero. m */
  readonly matrix = new Float64Array(16);
  /** (4 x 4) row g: weights of ghost g on the liquid corners */
  readonly weight = new Float64Array(16);
  /** m^3, of the whole tet */
  volume = 0;
  /** Whether its ghosts lose too much: it is extended, or limited as in the paper. */
  isLossy = false;
  private readonly stiffness = new Float64Array(16);
  private readonly depth = new Float64Array(4);

  /** `limits`: as in the paper, eq. (13), instead of extended. For comparison. */
  constructor(private readonly limits = false) {}

  setGradients(position: F64View, tet: I32View, t: number): void {
    const g = this.gradient;
    this.volume = setTetGradients(position, tet, t, g, 3) / 6;
    for (let k = 0; k < 3; k++) g[k] = -(g[3 + k] + g[6 + k] + g[9 + k]);
  }

  /** Matrix and ghosts after setGradients. `open`: share of the tet that no solid fills. */
  setMatrix(level: F64View, tet: I32View, t: number, open: number): void {
    const { gradient: g, stiffness: k, depth, weight, matrix } = this;
    const volume = open * this.volume;
    const least = LEAST_DEPTH * Math.cbrt(this.volume);
    let liquid = 0;
    let ghosts = 0;
    let largest = 0;
    for (let i = 0; i < 4; i++) {
      const phi = level[tet[4 * t + i]];
      if (phi > 0) liquid |= 1 << i;
      else ghosts++;
      depth[i] = phi > 0 ? Math.max(phi, least) : phi;
      for (let j = 0; j < 4; j++)
        k[4 * i + j] =
          volume * (g[3 * i] * g[3 * j] + g[3 * i + 1] * g[3 * j + 1] + g[3 * i + 2] * g[3 * j + 2]);
      largest = Math.max(largest, k[5 * i]);
    }
    weight.fill(0);
    matrix.fill(0);
    this.isLossy = false;
    for (let i = 0; i < 4; i++)
      for (let j = 0; j < 4; j++) if ((liquid >> i) & (liquid >> j) & 1) matrix[4 * i + j] = k[4 * i + j];
    if (ghosts === 0 || liquid === 0) return;
    for (let ghost = 0; ghost < 4; ghost++)
      if (((liquid >> ghost) & 1) === 0) this.addGhost(ghost, liquid, ghosts, NO_COUPLING * largest);
    if (this.isLossy && !this.limits) this.extend(liquid);
  }

  /** Fluxes (4 numbers from `at` on) of an extended tet go where its ghosts' pressures come from. */
  extendFluxes(flux: Float64Array, at: number): void {
    if (!this.isLossy || this.limits) return;
    for (let ghost = 0; ghost < 4; ghost++)
      for (let i = 0; i < 4; i++) flux[at + i] += this.weight[4 * ghost + i] * flux[at + ghost];
  }

  /** E^T K E with the least weights that are exact where p is linear. */
  private extend(liquid: number): void {
    const { stiffness: k, depth, weight, matrix } = this;
    let square = 0;
    for (let i = 0; i < 4; i++) if ((liquid >> i) & 1) square += depth[i] * depth[i];
    weight.fill(0);
    for (let ghost = 0; ghost < 4; ghost++)
      if (((liquid >> ghost) & 1) === 0)
        for (let i = 0; i < 4; i++)
          if ((liquid >> i) & 1) weight[4 * ghost + i] = (depth[ghost] * depth[i]) / square;
    // Row a of E: the corner itself where it is liquid, else its weights.
    const share = (a: number, i: number) => ((liquid >> a) & 1 ? (a === i ? 1 : 0) : weight[4 * a + i]);
    for (let i = 0; i < 4; i++) {
      if (((liquid >> i) & 1) === 0) continue;
      for (let j = i; j < 4; j++) {
        if (((liquid >> j) & 1) === 0) continue;
        let sum = 0;
        for (let a = 0; a < 4; a++)
          for (let b = 0; b < 4; b++) sum += share(a, i) * k[4 * a + b] * share(b, j);
        matrix[4 * i + j] = sum;
        matrix[4 * j + i] = sum;
      }
    }
  }

  private addGhost(ghost: number, liquid: number, ghosts: number, none: number): void {
    const { stiffness: k, depth, weight, matrix } = this;
    let coupled = 0;
    let sum = 0;
    let depthSum = 0;
    let strongest = 0;
    for (let j = 0; j < 4; j++) {
      if (((liquid >> j) & 1) === 0) continue;
      coupled += k[4 * j + ghost] * depth[j];
      depthSum += depth[j];
      sum++;
      strongest = Math.max(strongest, Math.abs(k[4 * j + ghost]));
    }
    if (sum === 0) return;
    if (strongest <= none) {
      for (let j = 0; j < 4; j++) if ((liquid >> j) & 1) weight[4 * ghost + j] = depth[ghost] / depthSum;
      return;
    }
    let c = depth[ghost] / coupled; // eq. (12)
    if (!(c >= 0) || !Number.isFinite(c)) {
      const lost = (LEAST_KEPT - 1) / ghosts;
      let factor = lost / (c * k[5 * ghost]);
      for (let i = 0; i < 4; i++)
        if ((liquid >> i) & 1) factor = Math.min(factor, (lost * k[5 * i]) / (c * k[4 * i + ghost] ** 2)); // eq. (13)
      if (!(factor >= 1)) {
        this.isLossy = true;
        c = Number.isFinite(c) ? c * Math.max(0, factor) : 0;
      }
    }
    if (!this.limits && c * k[5 * ghost] > MOST_GAIN) this.isLossy = true;
    for (let i = 0; i < 4; i++) {
      if (((liquid >> i) & 1) === 0) continue;
      weight[4 * ghost + i] = c * k[4 * i + ghost];
      for (let j = 0; j < 4; j++)
        if ((liquid >> j) & 1) matrix[4 * i + j] += c * k[4 * i + ghost] * k[4 * j + ghost];
    }
  }
}
