/**
 * Pressure at the nodes of a tet mesh, velocity in its tets ([ando-2013] 3, eqs. (1) to (13)). The mesh need
 * not follow the liquid: a level set at the nodes tells where it is, and the share of each tet that no solid
 * fills where it may be.
 *
 * The potential q = p dt / rho makes u - grad q free of divergence in the weak sense, eq. (4): at every
 * liquid node n the sum over its tets of V grad b_n . (u - grad q) is zero, V the open volume and b_n the
 * node's hat. Solids that move add their part of the tet with their velocity: for a rigid motion this is the
 * flux through their surface.
 *
 * Cost: linear in tets that touch liquid; conjugate gradients with algebraic multigrid.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { type CsrMatrix, createCsrOperator } from '../../linalg/csr.ts';
import { type Assembly, assemble, buildCsr } from '../../linalg/csr-build.ts';
import { createCg } from '../../linalg/krylov/cg.ts';
import type { SolveOptions, SolveReport } from '../../linalg/krylov/solver.ts';
import { createMultigrid } from '../../linalg/multigrid/multigrid.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { PressureElement } from './element.ts';

export interface NodalDomain {
  readonly mesh: TetMesh;
  /** (vertexCount) level set at the nodes, positive in the liquid, m */
  readonly level: Float64Array;
  /** (tetCount) share of each tet that no solid fills */
  readonly open: Float64Array;
}

export interface NodalSystem {
  readonly domain: NodalDomain;
  readonly matrix: CsrMatrix;
  /** (vertexCount) row of each node, or NONE */
  readonly nodeToRow: Int32Array;
  /**
   * Tets with a node that has a row, ascending: also those that a solid fills, whose motion the node feels.
   */
  readonly wetTet: Int32Array;
  /** Wet tets that were extended, or limited as in eq. (13). */
  readonly lossyTets: number;
  /** Whether a row was held, because no ghost fixes the pressure's constant. */
  readonly isPinned: boolean;
  readonly assembly: Assembly;
  /** Whether lossy tets are limited as in the paper. */
  readonly limits: boolean;
}

const GRAIN = 4096;

const elementColumns = {
  position: 'f64',
  tet: 'i32',
  level: 'f64',
  open: 'f64',
  wetTet: 'i32',
} as const;

const fillElements = defineTask(
  'flow/fill-nodal-elements',
  { ...elementColumns, limits: 'number', matrix: 'f64' },
  (begin, end, { position, tet, level, open, wetTet, limits, matrix }) => {
    const element = new PressureElement(limits === 1);
    let lossy = 0;
    for (let n = begin; n < end; n++) {
      const t = wetTet[n];
      element.setGradients(position, tet, t);
      element.setMatrix(level, tet, t, open[t]);
      if (element.isLossy) lossy++;
      matrix.set(element.matrix, 16 * n);
    }
    return lossy;
  },
);

/** Rows of wet tets; a corner in the air is none. */
function listWetTets({ mesh, level, open }: NodalDomain, scope: HeapScope) {
  const { tet, tetCount, vertexCount } = mesh;
  const nodeToRow = scope.i32(vertexCount).fill(NONE);
  for (let n = 0; n < 4 * tetCount; n++) if (open[n >> 2] > 0 && level[tet[n]] > 0) nodeToRow[tet[n]] = 0;
  let rowCount = 0;
  for (let v = 0; v < vertexCount; v++) if (nodeToRow[v] !== NONE) nodeToRow[v] = rowCount++;
  let wetCount = 0;
  for (let t = 0; t < tetCount; t++) {
    let row = NONE;
    for (let i = 0; i < 4; i++) row = Math.max(row, nodeToRow[tet[4 * t + i]]);
    if (row !== NONE) wetCount++;
  }
  const wetTet = scope.i32(wetCount);
  const elementRow = scope.i32(4 * wetCount);
  let hasGhosts = false;
  for (let t = 0, n = 0; t < tetCount; t++) {
    let wet = 0;
    for (let i = 0; i < 4; i++) if (nodeToRow[tet[4 * t + i]] !== NONE) wet++;
    if (wet === 0) continue;
    if (wet < 4 && open[t] > 0) hasGhosts = true;
    for (let i = 0; i < 4; i++) elementRow[4 * n + i] = nodeToRow[tet[4 * t + i]];
    wetTet[n++] = t;
  }
  return { nodeToRow, rowCount, wetTet, elementRow, hasGhosts };
}

/**
 * The matrix of eq. (4) with ghosts. `limits`: with (13) as the paper has it (element.ts), for comparison.
 */
export function buildNodalSystem(
  threads: Threads,
  scope: HeapScope,
  domain: NodalDomain,
  limits = false,
): NodalSystem {
  const { mesh, level, open } = domain;
  const { nodeToRow, rowCount, wetTet, elementRow, hasGhosts } = listWetTets(domain, scope);
  const { matrix, assembly } = buildCsr(threads, scope, rowCount, elementRow, 4);
  const elementMatrix = scope.f64(16 * wetTet.length);
  const { position, tet } = mesh;
  const values = { position, tet, level, open, wetTet, limits: limits ? 1 : 0, matrix: elementMatrix };
  const lossyTets = threads.sum(fillElements, wetTet.length, GRAIN, values);
  assemble(threads, assembly, elementMatrix, matrix);
  // Without air the pressure is known but for a constant.
  const isPinned = !hasGhosts && rowCount > 0;
  if (isPinned) matrix.value[matrix.diagonal[0]] *= 2;
  return { domain, matrix, nodeToRow, wetTet, lossyTets, isPinned, assembly, limits };
}

const fluxColumns = {
  ...elementColumns,
  limits: 'number',
  velocity: 'f64',
  solidVelocity: 'f64',
  flux: 'f64',
} as const;

/** Whether a tet has a corner in the air. */
function isCut(level: Float64Array, tet: Int32Array, t: number): boolean {
  const o = 4 * t;
  return !(level[tet[o]] > 0 && level[tet[o + 1]] > 0 && level[tet[o + 2]] > 0 && level[tet[o + 3]] > 0);
}

/** V grad b_i . u of every corner of the wet tets, the right side of eq. (4). */
const fillFluxes = defineTask(
  'flow/fill-nodal-fluxes',
  fluxColumns,
  (begin, end, { position, tet, level, open, wetTet, limits, velocity, solidVelocity, flux }) => {
    const element = new PressureElement(limits === 1);
    const { gradient: g } = element;
    const hasSolids = solidVelocity.length > 0;
    for (let n = begin; n < end; n++) {
      const t = wetTet[n];
      element.setGradients(position, tet, t);
      const share = open[t] * element.volume;
      const rest = hasSolids ? element.volume - share : 0;
      for (let i = 0; i < 4; i++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) {
          const solid = rest > 0 ? rest * solidVelocity[3 * t + k] : 0;
          sum += g[3 * i + k] * (share * velocity[3 * t + k] + solid);
        }
        flux[4 * n + i] = sum;
      }
      if (isCut(level, tet, t)) {
        element.setMatrix(level, tet, t, open[t]);
        element.extendFluxes(flux, 4 * n);
      }
    }
  },
);

const gatherFluxes = defineTask(
  'flow/gather-nodal-fluxes',
  { slotStart: 'i32', rowToSlot: 'i32', flux: 'f64', out: 'f64' },
  (begin, end, { slotStart, rowToSlot, flux, out }) => {
    for (let i = begin; i < end; i++) {
      let sum = 0;
      for (let s = slotStart[i]; s < slotStart[i + 1]; s++) sum += flux[rowToSlot[s]];
      out[i] = sum;
    }
  },
);

/**
 * Weak divergence of a velocity at the rows, m^3/s: the right side of eq. (4). solidVelocity (tetCount x 3),
 * empty where nothing moves.
 */
export function computeWeakDivergence(
  threads: Threads,
  scratch: HeapScope,
  system: NodalSystem,
  velocity: Float64Array,
  solidVelocity: Float64Array,
  out: Float64Array,
): void {
  const { domain, wetTet, assembly } = system;
  const { position, tet } = domain.mesh;
  const flux = scratch.f64(4 * wetTet.length);
  const { level, open } = domain;
  const limits = system.limits ? 1 : 0;
  const values = { position, tet, level, open, wetTet, limits, velocity, solidVelocity, flux };
  threads.run(fillFluxes, wetTet.length, GRAIN, values);
  const { slotStart, rowToSlot } = assembly;
  threads.run(gatherFluxes, out.length, GRAIN, { slotStart, rowToSlot, flux, out });
}

/** Solves A q = b from the q given; the multigrid is made once, for several right sides. */
export function createNodalSolver(threads: Threads, scratch: HeapScope, { matrix }: NodalSystem) {
  if (matrix.rowCount === 0) return (): SolveReport => ({ iterations: 0, residual: 0, converged: true });
  const multigrid = createMultigrid(threads, scratch, matrix, { coarsening: 'aggregation' });
  const cg = createCg(threads, scratch, matrix.rowCount);
  const operator = createCsrOperator(threads, matrix);
  return (b: Float64Array, outPotential: Float64Array, options: SolveOptions): SolveReport =>
    cg.solve(operator, multigrid, b, outPotential, options);
}

/** Solves A q = b from the q given. */
export function solveNodal(
  threads: Threads,
  scratch: HeapScope,
  system: NodalSystem,
  b: Float64Array,
  outPotential: Float64Array,
  options: SolveOptions,
): SolveReport {
  return createNodalSolver(threads, scratch, system)(b, outPotential, options);
}

const subtractGradients = defineTask(
  'flow/subtract-nodal-gradients',
  { ...elementColumns, limits: 'number', nodeToRow: 'i32', potential: 'f64', velocity: 'f64' },
  (begin, end, { position, tet, level, open, wetTet, limits, nodeToRow, potential, velocity }) => {
    const element = new PressureElement(limits === 1);
    const { gradient: g, weight } = element;
    const q = new Float64Array(4);
    for (let n = begin; n < end; n++) {
      const t = wetTet[n];
      element.setGradients(position, tet, t);
      element.setMatrix(level, tet, t, open[t]);
      for (let i = 0; i < 4; i++) {
        const row = nodeToRow[tet[4 * t + i]];
        q[i] = row === NONE ? 0 : potential[row];
      }
      // eq. (6), then (7)
      for (let i = 0; i < 4; i++)
        if (nodeToRow[tet[4 * t + i]] === NONE)
          for (let j = 0; j < 4; j++)
            if (nodeToRow[tet[4 * t + j]] !== NONE) q[i] += weight[4 * i + j] * q[j];
      for (let k = 0; k < 3; k++)
        velocity[3 * t + k] -= g[k] * q[0] + g[3 + k] * q[1] + g[6 + k] * q[2] + g[9 + k] * q[3];
    }
  },
);

/** u -= grad q in the wet tets, eq. (7); velocity (tetCount x 3). */
export function subtractNodalGradient(
  threads: Threads,
  { domain, wetTet, nodeToRow, limits }: NodalSystem,
  potential: Float64Array,
  outVelocity: Float64Array,
): void {
  const { level, open, mesh } = domain;
  const { position, tet } = mesh;
  threads.run(subtractGradients, wetTet.length, GRAIN, {
    position,
    tet,
    level,
    open,
    wetTet,
    limits: limits ? 1 : 0,
    nodeToRow,
    potential,
    velocity: outVelocity,
  });
}

/** Sums of numbers at the corners of the wet tets (4 each) at the rows: how right sides are put together. */
export function gatherCorners(
  threads: Threads,
  { assembly }: NodalSystem,
  flux: Float64Array,
  out: Float64Array,
): void {
  const { slotStart, rowToSlot } = assembly;
  threads.run(gatherFluxes, out.length, GRAIN, { slotStart, rowToSlot, flux, out });
}
