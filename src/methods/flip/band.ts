/**
 * The part of the mesh in which the surface may lie: some layers of nodes to both sides of where particles
 * begin and end. The skin is asked for there alone, so its cost goes by the surface. Deeper nodes get their
 * depth by ways along edges, a little too long; sizes alone depend on it.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import type { FlipMesh, Located } from './mesh.ts';

/** Layers to each side. */
const LAYERS = 3;
/** Nodes whose tets hold at least this share of what they have room for have no surface between them. */
const FULL = 0.4;
const FAR = 255;

export interface Band {
  /** (vertexCount) node of the part for each node of the mesh, or NONE */
  readonly nodeToBand: Int32Array;
  /** Nodes of the mesh for those of the part */
  readonly node: Int32Array;
  /** (vertexCount) nodes farther inside than the part goes */
  readonly isDeep: Uint8Array;
  readonly mesh: {
    readonly vertexCount: number;
    readonly tetCount: number;
    readonly position: Float64Array;
    readonly tet: Int32Array;
  };
}

/** `volume`: of the particles that count, zero for others. */
export function findBand(
  mesh: FlipMesh,
  { tet: home }: Located,
  volume: Float64Array,
  scope: HeapScope,
): Band {
  const { vertexCount, tetCount, tet, position } = mesh.background;
  const held = new Float64Array(vertexCount);
  const room = new Float64Array(vertexCount);
  for (let p = 0; p < home.length; p++)
    if (home[p] !== NONE) for (let i = 0; i < 4; i++) held[tet[4 * home[p] + i]] += volume[p];
  const element = new PressureElement();
  for (let t = 0; t < tetCount; t++) {
    if (mesh.open[t] === 0) continue;
    element.setGradients(position, tet, t);
    for (let i = 0; i < 4; i++) room[tet[4 * t + i]] += mesh.open[t] * element.volume;
  }
  const fromAir = new Uint8Array(vertexCount).fill(FAR);
  const fromLiquid = new Uint8Array(vertexCount).fill(FAR);
  for (let v = 0; v < vertexCount; v++) {
    if (held[v] > 0) fromLiquid[v] = 0;
    // Nodes in solids are as the others around them.
    if (room[v] > 0 && held[v] < FULL * room[v]) fromAir[v] = 0;
  }
  spreadLayers(mesh, fromAir);
  spreadLayers(mesh, fromLiquid);
  const nodeToBand = new Int32Array(vertexCount).fill(NONE);
  let count = 0;
  // A node counts where one of its tets does: alone it would say nothing of inside and outside.
  const isNear = (v: number) => fromAir[v] <= LAYERS && fromLiquid[v] <= LAYERS;
  for (let t = 0; t < tetCount; t++) {
    if (![0, 1, 2, 3].every((i) => isNear(tet[4 * t + i]))) continue;
    for (let i = 0; i < 4; i++) nodeToBand[tet[4 * t + i]] = 0;
  }
  for (let v = 0; v < vertexCount; v++) if (nodeToBand[v] !== NONE) nodeToBand[v] = count++;
  const isDeep = new Uint8Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (fromLiquid[v] === 0 && fromAir[v] > LAYERS) isDeep[v] = 1;
  const node = new Int32Array(count);
  const bandPosition = scope.f64(3 * count);
  for (let v = 0; v < vertexCount; v++) {
    const n = nodeToBand[v];
    if (n === NONE) continue;
    node[n] = v;
    for (let a = 0; a < 3; a++) bandPosition[3 * n + a] = position[3 * v + a];
  }
  const isInside = (t: number) =>
    nodeToBand[tet[4 * t]] !== NONE &&
    nodeToBand[tet[4 * t + 1]] !== NONE &&
    nodeToBand[tet[4 * t + 2]] !== NONE &&
    nodeToBand[tet[4 * t + 3]] !== NONE;
  let tets = 0;
  for (let t = 0; t < tetCount; t++) if (isInside(t)) tets++;
  const bandTet = scope.i32(4 * tets);
  for (let t = 0, n = 0; t < tetCount; t++)
    if (isInside(t)) for (let i = 0; i < 4; i++) bandTet[n++] = nodeToBand[tet[4 * t + i]];
  return {
    nodeToBand,
    node,
    isDeep,
    mesh: { vertexCount: count, tetCount: tets, position: bandPosition, tet: bandTet },
  };
}

/**
 * Goes through the mesh node by node, layer by layer; `enter(v, w, layer)`: is w, beside v, one of the next
 * layer?
 */
function spread(
  { background: { tet }, values: { cornerStart, corner } }: FlipMesh,
  first: number[],
  enter: (v: number, w: number, layer: number) => boolean,
): void {
  let front = first;
  for (let layer = 1; front.length > 0; layer++) {
    const next: number[] = [];
    for (const v of front)
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const at = corner[c] & ~3;
        for (let i = 0; i < 4; i++) {
          const w = tet[at + i];
          if (enter(v, w, layer)) next.push(w);
        }
      }
    front = next;
  }
}

/** Layers from the nodes at 0, as far as they are asked for. */
function spreadLayers(mesh: FlipMesh, layer: Uint8Array): void {
  const front: number[] = [];
  for (let v = 0; v < mesh.background.vertexCount; v++) if (layer[v] === 0) front.push(v);
  spread(mesh, front, (_, w, n) => {
    if (n > LAYERS || layer[w] !== FAR) return false;
    layer[w] = n;
    return true;
  });
}

/**
 * The part's values at the nodes of the mesh; deep nodes by the shortest ways from its inner side, air beyond
 * it far outside.
 */
export function extendFromBand(
  mesh: FlipMesh,
  { node, isDeep }: Band,
  phi: Float64Array,
  outLevel: Float64Array,
): void {
  const { vertexCount, position } = mesh.background;
  const reached = new Uint8Array(vertexCount);
  outLevel.fill(Number.NEGATIVE_INFINITY);
  let lowest = 0;
  for (let n = 0; n < node.length; n++) {
    outLevel[node[n]] = phi[n];
    lowest = Math.min(lowest, phi[n]);
    reached[node[n]] = 1;
  }
  const front: number[] = [];
  for (let n = 0; n < node.length; n++) if (phi[n] > 0) front.push(node[n]);
  spread(mesh, front, (v, w) => {
    if (isDeep[w] === 0) return false;
    const way = Math.sqrt(
      (position[3 * v] - position[3 * w]) ** 2 +
        (position[3 * v + 1] - position[3 * w + 1]) ** 2 +
        (position[3 * v + 2] - position[3 * w + 2]) ** 2,
    );
    outLevel[w] = reached[w] === 0 ? outLevel[v] + way : Math.min(outLevel[w], outLevel[v] + way);
    const isNew = reached[w] === 0;
    reached[w] = 1;
    return isNew;
  });
  for (let v = 0; v < vertexCount; v++) if (reached[v] === 0) outLevel[v] = Math.min(lowest, -1e-3);
}
