/**
 * Where energy goes in a viscous step: to heat, 2 mu e : e over the liquid; and through what is held, by the
 * force that holds it:
 *     F_i = m_i ((u_i - u*_i) / dt - g) + sum over tets V (2 mu e - p) grad phi_i,      work = F_i . u_i dt.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
import type { Embedding } from '../../flow/mesh/embedded.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { HELD } from '../../flow/viscosity/problem.ts';
import { setTetNormals } from '../../math/triangle.ts';
import { type TetMesh, tetRecord } from '../../mesh/tetmesh.ts';
import type { ViscousModel } from './model.ts';
import type { VertexConditions } from './vertex-conditions.ts';

const GRAIN = 4096;

/** Shear rate sqrt(2 e : e) of each tet; returns the sum of 2 mu e : e V, W. */
const shearTask = defineTask(
  'viscous/measure-dissipation',
  { mesh: tetRecord, fraction: 'f64', velocity: 'f64', viscosity: 'f64', outRate: 'f64' },
  (begin, end, { mesh: { position, tet }, fraction, velocity, viscosity, outRate }) => {
    const isCut = fraction.length > 0;
    const gradient = new TetGradient();
    let power = 0;
    for (let t = begin; t < end; t++) {
      const squared = gradient.find(position, tet, t, velocity);
      outRate[t] = Math.sqrt(squared);
      power += viscosity[t] * squared * gradient.volume * (isCut ? fraction[t] : 1);
    }
    return power;
  },
);

/** Velocity gradient and hat functions of one tet after another. */
class TetGradient {
  volume = 0;
  /** (4 x 3) gradients of the hat functions, 1/m */
  readonly hat = new Float64Array(12);
  /** (3 x 3) strain rate, 1/s */
  readonly strain = new Float64Array(9);

  /** Returns 2 e : e, 1/s^2; 0 for a tet without volume. */
  find(position: Float64Array, tet: Int32Array, t: number, velocity: Float64Array): number {
    const { hat, strain } = this;
    const six = setTetNormals(position, tet, t, hat, 3);
    this.volume = six / 6;
    if (!(six > 0)) {
      hat.fill(0);
      strain.fill(0);
      this.volume = 0;
      return 0;
    }
    for (let n = 3; n < 12; n++) hat[n] /= six;
    for (let r = 0; r < 3; r++) hat[r] = -(hat[3 + r] + hat[6 + r] + hat[9 + r]);
    let squared = 0;
    for (let r = 0; r < 3; r++)
      for (let s = 0; s <= r; s++) {
        let e = 0;
        for (let n = 0; n < 4; n++) {
          const v = 3 * tet[4 * t + n];
          e += 0.5 * (velocity[v + r] * hat[3 * n + s] + velocity[v + s] * hat[3 * n + r]);
        }
        strain[3 * r + s] = e;
        strain[3 * s + r] = e;
        squared += (r === s ? 2 : 4) * e * e;
      }
    return squared;
  }
}

/** What is known of a flow once it is solved. */
export interface SolvedFlow {
  /** (vertexCount x 3) m/s, and before */
  readonly velocity: Float64Array;
  readonly advected: Float64Array;
  /** (vertexCount) Pa */
  readonly pressure: Float64Array;
  /** (tetCount) Pa s */
  readonly viscosity: Float64Array;
}

export interface FlowEnergy {
  /** Turned to heat, W >= 0. */
  readonly dissipation: number;
  /** Work of walls and solids, and of nozzles, J. */
  readonly walls: number;
  readonly nozzles: number;
  /** (tetCount) 1/s */
  readonly shearRate: Float64Array;
}

export function measureFlowEnergy(
  model: ViscousModel,
  { mesh, embedding }: Pick<MeshParts, 'mesh' | 'embedding'>,
  conditions: VertexConditions,
  flow: SolvedFlow,
  dt: Seconds,
  scope: HeapScope,
): FlowEnergy {
  const shearRate = scope.f64(mesh.tetCount);
  const { vertexCount, tetCount, position, tet } = mesh;
  const dissipation = model.threads.sum(shearTask, tetCount, GRAIN, {
    mesh: { vertexCount, tetCount, position, tet },
    fraction: embedding?.fraction ?? scope.f64(0),
    velocity: flow.velocity,
    viscosity: flow.viscosity,
    outRate: shearRate,
  });
  return {
    dissipation,
    ...measureHoldingWork(model, mesh, embedding, conditions, flow, dt),
    shearRate,
  };
}

/**
 * Work of what is held and moves: that of resting walls is nothing. The ledger books what a nozzle brings as
 * from its mouth, so the weight of the plug in it does no work.
 */
function measureHoldingWork(
  { density, gravity }: ViscousModel,
  { position, tet, tetCount }: TetMesh,
  embedding: Embedding | undefined,
  { constraint, isNozzle, velocity: given }: VertexConditions,
  { velocity, advected, pressure, viscosity }: SolvedFlow,
  dt: Seconds,
): { walls: number; nozzles: number } {
  const work = { walls: 0, nozzles: 0 };
  const moves = (v: number) =>
    constraint[v] === HELD && (given[3 * v] !== 0 || given[3 * v + 1] !== 0 || given[3 * v + 2] !== 0);
  const gradient = new TetGradient();
  const force: [number, number, number] = [0, 0, 0];
  const part = new Float64Array(4);
  for (let t = 0; t < tetCount; t++) {
    if (!moves(tet[4 * t]) && !moves(tet[4 * t + 1]) && !moves(tet[4 * t + 2]) && !moves(tet[4 * t + 3]))
      continue;
    gradient.find(position, tet, t, velocity);
    let p = 0;
    for (let n = 0; n < 4; n++) {
      part[n] = embedding ? embedding.share[4 * t + n] : 0.25;
      p += part[n] * pressure[tet[4 * t + n]];
    }
    const fraction = embedding ? embedding.fraction[t] : 1;
    for (let n = 0; n < 4; n++) {
      const v = tet[4 * t + n];
      if (!moves(v)) continue;
      findForce(gradient, n, p, fraction * viscosity[t], force);
      const mass = density * gradient.volume * part[n];
      let power = 0;
      for (let a = 0; a < 3; a++) {
        const change = (velocity[3 * v + a] - advected[3 * v + a]) / dt;
        const inertia = mass * (isNozzle[v] === 1 ? change : change - gravity[a]);
        power += (force[a] + inertia) * velocity[3 * v + a];
      }
      work[isNozzle[v] === 1 ? 'nozzles' : 'walls'] += power * dt;
    }
  }
  return work;
}

/** V (2 mu e - p) grad phi of a tet's corner, N; p and mu times the parts of it that are liquid */
function findForce(
  { hat, strain, volume }: TetGradient,
  n: number,
  p: number,
  viscosity: number,
  outForce: [number, number, number],
): void {
  for (let r = 0; r < 3; r++) {
    let sum = -p * hat[3 * n + r];
    for (let s = 0; s < 3; s++) sum += 2 * viscosity * strain[3 * r + s] * hat[3 * n + s];
    outForce[r] = volume * sum;
  }
}
