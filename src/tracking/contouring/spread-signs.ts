/**
 * Spreads the signs of the evaluated band over the whole grid.
 *
 * The band encloses the free surface, so a sign spreads unchanged from its rim through open space; solids
 * stop it (a tank full on one side of a dam may be dry on the other). Blocks that neither the band nor a
 * solid reaches into are filled as one. The nodes of the others are filled by passes over their block, up and
 * down, until nothing changes, and hand on what reaches a side of the block. Cost: linear in the nodes of the
 * other blocks.
 */
import { NONE } from '../../core/types.ts';
import { BLOCK_EDGE, BLOCK_NODES, BLOCK_SHIFT, type BlockGrid } from './block-grid.ts';
import { SignField } from './signs.ts';
import { type ContourSpace, isOpenBlock, nodeClearance, SOLID } from './space.ts';

/**
 * Spreads the signs already in `slotSign` (band nodes). `insideAt` decides for regions that no band touches,
 * such as a closed vessel that is full.
 */
export function spreadSigns(
  space: ContourSpace,
  grid: BlockGrid,
  slotSign: Int8Array,
  insideAt: (x: number, y: number, z: number) => boolean,
): SignField {
  const blockSign = new Int8Array(grid.directory.length);
  const spreader = new Spreader(space, grid, slotSign, blockSign);
  spreader.enterBand();
  spreader.drain();

  // Regions without any free surface.
  const node = new Int32Array(3);
  const { origin, spacing } = grid;
  for (let slot = 0; slot < grid.slotCount; slot++) {
    if (slotSign[slot] !== 0 || nodeClearance(space, slot, grid) < 0) continue;
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

/** Slots from a node of a block to the next along each axis. */
const STEP = [1, BLOCK_EDGE, BLOCK_EDGE * BLOCK_EDGE];

class Spreader {
  /**
   * Places of the directory whose signs are still to be handed on: a ring in which each stands once at most.
   */
  private readonly queue: Int32Array;
  private readonly queued: Uint8Array;
  private head = 0;
  private tail = 0;
  /** (blockCount) 1 on stored blocks that are filled as one */
  private readonly whole: Uint8Array;

  constructor(
    private readonly space: ContourSpace,
    private readonly grid: BlockGrid,
    private readonly slotSign: Int8Array,
    private readonly blockSign: Int8Array,
  ) {
    this.queue = new Int32Array(grid.directory.length + 1);
    this.queued = new Uint8Array(grid.directory.length);
    this.whole = new Uint8Array(grid.blockCount);
  }

  /** Starts from the signs that are there. */
  enterBand(): void {
    for (let block = 0; block < this.grid.blockCount; block++) {
      if (this.hasSign(block)) this.fillBlock(block);
      else if (isOpenBlock(this.space, block, this.grid)) this.whole[block] = 1;
    }
  }

  /** Starts from a node that nothing has reached. */
  seed(slot: number, sign: number): void {
    const block = slot >> (3 * BLOCK_SHIFT);
    if (this.whole[block] === 1) {
      this.enterWhole(this.grid.placeOf(block), sign);
    } else {
      this.slotSign[slot] = sign;
      this.fillBlock(block);
    }
  }

  drain(): void {
    while (this.head !== this.tail) {
      const place = this.queue[this.head];
      this.head = (this.head + 1) % this.queue.length;
      this.queued[place] = 0;
      this.leave(place);
    }
  }

  private push(place: number): void {
    if (this.queued[place] === 1) return;
    this.queued[place] = 1;
    this.queue[this.tail] = place;
    this.tail = (this.tail + 1) % this.queue.length;
  }

  private hasSign(block: number): boolean {
    const { slotSign } = this;
    for (let slot = block * BLOCK_NODES; slot < (block + 1) * BLOCK_NODES; slot++)
      if (slotSign[slot] !== 0) return true;
    return false;
  }

  private isWhole(place: number): boolean {
    const block = this.grid.directory[place];
    return block === NONE || this.whole[block] === 1;
  }

  /** Spreads the signs of a block through it, and queues it to hand them on. */
  private fillBlock(block: number): void {
    const first = block * BLOCK_NODES;
    this.fillUpwards(first);
    while (this.fillDownwards(first) && this.fillUpwards(first));
    this.push(this.grid.placeOf(block));
  }

  /** Every node without a sign takes that of a neighbour below it; returns whether any did. */
  private fillUpwards(first: number): boolean {
    const { slotSign: sign } = this;
    let changed = false;
    for (let n = 1; n < BLOCK_NODES; n++) {
      const slot = first + n;
      if (sign[slot] !== 0) continue;
      let s = (n & (BLOCK_EDGE - 1)) > 0 ? sign[slot - STEP[0]] : 0;
      if (s === 0 && (n & (STEP[2] - STEP[1])) > 0) s = sign[slot - STEP[1]];
      if (s === 0 && n >= STEP[2]) s = sign[slot - STEP[2]];
      if (s === 0 || !this.isOpen(slot)) continue;
      sign[slot] = s;
      changed = true;
    }
    return changed;
  }

  /** Every node without a sign takes that of a neighbour above it; returns whether any did. */
  private fillDownwards(first: number): boolean {
    const { slotSign: sign } = this;
    let changed = false;
    for (let n = BLOCK_NODES - 2; n >= 0; n--) {
      const slot = first + n;
      if (sign[slot] !== 0) continue;
      let s = (n & (BLOCK_EDGE - 1)) < BLOCK_EDGE - 1 ? sign[slot + STEP[0]] : 0;
      if (s === 0 && (n & (STEP[2] - STEP[1])) < STEP[2] - STEP[1]) s = sign[slot + STEP[1]];
      if (s === 0 && n < BLOCK_NODES - STEP[2]) s = sign[slot + STEP[2]];
      if (s === 0 || !this.isOpen(slot)) continue;
      sign[slot] = s;
      changed = true;
    }
    return changed;
  }

  private isOpen(slot: number): boolean {
    return !(nodeClearance(this.space, slot, this.grid) < 0);
  }

  /** Fills a block that is filled as one, stored or not. */
  private enterWhole(place: number, sign: number): void {
    const block = this.grid.directory[place];
    if (block === NONE) {
      if (this.blockSign[place] !== 0 || this.space.kind[place] === SOLID) return;
      this.blockSign[place] = sign;
    } else {
      const first = block * BLOCK_NODES;
      if (this.slotSign[first] !== 0) return;
      this.slotSign.fill(sign, first, first + BLOCK_NODES);
    }
    this.push(place);
  }

  /** Hands the signs on a block's six sides on to its neighbours. */
  private leave(place: number): void {
    const { blocksX, blocksY, blocksZ } = this.grid;
    const i = place % blocksX;
    const j = Math.floor(place / blocksX) % blocksY;
    const k = Math.floor(place / (blocksX * blocksY));
    if (i > 0) this.crossSide(place, place - 1, 0, false);
    if (i + 1 < blocksX) this.crossSide(place, place + 1, 0, true);
    if (j > 0) this.crossSide(place, place - blocksX, 1, false);
    if (j + 1 < blocksY) this.crossSide(place, place + blocksX, 1, true);
    if (k > 0) this.crossSide(place, place - blocksX * blocksY, 2, false);
    if (k + 1 < blocksZ) this.crossSide(place, place + blocksX * blocksY, 2, true);
  }

  /** From the block at one place to its neighbour, up or down an axis. */
  private crossSide(from: number, to: number, axis: number, up: boolean): void {
    const { slotSign: sign, grid } = this;
    const own = grid.directory[from];
    const uniform = this.isWhole(from)
      ? own === NONE
        ? this.blockSign[from]
        : sign[own * BLOCK_NODES]
      : undefined;
    const low = 0;
    const high = (BLOCK_EDGE - 1) * STEP[axis];
    const source = own * BLOCK_NODES + (up ? high : low);
    const intoWhole = this.isWhole(to);
    if (intoWhole && uniform !== undefined) {
      this.enterWhole(to, uniform);
      return;
    }
    const next = grid.directory[to];
    const target = next * BLOCK_NODES + (up ? low : high);
    const u = STEP[(axis + 1) % 3];
    const v = STEP[(axis + 2) % 3];
    let entered = false;
    for (let m = 0; m < BLOCK_EDGE; m++) {
      for (let n = 0; n < BLOCK_EDGE; n++) {
        const at = m * u + n * v;
        const s = uniform ?? sign[source + at];
        if (s === 0) continue;
        if (intoWhole) {
          this.enterWhole(to, s);
          return;
        }
        if (sign[target + at] !== 0 || !this.isOpen(target + at)) continue;
        sign[target + at] = s;
        entered = true;
      }
    }
    if (entered) this.fillBlock(next);
  }
}
