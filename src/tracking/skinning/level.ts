/**
 * The skin as a level set at the nodes of a tet mesh ([ando-2013] 5, lines 2 and 3 of algorithm 1).
 *
 * The union of hulls has gaps inside. The paper fills them by larger radii from the last step's distances; here the sign is flooded: air is what
 * can be reached from nodes far from all balls along edges that do not pass through the skin, and everything else is liquid. Where an edge leads from
 * air to liquid the skin is found on it by following the distance. Marching tets joins these points to a surface, and liquid nodes have their distance to
 * it. Air nodes near the skin have the exact distance to it.
 */
import type { HeapScope } from '../../core/heap.ts';

import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { TriMesh } from '../../mesh/trimesh.ts';
import { EdgeTable } from './edge-table.ts';
import { buildTree, type Skin, skinRecord, TRIANGLE } from './elements.ts';
import { TetMarcher } from './marching.ts';
import { type Balls, orderBalls } from './order.ts';
import { indexBalls, type Machine, skinOrdered } from './skin.ts';
import { SkinQuery } from './value.ts';

export interface SkinLevel {
  /** (vertexCount) m, positive inside */
  readonly phi: Float64Array;
  /** Closed but for the sides of the mesh. */
  readonly surface: TriMesh;
  /** (surface.vertexCount x 2) vertices of the mesh between which each vertex of the surface lies: liquid, air */
  readonly between: Int32Array;
}

/** What is far from all balls is air: distance in radii of the nearest. */
const OPEN = 2;
/** Of an edge: nearer to the skin than this, it touches it. */
const TOUCH = 1e-4;
/** Of an edge: where the skin is met is known this well, and no nearer than this to an end. */
const EXACT = 1e-6;
const MOST_STEPS = 40;
const GRAIN = 128;

type Nodes = Pick<TetMesh, 'vertexCount' | 'tetCount' | 'position' | 'tet'>;

export function computeSkinLevel(mesh: Nodes, balls: Balls, machine: Machine, scope: HeapScope): SkinLevel {
  const { heap, threads } = machine;
  const scratch = heap.scope('skin');
  const ordered = orderBalls(balls, scratch);
  const skin = skinOrdered(ordered, machine, scratch);
  const phi = scope.f64(mesh.vertexCount);
  const isAir = scratch.u8(mesh.vertexCount);
  const { position } = mesh;
  const alone = indexBalls(ordered, machine, scratch);
  threads.run(valueNodes, mesh.vertexCount, GRAIN, { alone, skin, position, phi, isAir });
  const edges = floodAir(mesh, phi, isAir, skin, machine, scratch);
  const cut = cutEdges(mesh, edges, phi, isAir, skin, threads, scratch);
  const { surface, between } = march(mesh, isAir, cut);
  measureLiquid(mesh, phi, isAir, surface, threads, scratch);
  scratch.free();
  return { phi, surface, between };
}

/** Value at nodes: of the balls, and where none holds the node, of the skin. Nodes far from all balls are air. */
const valueNodes = defineTask(
  'tracking/skinning/value-nodes',
  { alone: skinRecord, skin: skinRecord, position: 'f64', phi: 'f64', isAir: 'u8' },
  (begin, end, { alone, skin, position, phi, isAir }) => {
    const balls = new SkinQuery(alone);
    const all = new SkinQuery(skin);
    for (let v = begin; v < end; v++) {
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      const value = balls.valueAt(x, y, z, Number.NEGATIVE_INFINITY);
      phi[v] = value;
      if (value >= 0) continue;
      phi[v] = all.valueAt(x, y, z, value);
      const nearest = balls.element === NONE ? 0 : alone.ball[(alone.owner[balls.element] & -4) + 3];
      if (phi[v] < 0 && value < -OPEN * nearest) isAir[v] = 1;
    }
  },
);

/** Edges that may be cut, with both ends' tets near the skin; air spreads along those that are free. */
function floodAir(
  mesh: Nodes,
  phi: Float64Array,
  isAir: Uint8Array,
  skin: Skin,
  { threads }: Machine,
  scratch: HeapScope,
): EdgeTable {
  const { tet, tetCount, position } = mesh;
  const edges = new EdgeTable(mesh.vertexCount);
  for (let t = 0; t < tetCount; t++) {
    let air = 0;
    let inside = 0;
    for (let i = 0; i < 4; i++) {
      if (isAir[tet[4 * t + i]] === 1) air++;
      else if (phi[tet[4 * t + i]] >= 0) inside++;
    }
    if (air === 4 || inside === 4) continue;
    for (let i = 0; i < 4; i++)
      for (let j = i + 1; j < 4; j++) {
        const v = tet[4 * t + i];
        const w = tet[4 * t + j];
        if ((phi[v] < 0 || phi[w] < 0) && !(isAir[v] === 1 && isAir[w] === 1)) edges.add(v, w);
      }
  }
  const vertex = scratch.i32(2 * edges.count);
  vertex.set(edges.vertex.subarray(0, 2 * edges.count));
  const isFree = scratch.u8(edges.count);
  threads.run(traceFree, edges.count, GRAIN, { skin, position, phi, vertex, isFree });
  spread(vertex, isFree, isAir);
  return edges;
}

/** Air goes on along free edges, from the nodes that are air. */
function spread(vertex: Int32Array, isFree: Uint8Array, isAir: Uint8Array): void {
  const start = new Int32Array(isAir.length + 1);
  for (let e = 0; e < isFree.length; e++)
    if (isFree[e] === 1) for (let i = 0; i < 2; i++) start[vertex[2 * e + i] + 1]++;
  for (let v = 0; v < isAir.length; v++) start[v + 1] += start[v];
  const fill = start.slice(0, isAir.length);
  const other = new Int32Array(start[isAir.length]);
  const queue: number[] = [];
  for (let e = 0; e < isFree.length; e++) {
    if (isFree[e] === 0) continue;
    other[fill[vertex[2 * e]]++] = vertex[2 * e + 1];
    other[fill[vertex[2 * e + 1]]++] = vertex[2 * e];
  }
  for (let v = 0; v < isAir.length; v++) if (isAir[v] === 1 && start[v + 1] > start[v]) queue.push(v);
  for (let n = 0; n < queue.length; n++)
    for (let m = start[queue[n]]; m < start[queue[n] + 1]; m++) {
      if (isAir[other[m]] === 1) continue;
      isAir[other[m]] = 1;
      queue.push(other[m]);
    }
}

/** Whether the straight way between two nodes outside of the hulls stays outside. */
const traceFree = defineTask(
  'tracking/skinning/trace-free',
  { skin: skinRecord, position: 'f64', phi: 'f64', vertex: 'i32', isFree: 'u8' },
  (begin, end, { skin, position, phi, vertex, isFree }) => {
    const query = new SkinQuery(skin);
    for (let e = begin; e < end; e++) {
      const v = 3 * vertex[2 * e];
      const w = 3 * vertex[2 * e + 1];
      if (phi[v / 3] >= 0 || phi[w / 3] >= 0) continue;
      const x = position[w] - position[v];
      const y = position[w + 1] - position[v + 1];
      const z = position[w + 2] - position[v + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      const end = length + phi[w / 3];
      let at = -phi[v / 3];
      for (let n = 0; n < MOST_STEPS && at < end; n++) {
        const t = at / length;
        const value = query.valueAt(
          position[v] + t * x,
          position[v + 1] + t * y,
          position[v + 2] + t * z,
          Number.NEGATIVE_INFINITY,
        );
        if (value > -TOUCH * length) break;
        at -= value;
      }
      isFree[e] = at >= end ? 1 : 0;
    }
  },
);

interface Cut {
  readonly edges: EdgeTable;
  /** Vertices of the mesh: liquid, air. */
  readonly between: Int32Array;
  /** Where the skin is, of the way from air to liquid. */
  readonly share: Float64Array;
  readonly position: Float64Array;
}

/** The edges between air and liquid, and where the skin is on them. */
function cutEdges(
  mesh: Nodes,
  all: EdgeTable,
  phi: Float64Array,
  isAir: Uint8Array,
  skin: Skin,
  threads: Threads,
  scratch: HeapScope,
): Cut {
  const edges = new EdgeTable(1024);
  for (let e = 0; e < all.count; e++)
    if (isAir[all.vertex[2 * e]] !== isAir[all.vertex[2 * e + 1]])
      edges.add(all.vertex[2 * e], all.vertex[2 * e + 1]);
  const between = scratch.i32(2 * edges.count);
  for (let e = 0; e < edges.count; e++) {
    const first = isAir[edges.vertex[2 * e]];
    between[2 * e] = edges.vertex[2 * e + first];
    between[2 * e + 1] = edges.vertex[2 * e + 1 - first];
  }
  const share = scratch.f64(edges.count);
  threads.run(traceToSkin, edges.count, GRAIN, { skin, position: mesh.position, phi, between, share });
  const position = new Float64Array(3 * edges.count);
  for (let e = 0; e < edges.count; e++)
    for (let k = 0; k < 3; k++) {
      const from = mesh.position[3 * between[2 * e + 1] + k];
      position[3 * e + k] = from + share[e] * (mesh.position[3 * between[2 * e] + k] - from);
    }
  return { edges, between, share, position };
}

/**
 * Where the way from an air node to a liquid one meets the skin first: steps as long as the distance or, where the last two values tell that the
 * skin is farther along, as they tell; once a value is positive, false position (Illinois).
 */
const traceToSkin = defineTask(
  'tracking/skinning/trace-to-skin',
  { skin: skinRecord, position: 'f64', phi: 'f64', between: 'i32', share: 'f64' },
  (begin, end, { skin, position, phi, between, share }) => {
    const query = new SkinQuery(skin);
    for (let e = begin; e < end; e++) {
      const v = 3 * between[2 * e + 1];
      const w = 3 * between[2 * e];
      const x = position[w] - position[v];
      const y = position[w + 1] - position[v + 1];
      const z = position[w + 2] - position[v + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      const valueAt = (at: number) => {
        const t = at / length;
        return query.valueAt(
          position[v] + t * x,
          position[v + 1] + t * y,
          position[v + 2] + t * z,
          Number.NEGATIVE_INFINITY,
        );
      };
      let low = 0;
      let lowValue = phi[v / 3];
      let high = length;
      let highValue = Number.NaN;
      let next = -lowValue;
      for (let n = 0; n < MOST_STEPS && next < length; n++) {
        const value = valueAt(next);
        if (value > 0) {
          high = next;
          highValue = value;
          break;
        }
        const slope = (value - lowValue) / (next - low);
        low = next;
        lowValue = value;
        if (value > -EXACT * length) break;
        next = low - value * Math.max(1, slope > 0 ? Math.min(1 / slope, 16) : 1);
      }
      if (Number.isNaN(highValue) && lowValue < -EXACT * length) {
        highValue = valueAt(length);
        if (!(highValue > 0)) lowValue = 0;
      }
      for (let n = 0, side = 0; n < MOST_STEPS && lowValue < -EXACT * length; n++) {
        const at = (low * highValue - high * lowValue) / (highValue - lowValue);
        const value = valueAt(at);
        if (value > 0) {
          high = at;
          highValue = value;
          if (side === 1) lowValue *= 0.5;
          side = 1;
          if (value < EXACT * length) {
            low = at;
            break;
          }
        } else {
          low = at;
          lowValue = value;
          if (side === -1) highValue *= 0.5;
          side = -1;
        }
      }
      share[e] = Math.min(1 - EXACT, Math.max(EXACT, low / length));
    }
  },
);

function march(mesh: Nodes, isAir: Uint8Array, cut: Cut): { surface: TriMesh; between: Int32Array } {
  const { edges, position } = cut;
  const marcher = new TetMarcher(mesh, isAir, edges, (e, k) => position[3 * e + k]);
  for (let t = 0; t < mesh.tetCount; t++) marcher.cut(t);
  return {
    surface: {
      vertexCount: edges.count,
      triangleCount: marcher.count,
      position,
      triangle: marcher.triangle.slice(0, 3 * marcher.count),
    },
    between: cut.between.slice(),
  };
}

/** Distances of liquid nodes to the surface. */
function measureLiquid(
  mesh: Nodes,
  phi: Float64Array,
  isAir: Uint8Array,
  surface: TriMesh,
  threads: Threads,
  scratch: HeapScope,
): void {
  const tree = indexTriangles(surface, threads, scratch);
  threads.run(measureNodes, mesh.vertexCount, GRAIN, { tree, position: mesh.position, phi, isAir });
}

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

const measureNodes = defineTask(
  'tracking/skinning/measure-nodes',
  { tree: skinRecord, position: 'f64', phi: 'f64', isAir: 'u8' },
  (begin, end, { tree, position, phi, isAir }) => {
    const query = new SkinQuery(tree);
    for (let v = begin; v < end; v++) {
      if (isAir[v] === 1) continue;
      phi[v] = -query.valueAt(
        position[3 * v],
        position[3 * v + 1],
        position[3 * v + 2],
        Number.NEGATIVE_INFINITY,
      );
    }
  },
);
