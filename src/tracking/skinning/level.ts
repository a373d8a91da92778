/**
 * The skin as a level set at the nodes of a tet mesh ([ando-2013] 5, lines 2 and 3 of algorithm 1).
 *
 * The union of hulls has gaps inside. The paper fills them by larger radii from the last step's distances;
 * here the sign is flooded (flood.ts), and what air does not come to is liquid. Where an edge leads from air
 * to liquid the skin is found on it by following the distance. Marching tets joins these points to a surface,
 * and liquid nodes have their distance to it. Air nodes near the skin have the exact distance to it.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { TriMesh } from '../../mesh/trimesh.ts';
import { EdgeTable } from './edge-table.ts';
import { buildTree, type Skin, TRIANGLE } from './elements.ts';
import { closeWalls, floodAir, openWalls, STATE, sortNodes } from './flood.ts';
import { TetMarcher } from './marching.ts';
import { type Balls, type OrderedBalls, orderBalls } from './order.ts';
import { indexBalls, type Machine, skinOrdered } from './skin.ts';
import { type Field, traceWays } from './trace.ts';
import { findValues, SKIPPED } from './value.ts';

/** Of an edge from a node that lies on a wall. */
const LEAST_SHARE = 1e-6;

export interface SkinLevel {
  /** (vertexCount) m, positive inside */
  readonly phi: Float64Array;
  /** Closed but for the sides of the mesh. */
  readonly surface: TriMesh;
  /**
   * (surface.vertexCount x 2) vertices of the mesh between which each vertex of the surface lies: air, liquid
   */
  readonly between: Int32Array;
  /** (vertexCount) 1 where air did not come */
  readonly isInside: Uint8Array;
}

/** What the mesh must tell; its position lies on the heap. */
export type Nodes = Pick<TetMesh, 'vertexCount' | 'tetCount' | 'position' | 'tet'>;

export function computeSkinLevel(mesh: Nodes, balls: Balls, machine: Machine, scope: HeapScope): SkinLevel {
  const { heap } = machine;
  const scratch = heap.scope('skin');
  const ordered = orderBalls(balls, scratch);
  const skin = skinOrdered(ordered, machine, scratch);
  const level = computeLevel(mesh, { ordered, skin }, true, machine, scope);
  scratch.free();
  return level;
}

type Clearance = (x: number, y: number, z: number) => number;

/** A skin that is built already. */
export interface OrderedSkin {
  readonly ordered: OrderedBalls;
  readonly skin: Skin;
}

/**
 * The same of a skin that is built already; isMeasured: phi of liquid nodes is asked for. `clearanceAt`: of
 * walls that close what lies behind them. Air does not come through them into gaps of the liquid, whose
 * surface ends on them there.
 */
export function computeLevel(
  mesh: Nodes,
  { ordered, skin }: OrderedSkin,
  isMeasured: boolean,
  machine: Machine,
  scope: HeapScope,
  clearanceAt?: Clearance,
): SkinLevel {
  const { heap, threads } = machine;
  const phi = scope.f64(mesh.vertexCount);
  if (skin.elements === 0) return computeEmpty(mesh, phi);
  const scratch = heap.scope('skin at nodes');
  const state = sortNodes(mesh.position, indexBalls(ordered, machine, scratch), phi, threads, scratch);
  const field = { skin, position: mesh.position, phi };
  if (clearanceAt) closeWalls(mesh.position, state, clearanceAt);
  floodAir(mesh, field, state, threads, scratch);
  if (clearanceAt) openWalls(mesh, field, state, threads, scratch);
  const cut = cutEdges(mesh, field, state, threads, scratch, clearanceAt);
  const surface = march(mesh, state, cut);
  if (isMeasured) measureLiquid(mesh, phi, state, surface, threads, scratch);
  const between = cut.node.slice();
  const isInside = Uint8Array.from(state, (own) => (own === STATE.air ? 0 : 1));
  scratch.free();
  return { phi, surface, between, isInside };
}

/** Without balls all is air, as far from liquid as the mesh is large. */
function computeEmpty(mesh: Nodes, phi: Float64Array): SkinLevel {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const x of mesh.position) {
    least = Math.min(least, x);
    most = Math.max(most, x);
  }
  phi.fill(least - most);
  const none = new Int32Array(0);
  return {
    phi,
    surface: { vertexCount: 0, triangleCount: 0, position: new Float64Array(0), triangle: none },
    between: none,
    isInside: new Uint8Array(mesh.vertexCount),
  };
}

interface Cut {
  readonly edges: EdgeTable;
  /** (edges x 2) air, liquid */
  readonly node: Int32Array;
  /** (edges x 3) where the skin is on them, m */
  readonly position: Float64Array;
}

/** The edges between air and liquid, and where the skin is on them. */
function cutEdges(
  mesh: Nodes,
  field: Field,
  state: Uint8Array,
  threads: Threads,
  scratch: HeapScope,
  clearanceAt: Clearance | undefined,
): Cut {
  const { tet, tetCount } = mesh;
  const edges = new EdgeTable(4096);
  for (let t = 0; t < tetCount; t++) {
    let air = 0;
    for (let i = 4 * t; i < 4 * t + 4; i++) if (state[tet[i]] === STATE.air) air++;
    if (air === 0 || air === 4) continue;
    for (let i = 4 * t; i < 4 * t + 4; i++)
      for (let j = 4 * t; j < 4 * t + 4; j++)
        if (state[tet[i]] === STATE.air && state[tet[j]] !== STATE.air) edges.add(tet[i], tet[j]);
  }
  const { count } = edges;
  const node = scratch.i32(2 * count);
  for (let e = 0; e < count; e++) {
    const isFirstAir = state[edges.vertex[2 * e]] === STATE.air ? 1 : 0;
    node[2 * e] = edges.vertex[2 * e + 1 - isFirstAir];
    node[2 * e + 1] = edges.vertex[2 * e + isFirstAir];
  }
  const share = traceWays(field, node, true, threads, scratch);
  if (clearanceAt) endAtWalls(mesh, edges, node, share, clearanceAt);
  const position = new Float64Array(3 * count);
  for (let e = 0; e < count; e++)
    for (let k = 0; k < 3; k++) {
      const from = mesh.position[3 * node[2 * e] + k];
      position[3 * e + k] = from + share[e] * (mesh.position[3 * node[2 * e + 1] + k] - from);
    }
  return { edges, node, position };
}

/** Ways through a wall that no air of the open is beside end on the wall: the liquid lies on it. */
function endAtWalls(
  { tet, tetCount, position }: Nodes,
  edges: EdgeTable,
  node: Int32Array,
  share: Float64Array,
  clearanceAt: Clearance,
): void {
  const clearance = new Float64Array(node.length);
  const isAirInOpen = new Uint8Array(position.length / 3);
  for (let n = 0; n < node.length; n++) {
    const v = 3 * node[n];
    clearance[n] = clearanceAt(position[v], position[v + 1], position[v + 2]);
    if (n % 2 === 0 && clearance[n] > 0) isAirInOpen[node[n]] = 1;
  }
  const isFree = new Uint8Array(share.length);
  for (let t = 0; t < 4 * tetCount; t += 4) {
    let open = 0;
    for (let i = t; i < t + 4; i++) open |= isAirInOpen[tet[i]];
    if (open === 0) continue;
    for (let i = t; i < t + 4; i++)
      for (let j = t; j < i; j++) {
        const e = edges.find(tet[i], tet[j]);
        if (e !== NONE) isFree[e] = 1;
      }
  }
  for (let e = 0; e < share.length; e++) {
    const from = clearance[2 * e];
    const to = clearance[2 * e + 1];
    if (isFree[e] === 0 && from <= 0 && to > 0)
      share[e] = Math.min(share[e], Math.max(LEAST_SHARE, from / (from - to)));
  }
}

function march(mesh: Nodes, state: Uint8Array, { edges, position }: Cut): TriMesh {
  const marcher = new TetMarcher(mesh.tet, state, edges, position);
  for (let t = 0; t < mesh.tetCount; t++) marcher.cut(t);
  return {
    vertexCount: edges.count,
    triangleCount: marcher.triangles.count,
    position,
    triangle: marcher.triangles.all().slice(),
  };
}

/** Distances of liquid nodes to the surface. Where all is liquid they are the largest number. */
function measureLiquid(
  mesh: Nodes,
  phi: Float64Array,
  state: Uint8Array,
  surface: TriMesh,
  threads: Threads,
  scratch: HeapScope,
): void {
  const bound = scratch.f64(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++)
    bound[v] = state[v] === STATE.air ? SKIPPED : Number.NEGATIVE_INFINITY;
  const tree = indexTriangles(surface, threads, scratch);
  const element = scratch.i32(mesh.vertexCount);
  findValues(tree, { point: mesh.position, bound, value: phi, element }, threads, scratch, true);
  threads.run(turnSigns, mesh.vertexCount, 8192, { phi, state });
}

const turnSigns = defineTask(
  'tracking/turn-skin-signs',
  { phi: 'f64', state: 'u8' },
  (begin, end, { phi, state }) => {
    for (let v = begin; v < end; v++)
      if (state[v] !== STATE.air) phi[v] = phi[v] === Number.NEGATIVE_INFINITY ? Number.MAX_VALUE : -phi[v];
  },
);

/** A tree over the triangles of a mesh: its value is minus the distance. */
export function indexTriangles(surface: TriMesh, threads: Threads, scope: HeapScope): Skin {
  const { vertexCount, triangleCount, position, triangle } = surface;
  const ball = scope.f64(4 * vertexCount);
  for (let v = 0; v < vertexCount; v++) for (let k = 0; k < 3; k++) ball[4 * v + k] = position[3 * v + k];
  const owner = scope.i32(triangleCount);
  const partner = scope.i32(2 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    owner[t] = 4 * triangle[3 * t] + TRIANGLE;
    partner[2 * t] = triangle[3 * t + 1];
    partner[2 * t + 1] = triangle[3 * t + 2];
  }
  return buildTree(ball, owner, partner, threads, scope);
}
