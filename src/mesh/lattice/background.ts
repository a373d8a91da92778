/**
 * Walks the leaves of the octree in Z-order and emits the background tetrahedra of the region (Labelle and Shewchuk 2007,
 * section 4; [chentanez-2007] 3.3, 3.3.2), cut at the surface. Every face of a leaf is filled by one of:
 *
 *   equal leaf across      4 BCC tets (c1, c2, e1, e2), one per edge; two bisected ones where a smaller leaf splits the edge
 *   smaller leaves across  8 quadrisected tets (c, face centre, corner, edge midpoint)
 *   larger leaf across     2 half-pyramids over the face, split by the diagonal through the larger face's centre
 *
 * The surface passes only between finest leaves with finest neighbours, so only regular BCC tets are warped and cut.
 * Tetrahedra belong to the leaf that emits them and are contiguous per leaf. Cost: linear in leaves and tets.
 */
import { NONE } from '../../core/types.ts';
import type { MeshBuilder } from './builder.ts';
import { type Crossings, SHORT_EDGE } from './crossings.ts';
import type { Grid } from './grid.ts';
import {
  SHAPE_BCC,
  SHAPE_BISECTED,
  SHAPE_HALF_PYRAMID,
  SHAPE_QUADRISECTED,
  SHAPE_SURFACE,
} from './lattice.ts';
import type { Octree } from './octree.ts';
import type { Points } from './points.ts';
import { type CutTet, emitCutTet, setLatticeOrder } from './stencil.ts';
import type { VertexNotes } from './trim.ts';

/** Parity of the number of set bits of 0..7. */
const PARITY = Uint8Array.of(0, 1, 1, 0, 1, 0, 0, 1);

/** Corners (bits x y z) of the face on the high side of each axis, counter-clockwise seen from outside. */
const FACE_CORNER = new Uint8Array(12);
for (let axis = 0; axis < 3; axis++) {
  const b = 1 << ((axis + 1) % 3);
  const c = 1 << ((axis + 2) % 3);
  FACE_CORNER.set(
    [0, b, b | c, c].map((bits) => bits | (1 << axis)),
    4 * axis,
  );
}

export class BackgroundWalker {
  /** Mesh vertex per sampled point and per crossing, assigned when first used. */
  private readonly pointToVertex: Int32Array;
  private readonly crossingToVertex: Int32Array;
  /** First tet of each finest cell (by entry), grown with the slots, and of each coarse leaf (by level-1 block). */
  cellStart: Int32Array;
  readonly coarseStart: Int32Array;

  private readonly work: CutTet = {
    state: new Int8Array(4),
    vertex: new Int32Array(4),
    cut: new Int32Array(6),
    kept: new Float64Array(6),
    order: new Uint8Array(6),
  };

  constructor(
    private readonly grid: Grid,
    private readonly octree: Octree,
    private readonly points: Points,
    private readonly crossings: Crossings,
    private readonly builder: MeshBuilder,
    /** With a vessel, this is the first cut, along its walls: what the second needs to know of the vertices. */
    private readonly notes?: VertexNotes,
  ) {
    this.pointToVertex = new Int32Array(points.count).fill(NONE);
    this.crossingToVertex = new Int32Array(crossings.count).fill(NONE);
    this.cellStart = new Int32Array(grid.corner.length).fill(NONE);
    this.coarseStart = new Int32Array(grid.blockCount).fill(NONE);
  }

  emitAll(): void {
    const { bx, by, bz } = this.grid;
    this.visit(Math.ceil(Math.log2(Math.max(bx, by, bz))) + 1, 0, 0, 0);
  }

  /** Descends in Z-order from a block of level l: to its children, or to its tets if it is a leaf. */
  private visit(l: number, x: number, y: number, z: number): void {
    const { octree } = this;
    const shift = l - 1;
    if (x << shift >= this.grid.bx || y << shift >= this.grid.by || z << shift >= this.grid.bz) return;
    if (l <= Math.max(1, octree.maxLevel)) {
      const level = octree.level[l];
      if (!level.refined[x + level.bx * (y + level.by * z)]) {
        if (octree.blockSign[this.grid.block(x << shift, y << shift, z << shift)] > 0)
          this.emitCoarseLeaf(l, x, y, z);
        return;
      }
    }
    for (let octant = 0; octant < 8; octant++) {
      const cx = 2 * x + (octant & 1);
      const cy = 2 * y + ((octant >> 1) & 1);
      const cz = 2 * z + (octant >> 2);
      if (l === 1) this.emitCell(cx, cy, cz);
      else this.visit(l - 1, cx, cy, cz);
    }
  }

  // Vertices -----------------------------------------------------------------------------------------------------------

  private cornerVertex(i: number, j: number, k: number): number {
    const { grid } = this;
    const e = grid.entry(i, j, k);
    const ref = grid.corner[e];
    if (ref <= -2) return -2 - ref;
    const code = 1 + ((i + j + k) & 1);
    if (ref >= 0) return this.pointVertex(ref, code);
    const v = this.builder.addVertex(grid.ox + grid.h * i, grid.oy + grid.h * j, grid.oz + grid.h * k, 0);
    grid.corner[e] = -2 - v;
    this.notes?.add(v, grid.h, code);
    return v;
  }

  private centreVertex(i: number, j: number, k: number): number {
    const { grid } = this;
    const e = grid.entry(i, j, k);
    const ref = grid.centre[e];
    if (ref <= -2) return -2 - ref;
    const code = 3 + ((i + j + k) & 1);
    if (ref >= 0) return this.pointVertex(ref, code);
    const { h } = grid;
    const v = this.builder.addVertex(
      grid.ox + h * (i + 0.5),
      grid.oy + h * (j + 0.5),
      grid.oz + h * (k + 0.5),
      0,
    );
    grid.centre[e] = -2 - v;
    this.notes?.add(v, grid.h, code);
    return v;
  }

  private pointVertex(p: number, code: number): number {
    if (this.pointToVertex[p] === NONE) {
      const { position, state } = this.points;
      const onSurface = state[p] === 0 ? 1 : 0;
      this.pointToVertex[p] = this.builder.addVertex(
        position[3 * p],
        position[3 * p + 1],
        position[3 * p + 2],
        onSurface,
      );
      this.notes?.add(this.pointToVertex[p], this.points.liquid[p], code);
    }
    return this.pointToVertex[p];
  }

  private crossingVertex(x: number): number {
    if (this.crossingToVertex[x] === NONE) {
      const { position } = this.points;
      const a = 3 * this.crossings.positive[x];
      const b = 3 * this.crossings.negative[x];
      const t = this.crossings.t[x];
      this.crossingToVertex[x] = this.builder.addVertex(
        position[a] + t * (position[b] - position[a]),
        position[a + 1] + t * (position[b + 1] - position[a + 1]),
        position[a + 2] + t * (position[b + 2] - position[a + 2]),
        1,
      );
      this.notes?.add(this.crossingToVertex[x], Number.NaN, 0);
    }
    return this.crossingToVertex[x];
  }

  // Finest cells -------------------------------------------------------------------------------------------------------

  private emitCell(i: number, j: number, k: number): void {
    const { grid, builder } = this;
    const e = grid.entry(i, j, k);
    const first = builder.tetCount;
    const required = (grid.required[e >> 3] >> (e & 7)) & 1;
    const sign = this.octree.blockSign[grid.block(i >> 1, j >> 1, k >> 1)] || grid.cellSign[e];
    if (!required && sign <= 0) return;
    for (let axis = 0; axis < 3; axis++) {
      const ni = i + (axis === 0 ? 1 : 0);
      const nj = j + (axis === 1 ? 1 : 0);
      const nk = k + (axis === 2 ? 1 : 0);
      if (!this.isFinest(ni, nj, nk)) {
        if (sign > 0) this.emitHalfPyramids(0, i, j, k, axis, 1);
      } else {
        const n = grid.entry(ni, nj, nk);
        if (required && (grid.required[n >> 3] >> (n & 7)) & 1)
          this.emitRequiredFace(i, j, k, ni, nj, nk, axis, e, n);
        else if (sign > 0) this.emitInnerFace(i, j, k, ni, nj, nk, axis);
      }
      if (sign > 0 && !this.isFinest(2 * i - ni, 2 * j - nj, 2 * k - nk))
        this.emitHalfPyramids(0, i, j, k, axis, 0);
    }
    // Where the centre is not inside, the cell's tets may all lie in its neighbours: no place to start a walk.
    const centre = grid.centre[e];
    if (builder.tetCount > first && (centre >= 0 ? this.points.state[centre] : sign) > 0)
      this.setCellStart(e, first);
  }

  private isFinest(i: number, j: number, k: number): boolean {
    const level = this.octree.level[1];
    return level.refined[(i >> 1) + level.bx * ((j >> 1) + level.by * (k >> 1))] === 1;
  }

  private setCellStart(e: number, tet: number): void {
    if (e >= this.cellStart.length) {
      const filled = this.cellStart.length;
      const grown = new Int32Array(this.grid.corner.length).fill(NONE, filled);
      grown.set(this.cellStart);
      this.cellStart = grown;
    }
    this.cellStart[e] = tet;
  }

  /** Four whole BCC tets across the face of two finest cells away from the surface. */
  private emitInnerFace(
    i: number,
    j: number,
    k: number,
    ni: number,
    nj: number,
    nk: number,
    axis: number,
  ): void {
    const { builder } = this;
    const c1 = this.centreVertex(i, j, k);
    const c2 = this.centreVertex(ni, nj, nk);
    const f = 4 * axis;
    const q0 = this.cellCorner(i, j, k, FACE_CORNER[f]);
    const q1 = this.cellCorner(i, j, k, FACE_CORNER[f + 1]);
    const q2 = this.cellCorner(i, j, k, FACE_CORNER[f + 2]);
    const q3 = this.cellCorner(i, j, k, FACE_CORNER[f + 3]);
    builder.addTet(c1, c2, q0, q1, SHAPE_BCC, 0);
    builder.addTet(c1, c2, q1, q2, SHAPE_BCC, 0);
    builder.addTet(c1, c2, q2, q3, SHAPE_BCC, 0);
    builder.addTet(c1, c2, q3, q0, SHAPE_BCC, 0);
  }

  private cellCorner(i: number, j: number, k: number, bits: number): number {
    return this.cornerVertex(i + (bits & 1), j + ((bits >> 1) & 1), k + (bits >> 2));
  }

  /** The four BCC tets across a face near the surface, each whole, cut or dropped by the signs of its vertices. */
  private emitRequiredFace(
    i: number,
    j: number,
    k: number,
    ni: number,
    nj: number,
    nk: number,
    axis: number,
    e: number,
    n: number,
  ): void {
    const { grid } = this;
    const { state, vertex } = this.work;
    const cellSign = grid.cellSign[e];
    const c1 = grid.centre[e];
    const c2 = grid.centre[n];
    const pointState = this.points.state;
    state[0] = c1 >= 0 ? pointState[c1] : cellSign;
    state[1] = c2 >= 0 ? pointState[c2] : grid.cellSign[n];
    // Of cells outside that were not sampled nobody knows which of the two surfaces they are behind: no liquid is near.
    if (this.notes && ((c1 < 0 && cellSign <= 0) || (c2 < 0 && grid.cellSign[n] <= 0))) return;
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[4 * axis + m];
      const bits2 = FACE_CORNER[4 * axis + ((m + 1) & 3)];
      const e1 = grid.corner[grid.entry(i + (bits1 & 1), j + ((bits1 >> 1) & 1), k + (bits1 >> 2))];
      const e2 = grid.corner[grid.entry(i + (bits2 & 1), j + ((bits2 >> 1) & 1), k + (bits2 >> 2))];
      state[2] = e1 >= 0 ? pointState[e1] : cellSign;
      state[3] = e2 >= 0 ? pointState[e2] : cellSign;
      if (state[0] <= 0 && state[1] <= 0 && state[2] <= 0 && state[3] <= 0) continue;
      if (this.notes && this.isDry(c1, c2, e1, e2)) continue;
      vertex[0] = state[0] >= 0 ? this.centreVertex(i, j, k) : NONE;
      vertex[1] = state[1] >= 0 ? this.centreVertex(ni, nj, nk) : NONE;
      vertex[2] = state[2] >= 0 ? this.cellCorner(i, j, k, bits1) : NONE;
      vertex[3] = state[3] >= 0 ? this.cellCorner(i, j, k, bits2) : NONE;
      this.emitClassified(c1, c2, e1, e2, axis, m, bits1, bits2);
    }
  }

  /** Whether all four sampled points are outside the liquid, and none outside the vessel: nothing is left of such a tet. */
  private isDry(c1: number, c2: number, e1: number, e2: number): boolean {
    const { liquid } = this.points;
    if (c1 < 0 || c2 < 0 || e1 < 0 || e2 < 0) return false;
    const { state } = this.work;
    if (Math.min(state[0], state[1], state[2], state[3]) < 0) return false;
    return liquid[c1] < 0 && liquid[c2] < 0 && liquid[e1] < 0 && liquid[e2] < 0;
  }

  /** Emits one BCC tet from this.work; c1, c2, e1, e2 are its sampled points where it is cut. */
  private emitClassified(
    c1: number,
    c2: number,
    e1: number,
    e2: number,
    axis: number,
    m: number,
    bits1: number,
    bits2: number,
  ): void {
    const { builder } = this;
    const { state, vertex } = this.work;
    const least = Math.min(state[0], state[1], state[2], state[3]);
    if (least >= 0) {
      builder.addTet(vertex[0], vertex[1], vertex[2], vertex[3], least === 0 ? SHAPE_SURFACE : SHAPE_BCC, 0);
      return;
    }
    const { edgeBase } = this.points;
    const base1 = edgeBase[c1];
    const base2 = edgeBase[c2];
    const flip = 1 << axis;
    // Long edge between the corners: along the next axis for m = 0, 2, the one after for 1, 3; owned by its low end.
    const cornerAxis = (axis + 1 + (m & 1)) % 3;
    this.setCut(0, 0, 1, base1 + 8 + axis);
    this.setCut(1, 2, 3, edgeBase[m < 2 ? e1 : e2] + cornerAxis);
    this.setCut(2, 0, 2, base1 + bits1);
    this.setCut(3, 0, 3, base1 + bits2);
    this.setCut(4, 1, 2, base2 + (bits1 ^ flip));
    this.setCut(5, 1, 3, base2 + (bits2 ^ flip));
    setLatticeOrder(PARITY[bits1], this.work.order);
    emitCutTet(builder, this.work);
  }

  private setCut(slot: number, v: number, w: number, edge: number): void {
    const { state, cut, kept } = this.work;
    if (state[v] * state[w] !== -1) return;
    const x = this.crossings.edgeToCrossing[edge];
    cut[slot] = this.crossingVertex(x);
    kept[slot] = this.crossings.t[x] * (slot < 2 ? 1 : SHORT_EDGE);
  }

  // Coarser leaves -----------------------------------------------------------------------------------------------------

  private isRefined(l: number, x: number, y: number, z: number): boolean {
    const level = this.octree.level[l];
    return level.refined[x + level.bx * (y + level.by * z)] === 1;
  }

  private emitCoarseLeaf(l: number, x: number, y: number, z: number): void {
    const first = this.builder.tetCount;
    for (let axis = 0; axis < 3; axis++)
      for (let side = 1; side >= 0; side--) {
        const step = 2 * side - 1;
        const nx = x + (axis === 0 ? step : 0);
        const ny = y + (axis === 1 ? step : 0);
        const nz = z + (axis === 2 ? step : 0);
        if (this.isRefined(l, nx, ny, nz)) this.emitQuadrisected(l, x, y, z, axis, side);
        else if (l < this.octree.maxLevel && !this.isRefined(l + 1, nx >> 1, ny >> 1, nz >> 1))
          this.emitHalfPyramids(l, x, y, z, axis, side);
        else if (side === 1) this.emitEqualFace(l, x, y, z, nx, ny, nz, axis);
      }
    this.setCoarseStart(l, x, y, z, first);
  }

  private setCoarseStart(l: number, x: number, y: number, z: number, tet: number): void {
    const span = 1 << (l - 1);
    for (let c = 0; c < span; c++)
      for (let b = 0; b < span; b++) {
        const row = this.grid.block(x * span, y * span + b, z * span + c);
        this.coarseStart.fill(tet, row, row + span);
      }
  }

  /** Centre of a leaf of level l. */
  private leafCentre(l: number, x: number, y: number, z: number): number {
    if (l === 0) return this.centreVertex(x, y, z);
    const half = 1 << (l - 1);
    return this.cornerVertex((x << l) + half, (y << l) + half, (z << l) + half);
  }

  private leafCorner(l: number, x: number, y: number, z: number, bits: number): number {
    return this.cornerVertex((x + (bits & 1)) << l, (y + ((bits >> 1) & 1)) << l, (z + (bits >> 2)) << l);
  }

  /** Midpoint of two corners of a leaf of level l >= 1: an edge midpoint or a face centre. */
  private leafMidpoint(l: number, x: number, y: number, z: number, bits1: number, bits2: number): number {
    const half = l - 1;
    return this.cornerVertex(
      (2 * x + (bits1 & 1) + (bits2 & 1)) << half,
      (2 * y + ((bits1 >> 1) & 1) + ((bits2 >> 1) & 1)) << half,
      (2 * z + (bits1 >> 2) + (bits2 >> 2)) << half,
    );
  }

  /** BCC tets across the face of two equal coarse leaves; an edge split by a smaller leaf gives two bisected tets. */
  private emitEqualFace(
    l: number,
    x: number,
    y: number,
    z: number,
    nx: number,
    ny: number,
    nz: number,
    axis: number,
  ): void {
    const { builder } = this;
    const c1 = this.leafCentre(l, x, y, z);
    const c2 = this.leafCentre(l, nx, ny, nz);
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[4 * axis + m];
      const bits2 = FACE_CORNER[4 * axis + ((m + 1) & 3)];
      const q1 = this.leafCorner(l, x, y, z, bits1);
      const q2 = this.leafCorner(l, x, y, z, bits2);
      // The two other leaves around the edge lie off the face, in the direction the edge's shared bit points.
      const along = bits1 ^ bits2;
      const out = 7 ^ along ^ (1 << axis);
      const step = bits1 & out ? 1 : -1;
      const ox = out & 1 ? step : 0;
      const oy = out & 2 ? step : 0;
      const oz = out & 4 ? step : 0;
      if (this.isRefined(l, x + ox, y + oy, z + oz) || this.isRefined(l, nx + ox, ny + oy, nz + oz)) {
        const mid = this.leafMidpoint(l, x, y, z, bits1, bits2);
        builder.addTet(c1, c2, q1, mid, SHAPE_BISECTED, l);
        builder.addTet(c1, c2, mid, q2, SHAPE_BISECTED, l);
      } else builder.addTet(c1, c2, q1, q2, SHAPE_BCC, l);
    }
  }

  private emitQuadrisected(l: number, x: number, y: number, z: number, axis: number, side: number): void {
    const { builder } = this;
    const flip = side === 1 ? 0 : 1 << axis;
    const c = this.leafCentre(l, x, y, z);
    const f = 4 * axis;
    const faceCentre = this.leafMidpoint(l, x, y, z, FACE_CORNER[f] ^ flip, FACE_CORNER[f + 2] ^ flip);
    for (let m = 0; m < 4; m++) {
      const bits1 = FACE_CORNER[f + m] ^ flip;
      const bits2 = FACE_CORNER[f + ((m + 1) & 3)] ^ flip;
      const q1 = this.leafCorner(l, x, y, z, bits1);
      const q2 = this.leafCorner(l, x, y, z, bits2);
      const mid = this.leafMidpoint(l, x, y, z, bits1, bits2);
      // Seen from outside a low face the corners run clockwise: the last two vertices change places.
      if (side === 1) {
        builder.addTet(c, faceCentre, q1, mid, SHAPE_QUADRISECTED, l);
        builder.addTet(c, faceCentre, mid, q2, SHAPE_QUADRISECTED, l);
      } else {
        builder.addTet(c, faceCentre, mid, q1, SHAPE_QUADRISECTED, l);
        builder.addTet(c, faceCentre, q2, mid, SHAPE_QUADRISECTED, l);
      }
    }
  }

  /** Two tets over the face towards a larger leaf; the diagonal runs through the centre of the larger face. */
  private emitHalfPyramids(l: number, x: number, y: number, z: number, axis: number, side: number): void {
    const { builder } = this;
    const flip = side === 1 ? 0 : 1 << axis;
    const c = this.leafCentre(l, x, y, z);
    const f = 4 * axis;
    const index = [x, y, z];
    const inB = index[(axis + 1) % 3] & 1;
    const inC = index[(axis + 2) % 3] & 1;
    const start = inB === inC ? 0 : 1;
    const p = this.leafCorner(l, x, y, z, FACE_CORNER[f + start] ^ flip);
    const q = this.leafCorner(l, x, y, z, FACE_CORNER[f + start + 1] ^ flip);
    const r = this.leafCorner(l, x, y, z, FACE_CORNER[f + start + 2] ^ flip);
    const s = this.leafCorner(l, x, y, z, FACE_CORNER[f + ((start + 3) & 3)] ^ flip);
    if (side === 1) {
      builder.addTet(c, p, q, r, SHAPE_HALF_PYRAMID, l);
      builder.addTet(c, p, r, s, SHAPE_HALF_PYRAMID, l);
    } else {
      builder.addTet(c, p, r, q, SHAPE_HALF_PYRAMID, l);
      builder.addTet(c, p, s, r, SHAPE_HALF_PYRAMID, l);
    }
  }
}
