/**
 * Portions of the liquid: overlapping hat functions phi_i on a grid a few cells wide, which add up to 1. A
 * volume or an area is shared among the eight portions around it. The grid covers the liquid's surroundings;
 * its planes are those of a grid over the whole domain, whose walls they meet, so that portions mirror each
 * other where the domain does.
 */
import { setNormal } from '../../math/triangle.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';

/**
 * Width of half a portion, in lattice cells: 2 and less shift single waves of the lattice, 4 and more let
 * volume wander.
 */
const WIDTH = 3;

const areaVector = new Float64Array(3);

/** [min x, y, z, max x, y, z], m */
type Bounds = ArrayLike<number>;

export class Portions {
  readonly count: number;
  /** Nodes of the grid along each axis, and that of the whole grid where it begins. */
  private readonly nodes = new Int32Array(3);
  private readonly first = new Int32Array(3);
  private readonly perMetre = new Float64Array(3);
  private readonly origin = new Float64Array(3);
  private readonly index = new Int32Array(8);
  private readonly weight = new Float64Array(8);
  /** Place of the last query in the grid, along z. */
  private layer = 0;
  private above = 0;

  constructor(domain: Bounds, cell: number, liquid: Bounds) {
    for (let a = 0; a < 3; a++) {
      const length = domain[3 + a] - domain[a];
      const cells = Math.max(1, Math.round(length / (WIDTH * cell)));
      this.origin[a] = domain[a];
      this.perMetre[a] = cells / length;
      const low = Math.floor((liquid[a] - domain[a]) * this.perMetre[a]);
      const high = Math.ceil((liquid[3 + a] - domain[a]) * this.perMetre[a]);
      this.first[a] = Math.min(cells - 1, Math.max(0, low));
      this.nodes[a] = Math.max(this.first[a] + 1, Math.min(cells, high)) - this.first[a] + 1;
    }
    this.count = this.nodes[0] * this.nodes[1] * this.nodes[2];
  }

  /** Finds the eight portions around a place and their shares of it. */
  private find(x: number, y: number, z: number): void {
    const { nodes, index, weight } = this;
    const gx = this.placeAlong(0, x);
    const gy = this.placeAlong(1, y);
    const gz = this.placeAlong(2, z);
    const i = Math.min(nodes[0] - 2, Math.floor(gx));
    const j = Math.min(nodes[1] - 2, Math.floor(gy));
    const k = Math.min(nodes[2] - 2, Math.floor(gz));
    this.layer = k;
    this.above = gz - k;
    for (let n = 0; n < 8; n++) {
      const a = n & 1;
      const b = (n >> 1) & 1;
      const c = n >> 2;
      index[n] = i + a + nodes[0] * (j + b + nodes[1] * (k + c));
      weight[n] = (a ? gx - i : i + 1 - gx) * (b ? gy - j : j + 1 - gy) * (c ? gz - k : k + 1 - gz);
    }
  }

  private placeAlong(axis: number, x: number): number {
    const place = (x - this.origin[axis]) * this.perMetre[axis] - this.first[axis];
    return Math.min(this.nodes[axis] - 1, Math.max(0, place));
  }

  /** Shares `value` among the portions around a place. */
  add(x: number, y: number, z: number, value: number, out: Float64Array): void {
    this.find(x, y, z);
    for (let n = 0; n < 8; n++) out[this.index[n]] += value * this.weight[n];
  }

  /** The mean of the portions' values around a place. */
  read(x: number, y: number, z: number, value: Float64Array): number {
    this.find(x, y, z);
    let sum = 0;
    for (let n = 0; n < 8; n++) sum += value[this.index[n]] * this.weight[n];
    return sum;
  }

  /** Whether any portion around a place is marked. */
  isMarked(x: number, y: number, z: number, marked: Uint8Array): boolean {
    this.find(x, y, z);
    for (let n = 0; n < 8; n++) if (marked[this.index[n]] !== 0) return true;
    return false;
  }

  /** Portions next to those with a value, and those themselves. */
  markAround(value: Float64Array): Uint8Array {
    const [nx, ny, nz] = this.nodes;
    const marked = new Uint8Array(this.count);
    for (let k = 0, n = 0; k < nz; k++)
      for (let j = 0; j < ny; j++)
        for (let i = 0; i < nx; i++, n++) {
          if (value[n] === 0) continue;
          for (let c = Math.max(0, k - 1); c <= Math.min(nz - 1, k + 1); c++)
            for (let b = Math.max(0, j - 1); b <= Math.min(ny - 1, j + 1); b++)
              marked.fill(
                1,
                Math.max(0, i - 1) + nx * (b + ny * c),
                Math.min(nx - 1, i + 1) + 1 + nx * (b + ny * c),
              );
        }
    return marked;
  }

  /** Takes the portions that reach into a box out of a field. */
  clear(box: { readonly min: readonly number[]; readonly max: readonly number[] }, out: Float64Array): void {
    const [nx, ny, nz] = this.nodes;
    const low = [0, 1, 2].map((a) => Math.floor(this.placeAlong(a, box.min[a])));
    const high = [0, 1, 2].map((a) => Math.ceil(this.placeAlong(a, box.max[a])));
    for (let k = low[2]; k <= Math.min(nz - 1, high[2]); k++)
      for (let j = low[1]; j <= Math.min(ny - 1, high[1]); j++)
        for (let i = low[0]; i <= Math.min(nx - 1, high[0]); i++) out[i + nx * (j + ny * k)] = 0;
  }

  /** Adds the free area of a surface, m^2, to the portions. */
  addFreeArea({ position, triangle, triangleCount, wall }: TrackedSurface, out: Float64Array): void {
    for (let f = 0; f < triangleCount; f++) {
      if (wall[f] === 1) continue;
      const a = 3 * triangle[3 * f];
      const b = 3 * triangle[3 * f + 1];
      const c = 3 * triangle[3 * f + 2];
      setNormal(position, a, b, c, areaVector);
      const area = 0.5 * Math.hypot(areaVector[0], areaVector[1], areaVector[2]);
      this.add(
        (position[a] + position[b] + position[c]) / 3,
        (position[a + 1] + position[b + 1] + position[c + 1]) / 3,
        (position[a + 2] + position[b + 2] + position[c + 2]) / 3,
        area,
        out,
      );
    }
  }

  /**
   * Adds `sign` times the volume that each portion has of what a closed surface encloses, m^3, by the
   * divergence theorem along z: a triangle has below it part of the portions of its own layer and all of
   * those farther down. The three middles of its edges stand for it.
   */
  addVolume({ position, triangle, triangleCount }: TrackedSurface, sign: number, out: Float64Array): void {
    const { nodes, index, weight } = this;
    const height = 1 / this.perMetre[2];
    const layerSize = nodes[0] * nodes[1];
    const below = new Float64Array(this.count);
    for (let f = 0; f < triangleCount; f++) {
      const a = 3 * triangle[3 * f];
      const b = 3 * triangle[3 * f + 1];
      const c = 3 * triangle[3 * f + 2];
      const shadow =
        0.5 *
        ((position[b] - position[a]) * (position[c + 1] - position[a + 1]) -
          (position[b + 1] - position[a + 1]) * (position[c] - position[a]));
      const column = (sign * height * shadow) / 3;
      for (let e = 0; e < 3; e++) {
        const p = e === 0 ? a : e === 1 ? b : c;
        const q = e === 0 ? b : e === 1 ? c : a;
        this.find(
          0.5 * (position[p] + position[q]),
          0.5 * (position[p + 1] + position[q + 1]),
          0.5 * (position[p + 2] + position[q + 2]),
        );
        // A hat rises over a layer and falls over the next; the lowest only falls.
        const s = this.above;
        const ofLower = (this.layer === 0 ? 0 : 0.5) + s - (s * s) / 2;
        const ofUpper = (s * s) / 2;
        for (let n = 0; n < 4; n++) {
          const share = column * (weight[n] + weight[n + 4]);
          out[index[n]] += share * ofLower;
          out[index[n + 4]] += share * ofUpper;
          if (this.layer > 0) below[index[n] - layerSize] += share;
        }
      }
    }
    for (let k = nodes[2] - 2; k >= 0; k--)
      for (let n = k * layerSize; n < (k + 1) * layerSize; n++) {
        if (k < nodes[2] - 2) below[n] += below[n + layerSize];
        out[n] += below[n] * (k === 0 ? 0.5 : 1);
      }
  }
}
