/**
 * Poisson's equation in a ball on a background mesh that does not follow it, with cells that change size
 * along its surface. The velocity given is the gradient of a known potential with p = 0 on the sphere; the
 * pressure solve must find the potential, and take the velocity away.
 */
import type { HeapScope } from '../../src/core/heap.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { NONE } from '../../src/core/types.ts';
import {
  buildNodalSystem,
  computeWeakDivergence,
  type NodalSystem,
  solveNodal,
  subtractNodalGradient,
} from '../../src/flow/nodal/pressure.ts';
import { type BackgroundMesh, buildBackground } from '../../src/mesh/background/mesh.ts';
import { buildOctree } from '../../src/mesh/octree/sizing.ts';

export const RADIUS = 0.37;
const CENTRE = [0.503, 0.497, 0.511] as const;

/** Where cells double, m along y: planes through the ball. */
const CHANGES = [0.3, 0.6];

/**
 * Cells 1 / cells wide at low y, twice and four times as wide beyond two planes through the ball; with no
 * levels all are equal.
 */
export function buildGradedMesh(scope: HeapScope, cells: number, levels: number): BackgroundMesh {
  const size = 1 / cells;
  const roots = Math.max(1, cells >> levels);
  const box = { origin: [0, 0, 0] as const, size, roots: [roots, roots, roots] as const, maxLevel: levels };
  const sizing = {
    leastIn(cube: Float64Array, count: number, outSize: Float64Array) {
      for (let n = 0; n < count; n++) {
        const low = cube[4 * n + 1] - cube[4 * n + 3];
        outSize[n] = size * 2 ** CHANGES.filter((y) => low > y - 1e-9).length;
      }
    },
  };
  return buildBackground(buildOctree(box, { sizing }, scope), scope);
}

/** (R^2 - r^2) (1 + 0.7 x + 0.4 y z), and its gradient into out. */
export function potentialAt(x: number, y: number, z: number, out?: Float64Array): number {
  const dx = x - CENTRE[0];
  const dy = y - CENTRE[1];
  const dz = z - CENTRE[2];
  const ball = RADIUS * RADIUS - dx * dx - dy * dy - dz * dz;
  const factor = 1 + 0.7 * dx + 0.4 * dy * dz;
  if (out) {
    out[0] = -2 * dx * factor + 0.7 * ball;
    out[1] = -2 * dy * factor + 0.4 * dz * ball;
    out[2] = -2 * dz * factor + 0.4 * dy * ball;
  }
  return ball * factor;
}

export interface BallErrors {
  /** Largest and root mean square error of the potential, over its largest value. */
  readonly pressureMost: number;
  readonly pressureMean: number;
  /** Root mean square of what is left of the velocity in tets with liquid, over that of the velocity. */
  readonly velocityMean: number;
  readonly velocityMost: number;
  readonly system: NodalSystem;
  readonly iterations: number;
}

/**
 * `ghosts`: ours; none, at zero, as a solver without (6) to (12) would have them; or limited as the paper has
 * them, eq. (13).
 */
export function solveBall(
  threads: Threads,
  scope: HeapScope,
  mesh: BackgroundMesh,
  ghosts: 'extended' | 'none' | 'limited' = 'extended',
): BallErrors {
  const { position, tet, tetCount, vertexCount } = mesh;
  const level = scope.f64(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    const away = Math.hypot(
      position[3 * v] - CENTRE[0],
      position[3 * v + 1] - CENTRE[1],
      position[3 * v + 2] - CENTRE[2],
    );
    level[v] = RADIUS - away;
    if (ghosts === 'none' && level[v] < 0) level[v] = 0;
  }
  const open = scope.f64(tetCount).fill(1);
  const velocity = scope.f64(3 * tetCount);
  const gradient = new Float64Array(3);
  const barycentre = (t: number, k: number) =>
    (position[3 * tet[4 * t] + k] +
      position[3 * tet[4 * t + 1] + k] +
      position[3 * tet[4 * t + 2] + k] +
      position[3 * tet[4 * t + 3] + k]) /
    4;
  for (let t = 0; t < tetCount; t++) {
    potentialAt(barycentre(t, 0), barycentre(t, 1), barycentre(t, 2), gradient);
    velocity.set(gradient, 3 * t);
  }
  const system = buildNodalSystem(threads, scope, { mesh, level, open }, ghosts === 'limited');
  const { matrix, nodeToRow, wetTet } = system;
  const b = scope.f64(matrix.rowCount);
  computeWeakDivergence(threads, scope, system, velocity, scope.f64(0), b);
  const q = scope.f64(matrix.rowCount);
  const report = solveNodal(threads, scope, system, b, q, { tolerance: 1e-10, maxIterations: 200 });
  if (!report.converged) throw new Error(`not converged: ${report.residual} ${report.breakdown ?? ''}`);
  const before = velocity.slice();
  subtractNodalGradient(threads, system, q, velocity);
  let pressureMost = 0;
  let square = 0;
  let scale = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (nodeToRow[v] === NONE) continue;
    const exact = potentialAt(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    const error = Math.abs(q[nodeToRow[v]] - exact);
    pressureMost = Math.max(pressureMost, error);
    square += error * error;
    scale = Math.max(scale, Math.abs(exact));
  }
  let left = 0;
  let had = 0;
  let velocityMost = 0;
  for (const t of wetTet) {
    // Tets whose barycentre is in the liquid: beyond it nothing is carried.
    if (!(potentialAt(barycentre(t, 0), barycentre(t, 1), barycentre(t, 2)) > 0)) continue;
    const volume = 8 ** mesh.tetLevel[t];
    for (let k = 0; k < 3; k++) {
      left += volume * velocity[3 * t + k] ** 2;
      had += volume * before[3 * t + k] ** 2;
      velocityMost = Math.max(velocityMost, Math.abs(velocity[3 * t + k]));
    }
  }
  return {
    pressureMost: pressureMost / scale,
    pressureMean: Math.sqrt(square / matrix.rowCount) / scale,
    velocityMean: Math.sqrt(left / had),
    velocityMost,
    system,
    iterations: report.iterations,
  };
}
