/**
 * What stands for the pressure's Schur complement in the preconditioner (Cahouet and Chabard 1988): a
 * pressure that varies over a length L sees 1 / (rho/(dt k^2) + mu), k = 1/L, so its inverse is the sum of
 * two,
 *     mu / mass    where viscosity rules, and    (rho/dt) / Laplacian    where inertia does.
 * The Laplacian has natural walls. At free surfaces its diagonal gains |n_a|^2 dt / M_a, n_a the part of the
 * surface's normal at vertex a that can move: with it a constant pressure has about the energy it has in the
 * Schur complement itself, and next to none in a closed vessel.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { createMultigrid } from '../../linalg/multigrid/multigrid.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import { TetShape } from './tet-shape.ts';

const GRAIN = 1024;
/** Share of rho h^2 / dt that counts as viscosity: the shortest waves' part of the Laplacian. */
const SHORTEST_WAVE = 0.05;
/** Part of the diagonal that keeps the Laplacian of a closed vessel definite. */
const DEFINITE = 1e-7;

const schurTask = defineTask(
  'flow/gather-schur-rows',
  {
    ...{ position: 'f64', tet: 'i32', activeTet: 'i32', slotStart: 'i32', rowToSlot: 'i32' },
    ...{ elementToEntry: 'i32', rowStart: 'i32', diagonal: 'i32', liquid: 'f64' },
    ...{ viscosity: 'f64', density: 'f64', coupling: 'f64' },
    ...{ perTime: 'number', pressureScale: 'number' },
    ...{ outLaplacian: 'f64', outMass: 'f64' },
  },
  (begin, end, values) => {
    const { position, tet, activeTet, slotStart, rowToSlot, elementToEntry, rowStart, diagonal } = values;
    const { liquid, viscosity, density, coupling, perTime, pressureScale, outLaplacian, outMass } = values;
    const shape = new TetShape();
    const { g } = shape;
    const hasShares = liquid.length > 0;
    const square = pressureScale * pressureScale;
    for (let i = begin; i < end; i++) {
      let mass = 0;
      let inertia = 0;
      for (let s = slotStart[i]; s < slotStart[i + 1]; s++) {
        const slot = rowToSlot[s];
        const a = slot & 3;
        const t = activeTet[slot >> 2];
        shape.set(position, tet, t);
        const { volume } = shape;
        const share = hasShares ? liquid[4 * t + a] : 0.25;
        const wave = SHORTEST_WAVE * density[t] * perTime * Math.cbrt(volume) ** 2;
        mass += (volume * share) / (viscosity[t] + wave);
        if (perTime === 0) continue;
        const fraction = hasShares
          ? liquid[4 * t] + liquid[4 * t + 1] + liquid[4 * t + 2] + liquid[4 * t + 3]
          : 1;
        inertia += 0.25 * density[t] * perTime * volume * fraction;
        const stiffness = (square * fraction * volume) / (density[t] * perTime);
        for (let c = 0; c < 4; c++)
          outLaplacian[elementToEntry[4 * slot + c]] +=
            stiffness * (g[3 * a] * g[3 * c] + g[3 * a + 1] * g[3 * c + 1] + g[3 * a + 2] * g[3 * c + 2]);
      }
      const d = diagonal[i];
      // Where the surface cuts tets, a vertex outside has little volume, and the bubbles' part is most of its
      // own.
      outMass[i] = square * mass - coupling[7 * d + 6];
      if (perTime === 0) continue;
      // The sum of a row of G is the surface's normal, as far as the vertex can move.
      let nx = 0;
      let ny = 0;
      let nz = 0;
      for (let e = rowStart[i]; e < rowStart[i + 1]; e++) {
        nx += coupling[7 * e];
        ny += coupling[7 * e + 1];
        nz += coupling[7 * e + 2];
      }
      outLaplacian[d] += (nx * nx + ny * ny + nz * nz) / inertia + DEFINITE * outLaplacian[d];
    }
  },
);

export interface SchurInput {
  readonly liquid: Float64Array;
  readonly viscosity: Float64Array;
  readonly density: Float64Array;
  readonly dt: number;
  readonly pressureScale: number;
}

const divideTask = defineTask(
  'flow/divide-by-mass',
  { mass: 'f64', r: 'f64', z: 'f64' },
  (begin, end, { mass, r, z }) => {
    let dot = 0;
    for (let i = begin; i < end; i++) {
      z[i] += r[i] / mass[i];
      dot += z[i] * r[i];
    }
    return dot;
  },
);

/** The inverse, for pressures in the equations' own units. `isInertial`: with the Laplacian. */
export function createSchur(
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
  domain: ViscousDomain,
  { coupling }: Equations,
  { liquid, viscosity, density, dt, pressureScale }: SchurInput,
  isInertial: boolean,
): Preconditioner {
  const { mesh, activeTet, assembly, pattern } = domain;
  const { rowCount, rowStart, column, diagonal } = pattern;
  const laplacian = scope.f64(isInertial ? column.length : 0);
  const mass = scope.f64(rowCount);
  threads.run(schurTask, rowCount, GRAIN, {
    ...{ position: mesh.position, tet: mesh.tet, activeTet, liquid, viscosity, density, coupling },
    ...{ slotStart: assembly.slotStart, rowToSlot: assembly.rowToSlot },
    ...{ elementToEntry: assembly.elementToEntry, rowStart, diagonal },
    ...{ perTime: isInertial ? 1 / dt : 0, pressureScale, outLaplacian: laplacian, outMass: mass },
  });
  const matrix = { rowCount, rowStart, column, diagonal, value: laplacian };
  const multigrid = isInertial
    ? createMultigrid(threads, scope, matrix, { coarsening: 'aggregation', sweeps: 1 }, setUp)
    : undefined;
  return {
    name: 'pressure Schur complement',
    apply(r, z) {
      if (multigrid) multigrid.apply(r, z);
      else z.fill(0);
      return threads.sum(divideTask, rowCount, 8 * GRAIN, { mass, r, z });
    },
  };
}
