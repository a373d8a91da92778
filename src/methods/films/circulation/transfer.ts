/** Circulations between the tracker's rows (potentials.ts) and a packed sheet, both ways. Cost: linear. */
import { NONE } from '../../../core/types.ts';
import type { RegionPotentials } from './potentials.ts';
import type { Sheet } from './sheet.ts';

/**
 * Sets the sheet's potentials; returns how many entries the rows did not know (a region that came to a vertex
 * by an edit without a value): they take the mean of what the regions' neighbours say, seen against a region
 * both know.
 */
export function loadPotentials(sheet: Sheet, rows: RegionPotentials): number {
  let missing = 0;
  const absent: number[] = [];
  for (let v = 0; v < sheet.vertexCount; v++) {
    const id = sheet.vertexId[v];
    rows.reserve(id);
    let mean = 0;
    const first = sheet.entryStart[v];
    const last = sheet.entryStart[v + 1];
    for (let n = first; n < last; n++) {
      const slot = rows.find(id, sheet.entryRegion[n]);
      if (slot === NONE) absent.push(v, n);
      else sheet.potential[n] = rows.value[slot];
      mean += slot === NONE ? 0 : rows.value[slot];
    }
    // Constants of a vertex are taken off, so that they cannot grow without bound.
    mean /= last - first;
    for (let n = first; n < last; n++) sheet.potential[n] -= mean;
  }
  const isAbsent = new Uint8Array(sheet.entryCount);
  for (let k = 1; k < absent.length; k += 2) isAbsent[absent[k]] = 1;
  for (let k = 0; k < absent.length; k += 2) {
    missing++;
    sheet.potential[absent[k + 1]] = guess(sheet, isAbsent, absent[k], absent[k + 1]);
  }
  return missing;
}

/** Value of an absent entry from the vertices around. */
function guess(sheet: Sheet, isAbsent: Uint8Array, v: number, entry: number): number {
  let sum = 0;
  let count = 0;
  for (let m = sheet.cornerStart[v]; m < sheet.cornerStart[v + 1]; m++) {
    const c = sheet.vertexCorner[m];
    const side = sheet.cornerFront[c] === entry ? 1 : sheet.cornerBack[c] === entry ? -1 : 0;
    if (side === 0) continue;
    const other = side === 1 ? sheet.cornerBack[c] : sheet.cornerFront[c];
    if (isAbsent[other]) continue;
    const f = c - (c % 3);
    for (let d = f; d < f + 3; d++) {
      if (d === c || isAbsent[sheet.cornerFront[d]] || isAbsent[sheet.cornerBack[d]]) continue;
      const jump = sheet.potential[sheet.cornerFront[d]] - sheet.potential[sheet.cornerBack[d]];
      sum += sheet.potential[other] + side * jump;
      count++;
    }
  }
  return count > 0 ? sum / count : 0;
}

/** Writes the sheet's potentials back; rows hold exactly the regions that meet at the vertex. */
export function storePotentials(sheet: Sheet, rows: RegionPotentials): void {
  for (let v = 0; v < sheet.vertexCount; v++) {
    const id = sheet.vertexId[v];
    rows.clear(id);
    for (let n = sheet.entryStart[v]; n < sheet.entryStart[v + 1]; n++)
      rows.set(id, sheet.entryRegion[n], sheet.potential[n]);
  }
}
