/**
 * Walks the leaves of the octree in Z-order and emits the background tetrahedra of the region (Labelle and
 * Shewchuk 2007, section 4; [chentanez-2007] 3.3, 3.3.2), cut at the surface. What fills the faces of a leaf,
 * and with which vertices, is known to mesh/background. Here it is decided which leaves are filled at all,
 * what their vertices are in the mesh, and how the tets across the faces near the surface are cut.
 *
 * The surface passes only between finest leaves with finest neighbours, so only regular BCC tets are warped
 * and cut. Tetrahedra belong to the leaf that emits them and are contiguous per leaf. Cost: linear in leaves
 * and tets.
 */
import { NONE } from '../../core/types.ts';
import { FACE_CORNER, FACES, KIND_MASK, LeafFaces, PAIR } from '../background/faces.ts';
import { LeafForms, SHAPE_BCC, type VertexSource } from '../background/forms.ts';
import type { MeshBuilder } from './builder.ts';
import { type Crossings, SHORT_EDGE } from './crossings.ts';
import type { Grid } from './grid.ts';
import { SHAPE_SURFACE } from './lattice.ts';
import type { SignedOctree } from './octree.ts';
import type { Points } from './points.ts';
import { createCutTet, emitCutTet, setLatticeOrder } from './stencil.ts';
import type { VertexNotes } from './trim.ts';

/** Places of vertices of the background in a cell. */
const CORNER = 0;
const CENTRE = 1;

/** Parity of the number of set bits of 0..7. */
const PARITY = Uint8Array.of(0, 1, 1, 0, 1, 0, 0, 1);

export class CutWalker implements VertexSource {
  /** Mesh vertex per sampled point and per crossing, assigned when first used. */
  private readonly pointToVertex: Int32Array;
  private readonly crossingToVertex: Int32Array;
  /** First tet of each finest cell (by entry), grown with the slots, and of each coarser leaf. */
  cellStart: Int32Array;
  readonly leafStart: Int32Array;
  private readonly faces: LeafFaces;
  private readonly forms: LeafForms;

  private readonly work = createCutTet();

  constructor(
    private readonly grid: Grid,
    private readonly signed: SignedOctree,
    private readonly points: Points,
    private readonly crossings: Crossings,
    private readonly builder: MeshBuilder,
    /**
     * With a vessel, this is the first cut, along its walls: what the second needs to know of the vertices.
     */
    private readonly notes?: VertexNotes,
  ) {
    this.pointToVertex = new Int32Array(points.count).fill(NONE);
    this.crossingToVertex = new Int32Array(crossings.count).fill(NONE);
    this.cellStart = new Int32Array(grid.corner.length).fill(NONE);
    this.leafStart = new Int32Array(signed.octree.leafCount).fill(NONE);
    this.faces = new LeafFaces(signed.octree);
    this.forms = new LeafForms(this, builder);
  }

  emitAll(): void {
    const { octree, leafSign } = this.signed;
    const { leafCount, leafLevel, leafCorner } = octree;
    for (let leaf = 0; leaf < leafCount; leaf++) {
      const i = leafCorner[3 * leaf];
      const j = leafCorner[3 * leaf + 1];
      const k = leafCorner[3 * leaf + 2];
      if (leafLevel[leaf] === 0) this.emitCell(leaf, i, j, k);
      else if (leafSign[leaf] > 0) this.emitCoarseLeaf(leaf, i, j, k);
    }
  }

  private emitCoarseLeaf(leaf: number, i: number, j: number, k: number): void {
    const { faces, forms } = this;
    this.leafStart[leaf] = this.builder.tetCount;
    faces.look(leaf);
    forms.setLeaf(this.signed.octree.leafLevel[leaf], i, j, k);
    for (let f = 0; f < FACES; f++) {
      const code = faces.code[f];
      if ((code & KIND_MASK) !== PAIR || (f & 1) === 0) forms.emitFace(f, code);
    }
  }

  // Vertices
  // -----------------------------------------------------------------------------------------------------------

  /** A vertex of the background, in half finest cells: a corner of finest cells, or the centre of one. */
  vertexAt(x: number, y: number, z: number): number {
    return this.gridVertex(x & 1, x >> 1, y >> 1, z >> 1);
  }

  /** The vertex at a cell's low corner, or at its CENTRE. */
  private gridVertex(place: number, i: number, j: number, k: number): number {
    const { grid } = this;
    const e = grid.entry(i, j, k);
    const reference = place === CENTRE ? grid.centre : grid.corner;
    const ref = reference[e];
    if (ref <= -2) return -2 - ref;
    const code = 1 + 2 * place + ((i + j + k) & 1);
    if (ref >= 0) return this.pointVertex(ref, code);
    const { h } = grid;
    const shift = 0.5 * place;
    const v = this.builder.addVertex(
      grid.ox + h * (i + shift),
      grid.oy + h * (j + shift),
      grid.oz + h * (k + shift),
      0,
    );
    reference[e] = -2 - v;
    this.notes?.add(v, h, code);
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

  // Finest cells
  // -------------------------------------------------------------------------------------------------------

  private emitCell(leaf: number, i: number, j: number, k: number): void {
    const { grid, builder, faces, forms } = this;
    const e = grid.entry(i, j, k);
    const first = builder.tetCount;
    const required = (grid.required[e >> 3] >> (e & 7)) & 1;
    const sign = this.signed.leafSign[leaf];
    if (!required && sign <= 0) return;
    if (sign > 0) {
      faces.look(leaf);
      forms.setLeaf(0, i, j, k);
    }
    for (let axis = 0; axis < 3; axis++) {
      const ni = i + (axis === 0 ? 1 : 0);
      const nj = j + (axis === 1 ? 1 : 0);
      const nk = k + (axis === 2 ? 1 : 0);
      const n = required ? grid.findEntry(ni, nj, nk) : NONE;
      if (n !== NONE && (grid.required[n >> 3] >> (n & 7)) & 1) this.emitRequiredFace(i, j, k, axis, e, n);
      else if (sign > 0) forms.emitFace(2 * axis, faces.code[2 * axis]);
      if (sign > 0 && (faces.code[2 * axis + 1] & KIND_MASK) !== PAIR)
        forms.emitFace(2 * axis + 1, faces.code[2 * axis + 1]);
    }
    // Where the centre is not inside, the cell's tets may all lie in its neighbours: no place to start a
    // walk.
    const centre = grid.centre[e];
    if (builder.tetCount > first && (centre >= 0 ? this.points.state[centre] : sign) > 0)
      this.setCellStart(e, first);
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

  private cellCorner(i: number, j: number, k: number, bits: number): number {
    return this.gridVertex(CORNER, i + (bits & 1), j + ((bits >> 1) & 1), k + (bits >> 2));
  }

  /**
   * The four BCC tets across a face near the surface, each whole, cut or dropped by the signs of its
   * vertices.
   */
  private emitRequiredFace(i: number, j: number, k: number, axis: number, e: number, n: number): void {
    const { grid } = this;
    const ni = i + (axis === 0 ? 1 : 0);
    const nj = j + (axis === 1 ? 1 : 0);
    const nk = k + (axis === 2 ? 1 : 0);
    const { state, vertex } = this.work;
    const cellSign = grid.cellSign[e];
    const c1 = grid.centre[e];
    const c2 = grid.centre[n];
    const pointState = this.points.state;
    state[0] = c1 >= 0 ? pointState[c1] : cellSign;
    state[1] = c2 >= 0 ? pointState[c2] : grid.cellSign[n];
    // Of cells outside that were not sampled nobody knows which of the two surfaces they are behind: no
    // liquid is near.
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
      vertex[0] = state[0] >= 0 ? this.gridVertex(CENTRE, i, j, k) : NONE;
      vertex[1] = state[1] >= 0 ? this.gridVertex(CENTRE, ni, nj, nk) : NONE;
      vertex[2] = state[2] >= 0 ? this.cellCorner(i, j, k, bits1) : NONE;
      vertex[3] = state[3] >= 0 ? this.cellCorner(i, j, k, bits2) : NONE;
      this.emitClassified(c1, c2, e1, e2, axis, m, bits1, bits2);
    }
  }

  /**
   * Whether all four sampled points are outside the liquid, and none outside the vessel: nothing is left of
   * such a tet.
   */
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
    // Long edge between the corners: along the next axis for m = 0, 2, the one after for 1, 3; owned by its
    // low end.
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
}
