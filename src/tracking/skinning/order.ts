/**
 * Balls in Z-order, and who is linked with whom ([ando-2013] 5: pairs within l (r_i + r_j), l = 2). Radii are
 * sorted into classes a factor of sqrt(2) wide, and each class has a grid of its own whose cells are as wide
 * as its largest balls, so that balls of any sizes find each other by looking at a few cells of each class.
 * Cells are found by hashing. Cost: linear.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { type F64View, NONE } from '../../core/types.ts';
import { CellSorter, findCell, makeRoom } from '../../particles/cells.ts';

/** What is skinned. */
export interface Balls {
  /** (count x 3) m */
  readonly position: F64View;
  /** (count) m */
  readonly radius: F64View;
}

/** Largest distance of two linked balls, sums of their radii: l of the paper. */
export const LINK = 2;

export const orderedBallsRecord = defineRecord('ordered balls', {
  x: 'number',
  y: 'number',
  z: 'number',
  classes: 'number',
  mask: 'number',
  ball: { type: 'f64', per: 'ball', stride: 4, unit: 'm', meaning: 'centre and radius, in Z-order' },
  source: { type: 'i32', per: 'ball', meaning: 'number of the ball as it was given' },
  slot: { type: 'i32', meaning: 'cell by hash' },
  cell: { type: 'i32', stride: 4, meaning: 'class and place' },
  cellStart: { type: 'i32', meaning: 'first member of each cell' },
  member: { type: 'i32', meaning: 'balls of cells, ascending' },
  near: { type: 'f64', stride: 4, unit: 'm', meaning: 'centre and radius in the order of members' },
  width: { type: 'f64', unit: 'm', meaning: 'largest radius of each class' },
  inClass: { type: 'i32', meaning: 'balls of each class' },
});
export type OrderedBalls = ValuesOf<typeof orderedBallsRecord>;

/** Edge of the cells of a class, largest radii of the class. */
export const CELL = 2;
export const MOST_CLASSES = 40;
/** Bits of a coordinate in the Z-order: two words of 3 x 8 and 3 x 8. */
const HALF_BITS = 8;
/**
 * Radii are changed by up to this share, by the ball's number: so that no four balls touch one plane, and
 * rounding decides nothing.
 */
const SHAKE = 2 ** -20;

/** A number in [0, 1) of a whole one. */
function scatter(n: number): number {
  let h = Math.imul(n + 1, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

const SPREAD = Int32Array.from({ length: 256 }, (_, n) => {
  let spread = 0;
  for (let bit = 0; bit < 8; bit++) spread |= ((n >> bit) & 1) << (3 * bit);
  return spread;
});

/** Balls in Z-order; equal places keep the order given. */
function sortBalls({ position, radius }: Balls, low: readonly number[], extent: number): Int32Array {
  const count = radius.length;
  const high = new Int32Array(count);
  const fine = new Int32Array(count);
  const cells = 2 ** (2 * HALF_BITS);
  const per = extent > 0 ? (cells * (1 - 1e-12)) / extent : 0;
  for (let p = 0; p < count; p++) {
    const i = Math.floor((position[3 * p] - low[0]) * per);
    const j = Math.floor((position[3 * p + 1] - low[1]) * per);
    const k = Math.floor((position[3 * p + 2] - low[2]) * per);
    high[p] = SPREAD[i >> 8] | (SPREAD[j >> 8] << 1) | (SPREAD[k >> 8] << 2);
    fine[p] = SPREAD[i & 255] | (SPREAD[j & 255] << 1) | (SPREAD[k & 255] << 2);
  }
  let from = Int32Array.from({ length: count }, (_, p) => p);
  let to = new Int32Array(count);
  const counts = new Int32Array(4096);
  for (const key of [fine, high])
    for (let shift = 0; shift < 24; shift += 12) {
      counts.fill(0);
      for (let n = 0; n < count; n++) counts[(key[n] >> shift) & 4095]++;
      let sum = 0;
      for (let c = 0; c < 4096; c++) {
        const own = counts[c];
        counts[c] = sum;
        sum += own;
      }
      for (let n = 0; n < count; n++) to[counts[(key[from[n]] >> shift) & 4095]++] = from[n];
      [from, to] = [to, from];
    }
  return from;
}

export function orderBalls(balls: Balls, scope: HeapScope): OrderedBalls {
  const { position, radius } = balls;
  const count = radius.length;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < count; p++) {
    least = Math.min(least, radius[p]);
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], position[3 * p + k]);
      high[k] = Math.max(high[k], position[3 * p + k]);
    }
  }
  if (count === 0) {
    least = 1;
    low.fill(0);
    high.fill(0);
  }
  const extent = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const order = sortBalls(balls, low, extent);
  const source = scope.i32(count);
  const ball = scope.f64(4 * count);
  for (let n = 0; n < count; n++) {
    const p = order[n];
    source[n] = p;
    for (let k = 0; k < 3; k++) ball[4 * n + k] = position[3 * p + k];
    ball[4 * n + 3] = radius[p] * (1 + SHAKE * (scatter(p) - 0.5));
  }
  return { x: low[0], y: low[1], z: low[2], source, ball, ...layCells(ball, low, least, scope) };
}

function layCells(ball: Float64Array, low: readonly number[], smallest: number, scope: HeapScope) {
  const count = ball.length / 4;
  const least = smallest * (1 - SHAKE);
  const cells = new CellSorter(count, scope);
  const inClass = scope.i32(MOST_CLASSES);
  const width = scope.f64(MOST_CLASSES);
  for (let c = 0; c < MOST_CLASSES; c++) width[c] = least * Math.SQRT2 ** (c + 1);
  let classes = 0;
  for (let p = 0; p < count; p++) {
    let level = 0;
    while (level < MOST_CLASSES - 1 && width[level] < ball[4 * p + 3]) level++;
    classes = Math.max(classes, level + 1);
    inClass[level]++;
    const per = 1 / (CELL * width[level]);
    const i = Math.floor((ball[4 * p] - low[0]) * per);
    const j = Math.floor((ball[4 * p + 1] - low[1]) * per);
    const k = Math.floor((ball[4 * p + 2] - low[2]) * per);
    cells.add(p, level, i, j, k);
  }
  const { mask, slot, cell, start: cellStart, member } = cells.finish();
  const near = scope.f64(4 * count);
  for (let m = 0; m < count; m++) for (let k = 0; k < 4; k++) near[4 * m + k] = ball[4 * member[m] + k];
  return { classes, mask, slot, cell, cellStart, member, near, width, inClass };
}

/** What it takes to find links. */
export type LinkIndex = Omit<OrderedBalls, 'source'>;

/** Who is linked with a ball; lives within one chunk of a task. */
export class LinkQuery {
  found = new Int32Array(128);
  count = 0;
  constructor(private readonly balls: LinkIndex) {}

  /**
   * Balls of at least `share` of the radius of ball a, within LINK sums of radii of it; a itself is not among
   * them.
   */
  ask(a: number, share: number): number {
    const { balls } = this;
    const { ball, classes, width, inClass } = balls;
    const x = ball[4 * a];
    const y = ball[4 * a + 1];
    const z = ball[4 * a + 2];
    const r = ball[4 * a + 3];
    this.count = 0;
    for (let level = 0; level < classes; level++) {
      const widest = width[level];
      if (inClass[level] === 0 || widest < share * r) continue;
      const per = 1 / (CELL * widest);
      const far = LINK * (r + widest) * (1 + 1e-9);
      const i0 = Math.floor((x - far - balls.x) * per);
      const i1 = Math.floor((x + far - balls.x) * per);
      const j0 = Math.floor((y - far - balls.y) * per);
      const j1 = Math.floor((y + far - balls.y) * per);
      const k0 = Math.floor((z - far - balls.z) * per);
      const k1 = Math.floor((z + far - balls.z) * per);
      for (let k = k0; k <= k1; k++)
        for (let j = j0; j <= j1; j++)
          for (let i = i0; i <= i1; i++) this.addCell(level, i, j, k, a, share * r);
    }
    return this.count;
  }

  private addCell(level: number, i: number, j: number, k: number, a: number, smallest: number): void {
    const { cellStart, member, ball } = this.balls;
    const c = findCell(this.balls, level, i, j, k);
    if (c === NONE) return;
    const end = cellStart[c + 1];
    this.found = makeRoom(this.found, this.count + end - cellStart[c]);
    for (let m = cellStart[c]; m < end; m++) {
      const b = 4 * member[m];
      if (ball[b + 3] < smallest) continue;
      const dx = ball[b] - ball[4 * a];
      const dy = ball[b + 1] - ball[4 * a + 1];
      const dz = ball[b + 2] - ball[4 * a + 2];
      const most = LINK * (ball[4 * a + 3] + ball[b + 3]);
      if (dx * dx + dy * dy + dz * dz < most * most && b !== 4 * a) this.found[this.count++] = b / 4;
    }
  }
}
