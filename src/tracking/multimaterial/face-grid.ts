/**
 * Boxes of the faces at rest, for the edits: whatever overlaps a query box is found, each face once.
 *
 * Faces are sorted by cell into flat lists (swept-grid.ts), by boxes that are wider than the faces need, so
 * that the many small moves of smoothing and of a motion between two steps change nothing but the box itself.
 * What leaves its wider box, is new, or is very large goes to a BoxGrid over it; when those have become many,
 * all is sorted anew. Answers depend on the boxes alone, never on what is where. Cost: a query reads the
 * lists of about eight cells.
 */

import { doubled, lengthened } from '../../core/doubled.ts';
import { NONE } from '../../core/types.ts';
import { BoxGrid } from '../../geometry/collision/box-grid.ts';
import { CELL_BITS } from '../../geometry/collision/box-pairs.ts';
import type { Buffers } from './buffers.ts';
import type { MultiMesh } from './mesh.ts';
import { findBucket, SweptGrid } from './swept-grid.ts';

/** By how much the sorted boxes are wider on each side, in cells. */
const SLACK = 0.1;
/** Share of the faces outside of the lists above which they are sorted anew. */
const MOST_OVER = 0.15;
/** A query over more cells walks all faces. */
const MOST_CELLS = 512;

export class FaceGrid {
  /**
   * (faces x 6) the boxes, least corner first, m; infinite where there is no face. Read only from outside.
   */
  box = new Float64Array(0);
  /** Faces found by the last query. */
  found = new Int32Array(256);

  private readonly sorted: SweptGrid;
  private readonly overlay: BoxGrid;
  /** Faces in the overlay, not in the lists. */
  private isOver = new Uint8Array(0);
  private overCount = 0;
  private readonly quanta = new Int32Array(6);

  constructor(
    private readonly mesh: MultiMesh,
    private readonly buffers: Buffers,
    cell: number,
  ) {
    this.sorted = new SweptGrid(mesh, buffers, cell, SLACK * cell, 'rest ');
    this.overlay = new BoxGrid(cell);
  }

  /** After vertices moved by any means but an edit: all boxes anew. */
  refresh(): void {
    const { mesh, sorted } = this;
    this.reserve(mesh.faceFill);
    const { faceFill, face } = mesh;
    const over: number[] = [];
    for (let f = 0; f < faceFill; f++) {
      if (face[3 * f] < 0) {
        this.clearBox(f);
        continue;
      }
      this.setBox(f);
      if (this.isOver[f] !== 0 || !sorted.holds(f, this.box)) over.push(f);
    }
    if (over.length > MOST_OVER * mesh.faceCount) this.sort();
    else for (const f of over) this.putOver(f);
  }

  /** After faces were renumbered in rising order: `faceTo[old]`, NONE for the gone. */
  follow(faceTo: Int32Array): void {
    const { box, isOver } = this;
    this.sorted.follow(faceTo);
    this.overlay.clear();
    this.overCount = 0;
    const over: number[] = [];
    let end = 0;
    for (let f = 0; f < faceTo.length; ) {
      const g = faceTo[f];
      if (g === NONE) {
        f++;
        continue;
      }
      // What lay together still does: whole runs move at once.
      const first = f;
      for (; f < faceTo.length && faceTo[f] !== NONE; f++) if (isOver[f] !== 0) over.push(faceTo[f]);
      box.copyWithin(6 * g, 6 * first, 6 * f);
      end = g + f - first;
    }
    box.fill(Infinity, 6 * end);
    isOver.fill(0);
    for (const g of over) this.putOver(g);
  }

  /** Puts a face in, or moves it. */
  set(f: number): void {
    this.reserve(f + 1);
    this.setBox(f);
    this.place(f);
  }

  remove(f: number): void {
    this.clearBox(f);
  }

  /** Lists the faces whose boxes overlap the given one (six numbers, m) in `found`; returns how many. */
  query(box: Float64Array): number {
    const count =
      this.sorted.quantizeBox(box, this.quanta) > MOST_CELLS ? this.walk(box) : this.queryCells(box);
    if (this.overCount === 0) return count;
    const over = this.overlay.query(box);
    let all = count;
    for (let n = 0; n < over; n++) all = this.push(all, this.overlay.found[n]);
    return all;
  }

  private queryCells(query: Float64Array): number {
    const { box, quanta, isOver } = this;
    const { start, list, faceBox, bucketCount } = this.sorted;
    const mask = bucketCount - 1;
    const minX = quanta[0];
    const minY = quanta[1];
    const minZ = quanta[2];
    const maxX = quanta[3];
    const maxY = quanta[4];
    const maxZ = quanta[5];
    let count = 0;
    for (let i = minX >> CELL_BITS; i <= maxX >> CELL_BITS; i++) {
      for (let j = minY >> CELL_BITS; j <= maxY >> CELL_BITS; j++) {
        for (let k = minZ >> CELL_BITS; k <= maxZ >> CELL_BITS; k++) {
          const bucket = findBucket(i, j, k, mask);
          const end = start[bucket + 1];
          for (let n = start[bucket]; n < end; n++) {
            const g = list[n];
            const o = 6 * g;
            const least =
              (maxX - faceBox[o]) |
              (faceBox[o + 3] - minX) |
              (maxY - faceBox[o + 1]) |
              (faceBox[o + 4] - minY) |
              (maxZ - faceBox[o + 2]) |
              (faceBox[o + 5] - minZ);
            if (least < 0) continue;
            // Each face in one cell alone: where the later of the two first cells is.
            if (Math.max(minX, faceBox[o]) >> CELL_BITS !== i) continue;
            if (Math.max(minY, faceBox[o + 1]) >> CELL_BITS !== j) continue;
            if (Math.max(minZ, faceBox[o + 2]) >> CELL_BITS !== k) continue;
            if (isOver[g] !== 0 || areApart(box, o, query)) continue;
            count = this.push(count, g);
          }
        }
      }
    }
    return count;
  }

  private walk(query: Float64Array): number {
    let count = 0;
    for (let f = 0; f < this.mesh.faceFill; f++)
      if (!this.isOver[f] && !areApart(this.box, 6 * f, query)) count = this.push(count, f);
    return count;
  }

  private sort(): void {
    const { mesh, sorted } = this;
    this.isOver.fill(0);
    this.overCount = 0;
    this.overlay.clear();
    const face = this.buffers.copyI32('faces', mesh.face, 3 * mesh.faceFill);
    const position = this.buffers.copyF64('starts', mesh.position, 3 * mesh.vertexFill);
    sorted.build(face, position, position);
    for (const f of sorted.over) this.putOver(f);
  }

  private place(f: number): void {
    if (!this.isOver[f] && this.sorted.holds(f, this.box)) return;
    this.putOver(f);
  }

  private putOver(f: number): void {
    if (!this.isOver[f]) this.overCount++;
    this.isOver[f] = 1;
    this.overlay.set(f, this.box, 6 * f);
  }

  private setBox(f: number): void {
    const { box } = this;
    const { face, position: p } = this.mesh;
    const a = 3 * face[3 * f];
    const b = 3 * face[3 * f + 1];
    const c = 3 * face[3 * f + 2];
    for (let k = 0; k < 3; k++) {
      box[6 * f + k] = Math.min(p[a + k], p[b + k], p[c + k]);
      box[6 * f + 3 + k] = Math.max(p[a + k], p[b + k], p[c + k]);
    }
  }

  private clearBox(f: number): void {
    this.box[6 * f] = Infinity;
    if (!this.isOver[f]) return;
    this.overlay.remove(f);
    this.isOver[f] = 0;
    this.overCount--;
  }

  private reserve(count: number): void {
    if (6 * count <= this.box.length) return;
    const room = Math.max(64, Math.ceil(1.5 * count));
    const box = new Float64Array(6 * room).fill(Infinity);
    box.set(this.box);
    this.box = box;
    this.isOver = lengthened(this.isOver, room);
  }

  private push(count: number, f: number): number {
    if (count === this.found.length) this.found = doubled(this.found);
    this.found[count] = f;
    return count + 1;
  }
}

function areApart(box: Float64Array, o: number, query: Float64Array): boolean {
  return (
    box[o] > query[3] ||
    box[o + 3] < query[0] ||
    box[o + 1] > query[4] ||
    box[o + 4] < query[1] ||
    box[o + 2] > query[5] ||
    box[o + 5] < query[2]
  );
}
