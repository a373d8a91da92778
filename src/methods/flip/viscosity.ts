/**
 * Viscosity ([ando-2013] leaves it to later work): the viscous step of [batty-houston-2011] on the nodes of
 * the mesh (flow/viscosity), before the pressure. Nodes give what changed to tets and particles, so that
 * particles keep what the mesh does not see. Where it could not change a velocity the step is left out, and
 * eq. (14) stands for it.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { computeLiquidShares } from '../../flow/viscosity/liquid-shares.ts';
import { HELD, type NodeConditions } from '../../flow/viscosity/problem.ts';
import { solveViscousFlow } from '../../flow/viscosity/solve.ts';
import { addWall, setSlide } from '../../flow/viscosity/wall-vertices.ts';
import type { SolverReport } from '../method.ts';
import type { FlipMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import { type PressureProblem, solvePressure, type Tasks } from './pressure.ts';
import { fitToNodes, type NodeVelocity } from './transfer.ts';
import type { WallNodes } from './walls.ts';

/**
 * nu dt / h^2, the share by which viscosity changes what varies from cell to cell in a step: below this it is
 * a thirtieth of what the transfers smooth.
 */
const LEAST_EFFECT = 1e-3;
/** Residual of the solve. */
const TOLERANCE = 1e-6;

export interface ViscousChange {
  /** (vertexCount x 3) and (tetCount x 3) m/s, gravity not in it */
  readonly node: Float64Array;
  readonly tet: Float64Array;
  /** (vertexCount) of the pressure before it, m^2/s */
  readonly potential: Float64Array;
  readonly report: SolverReport;
}

export interface ViscousTasks extends Pick<Tasks, 'velocity' | 'level' | 'sources' | 'kick' | 'former'> {
  readonly nodes: NodeVelocity;
  readonly walls: WallNodes;
}

/** Whether it could change a velocity in a step of this length. */
export const isViscous = ({ viscosity, finest }: FlipModel, kick: Seconds): boolean =>
  (viscosity * kick) / finest ** 2 >= LEAST_EFFECT;

/**
 * What pressure and viscosity change, the pressure first, so that gravity moves only what it would without
 * viscosity: a pool beside a wall that it sticks to stays still. Another pressure must follow.
 */
export function computeViscousChange(
  model: FlipModel,
  mesh: FlipMesh,
  pressure: PressureProblem,
  tasks: ViscousTasks,
  scope: HeapScope,
): ViscousChange {
  const { threads, gravity, density } = model;
  const { nodes, level, kick } = tasks;
  const { tetCount, vertexCount } = mesh.background;
  const { change: tet, potential } = solvePressure(model, mesh, pressure, tasks, scope, scope);
  const wet = scope.u8(tetCount);
  for (const t of pressure.system.wetTet) wet[t] = 1;
  const { velocity: node } = fitToNodes(model, mesh, { velocity: tet, known: wet }, level, 0, scope);
  const before = scope.f64(3 * vertexCount);
  for (let n = 0; n < before.length; n++) before[n] = nodes.velocity[n] + kick * gravity[n % 3] + node[n];
  const liquid = scope.f64(4 * tetCount);
  computeLiquidShares(threads, mesh.background, level, 'exact', liquid);
  for (let n = 0; n < 4 * tetCount; n++) liquid[n] *= mesh.open[n >> 2];
  const flow = solveViscousFlow(
    model,
    scope,
    {
      mesh: mesh.background,
      liquid,
      viscosity: scope.f64(tetCount).fill(density * model.viscosity),
      density: scope.f64(tetCount).fill(density),
      nodes: findConditions(model, mesh, tasks, scope),
      velocity: before,
      dt: kick,
    },
    { coupled: false, tolerance: TOLERANCE },
  );
  const viscous = scope.f64(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++)
    if (flow.isLiquid[v] === 1 && nodes.known[v] === 1)
      for (let n = 3 * v; n < 3 * v + 3; n++) viscous[n] = flow.velocity[n] - before[n];
  addNodeMeans(mesh, viscous, tet);
  for (let n = 0; n < node.length; n++) node[n] += viscous[n];
  const { converged, iterations, residual } = flow.report;
  return { node, tet, potential, report: { converged, iterations, residual } };
}

/** Adds the means of the corners' vectors to the tets. */
function addNodeMeans(
  { background: { tet, tetCount } }: FlipMesh,
  node: Float64Array,
  outTet: Float64Array,
): void {
  for (let t = 0; t < tetCount; t++)
    for (let i = 4 * t; i < 4 * t + 4; i++)
      for (let a = 0; a < 3; a++) outTet[3 * t + a] += 0.25 * node[3 * tet[i] + a];
}

/** What walls and nozzles hold of the nodes. */
function findConditions(
  { emitters }: FlipModel,
  { background: { tet, tetCount, vertexCount } }: FlipMesh,
  { walls: { node, normal, velocity, sticks }, sources: { nozzle, speed } }: ViscousTasks,
  scope: HeapScope,
): NodeConditions {
  const out = {
    constraint: scope.u8(vertexCount),
    direction: scope.f64(3 * vertexCount),
    velocity: scope.f64(3 * vertexCount),
  };
  // Rows of a node follow each other.
  for (let n = 0; n < node.length; ) {
    const v = node[n];
    const list: number[] = [];
    let held = false;
    for (; n < node.length && node[n] === v; n++) {
      addWall(list, normal[3 * n], normal[3 * n + 1], normal[3 * n + 2]);
      held ||= sticks[n] === 1;
      out.velocity.set(velocity.subarray(3 * n, 3 * n + 3), 3 * v);
    }
    if (held) out.constraint[v] = HELD;
    else setSlide(v, list, out);
  }
  for (let t = 0; t < tetCount; t++) {
    if (nozzle[t] === NONE) continue;
    const { direction } = emitters[nozzle[t]];
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      out.constraint[tet[i]] = HELD;
      for (let a = 0; a < 3; a++) out.velocity[3 * tet[i] + a] = speed[nozzle[t]] * direction[a];
    }
  }
  return out;
}
