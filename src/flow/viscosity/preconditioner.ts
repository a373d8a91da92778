/**
 * The preconditioner of a viscous solve: a V-cycle of smoothed aggregation with rigid modes on the
 * velocities, whose work does not grow with viscosity or size, and, where coupled, what stands for the
 * pressure's Schur complement S: beside it, symmetric and definite, for MINRES; or before it, so that the
 * velocities know the pressure, for GMRES in half the iterations,
 *     p = -S^-1 r_p,    u = A^-1 (r_u - G p).
 */
import type { HeapScope } from '../../core/heap.ts';
import { createBlockMultigrid } from '../../linalg/block-multigrid/block-multigrid.ts';
import { buildRigidModes, type Modes } from '../../linalg/block-multigrid/modes.ts';
import type { Preconditioner } from '../../linalg/preconditioners/preconditioner.ts';
import { computeDot, scale } from '../../linalg/vector.ts';
import type { Constraints } from './constraints.ts';
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import { FREE, type Machine, type ViscousProblem } from './problem.ts';
import type { Scales } from './scales.ts';
import { createSchur } from './schur.ts';
import { takePressureForces } from './stokes-operator.ts';

/** From this nu dt / extent^2 on inertia is too little for a part of its own in the Schur complement. */
const NO_INERTIA = 30;

export interface SolverInput {
  readonly problem: ViscousProblem & { readonly liquid: Float64Array };
  readonly domain: ViscousDomain;
  readonly constraints?: Constraints;
  readonly equations: Equations;
  readonly isCoupled: boolean;
  readonly scales: Scales;
  /** What it is for; read where coupled. */
  readonly solver: 'gmres' | 'minres';
}

/** Rigid motions of the rows, as far as they are free to follow them. */
function buildModes(
  scope: HeapScope,
  { mesh, rowToVertex }: ViscousDomain,
  constraints: Constraints | undefined,
): Modes {
  const position = scope.f64(3 * rowToVertex.length);
  for (let i = 0; i < rowToVertex.length; i++)
    for (let k = 0; k < 3; k++) position[3 * i + k] = mesh.position[3 * rowToVertex[i] + k];
  const modes = buildRigidModes(scope, position);
  if (!constraints) return modes;
  const { constraint, free } = constraints;
  const { modeCount, value } = modes;
  const column = new Float64Array(3);
  for (let i = 0; i < constraint.length; i++) {
    if (constraint[i] === FREE) continue;
    for (let c = 0; c < modeCount; c++) {
      for (let r = 0; r < 3; r++) column[r] = value[(3 * i + r) * modeCount + c];
      for (let r = 0; r < 3; r++) {
        let sum = 0;
        for (let s = 0; s < 3; s++) sum += free[9 * i + 3 * r + s] * column[s];
        value[(3 * i + r) * modeCount + c] = sum;
      }
    }
  }
  return modes;
}

export function createPreconditioner(
  { heap, threads }: Machine,
  scope: HeapScope,
  { problem, domain, constraints, equations, isCoupled, scales, solver }: SolverInput,
): Preconditioner {
  const setUp = heap.scope('viscous set-up');
  try {
    const modes = buildModes(setUp, domain, constraints);
    const velocity = createBlockMultigrid(threads, scope, equations.velocity, modes, {}, setUp);
    if (!isCoupled) return velocity;
    const isInertial = scales.reach < NO_INERTIA;
    const schur = createSchur(
      threads,
      scope,
      setUp,
      domain,
      equations,
      { ...problem, pressureScale: scales.pressure },
      isInertial,
    );
    const rows = domain.pattern.rowCount;
    const split = 3 * rows;
    const isTriangular = solver === 'gmres';
    const forces = scope.f64(isTriangular ? split : 0);
    return {
      name: 'stokes',
      apply(r, z) {
        const [zu, zp] = [z.subarray(0, split), z.subarray(split)];
        const rp = r.subarray(split);
        const dot = schur.apply(rp, zp);
        if (!isTriangular) return dot + velocity.apply(r.subarray(0, split), zu);
        scale(threads, -1, zp);
        takePressureForces(threads, equations, r, zp, forces);
        velocity.apply(forces, zu);
        return computeDot(threads, r, z);
      },
    };
  } finally {
    setUp.free();
  }
}
