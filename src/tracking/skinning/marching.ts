/**
 * Marching tetrahedra ([ando-2013] 5): triangles between liquid and air vertices of a tet mesh, with one vertex on each edge that the surface
 * cuts. Every face of a tet is cut in the same way from both sides, so the surface is closed inside the mesh and has no cracks.
 */
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { EdgeTable } from './edge-table.ts';

/** Even orders of the four vertices with the one that differs first, and with the two of a kind first. */
const SINGLE = Uint8Array.of(0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0);
/** By liquid vertices, bits 1, 2, 4, 8: where two are liquid. */
const DOUBLE: Readonly<Record<number, readonly number[]>> = {
  3: [0, 1, 2, 3],
  5: [0, 2, 3, 1],
  9: [0, 3, 1, 2],
  6: [1, 2, 0, 3],
  10: [1, 3, 2, 0],
  12: [2, 3, 0, 1],
};

/** Cuts tets one at a time; the vertices of the triangles are edges of the table, which must know all that are cut. */
export class TetMarcher {
  triangle = new Int32Array(3 * 1024);
  count = 0;

  constructor(
    private readonly mesh: Pick<TetMesh, 'tet'>,
    private readonly isAir: Uint8Array,
    private readonly edges: EdgeTable,
    private readonly position: (e: number, k: number) => number,
  ) {}

  cut(t: number): void {
    const { tet } = this.mesh;
    const { isAir } = this;
    let liquid = 0;
    for (let i = 0; i < 4; i++) if (isAir[tet[4 * t + i]] === 0) liquid |= 1 << i;
    if (liquid === 0 || liquid === 15) return;
    const order = DOUBLE[liquid];
    if (order) {
      const [a, b, c, d] = order.map((i) => tet[4 * t + i]);
      this.addQuad(this.at(a, c), this.at(a, d), this.at(b, d), this.at(b, c));
      return;
    }
    const inverse = 15 - liquid;
    const isOneLiquid = (liquid & (liquid - 1)) === 0;
    const first = 31 - Math.clz32(isOneLiquid ? liquid : inverse);
    const a = tet[4 * t + SINGLE[4 * first]];
    const e = this.at(a, tet[4 * t + SINGLE[4 * first + 1]]);
    const f = this.at(a, tet[4 * t + SINGLE[4 * first + 2]]);
    const g = this.at(a, tet[4 * t + SINGLE[4 * first + 3]]);
    if (isOneLiquid) this.add(e, f, g);
    else this.add(e, g, f);
  }

  private at(v: number, w: number): number {
    return this.edges.find(v, w);
  }

  /** Two triangles, across the shorter diagonal. */
  private addQuad(p: number, q: number, r: number, s: number): void {
    if (this.measure(p, r) <= this.measure(q, s)) {
      this.add(p, q, r);
      this.add(p, r, s);
    } else {
      this.add(p, q, s);
      this.add(q, r, s);
    }
  }

  private measure(e: number, f: number): number {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += (this.position(e, k) - this.position(f, k)) ** 2;
    return sum;
  }

  private add(p: number, q: number, r: number): void {
    if (3 * this.count + 3 > this.triangle.length) {
      const longer = new Int32Array(2 * this.triangle.length);
      longer.set(this.triangle);
      this.triangle = longer;
    }
    this.triangle[3 * this.count] = p;
    this.triangle[3 * this.count + 1] = q;
    this.triangle[3 * this.count + 2] = r;
    this.count++;
  }
}
