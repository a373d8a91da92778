/**
 * Point location in a stuffed mesh ([chentanez-2007] 3.3.2): down the octree to the leaf, then a walk over
 * neighbours by the signs of barycentric coordinates. Cells that the surface passes keep the list of all tets
 * that overlap them, so the answer there is exact, inside or outside, however the boundary is bent; the walk
 * is only a short cut.
 *
 * `locateTet` is a pure function over flat arrays: it may run on many threads at once over one shared heap.
 * Cost: a few steps of about 60 flops each; near the surface at worst one pass over some 30 tets.
 */

import { doubled } from '../core/doubled.ts';
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
/** Allowance for rounding between the coordinates of a walk and those of the lists. */
const WALKED = 1e-6;
/** locateTet's answer where the walk went astray in the interior and only exhaustive search can tell. */
export const LOST = -2;
/**
 * locateTet's answers from here down: outside the mesh, beside tet BESIDE - answer, whose coordinates are
 * given.
 */
export const BESIDE = -3;
/** Least barycentric coordinate down to which a point outside a tet is beside it. */
export const BESIDE_REACH = -1;

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
  const locator: Locator = {
    data,
    lostCount: 0,
    locate(x, y, z, hintTet, outBarycentric) {
      const found = locateTet(data, x, y, z, hintTet, outBarycentric);
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
 * The body of Locator.locate: a tet, LOST (search the mesh), or outside for certain: NONE, or where the cell
 * lists tets that the point is beside, BESIDE minus the one with the greatest least coordinate.
 */
export function locateTet(
  data: LocatorData,
  x: number,
  y: number,
  z: number,
  hintTet: number,
  outBarycentric: Float64Array,
): number {
  const bx = data.blocks[0];
  const by = data.blocks[1];
  const bz = data.blocks[2];
  const i = Math.floor((x - data.origin[0]) / data.size);
  const j = Math.floor((y - data.origin[1]) / data.size);
  const k = Math.floor((z - data.origin[2]) / data.size);
  if (!(i >= 0 && j >= 0 && k >= 0 && i < 2 * bx && j < 2 * by && k < 2 * bz)) return NONE;
  const start = findBlock(data, i >> 1, j >> 1, k >> 1);
  if (start === NONE) return NONE;
  const cell = start >= 0 ? 8 * start + (i & 1) + 2 * (j & 1) + 4 * (k & 1) : NONE;
  const leafTet = start >= 0 ? data.cellStart[cell] : -2 - start;
  const listed = cell !== NONE ? data.cellOffset[cell + 1] - data.cellOffset[cell] : 0;
  const first = hintTet !== NONE ? hintTet : leafTet;
  let reach = BESIDE_REACH;
  if (first !== NONE) {
    const found = walk(data, x, y, z, first, false, outBarycentric);
    if (found !== LOST) return found;
    // The walk ended at the boundary, in most cases in a tet that is listed: no other is better than by this
    // much.
    reach = Math.max(BESIDE_REACH, findLeast(outBarycentric) - WALKED);
  }
  if (listed > 0) {
    const found = searchCell(data, cell, x, y, z, reach, outBarycentric);
    if (found !== NONE || reach === BESIDE_REACH) return found;
    return searchCell(data, cell, x, y, z, BESIDE_REACH, outBarycentric);
  }
  if (leafTet === NONE) return NONE;
  return walk(data, x, y, z, leafTet, true, outBarycentric);
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

const findLeast = (w: Float64Array): number => Math.min(w[0], w[1], w[2], w[3]);

/**
 * The listed tet that contains the point, or BESIDE minus the nearest, or NONE: of those whose least
 * coordinate is beyond `reach`. Most lists, of some 40 tets, are searched for points outside: hence the
 * stored gradients, and a tet is left at its first bad coordinate.
 */
function searchCell(
  data: LocatorData,
  cell: number,
  x: number,
  y: number,
  z: number,
  reach: number,
  out: Float64Array,
): number {
  const { cellOffset, cellListed, listedTet, listedFrame: g } = data;
  let best = NONE;
  let bestLeast = reach;
  const last = cellOffset[cell + 1];
  for (let n = cellOffset[cell]; n < last; n++) {
    const listed = cellListed[n];
    const f = FRAME * listed;
    const px = x - g[f];
    const py = y - g[f + 1];
    const pz = z - g[f + 2];
    const wb = px * g[f + 3] + py * g[f + 4] + pz * g[f + 5];
    if (wb <= bestLeast) continue;
    const wc = px * g[f + 6] + py * g[f + 7] + pz * g[f + 8];
    if (wc <= bestLeast) continue;
    const wd = px * g[f + 9] + py * g[f + 10] + pz * g[f + 11];
    const wa = 1 - wb - wc - wd;
    const least = Math.min(wa, wb, wc, wd);
    if (!(least > bestLeast)) continue;
    out[0] = wa;
    out[1] = wb;
    out[2] = wc;
    out[3] = wd;
    best = listedTet[listed];
    if (least >= -INSIDE_TOLERANCE) return best;
    bestLeast = least;
  }
  return best === NONE ? NONE : BESIDE - best;
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
