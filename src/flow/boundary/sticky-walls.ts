/** Walls that the liquid sticks to. */
import { ON_VESSEL, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import type { Surroundings } from './surroundings.ts';

/** Where walls are sticky the liquid's vertices on them move with them ("no-slip"); elsewhere they slide. */
export function stickToWalls(surroundings: Surroundings, mesh: StuffedMesh, outVelocity: Float64Array): void {
  const { position, vertexOnSurface } = mesh;
  const velocity = new Float64Array(3);
  for (let v = 0; v < mesh.vertexCount; v++) {
    if ((vertexOnSurface[v] & ON_VESSEL) === 0) continue;
    const x = position[3 * v];
    const y = position[3 * v + 1];
    const z = position[3 * v + 2];
    const solid = surroundings.findSolid(x, y, z);
    if (!surroundings.sticks(solid)) continue;
    surroundings.velocityAt(solid, x, y, z, velocity);
    outVelocity.set(velocity, 3 * v);
  }
}
