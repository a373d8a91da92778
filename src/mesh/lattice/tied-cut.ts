/**
 * Cut tetrahedra that are their own mirror images. No diagonal of a quadrilateral a b B A is its own image if
 * the mirror swaps a and b, so any choice would break the symmetry of the mesh. Such a quadrilateral gets a
 * vertex in its middle instead and falls into four triangles. From that vertex the piece falls into a
 * tetrahedron for each triangle of its boundary on other sides.
 *
 *        a ------- b
 *        | \     / |      Both tets at the face see the same tie, and find the same middle by its four corners.
 *        |   (m)   |
 *        | /     \ |
 *        A ------- B
 *
 * Rare: only on the middle planes of the lattice.
 */
import { NONE } from '../../core/types.ts';
import type { MeshBuilder } from './builder.ts';
import { SHAPE_SURFACE } from './lattice.ts';

/** Adds the middles of quadrilaterals to a mesh, each once, and the pieces around them. */
export class TiedCuts {
  private readonly middles = new Map<string, number>();
  /** Three vertices per boundary triangle of the piece being built. */
  private readonly boundary: number[] = [];
  /** The middle that the piece's tetrahedra start from, and its rank. */
  private apex = NONE;
  private apexRank = Number.NEGATIVE_INFINITY;

  constructor(private readonly builder: MeshBuilder) {}

  begin(): void {
    this.boundary.length = 0;
    this.apex = NONE;
    this.apexRank = Number.NEGATIVE_INFINITY;
  }

  addTriangle(a: number, b: number, c: number): void {
    this.boundary.push(a, b, c);
  }

  /** The quadrilateral a b c d, in order around it, with the diagonal a-c. */
  addSplit(a: number, b: number, c: number, d: number): void {
    this.boundary.push(a, b, c, a, c, d);
  }

  /**
   * The same with a vertex in its middle. Of several, the piece's tetrahedra start from the one of the
   * highest rank.
   */
  addQuartered(corner: readonly [number, number, number, number], rank: number): void {
    const [a, b, c, d] = corner;
    const m = this.findMiddle(a, b, c, d);
    this.boundary.push(a, b, m, b, c, m, c, d, m, d, a, m);
    if (this.apex !== NONE && rank <= this.apexRank) return;
    this.apex = m;
    this.apexRank = rank;
  }

  /** Emits the piece: a tetrahedron from its apex to each triangle of its boundary beyond. */
  end(): void {
    const { boundary, builder, apex } = this;
    for (let n = 0; n < boundary.length; n += 3) {
      const [a, b, c] = [boundary[n], boundary[n + 1], boundary[n + 2]];
      if (a === apex || b === apex || c === apex) continue;
      if (this.isRightHanded(apex, a, b, c)) builder.addTet(apex, a, b, c, SHAPE_SURFACE, 0);
      else builder.addTet(apex, a, c, b, SHAPE_SURFACE, 0);
    }
  }

  private findMiddle(a: number, b: number, c: number, d: number): number {
    const ids = [a, b, c, d].sort((x, y) => x - y);
    // All four corners: quadrilaterals of neighbouring faces may share two of them.
    const key = ids.join();
    const known = this.middles.get(key);
    if (known !== undefined) return known;
    const { onVessel } = this.builder.view();
    const m = this.addAverage(ids, onVessel[a] & onVessel[b] & onVessel[c] & onVessel[d]);
    this.middles.set(key, m);
    return m;
  }

  private addAverage(vertices: readonly number[], onSurface: number): number {
    const { position } = this.builder.view();
    const sum = [0, 0, 0];
    for (const v of vertices) for (let a = 0; a < 3; a++) sum[a] += position[3 * v + a];
    const n = vertices.length;
    return this.builder.addVertex(sum[0] / n, sum[1] / n, sum[2] / n, onSurface);
  }

  private isRightHanded(o: number, a: number, b: number, c: number): boolean {
    const { position: p } = this.builder.view();
    const e = [a, b, c].map((v) => [0, 1, 2].map((i) => p[3 * v + i] - p[3 * o + i]));
    const [u, v, w] = e;
    return (
      u[0] * (v[1] * w[2] - v[2] * w[1]) +
        u[1] * (v[2] * w[0] - v[0] * w[2]) +
        u[2] * (v[0] * w[1] - v[1] * w[0]) >
      0
    );
  }
}
