/**
 * Marching tetrahedra ([ando-2013] 5): triangles between liquid and air vertices of a tet mesh, with one
 * vertex on each edge that the surface cuts. Every face of a tet is cut in the same way from both sides, so
 * the surface is closed inside the mesh and has no cracks.
 */
import { GrowingTriangles } from '../../geometry/growing-triangles.ts';
import type { EdgeTable } from './edge-table.ts';
import { STATE } from './flood.ts';

/**
 * Even orders of the four vertices by which of them are liquid (bits 1, 2, 4, 8): the one that differs first,
 * or the two liquid ones.
 */
const ORDER = Uint8Array.of(
  ...[0, 0, 0, 0],
  ...[0, 1, 2, 3],
  ...[1, 0, 3, 2],
  ...[0, 1, 2, 3],
  ...[2, 3, 0, 1],
  ...[0, 2, 3, 1],
  ...[1, 2, 0, 3],
  ...[3, 2, 1, 0],
  ...[3, 2, 1, 0],
  ...[0, 3, 1, 2],
  ...[1, 3, 2, 0],
  ...[2, 3, 0, 1],
  ...[2, 3, 0, 1],
  ...[1, 0, 3, 2],
  ...[0, 1, 2, 3],
  ...[0, 0, 0, 0],
);
const LIQUIDS = Uint8Array.from(
  { length: 16 },
  (_, n) => (n & 1) + ((n >> 1) & 1) + ((n >> 2) & 1) + (n >> 3),
);

/**
 * Cuts tets one at a time; the vertices of the triangles are edges of the table, which must know all that are
 * cut.
 */
export class TetMarcher {
  readonly triangles = new GrowingTriangles();

  constructor(
    private readonly tet: Int32Array,
    private readonly state: Uint8Array,
    private readonly edges: EdgeTable,
    private readonly position: Float64Array,
  ) {}

  cut(t: number): void {
    const { tet, state, edges } = this;
    let liquid = 0;
    for (let i = 0; i < 4; i++) if (state[tet[4 * t + i]] !== STATE.air) liquid |= 1 << i;
    if (liquid === 0 || liquid === 15) return;
    const a = tet[4 * t + ORDER[4 * liquid]];
    const b = tet[4 * t + ORDER[4 * liquid + 1]];
    const c = tet[4 * t + ORDER[4 * liquid + 2]];
    const d = tet[4 * t + ORDER[4 * liquid + 3]];
    if (LIQUIDS[liquid] === 2)
      this.addQuad(edges.find(a, c), edges.find(a, d), edges.find(b, d), edges.find(b, c));
    else if (LIQUIDS[liquid] === 1) this.triangles.add(edges.find(a, b), edges.find(a, c), edges.find(a, d));
    else this.triangles.add(edges.find(a, b), edges.find(a, d), edges.find(a, c));
  }

  /** Two triangles, across the shorter diagonal. */
  private addQuad(p: number, q: number, r: number, s: number): void {
    if (this.measure(p, r) <= this.measure(q, s)) {
      this.triangles.add(p, q, r);
      this.triangles.add(p, r, s);
    } else {
      this.triangles.add(p, q, s);
      this.triangles.add(q, r, s);
    }
  }

  private measure(e: number, f: number): number {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (this.position[3 * e + k] - this.position[3 * f + k]) ** 2;
    return sum;
  }
}
