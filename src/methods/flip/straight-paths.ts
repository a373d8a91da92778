/**
 * What straight ways do to volume. Particles go straight through a step (motion.ts), and a map x + dt u whose
 * u has no divergence changes volumes by -dt^2/2 tr(G^2), G the gradient of u: what spins grows, what is
 * strained shrinks. So where it spins the step's velocity is given the divergence dt/2 tr(G^2) that undoes
 * it: there the step is one of SHAKE (Ryckaert et al. 1977), of second order. Where it is strained that would
 * drive the liquid apart against its pressure, at impacts by whole percents of its energy: the density
 * correction makes up for it, by displacements.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { computeTetFraction } from '../../flow/nodal/fractions.ts';
import {
  type createNodalSolver,
  type NodalSystem,
  subtractNodalGradient,
} from '../../flow/nodal/pressure.ts';
import { type FlipMesh, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Tasks } from './pressure.ts';
import { fitToNodes } from './transfer.ts';

const TET_GRAIN = 2048;
const NODE_GRAIN = 2048;
/** Of its volume a tet loses so much in a step at most: gradients of spray are noise. */
const MOST_SHRINKING = 0.1;
/** Residual of the solve: it is a correction. */
const TOLERANCE = 1e-2;

const growTets = defineTask(
  'flip/grow-tets',
  { mesh: meshRecord, open: 'f64', level: 'f64', velocity: 'f64', known: 'u8', dt: 'number', outFlow: 'f64' },
  (begin, end, { mesh, open, level, velocity, known, dt, outFlow }) => {
    const { node, tet } = mesh;
    const element = new PressureElement();
    const { gradient: g } = element;
    const strain = new Float64Array(9);
    for (let t = begin; t < end; t++) {
      const o = 4 * t;
      outFlow[t] = 0;
      if (open[t] === 0) continue;
      const share = computeTetFraction(
        level[tet[o]],
        level[tet[o + 1]],
        level[tet[o + 2]],
        level[tet[o + 3]],
      );
      if (share === 0) continue;
      if (!(known[tet[o]] & known[tet[o + 1]] & known[tet[o + 2]] & known[tet[o + 3]])) continue;
      element.setGradients(node, tet, t);
      strain.fill(0);
      for (let i = 0; i < 4; i++)
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) strain[3 * a + b] += velocity[3 * tet[o + i] + a] * g[3 * i + b];
      let trace = 0;
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) trace += strain[3 * a + b] * strain[3 * b + a];
      const growth = Math.max(-MOST_SHRINKING, Math.min(0, 0.5 * dt * dt * trace));
      outFlow[t] = (growth / dt) * share * open[t] * element.volume;
    }
  },
);

const gatherGrowth = defineTask(
  'flip/gather-growth',
  { mesh: meshRecord, nodeToRow: 'i32', flow: 'f64', out: 'f64' },
  (begin, end, { mesh: { corner, cornerStart }, nodeToRow, flow, out }) => {
    for (let v = begin; v < end; v++) {
      if (nodeToRow[v] < 0) continue;
      let sum = 0;
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) sum += flow[corner[c] >> 2];
      out[nodeToRow[v]] = 0.25 * sum;
    }
  },
);

/**
 * Gives the velocity its divergence, in `change` (tetCount x 3): a second solve with the pressure's matrix,
 * of the velocity after the first.
 */
export function straightenPaths(
  model: FlipModel,
  mesh: FlipMesh,
  { velocity, level, kick, dt }: Tasks,
  system: NodalSystem,
  solve: ReturnType<typeof createNodalSolver>,
  change: Float64Array,
  scratch: HeapScope,
): void {
  const { threads, gravity, options } = model;
  const { values, open, background } = mesh;
  const { tetCount, vertexCount } = background;
  const { nodeToRow, wetTet, matrix } = system;
  const after = scratch.f64(3 * tetCount);
  const known = scratch.u8(tetCount);
  for (const t of wetTet) {
    known[t] = 1;
    for (let n = 3 * t; n < 3 * t + 3; n++) after[n] = velocity[n] + kick * gravity[n % 3] + change[n];
  }
  const nodes = fitToNodes(model, mesh, { velocity: after, known }, level, 0, scratch);
  const flow = scratch.f64(tetCount);
  threads.run(growTets, tetCount, TET_GRAIN, {
    mesh: values,
    open,
    level,
    velocity: nodes.velocity,
    known: nodes.known,
    dt,
    outFlow: flow,
  });
  const b = scratch.f64(matrix.rowCount);
  threads.run(gatherGrowth, vertexCount, NODE_GRAIN, { mesh: values, nodeToRow, flow, out: b });
  const q = scratch.f64(matrix.rowCount);
  solve(b, q, { tolerance: TOLERANCE, maxIterations: options.pressureIterations });
  subtractNodalGradient(threads, system, q, change);
}
