/** The referee of geometry: exact self-intersections over a hierarchy, sharing no code with the tracker. */
import { buildBvh } from '../../../src/geometry/bvh.ts';
import {
  findFlatTriangles,
  findSelfIntersection,
  type SelfIntersection,
} from '../../../src/geometry/self-intersection.ts';
import { buildTriangleEdges } from '../../../src/geometry/triangles.ts';
import { extractTriangles } from '../../../src/tracking/multimaterial/build.ts';
import type { MultiMesh } from '../../../src/tracking/multimaterial/mesh.ts';

export function findIntersection(mesh: MultiMesh): SelfIntersection | undefined {
  const { position, triangle } = extractTriangles(mesh);
  const triangles = {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position,
    triangle,
  };
  if (triangles.triangleCount === 0) return undefined;
  const isFlat = findFlatTriangles(triangles);
  return findSelfIntersection(triangles, buildTriangleEdges(triangles), buildBvh(triangles), isFlat);
}
