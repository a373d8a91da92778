/**
 * Point location in a stuffed mesh ([chentanez-2007] 3.3.2): down the octree to the leaf, then a walk over
 * neighbours by the signs of barycentric coordinates. Cells that the surface passes keep the list of all tets
 * that overlap them, so the answer there is exact, inside or outside, however the boundary is bent; the walk
 * is only a short cut.
 *
 * `locateTet` is a pure function over flat arrays: it may run on many threads at once over one shared heap.
 * Cost: a few steps of about 60 flops each; near the surface at worst one pass over some 30 tets.
 */

import { doubled, lengthened } from '../core/doubled.ts';
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';
import { setTetGradients } from '../math/triangle.ts';
import { countTiles, findInTiles } from './lattice/block-tiles.ts';
import { type LatticeIndex, SHAPE_SURFACE, type StuffedMesh } from './lattice/lattice.ts';
import type { TetTopology } from './tetmesh.ts';

/** Everything location reads. All arrays may live on the shared heap. */
export interface LocatorData extends LatticeIndex {
  /**
   * Listed tets overlapping each finest cell at the surface: cellListed[cellOffset[c] .. cellOffset[c + 1]].
   */
  readonly cellOffset: Int32Array;
  readonly cellListed: Int32Array;
  /** The tets that are on any list, in their own order. */
  readonly listedTet: Int32Array;
  /** (listedTet x 12) first vertex, then the gradients of the coordinates of the other three */
  readonly listedFrame: Float64Array;
  readonly position: Float64Array;
  readonly tet: Int32Array;
  readonly tetToTet: Int32Array;
}

/**
 * A point counts as inside a tet if no barycentric coordinate is below minus this: rounding of points on
 * faces, about 100 units in the last place of coordinates a thousand edge lengths from the origin.
 */
export const INSIDE_TOLERANCE = 1e-11;
/**
 * Steps before the walk gives way to search; walks from the leaf take fewer than ten, from a hint a few more.
 */
const MAX_STEPS = 64;
/** locateTet's answer where the walk went astray in the interior and only exhaustive search can tell. */
export const LOST = -2;
/**
 * locateTet's answers from here down: outside the mesh, beside tet BESIDE - answer, whose coordinates are
 * given.
 */
export const BESIDE = -3;
/** Least barycentric coordinate down to which a point outside a tet is beside it. */
export const BESIDE_REACH = -1;
/** By how much the least coordinates of two tets may differ for a point to be beside both. */
const NEARLY = 0.05;
/** Cells from a plane between cells within which a point lies on it: rounding. */
const ON_PLANE = 1e-9;
/** What findCell says of cells beyond the lattice. */
const OUTSIDE = -2;

export interface Locator {
  readonly data: LocatorData;
  /**
   * The tet that contains the point, NONE outside the mesh. hintTet: where to start walking, or NONE.
   * outBarycentric (4) receives the coordinates in that tet.
   */
  locate(x: number, y: number, z: number, hintTet: number, outBarycentric: Float64Array): number;
  /** Interior walks that failed and were settled by searching the whole mesh. */
  lostCount: number;
}

export function createLocator(mesh: StuffedMesh, topology: TetTopology, scope?: HeapScope): Locator {
  const data = buildLocatorData(mesh, topology, scope);
  const beside = new Beside();
  const locator: Locator = {
    data,
    lostCount: 0,
    locate(x, y, z, hintTet, outBarycentric) {
      const found = locateTet(data, x, y, z, hintTet, outBarycentric, beside);
      if (found <= BESIDE) return NONE;
      if (found !== LOST) return found;
      locator.lostCount++;
      return locateExhaustively(data, x, y, z, outBarycentric);
    },
  };
  return locator;
}

/** Barycentric coordinates of the point in tet t; returns the local vertex with the least one. */
export function computeBarycentric(
  position: Float64Array,
  tet: Int32Array,
  t: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): number {
  const a = 3 * tet[4 * t];
  const b = 3 * tet[4 * t + 1];
  const c = 3 * tet[4 * t + 2];
  const d = 3 * tet[4 * t + 3];
  const ax = position[a];
  const ay = position[a + 1];
  const az = position[a + 2];
  const bx = position[b] - ax;
  const by = position[b + 1] - ay;
  const bz = position[b + 2] - az;
  const cx = position[c] - ax;
  const cy = position[c + 1] - ay;
  const cz = position[c + 2] - az;
  const dx = position[d] - ax;
  const dy = position[d + 1] - ay;
  const dz = position[d + 2] - az;
  const px = x - ax;
  const py = y - ay;
  const pz = z - az;
  const ux = cy * dz - cz * dy;
  const uy = cz * dx - cx * dz;
  const uz = cx * dy - cy * dx;
  const vx = py * bz - pz * by;
  const vy = pz * bx - px * bz;
  const vz = px * by - py * bx;
  const scale = 1 / (bx * ux + by * uy + bz * uz);
  const wb = (px * ux + py * uy + pz * uz) * scale;
  const wc = -(dx * vx + dy * vy + dz * vz) * scale;
  const wd = (cx * vx + cy * vy + cz * vz) * scale;
  const wa = 1 - wb - wc - wd;
  out[0] = wa;
  out[1] = wb;
  out[2] = wc;
  out[3] = wd;
  let least = 0;
  if (wb < out[least]) least = 1;
  if (wc < out[least]) least = 2;
  if (wd < out[least]) least = 3;
  return least;
}

/** The number of a block in the lattice: see LatticeIndex. */
export const findBlock = (
  { blocks, tileStart, blockStart }: Pick<LatticeIndex, 'blocks' | 'tileStart' | 'blockStart'>,
  x: number,
  y: number,
  z: number,
): number => findInTiles(tileStart, blockStart, countTiles(blocks[0]), countTiles(blocks[1]), x, y, z);

/**
 * The listed tets that a point outside the mesh is beside: those whose least coordinate is the greatest, or
 * within NEARLY of it, each with a weight that falls to 0 there. What is read of them does not jump where the
 * nearest changes, and mirror images read the same.
 */
export class Beside {
  count = 0;
  /** The greatest least coordinate. */
  least = BESIDE_REACH;
  tet: Int32Array = new Int32Array(64);
  /** (count x 4) coordinates of the point in each tet */
  barycentric: Float64Array = new Float64Array(256);

  clear(): void {
    this.count = 0;
    this.least = BESIDE_REACH;
  }

  /** 1 for the nearest, 0 for one that is just not counted any more, and for those that are not. */
  weightOf(n: number): number {
    return Math.max(0, 1 - (this.least - this.leastOf(n)) / NEARLY);
  }

  add(tet: number, wa: number, wb: number, wc: number, wd: number): void {
    // Tets that reach over several cells are on the list of each.
    for (let n = 0; n < this.count; n++) if (this.tet[n] === tet) return;
    const least = Math.min(wa, wb, wc, wd);
    if (least > this.least + NEARLY) this.count = 0;
    this.least = Math.max(this.least, least);
    if (this.count === this.tet.length) {
      this.tet = doubled(this.tet);
      this.barycentric = lengthened(this.barycentric, 4 * this.tet.length);
    }
    this.tet[this.count] = tet;
    this.barycentric[4 * this.count] = wa;
    this.barycentric[4 * this.count + 1] = wb;
    this.barycentric[4 * this.count + 2] = wc;
    this.barycentric[4 * this.count + 3] = wd;
    this.count++;
  }

  /** The nearest of them, and its coordinates. */
  nearest(outBarycentric: Float64Array): number {
    let best = 0;
    for (let n = 1; n < this.count; n++) if (this.leastOf(n) > this.leastOf(best)) best = n;
    for (let i = 0; i < 4; i++) outBarycentric[i] = this.barycentric[4 * best + i];
    return this.tet[best];
  }

  private leastOf(n: number): number {
    const w = this.barycentric;
    return Math.min(w[4 * n], w[4 * n + 1], w[4 * n + 2], w[4 * n + 3]);
  }
}

/**
 * The body of Locator.locate: a tet, LOST (search the mesh), or outside for certain: NONE, or where the cells
 * around list tets that the point is beside, BESIDE minus the nearest; outBeside has them all.
 */
export function locateTet(
  data: LocatorData,
  x: number,
  y: number,
  z: number,
  hintTet: number,
  outBarycentric: Float64Array,
  outBeside: Beside,
): number {
  outBeside.clear();
  const i = Math.floor((x - data.origin[0]) / data.size);
  const j = Math.floor((y - data.origin[1]) / data.size);
  const k = Math.floor((z - data.origin[2]) / data.size);
  const cell = findCell(data, i, j, k);
  const start = cell === OUTSIDE ? NONE : findBlock(data, i >> 1, j >> 1, k >> 1);
  const leafTet = cell >= 0 ? data.cellStart[cell] : start === NONE ? NONE : -2 - start;
  const first = hintTet !== NONE && cell !== OUTSIDE && start !== NONE ? hintTet : leafTet;
  if (first !== NONE) {
    const found = walk(data, x, y, z, first, false, outBarycentric);
    if (found !== LOST) return found;
  }
  const found = searchAround(data, x, y, z, outBarycentric, outBeside);
  if (found !== NONE) return found;
  if (outBeside.count > 0) return BESIDE - outBeside.nearest(outBarycentric);
  const listed = cell >= 0 ? data.cellOffset[cell + 1] - data.cellOffset[cell] : 0;
  if (listed > 0 || leafTet === NONE) return NONE;
  return walk(data, x, y, z, leafTet, true, outBarycentric);
}

/** Cells that hold the point in hand. */
const touching = new Int32Array(8);

/**
 * The listed tet that contains the point, or NONE, and those it is beside. A point on planes of cells belongs
 * to the cells on both sides, and is beside tets only where each of those lists some: then mirror images read
 * the same, and what lies over a film reads as the cell above it does.
 */
function searchAround(
  data: LocatorData,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  outBeside: Beside,
): number {
  const count = listTouching(data, x, y, z);
  let isOutermost = false;
  for (let n = 0; n < count; n++) {
    outBeside.clear();
    const found = touching[n] === NONE ? NONE : searchCell(data, touching[n], x, y, z, out, outBeside);
    if (found !== NONE) return found;
    if (outBeside.count === 0) isOutermost = true;
  }
  if (isOutermost) outBeside.clear();
  else if (count > 1)
    for (let n = 0; n < count - 1; n++) searchCell(data, touching[n], x, y, z, out, outBeside);
  return NONE;
}

/** Lists the cells of the lattice that a point lies in, or on the side of; returns how many. */
function listTouching(data: LocatorData, x: number, y: number, z: number): number {
  const gx = (x - data.origin[0]) / data.size;
  const gy = (y - data.origin[1]) / data.size;
  const gz = (z - data.origin[2]) / data.size;
  let count = 0;
  for (let k = Math.floor(gz - ON_PLANE); k <= Math.floor(gz + ON_PLANE); k++)
    for (let j = Math.floor(gy - ON_PLANE); j <= Math.floor(gy + ON_PLANE); j++)
      for (let i = Math.floor(gx - ON_PLANE); i <= Math.floor(gx + ON_PLANE); i++) {
        const cell = findCell(data, i, j, k);
        if (cell !== OUTSIDE) touching[count++] = cell;
      }
  return count;
}

/** The number of a finest cell; NONE where its block has none, OUTSIDE beyond the lattice. */
function findCell(data: LocatorData, i: number, j: number, k: number): number {
  const [bx, by, bz] = data.blocks;
  if (!(i >= 0 && j >= 0 && k >= 0 && i < 2 * bx && j < 2 * by && k < 2 * bz)) return OUTSIDE;
  const start = findBlock(data, i >> 1, j >> 1, k >> 1);
  return start >= 0 ? 8 * start + (i & 1) + 2 * (j & 1) + 4 * (k & 1) : NONE;
}

/**
 * Crosses the face opposite the least coordinate until none is negative; LOST after MAX_STEPS, or where that
 * face is on the boundary, unless `slide` lets the walk leave by another face that also faces the point.
 */
function walk(
  data: LocatorData,
  x: number,
  y: number,
  z: number,
  from: number,
  slide: boolean,
  out: Float64Array,
): number {
  const { position, tet, tetToTet } = data;
  let t = from;
  for (let step = 0; step < MAX_STEPS; step++) {
    const least = computeBarycentric(position, tet, t, x, y, z, out);
    if (out[least] >= -INSIDE_TOLERANCE) return t;
    let next = tetToTet[4 * t + least];
    if (slide)
      for (let i = 0; next === NONE && i < 4; i++) if (out[i] < -INSIDE_TOLERANCE) next = tetToTet[4 * t + i];
    if (next === NONE) return LOST;
    t = next;
  }
  return LOST;
}

/**
 * The same for the list of one cell, adding to those the point is beside. Most lists, of some 40 tets, are
 * searched for points outside: hence the stored gradients, and a tet is left at its first bad coordinate.
 */
function searchCell(
  data: LocatorData,
  cell: number,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  outBeside: Beside,
): number {
  const { cellOffset, cellListed, listedTet, listedFrame: g } = data;
  const last = cellOffset[cell + 1];
  for (let n = cellOffset[cell]; n < last; n++) {
    const listed = cellListed[n];
    const f = FRAME * listed;
    const px = x - g[f];
    const py = y - g[f + 1];
    const pz = z - g[f + 2];
    const far = Math.max(BESIDE_REACH, outBeside.least - NEARLY);
    const wb = px * g[f + 3] + py * g[f + 4] + pz * g[f + 5];
    if (wb <= far) continue;
    const wc = px * g[f + 6] + py * g[f + 7] + pz * g[f + 8];
    if (wc <= far) continue;
    const wd = px * g[f + 9] + py * g[f + 10] + pz * g[f + 11];
    const wa = 1 - wb - wc - wd;
    const least = Math.min(wa, wb, wc, wd);
    if (!(least > far)) continue;
    if (least < -INSIDE_TOLERANCE) {
      outBeside.add(listedTet[listed], wa, wb, wc, wd);
      continue;
    }
    out[0] = wa;
    out[1] = wb;
    out[2] = wc;
    out[3] = wd;
    return listedTet[listed];
  }
  return NONE;
}

/** The first tet of the mesh that contains the point, or NONE: linear in the mesh. */
export function locateExhaustively(
  data: LocatorData,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
): number {
  for (let t = 0; 4 * t < data.tet.length; t++) {
    const least = computeBarycentric(data.position, data.tet, t, x, y, z, out);
    if (out[least] >= -INSIDE_TOLERANCE) return t;
  }
  return NONE;
}

export function buildLocatorData(mesh: StuffedMesh, topology: TetTopology, scope?: HeapScope): LocatorData {
  const { index } = mesh;
  const cellCount = index.cellStart.length;
  const overlaps = collectOverlaps(mesh);
  const cellOffset = scope ? scope.i32(cellCount + 1) : new Int32Array(cellCount + 1);
  const cellListed = scope ? scope.i32(overlaps.count) : new Int32Array(overlaps.count);
  for (let n = 0; n < overlaps.count; n++) cellOffset[overlaps.cell[n] + 1]++;
  for (let c = 0; c < cellCount; c++) cellOffset[c + 1] += cellOffset[c];
  const place = new Int32Array(mesh.tetCount).fill(NONE);
  for (let n = 0; n < overlaps.count; n++) place[overlaps.tet[n]] = 0;
  let listedCount = 0;
  for (let t = 0; t < mesh.tetCount; t++) if (place[t] !== NONE) place[t] = listedCount++;
  const listedTet = scope ? scope.i32(listedCount) : new Int32Array(listedCount);
  const listedFrame = scope ? scope.f64(FRAME * listedCount) : new Float64Array(FRAME * listedCount);
  for (let t = 0; t < mesh.tetCount; t++) {
    if (place[t] === NONE) continue;
    listedTet[place[t]] = t;
    storeFrame(mesh.position, mesh.tet, t, listedFrame, FRAME * place[t]);
  }
  const fill = new Int32Array(cellCount);
  for (let n = 0; n < overlaps.count; n++) {
    const c = overlaps.cell[n];
    cellListed[cellOffset[c] + fill[c]++] = place[overlaps.tet[n]];
  }
  return {
    ...index,
    cellOffset,
    cellListed,
    listedTet,
    listedFrame,
    position: mesh.position,
    tet: mesh.tet,
    tetToTet: topology.tetToTet,
  };
}

/** Doubles per entry of listedFrame. */
const FRAME = 12;

/**
 * First vertex a of tet t, and the gradients of the barycentric coordinates of b, c and d, as in
 * computeBarycentric.
 */
function storeFrame(
  position: Float64Array,
  tet: Int32Array,
  t: number,
  outFrame: Float64Array,
  at: number,
): void {
  const a = 3 * tet[4 * t];
  outFrame[at] = position[a];
  outFrame[at + 1] = position[a + 1];
  outFrame[at + 2] = position[a + 2];
  setTetGradients(position, tet, t, outFrame, at + 3);
}

/**
 * Pairs of a finest cell at the surface (one that the box of a surface tet meets) and a tet whose box meets
 * it. A whole tet of the finest level lies in the cell of its first vertex, a centre, and the next cell along
 * one axis; one of a coarser level meets such cells only where the surface is coarse too, which stuffed
 * meshes never are.
 */
function collectOverlaps(mesh: StuffedMesh): OverlapCollector {
  const { tet, tetLevel, tetShape, tetCount, position } = mesh;
  const { size, origin } = mesh.index;
  const collector = new OverlapCollector(mesh);
  let isCoarse = false;
  for (let t = 0; t < tetCount; t++)
    if (tetShape[t] === SHAPE_SURFACE) {
      collector.addBox(t, false);
      if (tetLevel[t] > 0) isCoarse = true;
    }
  collector.markSurfaceCells();
  for (let t = 0; t < tetCount; t++) {
    if (tetShape[t] === SHAPE_SURFACE) continue;
    if (tetLevel[t] !== 0) {
      if (isCoarse) collector.addBox(t, true);
      continue;
    }
    const c = 3 * tet[4 * t];
    const i = Math.floor((position[c] - origin[0]) / size);
    const j = Math.floor((position[c + 1] - origin[1]) / size);
    const k = Math.floor((position[c + 2] - origin[2]) / size);
    if (
      collector.isAtSurface(i, j, k) ||
      collector.isAtSurface(i + 1, j, k) ||
      collector.isAtSurface(i, j + 1, k) ||
      collector.isAtSurface(i, j, k + 1)
    )
      collector.addBox(t, true);
  }
  return collector;
}

/**
 * Fraction of a cell by which boxes are changed against rounding. Those of surface tets are widened: a wall
 * may lie on the side of a cell. Those of whole tets are shrunk: beyond such a side there is another tet.
 */
const SLIVER = 1e-9;

class OverlapCollector {
  count = 0;
  cell = new Int32Array(1024);
  tet = new Int32Array(1024);
  private readonly atSurface: Uint8Array;

  constructor(private readonly mesh: StuffedMesh) {
    this.atSurface = new Uint8Array(mesh.index.cellStart.length);
  }

  markSurfaceCells(): void {
    for (let n = 0; n < this.count; n++) this.atSurface[this.cell[n]] = 1;
  }

  private cellAt(i: number, j: number, k: number): number {
    const start = findBlock(this.mesh.index, i >> 1, j >> 1, k >> 1);
    return start < 0 ? NONE : 8 * start + (i & 1) + 2 * (j & 1) + 4 * (k & 1);
  }

  isAtSurface(i: number, j: number, k: number): boolean {
    const c = this.cellAt(i, j, k);
    return c !== NONE && this.atSurface[c] === 1;
  }

  /** Pairs tet t with every finest cell its box meets, or only with those already marked. */
  addBox(t: number, markedOnly: boolean): void {
    const { low, high } = this;
    this.setBox(t, markedOnly ? -SLIVER : SLIVER);
    for (let k = low[2]; k <= high[2]; k++)
      for (let j = low[1]; j <= high[1]; j++)
        for (let i = low[0]; i <= high[0]; i++) {
          const c = this.cellAt(i, j, k);
          if (c === NONE || (markedOnly && !this.atSurface[c])) continue;
          if (this.count === this.cell.length) {
            this.cell = doubled(this.cell);
            this.tet = doubled(this.tet);
          }
          this.cell[this.count] = c;
          this.tet[this.count++] = t;
        }
  }

  private readonly low = new Int32Array(3);
  private readonly high = new Int32Array(3);

  private setBox(t: number, margin: number): void {
    const { position, tet } = this.mesh;
    const { origin, size } = this.mesh.index;
    const p = 3 * tet[4 * t];
    const q = 3 * tet[4 * t + 1];
    const r = 3 * tet[4 * t + 2];
    const s = 3 * tet[4 * t + 3];
    for (let a = 0; a < 3; a++) {
      const least = Math.min(position[p + a], position[q + a], position[r + a], position[s + a]);
      const most = Math.max(position[p + a], position[q + a], position[r + a], position[s + a]);
      this.low[a] = Math.floor((least - origin[a]) / size - margin);
      this.high[a] = Math.floor((most - origin[a]) / size + margin);
    }
  }
}
