/** A mesh with its connectivity and geometry. */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { buildTopology } from '../../mesh/topology.ts';
import type { Embedding } from './embedded.ts';
import { buildFaceGeometry, type FaceGeometry } from './face-geometry.ts';

export interface MeshParts {
  readonly mesh: StuffedMesh;
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
  /** Absent where the mesh follows the liquid. */
  readonly embedding?: Embedding & {
    /** (vertexCount) level at the wall beside a vertex in it, else at the vertex, m */
    readonly wallLevel: Float64Array;
  };
}

export function buildMeshParts(
  { threads }: { readonly threads: Threads },
  mesh: StuffedMesh,
  scope: HeapScope,
): MeshParts {
  const topology = buildTopology(mesh, scope);
  return { mesh, topology, geometry: buildFaceGeometry(mesh, topology, threads, scope) };
}
