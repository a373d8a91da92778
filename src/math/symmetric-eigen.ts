/**
 * Eigenvalues and eigenvectors of a symmetric 3x3 matrix by cyclic Jacobi rotations: exact to rounding for
 * any spread of eigenvalues, which the closed formula is not. Matrices come as [xx, xy, xz, yy, yz, zz].
 * Cost: about four sweeps of three rotations.
 */

import type { F64View } from '../core/types.ts';

/** Adds v v^T / size with v = (x, y, z) to [xx, xy, xz, yy, yz, zz]. */
export function addOuterProduct(
  x: number,
  y: number,
  z: number,
  size: number,
  out: { [n: number]: number },
): void {
  out[0] += (x * x) / size;
  out[1] += (x * y) / size;
  out[2] += (x * z) / size;
  out[3] += (y * y) / size;
  out[4] += (y * z) / size;
  out[5] += (z * z) / size;
}

/** Sum of v v^T over vectors [first, last), as [xx, xy, xz, yy, yz, zz]. */
export function sumOuterProducts(v: F64View, first: number, last: number, out: Float64Array): void {
  out.fill(0, 0, 6);
  for (let n = 3 * first; n < 3 * last; n += 3) {
    out[0] += v[n] * v[n];
    out[1] += v[n] * v[n + 1];
    out[2] += v[n] * v[n + 2];
    out[3] += v[n + 1] * v[n + 1];
    out[4] += v[n + 1] * v[n + 2];
    out[5] += v[n + 2] * v[n + 2];
  }
}

const SWEEPS = 12;

export class SymmetricEigen {
  /** Falling. */
  readonly value = new Float64Array(3);
  /** (3 x 3) vector of eigenvalue i at 3i */
  readonly vector = new Float64Array(9);
  private readonly a = new Float64Array(9);
  private readonly q = new Float64Array(9);

  solve(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): void {
    const { a, q } = this;
    a[0] = xx;
    a[1] = a[3] = xy;
    a[2] = a[6] = xz;
    a[4] = yy;
    a[5] = a[7] = yz;
    a[8] = zz;
    q.fill(0);
    q[0] = q[4] = q[8] = 1;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const off = Math.abs(a[1]) + Math.abs(a[2]) + Math.abs(a[5]);
      if (off <= Number.EPSILON * 0.5 * (Math.abs(a[0]) + Math.abs(a[4]) + Math.abs(a[8]))) break;
      this.rotate(0, 1);
      this.rotate(0, 2);
      this.rotate(1, 2);
    }
    this.order();
  }

  private rotate(i: number, j: number): void {
    const { a, q } = this;
    const off = a[3 * i + j];
    if (off === 0) return;
    const theta = (a[4 * j] - a[4 * i]) / (2 * off);
    const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    for (let k = 0; k < 3; k++) {
      const x = a[3 * k + i];
      const y = a[3 * k + j];
      a[3 * k + i] = c * x - s * y;
      a[3 * k + j] = s * x + c * y;
    }
    for (let k = 0; k < 3; k++) {
      const x = a[3 * i + k];
      const y = a[3 * j + k];
      a[3 * i + k] = c * x - s * y;
      a[3 * j + k] = s * x + c * y;
      const u = q[3 * k + i];
      const v = q[3 * k + j];
      q[3 * k + i] = c * u - s * v;
      q[3 * k + j] = s * u + c * v;
    }
  }

  private order(): void {
    const { a, q, value, vector } = this;
    for (let i = 0; i < 3; i++) {
      // Its place: after all that are larger, and after equal ones of lower index.
      let n = 0;
      for (let j = 0; j < 3; j++) if (a[4 * j] > a[4 * i] || (j < i && a[4 * j] === a[4 * i])) n++;
      value[n] = a[4 * i];
      for (let k = 0; k < 3; k++) vector[3 * n + k] = q[3 * k + i];
    }
  }
}
