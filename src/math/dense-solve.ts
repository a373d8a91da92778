/**
 * Small dense systems, row by row in flat arrays: Cholesky of symmetric positive definite ones, elimination
 * with exchange of rows of any, orthonormal columns (QR) and the closed form of three unknowns. Cost: cubic;
 * for tens of unknowns, not thousands.
 */

/**
 * Factors the n x n matrix in place, lower triangle: A = L L^T. A pivot that rounding made negative counts as
 * the smallest number.
 */
export function factorCholesky(matrix: Float64Array, n: number): void {
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      let sum = matrix[n * r + s];
      for (let k = 0; k < s; k++) sum -= matrix[n * r + k] * matrix[n * s + k];
      matrix[n * r + s] = r === s ? Math.sqrt(Math.max(sum, Number.MIN_VALUE)) : sum / matrix[(n + 1) * s];
    }
  }
}

/** Solves L L^T x = right in place. */
export function solveCholesky(factor: Float64Array, n: number, right: Float64Array): void {
  for (let r = 0; r < n; r++) {
    let sum = right[r];
    for (let k = 0; k < r; k++) sum -= factor[n * r + k] * right[k];
    right[r] = sum / factor[(n + 1) * r];
  }
  for (let r = n - 1; r >= 0; r--) {
    let sum = right[r];
    for (let k = r + 1; k < n; k++) sum -= factor[n * k + r] * right[k];
    right[r] = sum / factor[(n + 1) * r];
  }
}

/** Of the largest entry: a pivot below it counts as none. */
const SINGULAR = 1e-14;

/**
 * Solves A x = right by elimination with exchange of rows; both are overwritten, right by x. False where A is
 * singular: the largest pivot left is below `least` times the largest entry.
 */
export function solveByElimination(
  matrix: Float64Array,
  n: number,
  right: Float64Array,
  least = SINGULAR,
): boolean {
  let largest = 0;
  for (let i = 0; i < n * n; i++) largest = Math.max(largest, Math.abs(matrix[i]));
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let r = k + 1; r < n; r++)
      if (Math.abs(matrix[n * r + k]) > Math.abs(matrix[n * best + k])) best = r;
    if (!(Math.abs(matrix[n * best + k]) > least * largest)) return false;
    if (best !== k) {
      for (let c = 0; c < n; c++) {
        const held = matrix[n * k + c];
        matrix[n * k + c] = matrix[n * best + c];
        matrix[n * best + c] = held;
      }
      const held = right[k];
      right[k] = right[best];
      right[best] = held;
    }
    for (let r = k + 1; r < n; r++) {
      const factor = matrix[n * r + k] / matrix[n * k + k];
      if (factor === 0) continue;
      for (let c = k; c < n; c++) matrix[n * r + c] -= factor * matrix[n * k + c];
      right[r] -= factor * right[k];
    }
  }
  for (let r = n - 1; r >= 0; r--) {
    let sum = right[r];
    for (let c = r + 1; c < n; c++) sum -= matrix[n * r + c] * right[c];
    right[r] = sum / matrix[(n + 1) * r];
  }
  return true;
}

/**
 * A = Q R of few columns: `matrix` (rows x columns) is overwritten by Q with orthonormal columns, outR
 * (columns x columns) by the upper triangle. Modified Gram and Schmidt, twice, so that Q is orthogonal to
 * rounding. A column that depends on those before it (less than `least` of its length is left) becomes zero,
 * with a zero on R's diagonal. Returns the number of columns that are not.
 */
export function factorQr(
  matrix: Float64Array,
  rows: number,
  columns: number,
  outR: Float64Array,
  least = SINGULAR,
): number {
  outR.fill(0, 0, columns * columns);
  let rank = 0;
  for (let c = 0; c < columns; c++) {
    let before = 0;
    for (let r = 0; r < rows; r++) before += matrix[columns * r + c] ** 2;
    for (let pass = 0; pass < 2; pass++)
      for (let b = 0; b < c; b++) {
        let dot = 0;
        for (let r = 0; r < rows; r++) dot += matrix[columns * r + b] * matrix[columns * r + c];
        for (let r = 0; r < rows; r++) matrix[columns * r + c] -= dot * matrix[columns * r + b];
        outR[columns * b + c] += dot;
      }
    let square = 0;
    for (let r = 0; r < rows; r++) square += matrix[columns * r + c] ** 2;
    const isFree = square > least ** 2 * before;
    const length = isFree ? Math.sqrt(square) : 0;
    outR[(columns + 1) * c] = length;
    for (let r = 0; r < rows; r++) matrix[columns * r + c] = isFree ? matrix[columns * r + c] / length : 0;
    if (isFree) rank++;
  }
  return rank;
}

/** x with A x = b for a symmetric A = [xx, xy, xz, yy, yz, zz], positive definite, by cofactors. */
export function solveSymmetric(
  [xx, xy, xz, yy, yz, zz]: readonly number[],
  b: readonly number[],
): [number, number, number] {
  const cx = yy * zz - yz * yz;
  const cy = xz * yz - xy * zz;
  const cz = xy * yz - xz * yy;
  const determinant = xx * cx + xy * cy + xz * cz;
  return [
    (cx * b[0] + cy * b[1] + cz * b[2]) / determinant,
    (cy * b[0] + (xx * zz - xz * xz) * b[1] + (xy * xz - xx * yz) * b[2]) / determinant,
    (cz * b[0] + (xy * xz - xx * yz) * b[1] + (xx * yy - xy * xy) * b[2]) / determinant,
  ];
}
