import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';

/** m; of all edges of the mesh. */
export function computeMeanEdge(mesh: MultiMesh): number {
  let sum = 0;
  for (let e = 0; e < mesh.edgeFill; e++) {
    const [a, b] = [3 * mesh.edgeVertex[2 * e], 3 * mesh.edgeVertex[2 * e + 1]];
    sum += Math.hypot(...[0, 1, 2].map((k) => mesh.position[a + k] - mesh.position[b + k]));
  }
  return sum / mesh.edgeCount;
}
