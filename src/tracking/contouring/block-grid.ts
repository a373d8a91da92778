import type { HeapScope } from '../../core/heap.ts';
import type { Vec3 } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';

/** Nodes per block edge, as a shift: blocks of 8 x 8 x 8 nodes. */
export const BLOCK_SHIFT = 3;
export const BLOCK_EDGE = 1 << BLOCK_SHIFT;
const MASK = BLOCK_EDGE - 1;
export const BLOCK_NODES = 1 << (3 * BLOCK_SHIFT);

/** From the lowest corner of a cell inside a block to its others, in slots. */
const CORNER_STEP = [0, 1, 8, 9, 64, 65, 72, 73];

/** Whether a cell's upper corners lie in the block of its lowest. */
function isInsideBlock(cell: number): boolean {
  return (
    (cell & MASK) !== MASK &&
    ((cell >> BLOCK_SHIFT) & MASK) !== MASK &&
    ((cell >> (2 * BLOCK_SHIFT)) & MASK) !== MASK
  );
}

/**
 * Where the nodes of the contouring grid are: a uniform grid of spacing `spacing` of which only blocks near a
 * surface are stored. It plays the part of the finest level of the octree of [chentanez-2007] 3.2: storage
 * and work grow with the surface, lookups cost one indirection. A node's place in per-node arrays is its
 * *slot*.
 *
 * A cell is named by its lowest node.
 */
export class BlockGrid {
  readonly blocksX: number;
  readonly blocksY: number;
  readonly blocksZ: number;
  /** Block at each place of the coarse directory, or NONE. */
  readonly directory: Int32Array;
  blockCount = 0;
  /** Directory index of each block. */
  private places: Int32Array;

  constructor(
    readonly origin: Vec3,
    readonly spacing: number,
    readonly nodesX: number,
    readonly nodesY: number,
    readonly nodesZ: number,
    directory?: Int32Array,
    /** Directory index of each block: with it a grid read from the heap can name the nodes of slots. */
    places: Int32Array = new Int32Array(64),
  ) {
    this.places = places;
    this.blocksX = (nodesX + MASK) >> BLOCK_SHIFT;
    this.blocksY = (nodesY + MASK) >> BLOCK_SHIFT;
    this.blocksZ = (nodesZ + MASK) >> BLOCK_SHIFT;
    this.directory = directory ?? new Int32Array(this.blocksX * this.blocksY * this.blocksZ).fill(NONE);
  }

  /** The grid at a place as the heap holds it: origin, spacing, nodes along each axis. */
  static at(place: Float64Array, directory: Int32Array): BlockGrid {
    return new BlockGrid([place[0], place[1], place[2]], place[3], place[4], place[5], place[6], directory);
  }

  /** What `at` needs to read the grid elsewhere: a copy in a scope. */
  copyPlace(scope: HeapScope): { place: Float64Array; directory: Int32Array } {
    const place = scope.f64(7);
    place.set([...this.origin, this.spacing, this.nodesX, this.nodesY, this.nodesZ]);
    const directory = scope.i32(this.directory.length);
    directory.set(this.directory);
    return { place, directory };
  }

  get slotCount(): number {
    return this.blockCount * BLOCK_NODES;
  }

  contains(i: number, j: number, k: number): boolean {
    return i >= 0 && j >= 0 && k >= 0 && i < this.nodesX && j < this.nodesY && k < this.nodesZ;
  }

  /** Slot of node (i, j, k), NONE where nothing is stored. The node must lie in the grid. */
  findSlot(i: number, j: number, k: number): number {
    const place =
      ((k >> BLOCK_SHIFT) * this.blocksY + (j >> BLOCK_SHIFT)) * this.blocksX + (i >> BLOCK_SHIFT);
    const block = this.directory[place];
    return block === NONE
      ? NONE
      : block * BLOCK_NODES + (((((k & MASK) << 3) | (j & MASK)) << 3) | (i & MASK));
  }

  /** Slot of node (i, j, k), storing its block if it was not. */
  addSlot(i: number, j: number, k: number): number {
    const place =
      ((k >> BLOCK_SHIFT) * this.blocksY + (j >> BLOCK_SHIFT)) * this.blocksX + (i >> BLOCK_SHIFT);
    if (this.directory[place] === NONE) this.addBlock(place);
    return this.directory[place] * BLOCK_NODES + (((((k & MASK) << 3) | (j & MASK)) << 3) | (i & MASK));
  }

  /**
   * Slots of a stored cell's eight corners (bit a of a corner: upper along axis a), storing blocks as needed.
   */
  addCorners(cell: number, out: Int32Array): void {
    if (this.setCornersInBlock(cell, out)) return;
    const [i, j, k] = this.node;
    for (let c = 0; c < 8; c++) out[c] = this.addSlot(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
  }

  /** Slots of a stored cell's eight corners, NONE where nothing is stored. */
  findCorners(cell: number, out: Int32Array): void {
    if (this.setCornersInBlock(cell, out)) return;
    const [i, j, k] = this.node;
    for (let c = 0; c < 8; c++) out[c] = this.findSlot(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
  }

  private readonly node = new Int32Array(3);

  /**
   * Sets the corners of a cell that has them all in its own block; else sets `node`, which is where it lies.
   */
  private setCornersInBlock(cell: number, out: Int32Array): boolean {
    if (!isInsideBlock(cell)) {
      this.nodeOfSlot(cell, this.node);
      return false;
    }
    for (let c = 0; c < 8; c++) out[c] = cell + CORNER_STEP[c];
    return true;
  }

  addBlock(place: number): number {
    if (this.directory[place] !== NONE) return this.directory[place];
    if (this.blockCount === this.places.length) {
      const wider = new Int32Array(2 * this.places.length);
      wider.set(this.places);
      this.places = wider;
    }
    this.places[this.blockCount] = place;
    this.directory[place] = this.blockCount;
    return this.blockCount++;
  }

  /** Directory places of all blocks. */
  listPlaces(): Int32Array {
    return this.places.subarray(0, this.blockCount);
  }

  /** Directory place of a block. */
  placeOf(block: number): number {
    return this.places[block];
  }

  /** A grid with the same blocks, to which more can be added. */
  clone(): BlockGrid {
    const copy = new BlockGrid(
      this.origin,
      this.spacing,
      this.nodesX,
      this.nodesY,
      this.nodesZ,
      this.directory.slice(),
    );
    copy.places = this.places.slice();
    copy.blockCount = this.blockCount;
    return copy;
  }

  /** Node coordinates (i, j, k) of a slot. */
  nodeOfSlot(slot: number, out: Int32Array): void {
    const place = this.places[slot >> (3 * BLOCK_SHIFT)];
    const local = slot & (BLOCK_NODES - 1);
    const bi = place % this.blocksX;
    const bj = Math.floor(place / this.blocksX) % this.blocksY;
    const bk = Math.floor(place / (this.blocksX * this.blocksY));
    out[0] = (bi << BLOCK_SHIFT) + (local & MASK);
    out[1] = (bj << BLOCK_SHIFT) + ((local >> 3) & MASK);
    out[2] = (bk << BLOCK_SHIFT) + (local >> 6);
  }
}
