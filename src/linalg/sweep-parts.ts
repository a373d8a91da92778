/** Into how many parts rows are cut that sweep side by side: what couples across parts lags by a sweep. */

/** Lets up to this many threads share a sweep evenly; more parts would lag more couplings. */
const MOST_PARTS = 16;

/**
 * Parts for so many rows: a power of two, so that they share out evenly among 2, 4 or 8 threads. Each has
 * `leastRows` at least, and is `layers` layers of a compact mesh thick.
 */
export function chooseParts(rowCount: number, leastRows: number, layers: number): number {
  const most = Math.min(MOST_PARTS, rowCount / leastRows, Math.cbrt(rowCount) / layers);
  return most < 2 ? 1 : 2 ** Math.floor(Math.log2(most));
}
