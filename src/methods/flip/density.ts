/**
 * Displacements that bring the density back ([ando-2013] leaves it to pushing particles apart; this is ours,
 * after implicit density projection): at each node the hats hold particles of some volume and liquid of
 * another by the level set. A part of the difference is taken as the divergence of a displacement, which is a
 * gradient with the pressure's own matrix: walls, ghosts and all.
 *
 * As points even particles at rest on a lattice would leave some hats empty and others full, most at walls.
 * So each counts as a cube of its volume, by the four points of a rule that is exact to second order; and
 * what still differs from node to node is smoothed, by mass matrices of linear elements, which lose none of
 * it.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { addTetMoments } from '../../flow/nodal/fractions.ts';
import {
  type createNodalSolver,
  gatherCorners,
  type NodalSystem,
  subtractNodalGradient,
} from '../../flow/nodal/pressure.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { type FlipMesh, locateParticles, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Tasks } from './pressure.ts';

const TET_GRAIN = 2048;
/**
 * Nodes count as holding so much too much at most, of their room. Too little is at most all of it: what a
 * clamp took would be lost, and a pool would rise.
 */
const MOST_EXCESS = 1;
/** Differences below this share of the room are those between a lattice of cubes and hats, and no density. */
const SLACK = 0.03;
/** Residual of the correction's solve: it is a correction. */
const TOLERANCE = 1e-2;
/** Where the four points of a cube lie, of half its edge along each axis. */
const OFFSET = 1 / Math.sqrt(3);
const CORNERS = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
] as const;
/** Rounds of smoothing. One leaves a fifth of what alternates from node to node of the lattice. */
const ROUNDS = 3;

/**
 * What particles the hats of a tet's corners hold, and what liquid they have room for, m^3: 4 numbers for
 * each wet tet.
 */
const fillHeld = defineTask(
  'flip/fill-held',
  {
    wetTet: 'i32',
    start: 'i32',
    member: 'i32',
    barycentric: 'f64',
    volume: 'f64',
    share: 'number',
    outHeld: 'f64',
  },
  (begin, end, { wetTet, start, member, barycentric, volume, share, outHeld }) => {
    for (let n = begin; n < end; n++)
      for (let m = start[wetTet[n]]; m < start[wetTet[n] + 1]; m++) {
        const p = member[m];
        for (let i = 0; i < 4; i++) outHeld[4 * n + i] += share * volume[p] * barycentric[4 * p + i];
      }
  },
);

const fillRoom = defineTask(
  'flip/fill-room',
  { mesh: meshRecord, wetTet: 'i32', open: 'f64', level: 'f64', outRoom: 'f64' },
  (begin, end, { mesh, wetTet, open, level, outRoom }) => {
    const { node, tet } = mesh;
    const element = new PressureElement();
    const value = new Float64Array(4);
    for (let n = begin; n < end; n++) {
      const t = wetTet[n];
      if (open[t] === 0) continue;
      element.setGradients(node, tet, t);
      for (let i = 0; i < 4; i++) value[i] = level[tet[4 * t + i]];
      addTetMoments(value, open[t] * element.volume, outRoom, 4 * n);
    }
  },
);

/**
 * Shares of wet tets for their liquid corners, four each: excesses per room, spread by the tet's mass matrix;
 * and without it (`lumped`).
 */
const spreadExcess = defineTask(
  'flip/spread-excess',
  {
    mesh: meshRecord,
    wetTet: 'i32',
    room: 'f64',
    nodeToRow: 'i32',
    density: 'f64',
    isLumped: 'number',
    out: 'f64',
  },
  (begin, end, { mesh, wetTet, room, nodeToRow, density, isLumped, out }) => {
    const { tet } = mesh;
    for (let n = begin; n < end; n++) {
      const o = 4 * wetTet[n];
      const held = room[4 * n] + room[4 * n + 1] + room[4 * n + 2] + room[4 * n + 3];
      let corners = 0;
      let sum = 0;
      for (let i = 0; i < 4; i++) {
        const row = nodeToRow[tet[o + i]];
        if (row < 0) continue;
        corners++;
        if (isLumped === 0) sum += density[row];
      }
      for (let i = 0; i < 4; i++) {
        const row = nodeToRow[tet[o + i]];
        out[4 * n + i] = 0;
        if (row < 0) continue;
        const value = isLumped === 1 ? 1 : (sum + density[row]) / (corners + 1);
        out[4 * n + i] = (held / corners) * value;
      }
    }
  },
);

/** (tetCount x 3) m; empty without correction. */
export function correctDensity(
  model: FlipModel,
  mesh: FlipMesh,
  { position, volume, kind, level, sources }: Tasks,
  system: NodalSystem,
  solve: ReturnType<typeof createNodalSolver>,
  scope: HeapScope,
  scratch: HeapScope,
): Float64Array {
  const { threads, options } = model;
  const rows = system.matrix.rowCount;
  if (options.densityCorrection === 0 || rows === 0) return scope.f64(0);
  const { tetCount } = mesh.background;
  const { wetTet } = system;
  const outHeld = scratch.f64(4 * wetTet.length);
  const outRoom = scratch.f64(4 * wetTet.length);
  const point = scratch.f64(position.length);
  for (const corner of CORNERS) {
    layPoints(model, position, volume, corner, point);
    const { tet, barycentric } = locateParticles(model, mesh, point, scratch);
    const { start, member } = listMembers(tet, kind, tetCount, scratch);
    const share = 1 / CORNERS.length;
    threads.run(fillHeld, wetTet.length, TET_GRAIN, {
      wetTet,
      start,
      member,
      barycentric,
      volume,
      share,
      outHeld,
    });
  }
  threads.run(fillRoom, wetTet.length, TET_GRAIN, {
    mesh: mesh.values,
    wetTet,
    open: sources.open,
    level,
    outRoom,
  });
  const held = scratch.f64(rows);
  const room = scratch.f64(rows);
  gatherCorners(threads, system, outHeld, held);
  gatherCorners(threads, system, outRoom, room);
  const b = scratch.f64(rows);
  for (let i = 0; i < rows; i++) {
    const most = MOST_EXCESS * room[i];
    b[i] = options.densityCorrection * Math.min(most, Math.max(-most, held[i] - room[i]));
  }
  smooth(model, mesh, system, outRoom, b, scratch);
  for (let i = 0; i < rows; i++) {
    const slack = options.densityCorrection * SLACK * room[i];
    b[i] = Math.sign(b[i]) * Math.max(0, Math.abs(b[i]) - slack);
  }
  const q = scratch.f64(rows);
  solve(b, q, { tolerance: TOLERANCE, maxIterations: options.pressureIterations });
  const shift = scope.f64(3 * tetCount);
  subtractNodalGradient(threads, system, q, shift);
  return shift;
}

/** A corner of each particle's cube, inside the domain. */
function layPoints(
  { domain: { min, max } }: FlipModel,
  position: Float64Array,
  volume: Float64Array,
  corner: readonly number[],
  out: Float64Array,
): void {
  for (let p = 0; p < volume.length; p++) {
    const away = OFFSET * radiusOfVolume(volume[p]);
    for (let a = 0; a < 3; a++)
      out[3 * p + a] = Math.min(max[a], Math.max(min[a], position[3 * p + a] + away * corner[a]));
  }
}

/** Smooths volumes at the rows, in place: their sum stays. `room` (wet tets x 4): the liquid of each tet. */
function smooth(
  { threads }: FlipModel,
  mesh: FlipMesh,
  system: NodalSystem,
  room: Float64Array,
  b: Float64Array,
  scratch: HeapScope,
): void {
  const { wetTet, nodeToRow } = system;
  const density = scratch.f64(b.length);
  const out = scratch.f64(room.length);
  const values = { mesh: mesh.values, wetTet, room, nodeToRow, density, out };
  const mass = scratch.f64(b.length);
  threads.run(spreadExcess, wetTet.length, TET_GRAIN, { ...values, isLumped: 1 });
  gatherCorners(threads, system, out, mass);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < b.length; i++) density[i] = mass[i] > 0 ? b[i] / mass[i] : 0;
    threads.run(spreadExcess, wetTet.length, TET_GRAIN, { ...values, isLumped: 0 });
    gatherCorners(threads, system, out, b);
  }
}

/** Particles of the liquid by tet, in their order. */
export function listMembers(tet: Int32Array, kind: Uint8Array, tetCount: number, scratch: HeapScope) {
  const start = scratch.i32(tetCount + 1);
  const member = scratch.i32(tet.length);
  for (let p = 0; p < tet.length; p++) if (tet[p] >= 0 && kind[p] === 0) start[tet[p] + 1]++;
  for (let t = 0; t < tetCount; t++) start[t + 1] += start[t];
  const next = start.slice(0, tetCount);
  for (let p = 0; p < tet.length; p++) if (tet[p] >= 0 && kind[p] === 0) member[next[tet[p]]++] = p;
  return { start, member };
}
