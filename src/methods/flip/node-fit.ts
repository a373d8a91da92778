/** Fits of linear functions: what nodes take from the tets around them. */
import { factorCholesky, solveCholesky } from '../../math/dense-solve.ts';

/**
 * Spread of points, in squares of their mean distance, below which a fit turns into the mean in that
 * direction.
 */
const LEAST_SPREAD = 0.003;

/** A linear function fitted to weighted values at points, read at the origin. */
export class NodeFit {
  /** Weight, its moments about the origin, and its second moments (xx, yy, zz, xy, xz, yz) */
  private readonly moment = new Float64Array(10);
  /** The same of three values: weight, and moments along each axis */
  private readonly value = new Float64Array(12);
  private readonly matrix = new Float64Array(9);
  private readonly right = new Float64Array(3);

  begin(): void {
    this.moment.fill(0);
    this.value.fill(0);
  }

  /** A point, and three values: of u from `at` on. */
  add(w: number, [x, y, z]: Float64Array, u: Float64Array, at: number): void {
    const { moment: m, value } = this;
    m[0] += w;
    m[1] += w * x;
    m[2] += w * y;
    m[3] += w * z;
    m[4] += w * x * x;
    m[5] += w * y * y;
    m[6] += w * z * z;
    m[7] += w * x * y;
    m[8] += w * x * z;
    m[9] += w * y * z;
    for (let a = 0; a < 3; a++) {
      const f = w * u[at + a];
      value[4 * a] += f;
      value[4 * a + 1] += f * x;
      value[4 * a + 2] += f * y;
      value[4 * a + 3] += f * z;
    }
  }

  /** False where nothing was added: then zeros. */
  finish(out: Float64Array, at: number): boolean {
    const { moment: m, value, matrix, right } = this;
    for (let a = 0; a < 3; a++) out[at + a] = 0;
    if (m[0] === 0) return false;
    const [x, y, z] = [m[1] / m[0], m[2] / m[0], m[3] / m[0]];
    const ridge = (LEAST_SPREAD * (m[4] + m[5] + m[6])) / m[0];
    matrix[0] = m[4] / m[0] - x * x + ridge;
    matrix[4] = m[5] / m[0] - y * y + ridge;
    matrix[8] = m[6] / m[0] - z * z + ridge;
    matrix[1] = matrix[3] = m[7] / m[0] - x * y;
    matrix[2] = matrix[6] = m[8] / m[0] - x * z;
    matrix[5] = matrix[7] = m[9] / m[0] - y * z;
    // Of the way from the middle to the origin, so many weights of the values' moments: one solve for all
    // three.
    right[0] = -x;
    right[1] = -y;
    right[2] = -z;
    factorCholesky(matrix, 3);
    solveCholesky(matrix, 3, right);
    for (let a = 0; a < 3; a++) {
      const mean = value[4 * a] / m[0];
      out[at + a] =
        mean +
        right[0] * (value[4 * a + 1] / m[0] - x * mean) +
        right[1] * (value[4 * a + 2] / m[0] - y * mean) +
        right[2] * (value[4 * a + 3] / m[0] - z * mean);
    }
    return true;
  }
}
