/**
 * The circulations of the films as the tracker's attribute: a potential per vertex and region ([da-2017] 15.1
 * keeps a circulation per vertex and pair of regions; that of the pair (i, j) is potential i - potential j
 * here, normal from j to i). Values at one vertex share an arbitrary constant; wherever vertices are blended
 * the constants are first made to agree on the regions both have.
 *
 * Resampling (16.1): linear on splits, collapses and snaps; copied on separations. A region that only one of
 * two vertices knows keeps that vertex's value.
 */
import { RunError } from '../../../core/errors.ts';
import { NONE } from '../../../core/types.ts';
import { BlendedRows } from '../../../tracking/multimaterial/policy.ts';

/**
 * Regions a vertex may know before all rows are made wider: eight cubes meet in the corners of a lattice of
 * cubes.
 */
const FIRST_WIDTH = 8;

export class RegionPotentials extends BlendedRows {
  width = FIRST_WIDTH;
  /** (rows x width) label or NONE; filled from the left */
  region = new Int32Array(64 * FIRST_WIDTH).fill(NONE);
  /** (rows x width) m^2/s */
  value = new Float64Array(64 * FIRST_WIDTH);

  /** Makes room for vertex v. */
  reserve(v: number): void {
    if (this.width * (v + 1) <= this.region.length) return;
    this.resize(Math.max((2 * this.region.length) / this.width, v + 1), this.width);
  }

  clear(v: number): void {
    this.reserve(v);
    this.region.fill(NONE, this.width * v, this.width * (v + 1));
  }

  /** Slot of a region at a vertex, or NONE. */
  find(v: number, region: number): number {
    for (let n = this.width * v; n < this.width * (v + 1) && this.region[n] !== NONE; n++)
      if (this.region[n] === region) return n;
    return NONE;
  }

  set(v: number, region: number, value: number): void {
    this.reserve(v);
    let n = this.width * v;
    const end = n + this.width;
    while (n < end && this.region[n] !== NONE && this.region[n] !== region) n++;
    if (n === end) {
      this.resize(this.region.length / this.width, 2 * this.width);
      this.set(v, region, value);
      return;
    }
    this.region[n] = region;
    this.value[n] = value;
  }

  /** Forgets a region at a vertex. */
  drop(v: number, region: number): void {
    const n = this.find(v, region);
    if (n === NONE) return;
    let last = n;
    while (last + 1 < this.width * (v + 1) && this.region[last + 1] !== NONE) last++;
    this.region[n] = this.region[last];
    this.value[n] = this.value[last];
    this.region[last] = NONE;
  }

  onFaceSplit(v: number, a: number, b: number, c: number, wa: number, wb: number, wc: number): void {
    // In two steps: on edge a b, then from there to c.
    if (wa + wb === 0) this.blend(v, c, c, 0);
    else {
      this.blend(v, a, b, wb / (wa + wb));
      this.blend(v, v, c, wc / (wa + wb + wc));
    }
  }

  override blend(v: number, a: number, b: number, s: number): void {
    this.reserve(Math.max(v, a, b));
    const { width } = this;
    const regions: number[] = [];
    const values: number[] = [];
    let shift = 0;
    let common = 0;
    for (let n = width * a; n < width * (a + 1) && this.region[n] !== NONE; n++) {
      const m = this.find(b, this.region[n]);
      if (m === NONE) continue;
      shift += this.value[n] - this.value[m];
      common++;
    }
    if (common > 0) shift /= common;
    for (let n = width * a; n < width * (a + 1) && this.region[n] !== NONE; n++) {
      const m = this.find(b, this.region[n]);
      regions.push(this.region[n]);
      values.push(m === NONE ? this.value[n] : (1 - s) * this.value[n] + s * (this.value[m] + shift));
    }
    for (let m = width * b; m < width * (b + 1) && this.region[m] !== NONE; m++) {
      if (regions.includes(this.region[m])) continue;
      regions.push(this.region[m]);
      values.push(this.value[m] + shift);
    }
    this.clear(v);
    for (let n = 0; n < regions.length; n++) this.set(v, regions[n], values[n]);
  }

  private resize(rows: number, width: number): void {
    const region = new Int32Array(rows * width).fill(NONE);
    const value = new Float64Array(rows * width);
    const old = this.region.length / this.width;
    for (let v = 0; v < Math.min(old, rows); v++) {
      for (let n = 0; n < this.width; n++) {
        region[width * v + n] = this.region[this.width * v + n];
        value[width * v + n] = this.value[this.width * v + n];
      }
    }
    this.region = region;
    this.value = value;
    this.width = width;
  }

  /** Takes rows as a checkpoint holds them. */
  restore(width: number, region: Int32Array, value: Float64Array): void {
    this.width = width;
    this.region = region.slice();
    this.value = value.slice();
  }

  /** Follows a mesh that was packed: `newId[old]` or NONE. */
  renumber(newId: Int32Array): void {
    const { region, value, width } = this;
    let last = NONE;
    for (let v = 0; v < newId.length; v++) {
      if (newId[v] === NONE) continue;
      if (newId[v] > v || newId[v] <= last)
        throw new RunError('circulations', `vertex ${v} became ${newId[v]}`, 'keep the order of vertices');
      last = newId[v];
      this.region.copyWithin(width * last, width * v, width * (v + 1));
      this.value.copyWithin(width * last, width * v, width * (v + 1));
    }
    region.fill(NONE, width * (last + 1));
    value.fill(0, width * (last + 1));
  }
}
