/**
 * Air, flooded: nodes far from all balls are air, and so is what can be reached from them along edges of the
 * mesh that do not pass through the skin. Values of the skin are found for the nodes that the air comes to,
 * and for no others: those deep in the liquid are never asked.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { EdgeTable } from './edge-table.ts';
import { type Skin, skinRecord } from './elements.ts';
import type { Nodes } from './level.ts';
import { type Field, traceWays } from './trace.ts';
import { findValues } from './value.ts';

/** What is farther from all balls is air: in radii of the nearest. */
const OPEN = 2;

/** States of nodes. `hollow`: outside of all hulls, as far as is known: air may come to it. */
export const STATE = { unknown: 0, air: 1, hollow: 2, liquid: 3 } as const;

/**
 * State of nodes by the balls alone: STATE.air far from them, STATE.liquid in one, else STATE.unknown. phi:
 * minus the distance to the nearest.
 */
export function sortNodes(
  position: Float64Array,
  balls: Skin,
  phi: Float64Array,
  threads: Threads,
  scratch: HeapScope,
): Uint8Array {
  const state = scratch.u8(phi.length);
  const element = scratch.i32(phi.length);
  const bound = scratch.f64(phi.length).fill(Number.NEGATIVE_INFINITY);
  findValues(balls, { point: position, bound, value: phi, element }, threads, scratch, true);
  threads.run(sortByDistance, phi.length, 4096, { balls, phi, element, state });
  return state;
}

const sortByDistance = defineTask(
  'tracking/sort-skin-nodes',
  { balls: skinRecord, phi: 'f64', element: 'i32', state: 'u8' },
  (begin, end, { balls, phi, element, state }) => {
    for (let v = begin; v < end; v++) {
      if (phi[v] >= 0) state[v] = STATE.liquid;
      else {
        const radius = element[v] === NONE ? 0 : balls.ball[(balls.owner[element[v]] & -4) + 3];
        state[v] = phi[v] < -OPEN * radius ? STATE.air : STATE.unknown;
      }
    }
  },
);

/**
 * Spreads the air; phi of every STATE.hollow node that it comes to, and of every STATE.air node, is the value
 * of the skin.
 */
export function floodAir(
  mesh: Nodes,
  field: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
): void {
  settleAir(mesh, field, state, threads, scratch);
  const tried = new EdgeTable(4096);
  let open = listOpen(mesh, state, null);
  for (;;) {
    findHollow(mesh.tet, open, field, state, threads, scratch);
    open = listOpen(mesh, state, open);
    const first = tried.count;
    const before = countAir(state);
    listWays(mesh.tet, open, field, state, tried);
    spread(field, state, tried, first, threads, scratch);
    if (countAir(state) === before) return;
  }
}

/**
 * The value of the skin at air nodes beside others, in place of the distance to the balls, which may be more.
 * What turns out to lie in a hull, between balls far apart, is liquid; then air beside it is asked as well.
 */
function settleAir(mesh: Nodes, field: Field, state: Uint8Array, threads: Threads, scratch: HeapScope): void {
  const { tet, tetCount } = mesh;
  const isAsked = new Uint8Array(state.length);
  for (;;) {
    const nodes: number[] = [];
    for (let t = 0; t < 4 * tetCount; t += 4) {
      let air = 0;
      for (let i = t; i < t + 4; i++) if (state[tet[i]] === STATE.air) air++;
      if (air === 0 || air === 4) continue;
      for (let i = t; i < t + 4; i++) {
        if (state[tet[i]] !== STATE.air || isAsked[tet[i]] === 1) continue;
        isAsked[tet[i]] = 1;
        nodes.push(tet[i]);
      }
    }
    if (nodes.length === 0) return;
    askSkin(nodes, field, state, threads, scratch);
  }
}

/** Values of the skin at nodes; those in a hull are liquid. */
function askSkin(
  nodes: readonly number[],
  { skin, position, phi }: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
): void {
  const count = nodes.length;
  const point = scratch.f64(3 * count);
  const bound = scratch.f64(count);
  for (let n = 0; n < count; n++) {
    for (let k = 0; k < 3; k++) point[3 * n + k] = position[3 * nodes[n] + k];
    bound[n] = phi[nodes[n]];
  }
  const value = scratch.f64(count);
  findValues(skin, { point, bound, value, element: scratch.i32(count) }, threads, scratch, false);
  for (let n = 0; n < count; n++) {
    phi[nodes[n]] = value[n];
    if (value[n] >= 0) state[nodes[n]] = STATE.liquid;
  }
}

/** First vertices of the tets (of all, or of a list) in which air may still spread. */
function listOpen({ tet, tetCount }: Nodes, state: Uint8Array, from: Int32Array | null): Int32Array {
  const count = from ? from.length : tetCount;
  const list = from ?? new Int32Array(tetCount);
  let kept = 0;
  for (let n = 0; n < count; n++) {
    const t = from ? from[n] : 4 * n;
    let air = 0;
    let liquid = 0;
    for (let i = t; i < t + 4; i++) {
      if (state[tet[i]] === STATE.air) air++;
      else if (state[tet[i]] === STATE.liquid) liquid++;
    }
    if (air + liquid < 4) list[kept++] = t;
  }
  return list.subarray(0, kept);
}

/** Values at unknown nodes beside air. */
function findHollow(
  tet: Int32Array,
  open: Int32Array,
  field: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
): void {
  const found: number[] = [];
  for (const t of open) {
    let air = 0;
    let unknown = 0;
    for (let i = t; i < t + 4; i++) {
      if (state[tet[i]] === STATE.air) air++;
      else if (state[tet[i]] === STATE.unknown) unknown++;
    }
    if (air === 0 || unknown === 0) continue;
    for (let i = t; i < t + 4; i++) {
      if (state[tet[i]] !== STATE.unknown) continue;
      state[tet[i]] = STATE.hollow;
      found.push(tet[i]);
    }
  }
  askSkin(found, field, state, threads, scratch);
}

/**
 * Edges from air to hollow nodes that were not tried before. Where the distances of both ends reach as far as
 * the edge is long it is free at once.
 */
function listWays(
  tet: Int32Array,
  open: Int32Array,
  { position, phi }: Field,
  state: Uint8Array,
  tried: EdgeTable,
): void {
  for (const t of open)
    for (let i = t; i < t + 4; i++)
      for (let j = t; j < t + 4; j++) {
        const v = tet[i];
        const w = tet[j];
        if (state[v] !== STATE.air || state[w] !== STATE.hollow) continue;
        const x = position[3 * w] - position[3 * v];
        const y = position[3 * w + 1] - position[3 * v + 1];
        const z = position[3 * w + 2] - position[3 * v + 2];
        const both = phi[v] + phi[w];
        if (x * x + y * y + z * z <= both * both) state[w] = STATE.air;
        else tried.add(v, w);
      }
}

function countAir(state: Uint8Array): number {
  let count = 0;
  for (let v = 0; v < state.length; v++) if (state[v] === STATE.air) count++;
  return count;
}

/** Hollow nodes at the end of free ways become air. */
function spread(
  field: Field,
  state: Uint8Array,
  tried: EdgeTable,
  first: number,
  threads: Threads,
  scratch: HeapScope,
): void {
  const node = scratch.i32(2 * (tried.count - first));
  node.set(tried.vertex.subarray(2 * first, 2 * tried.count));
  const share = traceWays(field, node, false, threads, scratch);
  for (let n = 0; n < share.length; n++) {
    if (share[n] !== 2) continue;
    for (let i = 2 * n; i < 2 * n + 2; i++) if (state[node[i]] === STATE.hollow) state[node[i]] = STATE.air;
  }
}
