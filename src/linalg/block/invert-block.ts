/** Inverse of a small dense matrix by elimination with row exchange. */

/** A pivot below this part of its scaled row's largest number is rounding. */
const NO_PIVOT = 1e-14;

/**
 * out[at..] = inverse of the (n x n) matrix at value[from..]; the same layout, by columns or by rows, in
 * both. Rows and columns are scaled first, so that unknowns may have units as different as they like. `work`
 * has room for 2 n (n + 1) numbers. False where the matrix is singular to rounding, or holds NaN.
 */
export function invertBlock(
  n: number,
  value: Float64Array,
  from: number,
  work: Float64Array,
  at: number,
  out: Float64Array,
): boolean {
  const width = 2 * n;
  const rowScale = width * n;
  const columnScale = rowScale + n;
  for (let i = 0; i < n; i++) {
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(value[from + i * n + j]));
    if (!(largest > 0)) return false;
    work[rowScale + i] = 1 / largest;
  }
  for (let j = 0; j < n; j++) {
    let largest = 0;
    for (let i = 0; i < n; i++)
      largest = Math.max(largest, Math.abs(value[from + i * n + j]) * work[rowScale + i]);
    if (!(largest > 0)) return false;
    work[columnScale + j] = 1 / largest;
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      work[i * width + j] = value[from + i * n + j] * work[rowScale + i] * work[columnScale + j];
      work[i * width + n + j] = i === j ? 1 : 0;
    }
  for (let k = 0; k < n; k++) {
    let best = k;
    for (let i = k + 1; i < n; i++)
      if (Math.abs(work[i * width + k]) > Math.abs(work[best * width + k])) best = i;
    const pivot = work[best * width + k];
    if (!(Math.abs(pivot) > NO_PIVOT)) return false;
    for (let j = 0; j < width; j++) {
      const entry = work[best * width + j] / pivot;
      work[best * width + j] = work[k * width + j];
      work[k * width + j] = entry;
    }
    for (let i = 0; i < n; i++) {
      const factor = work[i * width + k];
      if (i === k || factor === 0) continue;
      for (let j = k; j < width; j++) work[i * width + j] -= factor * work[k * width + j];
    }
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      out[at + i * n + j] = work[i * width + n + j] * work[columnScale + i] * work[rowScale + j];
  return true;
}
