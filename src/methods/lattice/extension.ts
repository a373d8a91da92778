/**
 * Velocity outside the liquid: values on lattice corners around the mesh, spread outwards layer by layer
 * ([chentanez-2007] 3.3.2, last paragraph, after Losasso et al. 2004). Paths that leave the mesh read it by trilinear
 * interpolation. Linear in the boundary's size.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { BlockGrid } from '../../tracking/contouring/block-grid.ts';

export interface VelocityExtension {
  /** [origin x, y, z, spacing, nodesX, nodesY, nodesZ] */
  readonly frame: Float64Array;
  readonly directory: Int32Array;
  /** (slotCount x 6) m/s: velocity, then the velocity paths follow */
  readonly velocity: Float64Array;
  /** (slotCount) 1 where a velocity is known */
  readonly known: Uint8Array;
}

/** Corners the extension covers: the domain and `layers` beyond it. */
export interface ExtensionFrame {
  readonly origin: Vec3;
  readonly spacing: number;
  readonly nodes: readonly [number, number, number];
}

export function buildExtension(
  mesh: TetMesh,
  vertexOnSurface: Uint8Array,
  vertexVelocity: Float64Array,
  pathVelocity: Float64Array,
  frame: ExtensionFrame,
  layers: number,
  scope: HeapScope,
): VelocityExtension {
  const grid = new BlockGrid(frame.origin, frame.spacing, ...frame.nodes);
  const seeds = addSeedBlocks(grid, mesh, vertexOnSurface, layers);
  const velocity = scope.f64(Math.max(6, 6 * grid.slotCount));
  const known = scope.u8(Math.max(1, grid.slotCount));
  const front = scatterBoundary(
    grid,
    mesh,
    vertexOnSurface,
    vertexVelocity,
    pathVelocity,
    velocity,
    known,
    seeds,
  );
  spread(grid, velocity, known, front, layers);
  const directory = scope.i32(grid.directory.length);
  directory.set(grid.directory);
  const packed = scope.f64(7);
  packed.set([...frame.origin, frame.spacing, ...frame.nodes]);
  return { frame: packed, directory, velocity, known };
}

/** Stores the blocks within `layers` of any boundary vertex; returns how many boundary vertices there are. */
function addSeedBlocks(grid: BlockGrid, mesh: TetMesh, onSurface: Uint8Array, layers: number): number {
  const { position, vertexCount } = mesh;
  let count = 0;
  const reach = layers + 1;
  for (let v = 0; v < vertexCount; v++) {
    if (onSurface[v] === 0) continue;
    count++;
    const lo = [0, 0, 0];
    const hi = [0, 0, 0];
    for (let a = 0; a < 3; a++) {
      const most = (a === 0 ? grid.nodesX : a === 1 ? grid.nodesY : grid.nodesZ) - 1;
      const cell = Math.floor((position[3 * v + a] - grid.origin[a]) / grid.spacing);
      lo[a] = Math.max(0, Math.min(most, cell - reach)) >> 3;
      hi[a] = Math.max(0, Math.min(most, cell + 1 + reach)) >> 3;
    }
    for (let k = lo[2]; k <= hi[2]; k++)
      for (let j = lo[1]; j <= hi[1]; j++)
        for (let i = lo[0]; i <= hi[0]; i++) grid.addBlock((k * grid.blocksY + j) * grid.blocksX + i);
  }
  return count;
}

/** Corners of the cells that hold boundary vertices get the trilinearly weighted mean of those vertices. */
function scatterBoundary(
  grid: BlockGrid,
  mesh: TetMesh,
  onSurface: Uint8Array,
  vertexVelocity: Float64Array,
  pathVelocity: Float64Array,
  velocity: Float64Array,
  known: Uint8Array,
  seeds: number,
): Int32Array {
  const weight = new Float64Array(grid.slotCount);
  const touched = new Int32Array(8 * seeds);
  let count = 0;
  const { position } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (onSurface[v] === 0) continue;
    const gx = (position[3 * v] - grid.origin[0]) / grid.spacing;
    const gy = (position[3 * v + 1] - grid.origin[1]) / grid.spacing;
    const gz = (position[3 * v + 2] - grid.origin[2]) / grid.spacing;
    const i = Math.floor(gx);
    const j = Math.floor(gy);
    const k = Math.floor(gz);
    for (let corner = 0; corner < 8; corner++) {
      const ci = i + (corner & 1);
      const cj = j + ((corner >> 1) & 1);
      const ck = k + (corner >> 2);
      if (!grid.contains(ci, cj, ck)) continue;
      // A small floor keeps corners opposite a vertex that sits exactly on a lattice point.
      const w = 1e-3 + (1 - Math.abs(gx - ci)) * (1 - Math.abs(gy - cj)) * (1 - Math.abs(gz - ck));
      const slot = grid.findSlot(ci, cj, ck);
      if (weight[slot] === 0) touched[count++] = slot;
      weight[slot] += w;
      for (let a = 0; a < 3; a++) {
        velocity[6 * slot + a] += w * vertexVelocity[3 * v + a];
        velocity[6 * slot + 3 + a] += w * pathVelocity[3 * v + a];
      }
    }
  }
  const front = touched.slice(0, count);
  for (const slot of front) {
    known[slot] = 1;
    for (let a = 0; a < 6; a++) velocity[6 * slot + a] /= weight[slot];
  }
  return front;
}

/** Each further layer takes the mean of the neighbours (faces, edges, corners) known before it. */
function spread(
  grid: BlockGrid,
  velocity: Float64Array,
  known: Uint8Array,
  firstFront: Int32Array,
  layers: number,
): void {
  const node = new Int32Array(3);
  let front = firstFront;
  for (let layer = 0; layer < layers; layer++) {
    const next: number[] = [];
    for (const slot of front) {
      grid.nodeOfSlot(slot, node);
      const [i, j, k] = node;
      for (let n = 0; n < 27; n++) {
        const ci = i + (n % 3) - 1;
        const cj = j + (Math.floor(n / 3) % 3) - 1;
        const ck = k + Math.floor(n / 9) - 1;
        if (!grid.contains(ci, cj, ck)) continue;
        const neighbour = grid.findSlot(ci, cj, ck);
        if (neighbour === NONE || known[neighbour] !== 0) continue;
        known[neighbour] = 2;
        next.push(neighbour);
      }
    }
    for (const slot of next) {
      grid.nodeOfSlot(slot, node);
      let count = 0;
      for (let n = 0; n < 27; n++) {
        const ci = node[0] + (n % 3) - 1;
        const cj = node[1] + (Math.floor(n / 3) % 3) - 1;
        const ck = node[2] + Math.floor(n / 9) - 1;
        if (!grid.contains(ci, cj, ck)) continue;
        const neighbour = grid.findSlot(ci, cj, ck);
        if (neighbour === NONE || known[neighbour] !== 1) continue;
        for (let a = 0; a < 6; a++) velocity[6 * slot + a] += velocity[6 * neighbour + a];
        count++;
      }
      for (let a = 0; a < 6; a++) velocity[6 * slot + a] /= count;
    }
    for (const slot of next) known[slot] = 1;
    front = Int32Array.from(next);
  }
}
