/** Typical sizes of a problem, by which its equations are scaled. */
import type { ViscousDomain } from './domain.ts';
import type { ViscousProblem } from './problem.ts';
import { TetShape } from './tet-shape.ts';

export interface Scales {
  /**
   * Pa for each m/s: mu / h + rho h / dt, on average over the liquid's volume; h the edge of a cube of six
   * tets
   */
  readonly pressure: number;
  /**
   * nu dt / (extent of the mesh)^2: above 1 the whole of the liquid is viscous, and inertia is next to
   * nothing
   */
  readonly reach: number;
}

const TETS_OF_A_CUBE = 6;

export function measureScales(
  { mesh, activeTet, rowToVertex }: ViscousDomain,
  { viscosity, density, dt }: ViscousProblem,
): Scales {
  const shape = new TetShape();
  let volume = 0;
  let pressure = 0;
  let mu = 0;
  let rho = 0;
  for (const t of activeTet) {
    shape.set(mesh.position, mesh.tet, t);
    const h = Math.cbrt(TETS_OF_A_CUBE * shape.volume);
    volume += shape.volume;
    pressure += shape.volume * (viscosity[t] / h + (density[t] * h) / dt);
    mu += shape.volume * viscosity[t];
    rho += shape.volume * density[t];
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const v of rowToVertex)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], mesh.position[3 * v + k]);
      high[k] = Math.max(high[k], mesh.position[3 * v + k]);
    }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  return {
    pressure: volume > 0 && pressure > 0 ? pressure / volume : 1,
    reach: (mu * dt) / (rho * extent * extent),
  };
}
