/**
 * Inside or outside, everywhere: the sign of the liquid's function away from the evaluated band.
 *
 * The band encloses the free surface, so a sign spreads unchanged from its rim through open space; solids stop it (a tank
 * full on one side of a dam may be dry on the other). Blocks that neither the band nor a solid reaches into are filled as one.
 * Cost: linear in the nodes of the other blocks.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { BLOCK_EDGE, BLOCK_NODES, BLOCK_SHIFT, BlockGrid } from './block-grid.ts';
import { type ContourFrame, isOpenBlock, nodeClearance, SOLID } from './frame.ts';

export class SignField {
  constructor(
    readonly grid: BlockGrid,
    /** (slotCount) +1 inside, -1 outside, 0 inside solids */
    readonly slotSign: Int8Array,
    /** Per directory place, for blocks that are not stored. */
    readonly blockSign: Int8Array,
  ) {}

  /** +1 inside the liquid, -1 outside, 0 in a solid. Nodes beyond the grid are outside. */
  at(i: number, j: number, k: number): number {
    const grid = this.grid;
    if (!grid.contains(i, j, k)) return -1;
    const slot = grid.findSlot(i, j, k);
    if (slot !== NONE) return this.slotSign[slot];
    return this.blockSign[
      ((k >> BLOCK_SHIFT) * grid.blocksY + (j >> BLOCK_SHIFT)) * grid.blocksX + (i >> BLOCK_SHIFT)
    ];
  }
}

/** A SignField on the heap: what tasks on other threads and checkpoints are given. */
export interface SignGrid {
  /** [origin x, y, z, spacing, nodesX, nodesY, nodesZ] */
  readonly place: Float64Array;
  readonly directory: Int32Array;
  /** (slotCount) SIGN_* */
  readonly slotSign: Uint8Array;
  /** Per directory place, for blocks that are not stored: SIGN_* */
  readonly blockSign: Uint8Array;
}

/** Cells from the surface beyond which a point and the nearest open corner of its cell are on the same side: a diagonal. */
export const SURE = 1.75;

export const SIGN_SOLID = 0;
export const SIGN_LIQUID = 1;
/** -1 as a byte */
export const SIGN_AIR = 255;

export function buildSignGrid(signs: SignField, scope: HeapScope): SignGrid {
  const { grid } = signs;
  const place = scope.f64(7);
  place.set([...grid.origin, grid.spacing, grid.nodesX, grid.nodesY, grid.nodesZ]);
  const directory = scope.i32(grid.directory.length);
  directory.set(grid.directory);
  const slotSign = scope.u8(Math.max(1, signs.slotSign.length));
  slotSign.set(asCodes(signs.slotSign));
  const blockSign = scope.u8(signs.blockSign.length);
  blockSign.set(asCodes(signs.blockSign));
  return { place, directory, slotSign, blockSign };
}

/**
 * Turns the liquid nodes of a dropped piece of surface into air: those its vertices' cell edges start from, and what hangs
 * together with them. A piece that reaches unstored blocks is none that can be dropped.
 */
export function clearPiece(signs: SignGrid, position: Float64Array, vertices: readonly number[]): void {
  const { place, slotSign } = signs;
  const grid = new BlockGrid(
    [place[0], place[1], place[2]],
    place[3],
    place[4],
    place[5],
    place[6],
    signs.directory,
  );
  const stack: number[] = [];
  const enter = (i: number, j: number, k: number) => {
    if (!grid.contains(i, j, k)) return;
    const slot = grid.findSlot(i, j, k);
    if (slot === NONE || slotSign[slot] !== SIGN_LIQUID) return;
    slotSign[slot] = SIGN_AIR;
    stack.push(i, j, k);
  };
  for (const v of vertices) {
    const at = [0, 1, 2].map((a) => (position[3 * v + a] - grid.origin[a]) / grid.spacing);
    const near = at.map(Math.round);
    const axis = [0, 1, 2].reduce(
      (most, a) => (Math.abs(at[a] - near[a]) > Math.abs(at[most] - near[most]) ? a : most),
      0,
    );
    for (const end of [Math.floor(at[axis]), Math.ceil(at[axis])]) {
      near[axis] = end;
      enter(near[0], near[1], near[2]);
    }
  }
  while (stack.length > 0) {
    const [i, j, k] = stack.splice(stack.length - 3, 3);
    enter(i - 1, j, k);
    enter(i + 1, j, k);
    enter(i, j - 1, k);
    enter(i, j + 1, k);
    enter(i, j, k - 1);
    enter(i, j, k + 1);
  }
}

/** Signs +1, 0 and -1, read as bytes, are SIGN_LIQUID, SIGN_SOLID and SIGN_AIR. */
function asCodes(sign: Int8Array): Uint8Array {
  return new Uint8Array(sign.buffer, sign.byteOffset, sign.length);
}

export type SignGridArgs = [Float64Array, Int32Array, Uint8Array, Uint8Array];

export const SIGN_GRID_ARG_COUNT = 4;

export function signGridArgs(grid: SignGrid): SignGridArgs {
  return [grid.place, grid.directory, grid.slotSign, grid.blockSign];
}

/** Inside or outside at any point away from the free surface. */
export class SignSampler {
  private readonly grid: BlockGrid;

  constructor(
    place: Float64Array,
    directory: Int32Array,
    private readonly slotSign: Uint8Array,
    private readonly blockSign: Uint8Array,
  ) {
    this.grid = new BlockGrid(
      [place[0], place[1], place[2]],
      place[3],
      place[4],
      place[5],
      place[6],
      directory,
    );
  }

  /** The sign at the nearest corner of the point's cell that is not in a solid. */
  isInside(x: number, y: number, z: number): boolean {
    const { origin, spacing } = this.grid;
    const gx = (x - origin[0]) / spacing;
    const gy = (y - origin[1]) / spacing;
    const gz = (z - origin[2]) / spacing;
    const i = Math.floor(gx);
    const j = Math.floor(gy);
    const k = Math.floor(gz);
    let nearest = Number.POSITIVE_INFINITY;
    let inside = false;
    for (let n = 0; n < 8; n++) {
      const ci = i + (n & 1);
      const cj = j + ((n >> 1) & 1);
      const ck = k + (n >> 2);
      const sign = this.at(ci, cj, ck);
      if (sign === SIGN_SOLID) continue;
      const squared = (gx - ci) ** 2 + (gy - cj) ** 2 + (gz - ck) ** 2;
      if (squared >= nearest) continue;
      nearest = squared;
      inside = sign === SIGN_LIQUID;
    }
    return inside;
  }

  private at(i: number, j: number, k: number): number {
    const grid = this.grid;
    if (!grid.contains(i, j, k)) return SIGN_AIR;
    const slot = grid.findSlot(i, j, k);
    if (slot !== NONE) return this.slotSign[slot];
    return this.blockSign[
      ((k >> BLOCK_SHIFT) * grid.blocksY + (j >> BLOCK_SHIFT)) * grid.blocksX + (i >> BLOCK_SHIFT)
    ];
  }
}

/**
 * Spreads the signs already in `slotSign` (band nodes). `insideAt` decides for regions that no band touches,
 * such as a closed vessel that is full.
 */
export function spreadSigns(
  frame: ContourFrame,
  grid: BlockGrid,
  slotSign: Int8Array,
  insideAt: (x: number, y: number, z: number) => boolean,
): SignField {
  const blockSign = new Int8Array(grid.directory.length);
  const spreader = new Spreader(frame, grid, slotSign, blockSign);
  spreader.pushBand();
  spreader.drain();

  // Regions without any free surface.
  const node = new Int32Array(3);
  const { origin, spacing } = grid;
  for (let slot = 0; slot < grid.slotCount; slot++) {
    if (slotSign[slot] !== 0 || nodeClearance(frame, slot, grid) < 0) continue;
    grid.nodeOfSlot(slot, node);
    if (!grid.contains(node[0], node[1], node[2])) continue;
    const inside = insideAt(
      origin[0] + node[0] * spacing,
      origin[1] + node[1] * spacing,
      origin[2] + node[2] * spacing,
    );
    spreader.seed(slot, inside ? 1 : -1);
    spreader.drain();
  }
  return new SignField(grid, slotSign, blockSign);
}

class Spreader {
  /** Slots, or -1 - place for blocks filled as one. */
  private stack = new Int32Array(1 << 16);
  private size = 0;
  private readonly node = new Int32Array(3);
  /** (blockCount) 1 on stored blocks that are filled as one */
  private readonly whole: Uint8Array;

  constructor(
    private readonly frame: ContourFrame,
    private readonly grid: BlockGrid,
    private readonly slotSign: Int8Array,
    readonly blockSign: Int8Array,
  ) {
    this.whole = new Uint8Array(grid.blockCount);
  }

  /** Starts from the signs that are there. */
  pushBand(): void {
    for (let block = 0; block < this.grid.blockCount; block++) {
      const before = this.size;
      for (let slot = block * BLOCK_NODES; slot < (block + 1) * BLOCK_NODES; slot++)
        if (this.slotSign[slot] !== 0) this.push(slot);
      if (this.size === before && isOpenBlock(this.frame, block, this.grid)) this.whole[block] = 1;
    }
  }

  /** Starts from a node that nothing has reached. */
  seed(slot: number, sign: number): void {
    const block = slot >> (3 * BLOCK_SHIFT);
    if (this.whole[block] === 1) this.enterBlock(this.grid.placeOf(block), sign);
    else this.enter(slot, sign);
  }

  private push(item: number): void {
    if (this.size === this.stack.length) {
      const wider = new Int32Array(2 * this.stack.length);
      wider.set(this.stack);
      this.stack = wider;
    }
    this.stack[this.size++] = item;
  }

  drain(): void {
    while (this.size > 0) {
      const item = this.stack[--this.size];
      if (item >= 0) this.leaveNode(item);
      else this.leaveBlock(-1 - item);
    }
  }

  private leaveNode(slot: number): void {
    const sign = this.slotSign[slot];
    // Inside a block the neighbour's slot is a fixed step away; only block faces need the directory.
    const li = slot & (BLOCK_EDGE - 1);
    const lj = (slot >> BLOCK_SHIFT) & (BLOCK_EDGE - 1);
    const lk = (slot >> (2 * BLOCK_SHIFT)) & (BLOCK_EDGE - 1);
    if (li > 0) this.enter(slot - 1, sign);
    else this.enterBeyond(slot, -1, 0, 0, sign);
    if (li < BLOCK_EDGE - 1) this.enter(slot + 1, sign);
    else this.enterBeyond(slot, 1, 0, 0, sign);
    if (lj > 0) this.enter(slot - BLOCK_EDGE, sign);
    else this.enterBeyond(slot, 0, -1, 0, sign);
    if (lj < BLOCK_EDGE - 1) this.enter(slot + BLOCK_EDGE, sign);
    else this.enterBeyond(slot, 0, 1, 0, sign);
    if (lk > 0) this.enter(slot - BLOCK_EDGE * BLOCK_EDGE, sign);
    else this.enterBeyond(slot, 0, 0, -1, sign);
    if (lk < BLOCK_EDGE - 1) this.enter(slot + BLOCK_EDGE * BLOCK_EDGE, sign);
    else this.enterBeyond(slot, 0, 0, 1, sign);
  }

  /** The neighbour of a slot in the next block. */
  private enterBeyond(slot: number, di: number, dj: number, dk: number, sign: number): void {
    this.grid.nodeOfSlot(slot, this.node);
    this.enterNode(this.node[0] + di, this.node[1] + dj, this.node[2] + dk, sign);
  }

  private enterNode(i: number, j: number, k: number, sign: number): void {
    const grid = this.grid;
    if (!grid.contains(i, j, k)) return;
    const place =
      ((k >> BLOCK_SHIFT) * grid.blocksY + (j >> BLOCK_SHIFT)) * grid.blocksX + (i >> BLOCK_SHIFT);
    if (this.isWhole(place)) this.enterBlock(place, sign);
    else this.enter(grid.findSlot(i, j, k), sign);
  }

  private enter(slot: number, sign: number): void {
    if (this.slotSign[slot] !== 0 || nodeClearance(this.frame, slot, this.grid) < 0) return;
    this.slotSign[slot] = sign;
    this.push(slot);
  }

  private isWhole(place: number): boolean {
    const block = this.grid.directory[place];
    return block === NONE || this.whole[block] === 1;
  }

  /** Fills a whole block, stored or not. */
  private enterBlock(place: number, sign: number): void {
    const block = this.grid.directory[place];
    if (block === NONE) {
      if (this.blockSign[place] !== 0 || this.frame.kind[place] === SOLID) return;
      this.blockSign[place] = sign;
    } else {
      const first = block * BLOCK_NODES;
      if (this.slotSign[first] !== 0) return;
      this.slotSign.fill(sign, first, first + BLOCK_NODES);
    }
    this.push(-1 - place);
  }

  private leaveBlock(place: number): void {
    const grid = this.grid;
    const own = grid.directory[place];
    const sign = own === NONE ? this.blockSign[place] : this.slotSign[own * BLOCK_NODES];
    const b = [
      place % grid.blocksX,
      Math.floor(place / grid.blocksX) % grid.blocksY,
      Math.floor(place / (grid.blocksX * grid.blocksY)),
    ];
    const size = [grid.blocksX, grid.blocksY, grid.blocksZ];
    const stride = [1, grid.blocksX, grid.blocksX * grid.blocksY];
    for (let axis = 0; axis < 3; axis++) {
      for (let side = -1; side <= 1; side += 2) {
        const next = b[axis] + side;
        if (next < 0 || next >= size[axis]) continue;
        const neighbour = place + side * stride[axis];
        if (this.isWhole(neighbour)) this.enterBlock(neighbour, sign);
        else this.enterBlockFace(grid.directory[neighbour], axis, side < 0 ? BLOCK_EDGE - 1 : 0, sign);
      }
    }
  }

  private enterBlockFace(block: number, axis: number, layer: number, sign: number): void {
    const step = [1, BLOCK_EDGE, BLOCK_EDGE * BLOCK_EDGE];
    const u = step[(axis + 1) % 3];
    const v = step[(axis + 2) % 3];
    const base = block * BLOCK_NODES + layer * step[axis];
    for (let m = 0; m < BLOCK_EDGE; m++) {
      for (let n = 0; n < BLOCK_EDGE; n++) this.enter(base + m * u + n * v, sign);
    }
  }
}
