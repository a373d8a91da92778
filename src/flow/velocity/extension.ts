/**
 * Velocity outside the liquid: values on lattice corners around the mesh, spread outwards layer by layer
 * ([chentanez-2007] 3.3.2, last paragraph, after Losasso et al. 2004). Paths that leave the mesh read it by
 * trilinear interpolation.
 *
 * The octree of the paper is as fine as the lattice wherever the surface passes, so its corners there are the
 * lattice's. A corner takes the mean of its neighbours in the layers before it: constant fields carry on
 * exactly, and nothing grows beyond what the boundary has. Cost: linear in the band's corners, spread on all
 * threads; each corner's value depends on earlier layers alone, so the order of work does not show.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { BlockGrid } from '../../tracking/contouring/block-grid.ts';

export interface VelocityExtension {
  /** [origin x, y, z, spacing, nodesX, nodesY, nodesZ] */
  readonly place: Float64Array;
  readonly directory: Int32Array;
  /** Directory places of the stored blocks */
  readonly places: Int32Array;
  /** (slotCount x 3) m/s */
  readonly velocity: Float64Array;
  /** (slotCount) 1 where a velocity is known */
  readonly known: Uint8Array;
}

/** Corners the extension covers: the domain and `layers` beyond it. */
export interface ExtensionGrid {
  readonly origin: Vec3;
  readonly spacing: number;
  readonly nodes: readonly [number, number, number];
}

export function buildExtension(
  mesh: TetMesh,
  vertexOnSurface: Uint8Array,
  vertexVelocity: Float64Array,
  { origin, spacing, nodes }: ExtensionGrid,
  layers: number,
  threads: Threads,
  scope: HeapScope,
): VelocityExtension {
  const grid = new BlockGrid(origin, spacing, ...nodes);
  const seeds = addSeedBlocks(grid, mesh, vertexOnSurface, layers);
  const velocity = scope.f64(Math.max(3, 3 * grid.slotCount));
  const known = scope.u8(Math.max(1, grid.slotCount));
  const front = scatterBoundary(grid, mesh, vertexOnSurface, vertexVelocity, velocity, known, seeds);
  const directory = scope.i32(grid.directory.length);
  directory.set(grid.directory);
  const places = scope.i32(Math.max(1, grid.blockCount));
  places.set(grid.listPlaces());
  const place = scope.f64(7);
  place.set([...origin, spacing, ...nodes]);
  spread({ place, directory, places }, velocity, known, front, layers, threads, scope);
  return { place, directory, places, velocity, known };
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
  velocity: Float64Array,
  known: Uint8Array,
  seeds: number,
): Int32Array {
  const weight = new Float64Array(grid.slotCount);
  const touched = new Int32Array(27 * seeds);
  let count = 0;
  const { position } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (onSurface[v] === 0) continue;
    const gx = (position[3 * v] - grid.origin[0]) / grid.spacing;
    const gy = (position[3 * v + 1] - grid.origin[1]) / grid.spacing;
    const gz = (position[3 * v + 2] - grid.origin[2]) / grid.spacing;
    // A vertex that sits on a plane of the lattice reaches the corners on both sides of it, by a hair.
    const i1 = Math.floor(gx + REACH);
    const j1 = Math.floor(gy + REACH);
    const k1 = Math.floor(gz + REACH);
    for (let ck = Math.ceil(gz - REACH); ck <= k1; ck++)
      for (let cj = Math.ceil(gy - REACH); cj <= j1; cj++)
        for (let ci = Math.ceil(gx - REACH); ci <= i1; ci++) {
          if (!grid.contains(ci, cj, ck)) continue;
          const w = (REACH - Math.abs(gx - ci)) * (REACH - Math.abs(gy - cj)) * (REACH - Math.abs(gz - ck));
          const slot = grid.findSlot(ci, cj, ck);
          if (weight[slot] === 0) touched[count++] = slot;
          weight[slot] += w;
          for (let a = 0; a < 3; a++) velocity[3 * slot + a] += w * vertexVelocity[3 * v + a];
        }
  }
  const front = touched.slice(0, count);
  for (const slot of front) {
    known[slot] = 1;
    for (let a = 0; a < 3; a++) velocity[3 * slot + a] /= weight[slot];
  }
  return front;
}

/** Cells that a boundary vertex reaches along each axis. */
const REACH = 1.01;

/** What `known` says of a corner: nothing yet, a value, next in line for one. */
const KNOWN = 1;
const NEXT = 2;
const GRAIN = 512;

const gridRecord = defineRecord('extension grid', { place: 'f64', directory: 'i32', places: 'i32' });

const readGrid = ({ place, directory, places }: ValuesOf<typeof gridRecord>) =>
  new BlockGrid([place[0], place[1], place[2]], place[3], place[4], place[5], place[6], directory, places);

/** Slots of the 27 corners around and at a slot, NONE where nothing is stored. */
function findAround(grid: BlockGrid, slot: number, node: Int32Array, out: Int32Array): void {
  grid.nodeOfSlot(slot, node);
  const [i, j, k] = node;
  for (let n = 0, dk = -1; dk <= 1; dk++)
    for (let dj = -1; dj <= 1; dj++)
      for (let di = -1; di <= 1; di++, n++)
        out[n] = grid.contains(i + di, j + dj, k + dk) ? grid.findSlot(i + di, j + dj, k + dk) : NONE;
}

/** Marks the unknown corners around the front. Threads may mark the same one: all write the same mark. */
const markTask = defineTask(
  'flow/mark-extension',
  { grid: gridRecord, front: 'i32', known: 'u8' },
  (begin, end, { grid: values, front, known }) => {
    const grid = readGrid(values);
    const node = new Int32Array(3);
    const around = new Int32Array(27);
    for (let n = begin; n < end; n++) {
      findAround(grid, front[n], node, around);
      for (let m = 0; m < 27; m++) if (around[m] !== NONE && known[around[m]] === 0) known[around[m]] = NEXT;
    }
  },
);

/** Gives each marked corner the mean of its known neighbours (faces, edges, corners). */
const averageTask = defineTask(
  'flow/average-extension',
  { grid: gridRecord, marked: 'i32', known: 'u8', velocity: 'f64' },
  (begin, end, { grid: values, marked, known, velocity }) => {
    const grid = readGrid(values);
    const node = new Int32Array(3);
    const around = new Int32Array(27);
    const sum = new Float64Array(3);
    for (let n = begin; n < end; n++) {
      findAround(grid, marked[n], node, around);
      sum.fill(0);
      let count = 0;
      for (let m = 0; m < 27; m++) {
        if (around[m] === NONE || known[around[m]] !== KNOWN) continue;
        for (let a = 0; a < 3; a++) sum[a] += velocity[3 * around[m] + a];
        count++;
      }
      for (let a = 0; a < 3; a++) velocity[3 * marked[n] + a] = sum[a] / count;
    }
  },
);

function spread(
  grid: ValuesOf<typeof gridRecord>,
  velocity: Float64Array,
  known: Uint8Array,
  firstFront: Int32Array,
  layers: number,
  threads: Threads,
  scope: HeapScope,
): void {
  const front = scope.i32(known.length);
  front.set(firstFront);
  let count = firstFront.length;
  for (let layer = 0; layer < layers; layer++) {
    threads.run(markTask, count, GRAIN, { grid, front, known });
    count = 0;
    for (let slot = 0; slot < known.length; slot++) if (known[slot] === NEXT) front[count++] = slot;
    threads.run(averageTask, count, GRAIN, { grid, marked: front, known, velocity });
    for (let n = 0; n < count; n++) known[front[n]] = KNOWN;
  }
}
