/**
 * The tets and faces a vertex velocity is fitted to: those around the vertex, and where they are few (at the surface, in thin
 * sheets) those around their vertices too. With the first ring alone such vertices have hardly more data than unknowns,
 * and the tip of a spreading sheet grows lumps of the lattice's size.
 *
 * Every face of the ring is listed once. One per thread and loop: it holds the scratch of the last answer.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';

/** Tets around a vertex from which they are data enough; an inner lattice vertex has 24. */
const FULL_RING = 18;
/** Golden ratio in 32 bits: spreads ids that lie close together over the table (Knuth's multiplicative hashing). */
const SPREAD = 0x9e3779b1;

/** Tets around each vertex as a CSR pair. */
export function buildVertexToTet(mesh: TetMesh, scope: HeapScope): { start: Int32Array; tet: Int32Array } {
  const start = scope.i32(mesh.vertexCount + 1);
  const around = scope.i32(4 * mesh.tetCount);
  const { tet } = mesh;
  // Counts shifted by two: filling then leaves start[v + 1] where v + 1 begins.
  for (let n = 0; n < tet.length; n++) if (tet[n] + 2 <= mesh.vertexCount) start[tet[n] + 2]++;
  for (let v = 2; v <= mesh.vertexCount; v++) start[v] += start[v - 1];
  for (let n = 0; n < tet.length; n++) around[start[tet[n] + 1]++] = n >> 2;
  return { start, tet: around };
}

/** Ids in order of arrival, each once. */
class IdSet {
  count = 0;
  id = new Int32Array(256);
  /** Number in `id` plus one, by open addressing; at most half full. */
  private place = new Int32Array(512);
  private shift = 32 - 9;

  clear(): void {
    this.place.fill(0);
    this.count = 0;
  }

  add(id: number): void {
    const mask = this.place.length - 1;
    let slot = Math.imul(id, SPREAD) >>> this.shift;
    for (;;) {
      const at = this.place[slot];
      if (at === 0) break;
      if (this.id[at - 1] === id) return;
      slot = (slot + 1) & mask;
    }
    if (this.count === this.id.length) {
      this.grow();
      this.add(id);
      return;
    }
    this.id[this.count++] = id;
    this.place[slot] = this.count;
  }

  /** Number of an id, NONE if it is not in the set. */
  find(id: number): number {
    const mask = this.place.length - 1;
    let slot = Math.imul(id, SPREAD) >>> this.shift;
    for (;;) {
      const at = this.place[slot];
      if (at === 0) return NONE;
      if (this.id[at - 1] === id) return at - 1;
      slot = (slot + 1) & mask;
    }
  }

  private grow(): void {
    const old = this.id;
    this.id = new Int32Array(2 * old.length);
    this.place = new Int32Array(2 * this.place.length);
    this.shift--;
    this.count = 0;
    for (let n = 0; n < old.length; n++) this.add(old[n]);
  }
}

export class VertexRing {
  readonly tets = new IdSet();
  faceCount = 0;
  face = new Int32Array(1024);
  /** (faceCount) 1, or half for a face whose other tet is outside the ring: each tet brings half of its inner faces. */
  share = new Float64Array(1024);
  private readonly vertices = new IdSet();

  constructor(
    private readonly tet: Int32Array,
    private readonly tetToFace: Int32Array,
    private readonly tetToTet: Int32Array,
    private readonly start: Int32Array,
    private readonly around: Int32Array,
  ) {}

  gather(v: number): void {
    const { tets, vertices, tet, start, around } = this;
    const first = start[v];
    const last = start[v + 1];
    tets.clear();
    if (last - first >= FULL_RING) {
      for (let n = first; n < last; n++) tets.add(around[n]);
    } else {
      vertices.clear();
      for (let n = 4 * first; n < 4 * last; n++) vertices.add(tet[4 * around[n >> 2] + (n & 3)]);
      for (let m = 0; m < vertices.count; m++) {
        const w = vertices.id[m];
        for (let n = start[w]; n < start[w + 1]; n++) tets.add(around[n]);
      }
    }
    this.listFaces();
  }

  private listFaces(): void {
    const { tets, tetToFace, tetToTet } = this;
    if (this.face.length < 4 * tets.count + 1) {
      this.face = new Int32Array(8 * tets.count);
      this.share = new Float64Array(8 * tets.count);
    }
    let count = 0;
    for (let n = 0; n < tets.count; n++) {
      const t = tets.id[n];
      for (let i = 4 * t; i < 4 * t + 4; i++) {
        const other = tetToTet[i];
        const place = other === NONE ? NONE : tets.find(other);
        if (place !== NONE && place < n) continue;
        this.face[count] = tetToFace[i];
        this.share[count++] = other === NONE || place !== NONE ? 1 : 0.5;
      }
    }
    this.faceCount = count;
  }
}
