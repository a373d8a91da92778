/** The pressure of a step ([ando-2013] 3, eqs. (1) to (13), line 11), and with its matrix the correction of the density. */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { addTetMoments } from '../../flow/nodal/fractions.ts';
import {
  buildNodalSystem,
  computeWeakDivergence,
  createNodalSolver,
  gatherCorners,
  type NodalSystem,
  subtractNodalGradient,
} from '../../flow/nodal/pressure.ts';
import type { SolverReport } from '../method.ts';
import { type FlipMesh, type Located, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import type { TetSources } from './sources.ts';

const TET_GRAIN = 2048;
/** Nodes count as holding so much too much at most, of their room. Too little is at most all of it: what a clamp took would be lost, and a pool would rise. */
const MOST_EXCESS = 1;
/** Residual of the correction's solve: it is a correction. */
const DENSITY_TOLERANCE = 1e-2;

export interface Projection {
  readonly system: NodalSystem;
  /** (tetCount) 1 where the pressure acts */
  readonly wet: Uint8Array;
  /** (tetCount x 3) -grad q, m/s */
  readonly change: Float64Array;
  /** (tetCount x 3) displacement that evens out the density, m; empty without correction */
  readonly shift: Float64Array;
  /** (vertexCount) potential q of the nodes, m^2/s */
  readonly potential: Float64Array;
  readonly report: SolverReport;
  /** J, work of moving solids and nozzles on the liquid */
  readonly work: { readonly walls: number; readonly sources: number };
  /** Held volume over that of the level set, less one: largest at a node after clamping, for the record. */
  readonly densityError: number;
}

export interface Tasks {
  /** (tetCount x 3) velocity of the liquid before, gravity not yet in it */
  readonly velocity: Float64Array;
  readonly level: Float64Array;
  readonly sources: TetSources;
  /** s that gravity acts, and the pressure */
  readonly kick: Seconds;
  readonly located: Located;
  readonly volume: Float64Array;
  /** Which particles are in the liquid */
  readonly kind: Uint8Array;
  /** Potential of the last step over its time, m^2/s^2, at the nodes: the solve starts there. */
  readonly former: Float64Array;
}

export function project(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  tasks: Tasks,
  scope: HeapScope,
  scratch: HeapScope,
): Projection {
  const { threads, gravity, options } = model;
  const { background } = mesh;
  const { tetCount, vertexCount } = background;
  const { level, sources, kick } = tasks;
  const system = buildNodalSystem(threads, scratch, { mesh: background, level, open: sources.open });
  const { nodeToRow, wetTet } = system;
  const rows = system.matrix.rowCount;
  const wet = scope.u8(tetCount);
  for (let n = 0; n < wetTet.length; n++) wet[wetTet[n]] = 1;
  const forced = scratch.f64(3 * tetCount);
  for (let n = 0; n < 3 * tetCount; n++) forced[n] = tasks.velocity[n] + kick * gravity[n % 3];
  const solid = findSolidVelocity(model, mesh, obstacles, sources, wetTet, scratch);
  const b = scratch.f64(rows);
  computeWeakDivergence(threads, scratch, system, forced, solid, b);
  for (let v = 0; v < vertexCount; v++) if (nodeToRow[v] !== NONE) b[nodeToRow[v]] += sources.divergence[v];
  const q = scratch.f64(rows);
  for (let v = 0; v < vertexCount; v++) if (nodeToRow[v] !== NONE) q[nodeToRow[v]] = kick * tasks.former[v];
  const solve = createNodalSolver(threads, scratch, system);
  const report = solve(b, q, {
    tolerance: options.pressureTolerance,
    maxIterations: options.pressureIterations,
  });
  const change = scope.f64(3 * tetCount);
  subtractNodalGradient(threads, system, q, change);
  const potential = scope.f64(vertexCount);
  for (let v = 0; v < vertexCount; v++) potential[v] = nodeToRow[v] === NONE ? 0 : q[nodeToRow[v]];
  const work = measureWork(model, mesh, sources, solid, change, wetTet);
  const { shift, error } = correctDensity(model, mesh, tasks, system, solve, scope, scratch);
  return { system, wet, change, shift, potential, report, work, densityError: error };
}

/** Velocities of what is not open in each wet tet; empty where nothing moves. */
function findSolidVelocity(
  model: FlipModel,
  mesh: FlipMesh,
  obstacles: Obstacles,
  { nozzle, open, speed }: TetSources,
  wetTet: Int32Array,
  scratch: HeapScope,
): Float64Array {
  if (!model.moves && model.emitters.length === 0) return scratch.f64(0);
  const { tet, position, tetCount } = mesh.background;
  const out = scratch.f64(3 * tetCount);
  const u = new Float64Array(3);
  for (const t of wetTet) {
    if (open[t] === 1) continue;
    if (nozzle[t] !== NONE) {
      const { direction } = model.emitters[nozzle[t]];
      for (let a = 0; a < 3; a++) out[3 * t + a] = speed[nozzle[t]] * direction[a];
      continue;
    }
    const c = [0, 0, 0];
    for (let i = 0; i < 4; i++) for (let a = 0; a < 3; a++) c[a] += 0.25 * position[3 * tet[4 * t + i] + a];
    obstacles.velocityAt(obstacles.findSolid(c[0], c[1], c[2]), c[0], c[1], c[2], u);
    out.set(u, 3 * t);
  }
  return out;
}

/** What pushes the liquid: the sum over tets of rho V_solid grad q . u_solid. */
function measureWork(
  { density }: FlipModel,
  { background, values }: FlipMesh,
  { open, nozzle }: TetSources,
  solid: Float64Array,
  change: Float64Array,
  wetTet: Int32Array,
): { walls: number; sources: number } {
  const work = { walls: 0, sources: 0 };
  if (solid.length === 0) return work;
  const element = new PressureElement();
  for (const t of wetTet) {
    if (open[t] === 1) continue;
    element.setGradients(values.node, background.tet, t);
    let sum = 0;
    for (let a = 0; a < 3; a++) sum -= change[3 * t + a] * solid[3 * t + a];
    const part = density * (1 - open[t]) * element.volume * sum;
    if (nozzle[t] === NONE) work.walls += part;
    else work.sources += part;
  }
  return work;
}

/** What liquid the hats of a tet's corners hold less what they should, m^3: 4 numbers for each wet tet, and beside them what they should. */
const fillExcess = defineTask(
  'flip/fill-excess',
  {
    mesh: meshRecord,
    wetTet: 'i32',
    open: 'f64',
    level: 'f64',
    start: 'i32',
    member: 'i32',
    barycentric: 'f64',
    volume: 'f64',
    outHeld: 'f64',
    outRoom: 'f64',
  },
  (begin, end, { mesh, wetTet, open, level, start, member, barycentric, volume, outHeld, outRoom }) => {
    const { node, tet } = mesh;
    const element = new PressureElement();
    const value = new Float64Array(4);
    for (let n = begin; n < end; n++) {
      const t = wetTet[n];
      for (let m = start[t]; m < start[t + 1]; m++) {
        const p = member[m];
        for (let i = 0; i < 4; i++) outHeld[4 * n + i] += volume[p] * barycentric[4 * p + i];
      }
      if (open[t] === 0) continue;
      element.setGradients(node, tet, t);
      for (let i = 0; i < 4; i++) value[i] = level[tet[4 * t + i]];
      addTetMoments(value, open[t] * element.volume, outRoom, 4 * n);
    }
  },
);

/**
 * Displacements that bring the density back ([ando-2013] leaves it to pushing particles apart; this is ours, after implicit density projection): at
 * each node the hats hold particles of some volume and liquid of another by the level set. A part of the difference is taken as the divergence of a
 * displacement, which is a gradient with the pressure's own matrix: walls, ghosts and all.
 */
function correctDensity(
  model: FlipModel,
  mesh: FlipMesh,
  { located, volume, kind, level, sources }: Tasks,
  system: NodalSystem,
  solve: ReturnType<typeof createNodalSolver>,
  scope: HeapScope,
  scratch: HeapScope,
): { shift: Float64Array; error: number } {
  const { threads, options } = model;
  const rows = system.matrix.rowCount;
  if (options.densityCorrection === 0 || rows === 0) return { shift: scope.f64(0), error: 0 };
  const { tetCount } = mesh.background;
  const { start, member } = listMembers(located.tet, kind, tetCount, scratch);
  const wetCount = system.wetTet.length;
  const outHeld = scratch.f64(4 * wetCount);
  const outRoom = scratch.f64(4 * wetCount);
  threads.run(fillExcess, wetCount, TET_GRAIN, {
    mesh: mesh.values,
    wetTet: system.wetTet,
    open: sources.open,
    level,
    start,
    member,
    barycentric: located.barycentric,
    volume,
    outHeld,
    outRoom,
  });
  const held = scratch.f64(rows);
  const room = scratch.f64(rows);
  gatherCorners(threads, system, outHeld, held);
  gatherCorners(threads, system, outRoom, room);
  let error = 0;
  const b = scratch.f64(rows);
  for (let i = 0; i < rows; i++) {
    const most = MOST_EXCESS * room[i];
    const excess = Math.min(most, Math.max(-most, held[i] - room[i]));
    b[i] = options.densityCorrection * excess;
    if (room[i] > 0) error = Math.max(error, Math.abs(excess) / room[i]);
  }
  const q = scratch.f64(rows);
  solve(b, q, { tolerance: DENSITY_TOLERANCE, maxIterations: options.pressureIterations });
  const shift = scope.f64(3 * tetCount);
  subtractNodalGradient(threads, system, q, shift);
  return { shift, error };
}

/** Particles of the liquid by tet, in their order. */
function listMembers(tet: Int32Array, kind: Uint8Array, tetCount: number, scratch: HeapScope) {
  const start = scratch.i32(tetCount + 1);
  const member = scratch.i32(tet.length);
  for (let p = 0; p < tet.length; p++) if (tet[p] >= 0 && kind[p] === 0) start[tet[p] + 1]++;
  for (let t = 0; t < tetCount; t++) start[t + 1] += start[t];
  const next = start.slice(0, tetCount);
  for (let p = 0; p < tet.length; p++) if (tet[p] >= 0 && kind[p] === 0) member[next[tet[p]]++] = p;
  return { start, member };
}
