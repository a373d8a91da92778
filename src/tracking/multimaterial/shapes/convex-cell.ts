/**
 * A box cut by planes: the cell of one seed. Corners are named by the three planes they lie on, so that cells
 * which share a corner agree on its name whatever rounding does to its place. Cutting keeps the polytope
 * simple (three faces at each corner). Cost of a cut: linear in the corners.
 */
import { NONE } from '../../../core/types.ts';
import { BOX_FACES } from '../../../geometry/solids.ts';

export interface Corner {
  readonly x: readonly [number, number, number];
  /** Names of its planes. */
  readonly planes: readonly [number, number, number];
}

export interface CellFace {
  readonly plane: number;
  /** Corners, counter-clockwise seen from outside. */
  loop: number[];
}

export class ConvexCell {
  readonly corner: Corner[] = [];
  faces: CellFace[] = [];

  /** The box; its walls are named wall + 0 (low x), + 1 (high x), + 2 (low y), ... */
  constructor(min: readonly number[], max: readonly number[], wall: number) {
    for (let n = 0; n < 8; n++) {
      const bit = [n & 1, (n >> 1) & 1, n >> 2];
      const x = bit.map((b, k) => (b ? max[k] : min[k])) as [number, number, number];
      const planes = bit.map((b, k) => wall + 2 * k + b) as [number, number, number];
      this.corner.push({ x, planes });
    }
    this.faces = BOX_FACES.map((loop, n) => ({ plane: wall + n, loop: [...loop] }));
  }

  /** Corners still in use lie within this distance of a point. */
  measureReach(x: readonly number[]): number {
    let reach = 0;
    for (const { loop } of this.faces)
      for (const v of loop) reach = Math.max(reach, Math.hypot(...this.corner[v].x.map((y, k) => y - x[k])));
    return reach;
  }

  /** Keeps the side n . x <= d of a plane. */
  cut(plane: number, n: readonly number[], d: number): void {
    const height = this.corner.map(({ x }) => n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - d);
    if (!this.faces.some(({ loop }) => loop.some((v) => height[v] > 0))) return;
    const made = new Map<number, number>();
    /** Around the new face: the corner after each. */
    const after = new Map<number, number>();
    const kept: CellFace[] = [];
    for (const face of this.faces) {
      const loop: number[] = [];
      let leaving = NONE;
      let entering = NONE;
      for (let i = 0; i < face.loop.length; i++) {
        const [v, w] = [face.loop[i], face.loop[(i + 1) % face.loop.length]];
        if (height[v] <= 0) loop.push(v);
        if (height[v] <= 0 && height[w] > 0) {
          leaving = this.makeCorner(v, w, height, plane, made);
          loop.push(leaving);
        } else if (height[v] > 0 && height[w] <= 0) {
          entering = this.makeCorner(w, v, height, plane, made);
          loop.push(entering);
        }
      }
      if (leaving !== NONE) after.set(entering, leaving);
      if (loop.length > 0) kept.push({ plane: face.plane, loop });
    }
    const start = made.values().next().value;
    if (start !== undefined) {
      const loop = [start];
      for (let v = after.get(start); v !== undefined && v !== start; v = after.get(v)) loop.push(v);
      kept.push({ plane, loop });
    }
    this.faces = kept;
  }

  /** The new corner on the edge from a kept corner to one that is cut off. */
  private makeCorner(
    keep: number,
    gone: number,
    height: readonly number[],
    plane: number,
    made: Map<number, number>,
  ): number {
    const key = keep * 65536 + gone;
    const known = made.get(key);
    if (known !== undefined) return known;
    const [a, b] = [this.corner[keep], this.corner[gone]];
    const s = height[keep] / (height[keep] - height[gone]);
    const x = a.x.map((y, k) => y + s * (b.x[k] - y)) as [number, number, number];
    const shared = a.planes.filter((p) => b.planes.includes(p));
    const v = this.corner.push({ x, planes: [shared[0], shared[1], plane] }) - 1;
    made.set(key, v);
    return v;
  }
}
