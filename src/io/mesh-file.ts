/** What every triangle mesh reader returns and how it collects polygons. */
import { InputError } from '../core/errors.ts';
import { LIMITS, refuseBeyond } from '../core/limits.ts';
import type { Field, SurfacePart } from '../mesh/fields.ts';
import type { TriMesh } from '../mesh/trimesh.ts';

/** A mesh with what else the file said of its vertices and faces (of the triangles its polygons became). */
export interface MeshFile extends TriMesh {
  readonly attributes: Record<string, Field>;
  readonly faceAttributes: Record<string, Field>;
  /** Surfaces that it consists of, where the file names them. */
  readonly parts?: readonly SurfacePart[];
}

/** Numbers appended one at a time without boxing. */
export class F64List {
  private values = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const grown = new Float64Array(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length++] = value;
  }

  toF64(): Float64Array {
    return this.values.slice(0, this.length);
  }

  toI32(): Int32Array {
    return new Int32Array(this.values.subarray(0, this.length));
  }
}

/**
 * Splits the polygon corner[begin, end) into triangles, appended to `out`; returns how many.
 * Triangles and quads and larger convex polygons fan from the first corner; a concave polygon is clipped ear
 * by ear in the plane of its area vector, so that its triangles stay inside it.
 */
export function addPolygon(position: Float64Array, corner: number[], out: F64List): number {
  const n = corner.length;
  if (n === 3) {
    for (let i = 0; i < 3; i++) out.push(corner[i]);
    return 1;
  }
  const turns = new PolygonTurns(position, corner);
  const ring = corner.slice();
  while (ring.length > 3) {
    let ear = ring.findIndex((_, i) => turns.isEar(ring, i));
    // A self-touching or flat polygon may have no proper ear: cutting any corner keeps the boundary the same.
    if (ear < 0) ear = 1;
    const m = ring.length;
    out.push(ring[(ear + m - 1) % m]);
    out.push(ring[ear]);
    out.push(ring[(ear + 1) % m]);
    ring.splice(ear, 1);
  }
  for (const v of ring) out.push(v);
  return n - 2;
}

/** Signed turns of a polygon's corners, projected along its area vector's largest component. */
class PolygonTurns {
  private readonly u: number;
  private readonly v: number;
  private readonly sign: number;

  constructor(
    private readonly position: Float64Array,
    corner: number[],
  ) {
    const area = [0, 0, 0];
    for (let i = 0; i < corner.length; i++) {
      const a = 3 * corner[i];
      const b = 3 * corner[(i + 1) % corner.length];
      for (let k = 0; k < 3; k++) {
        const u = (k + 1) % 3;
        const v = (k + 2) % 3;
        const o = 3 * corner[0];
        area[k] +=
          (position[a + u] - position[o + u]) * (position[b + v] - position[o + v]) -
          (position[a + v] - position[o + v]) * (position[b + u] - position[o + u]);
      }
    }
    const size = area.map(Math.abs);
    const drop = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
    this.u = (drop + 1) % 3;
    this.v = (drop + 2) % 3;
    this.sign = area[drop] < 0 ? -1 : 1;
  }

  private turn(a: number, b: number, c: number): number {
    const { position, u, v } = this;
    const bu = position[3 * b + u] - position[3 * a + u];
    const bv = position[3 * b + v] - position[3 * a + v];
    const cu = position[3 * c + u] - position[3 * a + u];
    const cv = position[3 * c + v] - position[3 * a + v];
    return this.sign * (bu * cv - bv * cu);
  }

  /** Is corner i convex, with no other corner inside the triangle it would cut off? */
  isEar(ring: number[], i: number): boolean {
    const m = ring.length;
    const a = ring[(i + m - 1) % m];
    const b = ring[i];
    const c = ring[(i + 1) % m];
    if (!(this.turn(a, b, c) > 0)) return false;
    for (const p of ring) {
      if (p === a || p === b || p === c) continue;
      if (this.turn(a, b, p) >= 0 && this.turn(b, c, p) >= 0 && this.turn(c, a, p) >= 0) return false;
    }
    return true;
  }
}

/** Refuses a polygon with more corners than can be cut into triangles in good time. */
export function checkCorners(where: string, count: number): void {
  refuseBeyond(
    LIMITS.polygonCorners,
    count,
    where,
    (n, most) => `a polygon of ${n} corners, more than ${most}`,
    'cut it into triangles in a modelling program',
  );
}

/** Refuses a vertex id outside the mesh. */
export function checkVertexId(where: string, id: number, vertexCount: number, face: number): void {
  if (Number.isInteger(id) && id >= 0 && id < vertexCount) return;
  throw new InputError(
    where,
    `face ${face} refers to vertex ${id} of ${vertexCount} (counted from 0)`,
    'write the file anew: it is damaged',
  );
}
