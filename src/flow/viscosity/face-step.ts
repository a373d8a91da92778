/**
 * The viscous step of a method whose velocities live on faces ([batty-houston-2011] 5): they are fitted to
 * vertices, eq. (9), viscosity is solved there, eq. (8), and what it changes goes back by increments (FLIP)
 * or as a whole (PIC); or the fit is inside the solve, eqs. (10) and (11).
 */
import type { HeapScope } from '../../core/heap.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { solveFaceViscosity } from './face-solve.ts';
import { addToFaces, buildFaceMap, setFaces, toNodes } from './faces.ts';
import type { Machine, ViscousOptions, ViscousProblem } from './problem.ts';
import { solveViscousFlow } from './solve.ts';

/** How velocities pass between faces and vertices. */
export type Transfer = 'flip' | 'pic' | 'implicit';

export type FaceViscosity = Omit<ViscousProblem, 'velocity' | 'liquid' | 'tension' | 'nodes'> &
  Required<Pick<ViscousProblem, 'nodes'>> & { readonly topology: TetTopology };

export interface FaceViscosityOptions
  extends Pick<ViscousOptions, 'model' | 'rheology'>,
    Required<Pick<ViscousOptions, 'tolerance' | 'maxIterations'>> {
  readonly transfer: Transfer;
}

export interface FaceStep {
  readonly report: { readonly converged: boolean; readonly iterations: number; readonly residual: number };
  /** (vertexCount x 3) m/s, after the step; absent where faces were solved for */
  readonly velocity?: Float64Array;
}

/** Changes `outVelocity`, (faceCount) m/s along the faces' normals. */
export function addFaceViscosity(
  machine: Machine,
  scratch: HeapScope,
  { topology, ...problem }: FaceViscosity,
  { transfer, ...options }: FaceViscosityOptions,
  outVelocity: Float64Array,
): FaceStep {
  const { threads } = machine;
  const { mesh } = problem;
  const map = buildFaceMap(threads, scratch, mesh, topology);
  if (transfer === 'implicit') {
    const { tolerance, maxIterations } = options;
    const faces = { ...problem, map, faceVelocity: outVelocity.slice() };
    return { report: solveFaceViscosity(machine, faces, { tolerance, maxIterations }, outVelocity) };
  }
  const velocity = scratch.f64(3 * mesh.vertexCount);
  toNodes(threads, map, outVelocity, velocity);
  const flow = solveViscousFlow(machine, scratch, { ...problem, velocity }, { ...options, coupled: false });
  if (transfer === 'pic') setFaces(threads, map, flow.velocity, outVelocity);
  else {
    const change = scratch.f64(3 * mesh.vertexCount);
    for (let n = 0; n < change.length; n++) change[n] = flow.velocity[n] - velocity[n];
    addToFaces(threads, map, change, outVelocity);
  }
  return { report: flow.report, velocity: flow.velocity };
}
