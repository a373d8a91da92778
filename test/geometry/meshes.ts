/** Small meshes and a seeded random stream for the geometry and io tests. */
import bunny from 'bunny';
import { SOLIDS } from '../../src/geometry/solids.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';

export function toMesh(position: readonly number[], triangle: readonly number[]): TriMesh {
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}

export function bunnyMesh(): TriMesh {
  return toMesh(bunny.positions.flat(), bunny.cells.flat());
}

/** Unit-edge cube [0, 1]^3, optionally moved and scaled. */
export function cubeMesh(at = [0, 0, 0], size = 1): TriMesh {
  const position: number[] = [];
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) position.push(at[k] + size * ((i >> k) & 1));
  return toMesh(
    position,
    SOLIDS.cube.face.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
}

/** Tetrahedron with corners at the origin and the unit points. */
export function tetrahedronMesh(): TriMesh {
  return toMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
}

/** Two meshes as one, without welding. */
export function joinMeshes(a: TriMesh, b: TriMesh): TriMesh {
  return toMesh(
    [...a.position, ...b.position],
    [...a.triangle, ...Array.from(b.triangle, (v) => v + a.vertexCount)],
  );
}

export function flipMesh(mesh: TriMesh): TriMesh {
  const triangle = mesh.triangle.slice();
  for (let h = 0; h < triangle.length; h += 3) {
    [triangle[h + 1], triangle[h + 2]] = [triangle[h + 2], triangle[h + 1]];
  }
  return { ...mesh, triangle };
}

export function mapMesh(mesh: TriMesh, scale: number, by: readonly number[]): TriMesh {
  return { ...mesh, position: mesh.position.map((x, i) => scale * x + by[i % 3]) };
}

/** Seeded uniform numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let x = state ^ (state >>> 16);
    x = Math.imul(x, 0x45d9f3b);
    return ((x ^ (x >>> 15)) >>> 0) / 4294967296;
  };
}

/** Loose triangles of the given size in a unit cube, scaled and moved. */
export function randomTriangles(
  count: number,
  size: number,
  scale: number,
  by: number,
  seed: number,
): TriMesh {
  const random = createRandom(seed);
  const position: number[] = [];
  for (let t = 0; t < count; t++) {
    const centre = [random(), random(), random()];
    for (let i = 0; i < 9; i++) position.push(by + scale * (centre[i % 3] + size * (random() - 0.5)));
  }
  return toMesh(
    position,
    Array.from({ length: 3 * count }, (_, i) => i),
  );
}
