/**
 * Air, flooded: nodes far from all balls are air, and so is what can be reached from them along edges of the mesh that do not pass through the skin.
 * Values of the skin are found for the nodes that the air comes to, and for no others: those deep in the liquid are never asked.
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

/** States of nodes. */
export const UNKNOWN = 0;
export const AIR = 1;
/** Outside of all hulls, as far as is known: air may come to it. */
export const HOLLOW = 2;
export const LIQUID = 3;

/** State of nodes by the balls alone: AIR far from them, LIQUID in one, else UNKNOWN. phi: minus the distance to the nearest. */
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
  'tracking/skinning/sort-nodes',
  { balls: skinRecord, phi: 'f64', element: 'i32', state: 'u8' },
  (begin, end, { balls, phi, element, state }) => {
    for (let v = begin; v < end; v++) {
      if (phi[v] >= 0) state[v] = LIQUID;
      else {
        const radius = element[v] === NONE ? 0 : balls.ball[(balls.owner[element[v]] & -4) + 3];
        state[v] = phi[v] < -OPEN * radius ? AIR : UNKNOWN;
      }
    }
  },
);

/** Spreads the air; phi of every HOLLOW node that it comes to, and of every AIR node, is the value of the skin. */
export function floodAir(
  mesh: Nodes,
  field: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
): void {
  const tried = new EdgeTable(4096);
  for (;;) {
    findHollow(mesh, field, state, threads, scratch);
    const first = tried.count;
    listWays(mesh, state, tried);
    if (tried.count === first) return;
    if (spread(field, state, tried, first, threads, scratch) === 0) return;
  }
}

/** Values at unknown nodes beside air. */
function findHollow(
  { tet, tetCount }: Nodes,
  { skin, position, phi }: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
): void {
  const found: number[] = [];
  for (let t = 0; t < tetCount; t++) {
    let air = 0;
    let unknown = 0;
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      if (state[tet[i]] === AIR) air++;
      else if (state[tet[i]] === UNKNOWN) unknown++;
    }
    if (air === 0 || unknown === 0) continue;
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      if (state[tet[i]] !== UNKNOWN) continue;
      state[tet[i]] = HOLLOW;
      found.push(tet[i]);
    }
  }
  const count = found.length;
  const point = scratch.f64(3 * count);
  const bound = scratch.f64(count);
  for (let n = 0; n < count; n++) {
    for (let k = 0; k < 3; k++) point[3 * n + k] = position[3 * found[n] + k];
    bound[n] = phi[found[n]];
  }
  const value = scratch.f64(count);
  findValues(skin, { point, bound, value, element: scratch.i32(count) }, threads, scratch, false);
  for (let n = 0; n < count; n++) {
    phi[found[n]] = value[n];
    if (value[n] >= 0) state[found[n]] = LIQUID;
  }
}

/** Edges from air to hollow nodes that were not tried before. */
function listWays({ tet, tetCount }: Nodes, state: Uint8Array, tried: EdgeTable): void {
  for (let t = 0; t < tetCount; t++) {
    let air = 0;
    let hollow = 0;
    for (let i = 4 * t; i < 4 * t + 4; i++) {
      if (state[tet[i]] === AIR) air++;
      else if (state[tet[i]] === HOLLOW) hollow++;
    }
    if (air === 0 || hollow === 0) continue;
    for (let i = 4 * t; i < 4 * t + 4; i++)
      for (let j = 4 * t; j < 4 * t + 4; j++)
        if (state[tet[i]] === AIR && state[tet[j]] === HOLLOW) tried.add(tet[i], tet[j]);
  }
}

/** Hollow nodes at the end of free ways become air; returns how many. */
function spread(
  field: Field,
  state: Uint8Array,
  tried: EdgeTable,
  first: number,
  threads: Threads,
  scratch: HeapScope,
): number {
  const node = scratch.i32(2 * (tried.count - first));
  node.set(tried.vertex.subarray(2 * first, 2 * tried.count));
  const share = traceWays(field, node, false, threads, scratch);
  let spreads = 0;
  for (let n = 0; n < share.length; n++) {
    if (share[n] !== 2) continue;
    for (let i = 2 * n; i < 2 * n + 2; i++)
      if (state[node[i]] === HOLLOW) {
        state[node[i]] = AIR;
        spreads++;
      }
  }
  return spreads;
}
