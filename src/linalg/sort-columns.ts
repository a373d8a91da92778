/**
 * The entries of compressed rows by their columns, rows ascending: a counting sort. A transpose is made of
 * it.
 */
export interface Rows {
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
}

/**
 * Fills `outStart` (columns + 1), all zero before, with where each column begins; `put` is told the place of
 * each entry, its row and its number.
 */
export function sortByColumns(
  { rowStart, column }: Rows,
  rowCount: number,
  outStart: Int32Array,
  put: (at: number, row: number, entry: number) => void,
): void {
  for (let j = 0; j < rowStart[rowCount]; j++) outStart[column[j] + 1]++;
  for (let c = 1; c < outStart.length; c++) outStart[c] += outStart[c - 1];
  const next = Int32Array.from(outStart);
  for (let i = 0; i < rowCount; i++)
    for (let j = rowStart[i]; j < rowStart[i + 1]; j++) put(next[column[j]]++, i, j);
}
