/**
 * A push by a person: the pressure of a fingertip for a moment, rho (d phi) = -P, with the width of a part of
 * the body and the speed of its own waves. Momentum comes with it, as from any finger.
 */
import type { Poke } from '../method.ts';
import { buildBody, findBodies } from './liquid/body.ts';
import type { SurfaceModel } from './model.ts';
import type { SurfaceState } from './state.ts';

/** Width of the push, in radii of the ball of the body's volume. */
const WIDTH = 0.5;
/** Its depth, in products of that radius and the speed sqrt(sigma / (rho R)). */
const DEPTH = 0.5;

/** Changes the potential; returns the fastest velocity to be expected, m/s. */
export function poke(
  { heap, constants: { tension, density } }: SurfaceModel,
  { tracker: { mesh }, values, maxSpeed }: SurfaceState,
  { face, point }: Poke,
): number {
  const bodies = findBodies(mesh);
  const b = bodies.ofVertex[mesh.face[3 * face]];
  if (b < 0) return maxSpeed;
  const radius = Math.cbrt((3 * bodies.volume[b]) / (4 * Math.PI));
  const depth = DEPTH * Math.sqrt((tension * radius) / density);
  const scope = heap.scope('surface poke');
  try {
    const { vertexId, position: p } = buildBody(mesh, bodies.faces[b], scope);
    const nearest = findNearest(p, point);
    vertexId.forEach((id, v) => {
      let square = 0;
      for (let k = 0; k < 3; k++) square += (p[3 * v + k] - p[3 * nearest + k]) ** 2;
      values.potential.data[id] -= depth * Math.exp(-square / (WIDTH * radius) ** 2);
    });
    return Math.max(maxSpeed, (2 * depth) / (WIDTH * radius));
  } finally {
    scope.free();
  }
}

/** The vertex nearest to a point: where the person saw the surface may be some steps old. */
function findNearest(p: Float64Array, point: readonly number[]): number {
  let best = 0;
  let least = Infinity;
  for (let v = 0; 3 * v < p.length; v++) {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (p[3 * v + k] - point[k]) ** 2;
    if (square >= least) continue;
    least = square;
    best = v;
  }
  return best;
}
