import type { Field, SurfaceFrame } from '../../src/mesh/fields.ts';
import type { TetMesh } from '../../src/mesh/tetmesh.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

/** A frame with one field of each kind on the mesh. */
export function makeFrame(mesh: TriMesh): SurfaceFrame {
  const velocity: Field = {
    components: 3,
    unit: 'm/s',
    values: Float64Array.from({ length: 3 * mesh.vertexCount }, (_, i) => Math.sin(i)),
  };
  const age: Field = {
    components: 1,
    unit: 's',
    values: Float32Array.from({ length: mesh.vertexCount }, (_, i) => i / 8),
  };
  const region: Field = {
    components: 1,
    unit: '',
    values: Int32Array.from({ length: mesh.triangleCount }, (_, i) => i - 2),
  };
  return { mesh, vertexFields: { velocity, age }, faceFields: { region } };
}

/** Two tetrahedra on a common face. */
export function twoTets(): TetMesh {
  return {
    vertexCount: 5,
    tetCount: 2,
    position: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1.1, 1 / 3, 1]),
    tet: Int32Array.from([0, 1, 2, 3, 1, 4, 2, 3]),
  };
}

export function maxDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = a.length === b.length ? 0 : Infinity;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}
