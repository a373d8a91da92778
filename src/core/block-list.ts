/**
 * Which bytes of the heap are free: two-level segregated fit (Masmano, Ripoll, Crespo and Real 2004, "TLSF").
 * Free blocks hang in lists by size class, a power of two split in 16; a request takes the first block of the
 * smallest class that surely holds it, and freed neighbours merge at once, so scopes freed in any order leave
 * few holes. Sizes and offsets are multiples of 64 bytes (a cache line). Constant time per operation. The
 * bookkeeping lives outside the memory it manages.
 */

/** A run of bytes; physical neighbours are linked so that freed ones can merge. */
export interface Block {
  readonly offset: number;
  size: number;
  free: boolean;
  lower: Block | null;
  upper: Block | null;
  previousFree: Block | null;
  nextFree: Block | null;
}

export interface BlockList {
  /** A block of at least `bytes`, or null when there is none. */
  take(bytes: number): Block | null;
  give(block: Block): void;
  /** How far the end must move for take(bytes) to succeed. */
  missingBytes(bytes: number): number;
  /** The managed range now reaches to `end`. */
  extend(end: number): void;
  readonly bytesInUse: number;
}

const ALIGNMENT = 64;
const SPLITS_LOG2 = 4;
const SPLITS = 1 << SPLITS_LOG2;
/** Units of 64 bytes up to 2^26: 4 GiB. */
const CLASSES = 27;

const roundUp = (bytes: number) => Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);

/** Class of a size in bytes: sizes in one class differ by at most 1/16. */
function computeClass(size: number): number {
  const units = size / ALIGNMENT;
  const log = 31 - Math.clz32(units);
  if (log < SPLITS_LOG2) return units; // below 16 units every size has its own class
  return ((log - SPLITS_LOG2 + 1) << SPLITS_LOG2) + ((units >>> (log - SPLITS_LOG2)) - SPLITS);
}

/** The smallest size that falls into the first class whose every block holds `size`. */
function roundToClass(size: number): number {
  const units = size / ALIGNMENT;
  const log = 31 - Math.clz32(units);
  if (log < SPLITS_LOG2) return size;
  const step = 2 ** (log - SPLITS_LOG2);
  return Math.ceil(units / step) * step * ALIGNMENT;
}

export function createBlockList(begin: number, end: number): BlockList {
  const heads: (Block | null)[] = new Array((CLASSES - SPLITS_LOG2 + 1) * SPLITS).fill(null);
  let top: Block | null = null;
  let bytesInUse = 0;
  let currentEnd = begin;

  function link(block: Block): void {
    const slot = computeClass(block.size);
    const head = heads[slot];
    block.free = true;
    block.previousFree = null;
    block.nextFree = head;
    if (head) head.previousFree = block;
    heads[slot] = block;
  }

  function unlink(block: Block): void {
    if (block.previousFree) block.previousFree.nextFree = block.nextFree;
    else heads[computeClass(block.size)] = block.nextFree;
    if (block.nextFree) block.nextFree.previousFree = block.previousFree;
    block.free = false;
  }

  function createBlock(offset: number, size: number, lower: Block | null): Block {
    const upper = lower ? lower.upper : null;
    const block: Block = { offset, size, free: false, lower, upper, previousFree: null, nextFree: null };
    if (lower) lower.upper = block;
    if (upper) upper.lower = block;
    else top = block;
    return block;
  }

  /** Joins `upper` into the block below it. */
  function merge(lower: Block, upper: Block): void {
    lower.size += upper.size;
    lower.upper = upper.upper;
    if (upper.upper) upper.upper.lower = lower;
    else top = lower;
  }

  function give(block: Block): void {
    bytesInUse -= block.size;
    let merged = block;
    const { lower, upper } = block;
    if (upper?.free) {
      unlink(upper);
      merge(merged, upper);
    }
    if (lower?.free) {
      unlink(lower);
      merge(lower, merged);
      merged = lower;
    }
    link(merged);
  }

  function findFree(size: number): Block | null {
    for (let slot = computeClass(roundToClass(size)); slot < heads.length; slot++) {
      if (heads[slot]) return heads[slot];
    }
    // Nothing in the classes that surely hold it: one of its own class may still be long enough.
    for (let block = heads[computeClass(size)]; block; block = block.nextFree) {
      if (block.size >= size) return block;
    }
    return null;
  }

  function take(bytes: number): Block | null {
    const size = roundUp(bytes);
    const block = findFree(size);
    if (!block) return null;
    unlink(block);
    if (block.size > size) {
      const rest = createBlock(block.offset + size, block.size - size, block);
      block.size = size;
      link(rest);
    }
    bytesInUse += size;
    return block;
  }

  function missingBytes(bytes: number): number {
    const size = roundUp(bytes);
    const last = top?.free ? top.size : 0;
    return Math.max(ALIGNMENT, size - last);
  }

  function extend(newEnd: number): void {
    const fresh = createBlock(currentEnd, newEnd - currentEnd, top);
    currentEnd = newEnd;
    const { lower } = fresh;
    if (lower?.free) {
      unlink(lower);
      merge(lower, fresh);
      link(lower);
    } else link(fresh);
  }

  extend(end);
  return {
    take,
    give,
    missingBytes,
    extend,
    get bytesInUse() {
      return bytesInUse;
    },
  };
}
