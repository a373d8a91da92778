/** Strain rates of linear tetrahedra ([batty-houston-2011] eq. (5)) and the viscosity they give. */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { Constraints } from './constraints.ts';
import type { ViscousDomain } from './domain.ts';
import type { Machine, ViscousProblem } from './problem.ts';
import { computeViscosity, type Rheology } from './rheology.ts';
import { TetShape } from './tet-shape.ts';

const GRAIN = 4096;

/** sqrt(2 e : e) of tet t, e = (F + F^T) / 2. */
function computeRate(
  shape: TetShape,
  velocity: Float64Array,
  tet: Int32Array,
  t: number,
  f: Float64Array,
): number {
  f.fill(0);
  for (let a = 0; a < 4; a++) {
    const v = 3 * tet[4 * t + a];
    for (let r = 0; r < 3; r++)
      for (let s = 0; s < 3; s++) f[3 * r + s] += velocity[v + r] * shape.g[3 * a + s];
  }
  let square = 0;
  for (let r = 0; r < 3; r++) for (let s = 0; s < 3; s++) square += 0.5 * (f[3 * r + s] + f[3 * s + r]) ** 2;
  return Math.sqrt(square);
}

const rateTask = defineTask(
  'flow/compute-shear-rate',
  { position: 'f64', tet: 'i32', velocity: 'f64', out: 'f64' },
  (begin, end, { position, tet, velocity, out }) => {
    const shape = new TetShape();
    const f = new Float64Array(9);
    for (let t = begin; t < end; t++) {
      shape.set(position, tet, t);
      out[t] = computeRate(shape, velocity, tet, t, f);
    }
  },
);

/** (tetCount) shear rates sqrt(2 e : e), 1/s */
export function computeShearRate(
  threads: Threads,
  { position, tet, tetCount }: TetMesh,
  velocity: Float64Array,
  out: Float64Array,
): void {
  threads.run(rateTask, tetCount, GRAIN, { position, tet, velocity, out });
}

/** Sets the viscosity of every tet from the flow in x. */
export function updateViscosity(
  {
    problem,
    domain,
    constraints,
    x,
    machine,
  }: {
    readonly problem: ViscousProblem;
    readonly domain: ViscousDomain;
    readonly constraints?: Constraints;
    readonly x: Float64Array;
    readonly machine: Machine;
  },
  { laws, tetLaw, factor }: Rheology,
): void {
  const { mesh, viscosity } = problem;
  const scratch = machine.heap.scope('shear rate');
  const velocity = scratch.f64(3 * mesh.vertexCount);
  velocity.set(problem.velocity.subarray(0, velocity.length));
  const { rowToVertex } = domain;
  if (problem.nodes) {
    const { constraint, velocity: given } = problem.nodes;
    for (let v = 0; v < mesh.vertexCount; v++)
      if (constraint[v] === 3) for (let r = 0; r < 3; r++) velocity[3 * v + r] = given[3 * v + r];
  }
  for (let i = 0; i < rowToVertex.length; i++)
    for (let r = 0; r < 3; r++)
      velocity[3 * rowToVertex[i] + r] = x[3 * i + r] + (constraints?.given[3 * i + r] ?? 0);
  computeShearRate(machine.threads, mesh, velocity, viscosity);
  for (let t = 0; t < mesh.tetCount; t++)
    viscosity[t] = (factor?.[t] ?? 1) * computeViscosity(laws[tetLaw?.[t] ?? 0], viscosity[t]);
  scratch.free();
}
