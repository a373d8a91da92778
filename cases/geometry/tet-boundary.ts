import type { TetMesh } from '../../src/mesh/tetmesh.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';

/** The faces that only one tet has, on vertices numbered anew. */
export function buildBoundary(mesh: TetMesh): TriMesh {
  const faces = new Map<string, number[]>();
  for (let t = 0; t < mesh.tetCount; t++) {
    const [a, b, c, d] = mesh.tet.subarray(4 * t, 4 * t + 4);
    for (const face of [
      [b, c, d],
      [a, d, c],
      [a, b, d],
      [a, c, b],
    ]) {
      const key = [...face].sort((p, q) => p - q).join(' ');
      if (faces.has(key)) faces.delete(key);
      else faces.set(key, face);
    }
  }
  const oldToNew = new Map<number, number>();
  const position: number[] = [];
  const triangle: number[] = [];
  for (const face of faces.values()) {
    for (const old of face) {
      if (!oldToNew.has(old)) {
        oldToNew.set(old, oldToNew.size);
        position.push(...mesh.position.subarray(3 * old, 3 * old + 3));
      }
      triangle.push(oldToNew.get(old)!);
    }
  }
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}
