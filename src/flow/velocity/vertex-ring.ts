/**
 * The tets and faces a vertex velocity is fitted to: those around the vertex, and where they are few (at the
 * surface, in thin sheets) those around their vertices too. With the first ring alone such vertices have
 * hardly more data than unknowns, and the tip of a spreading sheet grows lumps of the lattice's size.
 *
 * Every face of the ring is listed once. One per thread and loop: it holds the scratch of the last answer.
 * Its two tables as long as the mesh are cheap: a loop over neighbouring vertices touches only the pages of
 * neighbouring tets.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';

/** Tets around a vertex from which they are data enough; an inner lattice vertex has 24. */
const FULL_RING = 18;

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

export class VertexRing {
  tetCount = 0;
  readonly tets: Int32Array;
  faceCount = 0;
  /**
   * Tets met up to and including each ring since the start, so that the numbers of old rings are below
   * `base`.
   */
  private base = 1;
  private readonly placeOfTet: Int32Array;
  private readonly ringOfVertex: Int32Array;
  private vertexCount = 0;
  private readonly vertices: Int32Array;

  /**
   * face, share: where the ring's faces go, and their shares: 1, or half for a face whose other tet is
   * outside the ring, since each tet brings half of its inner faces.
   */
  constructor(
    private readonly tet: Int32Array,
    private readonly tetToFace: Int32Array,
    private readonly tetToTet: Int32Array,
    private readonly start: Int32Array,
    private readonly around: Int32Array,
    readonly face: Int32Array,
    readonly share: Float64Array,
  ) {
    this.placeOfTet = new Int32Array(tet.length / 4);
    this.ringOfVertex = new Int32Array(start.length - 1);
    this.tets = new Int32Array(face.length);
    this.vertices = new Int32Array(face.length);
  }

  gather(v: number): void {
    const { tet, start, around, ringOfVertex } = this;
    const first = start[v];
    const last = start[v + 1];
    this.base += this.tetCount;
    this.tetCount = 0;
    if (last - first >= FULL_RING) {
      for (let n = first; n < last; n++) this.addTet(around[n]);
    } else {
      // base differs from ring to ring, for every ring has a tet.
      const ring = this.base;
      this.vertexCount = 0;
      for (let n = 4 * first; n < 4 * last; n++) {
        const w = tet[4 * around[n >> 2] + (n & 3)];
        if (ringOfVertex[w] === ring) continue;
        ringOfVertex[w] = ring;
        this.vertices[this.vertexCount++] = w;
      }
      for (let m = 0; m < this.vertexCount; m++) {
        const w = this.vertices[m];
        for (let n = start[w]; n < start[w + 1]; n++) this.addTet(around[n]);
      }
    }
    this.listFaces();
  }

  private addTet(t: number): void {
    if (this.placeOfTet[t] >= this.base) return;
    this.placeOfTet[t] = this.base + this.tetCount;
    this.tets[this.tetCount++] = t;
  }

  private listFaces(): void {
    const { tets, tetToFace, tetToTet, placeOfTet, base, face, share } = this;
    if (4 * this.tetCount > face.length)
      throw new RunError(
        'vertex velocities',
        `${this.tetCount} tets lie around one vertex`,
        'check where the mesh came from: the lattice makes no such vertex',
      );
    let count = 0;
    for (let n = 0; n < this.tetCount; n++) {
      const t = tets[n];
      for (let i = 4 * t; i < 4 * t + 4; i++) {
        const other = tetToTet[i];
        if (other === NONE) share[count] = 1;
        else {
          const place = placeOfTet[other] - base;
          if (place < 0) share[count] = 0.5;
          else if (place < n) continue;
          else share[count] = 1;
        }
        face[count++] = tetToFace[i];
      }
    }
    this.faceCount = count;
  }
}
