/**
 * Viscosity, where the scene asks for it ([batty-houston-2011] 4 and 5.2): solved at vertices just before the
 * pressure, and handed to the faces by increments, which add no damping of their own.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Seconds } from '../../core/types.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { addFaceViscosity } from '../../flow/viscosity/face-step.ts';
import type { NodeConditions } from '../../flow/viscosity/problem.ts';
import { computeShearRate } from '../../flow/viscosity/strain-rate.ts';
import type { SolverReport } from '../method.ts';
import type { LatticeModel } from './model.ts';

/** Of the viscous solve's residual; what it leaves is far below what the faces can hold. */
const TOLERANCE = 1e-6;
const MOST_ITERATIONS = 300;

export interface Viscosity {
  readonly report: SolverReport;
  /** Energy turned to heat in the step, J. */
  readonly heat: number;
}

/** Changes `outVelocity`, (faceCount) m/s; undefined where there is no viscosity. */
export function addViscosity(
  model: LatticeModel,
  parts: MeshParts,
  nodes: NodeConditions,
  dt: Seconds,
  outVelocity: Float64Array,
  scratch: HeapScope,
): Viscosity | undefined {
  const { mesh, topology, geometry } = parts;
  if (model.viscosity === 0 || mesh.tetCount === 0) return undefined;
  const { report, velocity } = addFaceViscosity(
    model,
    scratch,
    {
      ...{ mesh, topology, dt },
      viscosity: scratch.f64(mesh.tetCount).fill(model.viscosity),
      density: scratch.f64(mesh.tetCount).fill(model.density),
      nodes,
    },
    { transfer: 'flip', tolerance: TOLERANCE, maxIterations: MOST_ITERATIONS },
    outVelocity,
  );
  const rate = scratch.f64(mesh.tetCount);
  computeShearRate(model.threads, mesh, velocity!, rate);
  let power = 0;
  for (let t = 0; t < mesh.tetCount; t++) power += model.viscosity * rate[t] ** 2 * geometry.volume[t];
  const { converged, iterations, residual } = report;
  return { report: { converged, iterations, residual }, heat: power * dt };
}
