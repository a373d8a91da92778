/**
 * The liquid that a stuffed mesh leaves out where the surface meets a wall. Tets too flat are not there, and
 * the mesh is open on a vertex of the wall below the contact line. Without the weight of the wedge above it a
 * pool at rest is out of balance there. Its hydrostatic pressure pushes on such faces instead of none:
 *     p = -rho g . n d,      d: how deep the vertex is below the surface, n: the surface's normal there,
 * linear over the face. A pool with a plane surface is then in balance to rounding.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Vec3 } from '../../core/types.ts';
import { ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';

/** Contouring cells within which the surface is looked for. */
const RINGS = 3;

/** (vertexCount x 3) N; `isFree`: (faceCount) 1 on faces that turn to the air. */
export function weighWedges(
  { mesh: { position, vertexCount, vertexOnSurface }, topology, geometry }: MeshParts,
  isFree: Uint8Array,
  index: SurfaceIndex,
  { density, gravity: [gx, gy, gz] }: { readonly density: number; readonly gravity: Vec3 },
  scope: HeapScope,
): Float64Array {
  const { faceCount, faceVertex } = topology;
  const { form, faceForm } = geometry;
  const force = scope.f64(3 * vertexCount);
  const surface = new SurfaceDistance(index);
  const known = new Map<number, number>();
  const pressureAt = (v: number): number => {
    if (vertexOnSurface[v] !== ON_VESSEL) return 0;
    const found = known.get(v);
    if (found !== undefined) return found;
    const depth = surface.signedDistance(position[3 * v], position[3 * v + 1], position[3 * v + 2], RINGS);
    const pull = -(gx * surface.normalX + gy * surface.normalY + gz * surface.normalZ);
    const pressure = surface.found ? Math.max(0, density * pull * depth) : 0;
    known.set(v, pressure);
    return pressure;
  };
  for (let f = 0; f < faceCount; f++) {
    if (isFree[f] === 0) continue;
    const corner = [faceVertex[3 * f], faceVertex[3 * f + 1], faceVertex[3 * f + 2]];
    const pressure = corner.map(pressureAt);
    const sum = pressure[0] + pressure[1] + pressure[2];
    if (sum === 0) continue;
    for (let i = 0; i < 3; i++)
      for (let a = 0; a < 3; a++)
        force[3 * corner[i] + a] -= ((sum + pressure[i]) / 12) * form[faceForm[f] + a];
  }
  return force;
}
