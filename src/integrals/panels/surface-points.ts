/**
 * A surface of triangles as panels made ready, and the points where layer potentials are wanted on it. With a
 * closed surface the double layer of a constant density is known: -Theta / (4 pi) at a point from which the
 * liquid is seen under the solid angle Theta ([da-2017] eq. (23.12)), so -1/2 on faces.
 */
import { InputError } from '../../core/errors.ts';
import type { F64View, I32View, Vec3 } from '../../core/types.ts';
import { buildTriangleEdges, runsUpward } from '../../geometry/triangles.ts';
import { setNormal } from '../../math/triangle.ts';
import { cross, dot, subtract } from '../../math/vectors.ts';

/** Triangles, counter-clockwise seen from outside. */
export interface PanelSurface {
  /** (vertexCount x 3) m */
  readonly position: F64View;
  /** (triangleCount x 3) vertex ids */
  readonly triangle: I32View;
}

/** Where potentials are wanted. */
export interface PanelTargets {
  /** (n x 3) m */
  readonly position: F64View;
  /** (n x 3) unit normals, for the adjoint double layer */
  readonly normal?: F64View;
  /** What target n is of the surface: vertex n, the middle of face n, or no part of it. */
  readonly on: 'vertices' | 'faces' | 'points';
  /** (n) double layer of the density 1, where it is known: operators keep to it. */
  readonly unitSum?: F64View;
}

/**
 * The vertices of a surface as targets; `isClosed` says that it is closed, and gives the double layer of 1 by
 * solid angles.
 */
export function buildVertexTargets(surface: PanelSurface, isClosed: boolean): PanelTargets {
  const { position } = surface;
  if (!isClosed) return { position, on: 'vertices' };
  const unitSum = computeVertexAngles(surface).map((angle) => -angle / (4 * Math.PI));
  return { position, on: 'vertices', unitSum };
}

/** The middles of the faces as targets, with their normals. */
export function buildMiddleTargets({ position, triangle }: PanelSurface, isClosed: boolean): PanelTargets {
  const middle = new Float64Array(triangle.length);
  const normal = new Float64Array(triangle.length);
  const n = new Float64Array(3);
  for (let t = 0; t < triangle.length; t += 3) {
    const [a, b, c] = [3 * triangle[t], 3 * triangle[t + 1], 3 * triangle[t + 2]];
    setNormal(position, a, b, c, n);
    const length = Math.hypot(n[0], n[1], n[2]);
    for (let k = 0; k < 3; k++) {
      middle[t + k] = (position[a + k] + position[b + k] + position[c + k]) / 3;
      normal[t + k] = length > 0 ? n[k] / length : 0;
    }
  }
  const targets = { position: middle, normal, on: 'faces' } as const;
  return isClosed ? { ...targets, unitSum: new Float64Array(triangle.length / 3).fill(-0.5) } : targets;
}

/**
 * Solid angle of the inside at each vertex of a closed surface: its dihedral angles, less pi for each, plus 2
 * pi for each fan of faces (Girard's theorem on the unit sphere).
 */
export function computeVertexAngles({ position, triangle }: PanelSurface): Float64Array {
  const vertexCount = position.length / 3;
  const mesh = {
    vertexCount,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
  const edges = buildTriangleEdges(mesh);
  const angle = new Float64Array(vertexCount);
  // Corners of a vertex are joined across its edges: what remains apart are its fans.
  const parent = Int32Array.from(triangle, (_, h) => h);
  const findRoot = (h: number): number => {
    let root = h;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  };
  const cornerOf = (h: number, v: number) =>
    [0, 1, 2].map((i) => 3 * Math.floor(h / 3) + i).find((c) => triangle[c] === v)!;
  for (let e = 0; e < edges.edgeCount; e++) {
    const first = edges.edgeStart[e];
    const [h, g] = [edges.edgeHalfEdge[first], edges.edgeHalfEdge[first + 1]];
    if (edges.edgeStart[e + 1] - first !== 2 || runsUpward(mesh.triangle, h) === runsUpward(mesh.triangle, g))
      throw new InputError(
        'panels',
        `the edge of vertices ${edges.edgeVertex[2 * e]} and ${edges.edgeVertex[2 * e + 1]} does not have two faces of one orientation`,
        'pass a closed surface, or say that it is not closed',
      );
    const dihedral = Math.PI - computeBend(mesh.position, mesh.triangle, h, g);
    for (const v of [edges.edgeVertex[2 * e], edges.edgeVertex[2 * e + 1]]) {
      angle[v] += dihedral - Math.PI;
      parent[findRoot(cornerOf(h, v))] = findRoot(cornerOf(g, v));
    }
  }
  for (let h = 0; h < triangle.length; h++) if (parent[h] === h) angle[triangle[h]] += 2 * Math.PI;
  return angle;
}

/**
 * Angle by which the normal turns across the edge from the face of half-edge h to that of g: positive where
 * it is convex.
 */
function computeBend(position: Float64Array, triangle: Int32Array, h: number, g: number): number {
  const n = readNormal(position, triangle, Math.floor(h / 3));
  const m = readNormal(position, triangle, Math.floor(g / 3));
  const d = subtract(
    readPoint(position, triangle[h % 3 === 2 ? h - 2 : h + 1]),
    readPoint(position, triangle[h]),
  );
  return Math.atan2(dot(cross(n, m), d) / Math.hypot(...d), dot(n, m));
}

const readPoint = (position: Float64Array, v: number): Vec3 => [
  position[3 * v],
  position[3 * v + 1],
  position[3 * v + 2],
];

function readNormal(position: Float64Array, triangle: Int32Array, t: number): Vec3 {
  const n: [number, number, number] = [0, 0, 0];
  setNormal(position, 3 * triangle[3 * t], 3 * triangle[3 * t + 1], 3 * triangle[3 * t + 2], n);
  return n;
}
