/**
 * The skin of particles ([ando-2013] 5): the union of the convex hulls of all triplets of linked balls, as a
 * list of the elements that may be seen, with a tree over them. Its value is positive inside; outside it is
 * minus the distance, exact but for single precision in the elements. Inside the value tells the sign alone,
 * and there are gaps: see level.ts.
 */
import type { Heap, HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { BALL, buildTree, PAIR, PLANE, type Skin } from './elements.ts';
import { type Balls, type OrderedBalls, orderBalls } from './order.ts';
import { buildStars, countScratch, STARS, TABLE } from './stars.ts';
import { findValues } from './value.ts';

export interface Machine {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** Calls between two times that results are put away, and their balls. */
const CALLS = 64;
const WAVE = CALLS * STARS;
/** Numbers that the stars of a call, and links that a ball may have at first. */
const ROOM = 64 * STARS;
const MOST_LINKS = 128;

const starsTask = defineTask('tracking/build-stars', buildStars);

/** The elements of the skin of balls. */
export function buildSkin(balls: Balls, machine: Machine, scope: HeapScope): Skin {
  return skinOrdered(orderBalls(balls, scope), machine, scope);
}

export function skinOrdered(ordered: OrderedBalls, { heap, threads }: Machine, scope: HeapScope): Skin {
  const scratch = heap.scope('stars');
  const found = listStars(ordered, threads, scratch);
  const owner = scope.i32(found.owner.length);
  owner.set(found.owner);
  const partner = scope.i32(found.partner.length);
  partner.set(found.partner);
  scratch.free();
  return buildTree(ordered.ball, owner, partner, threads, scope);
}

/** The balls alone: for every ball an element. */
export function indexBalls(ordered: OrderedBalls, { threads }: Machine, scope: HeapScope): Skin {
  const count = ordered.source.length;
  const owner = scope.i32(count);
  for (let a = 0; a < count; a++) owner[a] = 4 * a + BALL;
  return buildTree(ordered.ball, owner, scope.i32(0), threads, scope);
}

/** Owners and partners of all elements, in the order of the balls. */
function listStars(balls: OrderedBalls, threads: Threads, scratch: HeapScope) {
  const count = balls.source.length;
  const size = scratch.i32(count);
  const needed = scratch.i32(2 * CALLS);
  const table = scratch.f64(TABLE.length);
  table.set(TABLE);
  const list = new ElementList(4 * count + 16);
  let room = ROOM;
  let most = MOST_LINKS;
  let out = scratch.i32(room * CALLS);
  let own = scratch.i32(countScratch(most) * CALLS);
  for (let first = 0; first < count; first += WAVE) {
    const stars = Math.min(WAVE, count - first);
    for (;;) {
      needed.fill(0);
      threads.run(starsTask, stars, STARS, {
        ...balls,
        first,
        room,
        most,
        table,
        out,
        size,
        needed,
        scratch: own,
      });
      let roomNeeded = 0;
      let links = 0;
      for (let call = 0; call < CALLS; call++) {
        roomNeeded = Math.max(roomNeeded, needed[2 * call]);
        links = Math.max(links, needed[2 * call + 1]);
      }
      if (roomNeeded <= room && links <= most) break;
      while (room < roomNeeded) room *= 2;
      while (most < links) most *= 2;
      out = scratch.i32(room * CALLS);
      own = scratch.i32(countScratch(most) * CALLS);
    }
    for (let a = first, at = 0; a < first + stars; a++) {
      if ((a - first) % STARS === 0) at = ((a - first) / STARS) * room;
      list.add(a, out, at, size[a]);
      at += size[a];
    }
  }
  return list.finish();
}

class ElementList {
  private owner: Int32Array<ArrayBuffer>;
  private partner: Int32Array<ArrayBuffer>;
  private count = 0;

  constructor(expected: number) {
    this.owner = new Int32Array(expected);
    this.partner = new Int32Array(2 * expected);
  }

  /** The elements of the star of a: `size` numbers from `at` on. */
  add(a: number, out: Int32Array, at: number, size: number): void {
    if (this.count + size > this.owner.length) {
      const longer = 2 * (this.count + size);
      const [owner, partner] = [this.owner, this.partner];
      this.owner = new Int32Array(longer);
      this.owner.set(owner);
      this.partner = new Int32Array(2 * longer);
      this.partner.set(partner);
    }
    const { owner, partner } = this;
    let n = this.count;
    for (let m = at; m < at + size; m += 2, n++) {
      partner[2 * n] = out[m];
      partner[2 * n + 1] = out[m + 1];
      owner[n] = 4 * a + (out[m] === NONE ? BALL : out[m + 1] === NONE ? PAIR : PLANE);
    }
    this.count = n;
  }

  finish() {
    return {
      owner: this.owner.subarray(0, this.count),
      partner: this.partner.subarray(0, 2 * this.count),
    };
  }
}

/** Value of the skin at points (count x 3). */
export function evaluateSkin(skin: Skin, point: Float64Array, out: Float64Array, machine: Machine): void {
  const scratch = machine.heap.scope('values of the skin');
  const bound = scratch.f64(out.length).fill(Number.NEGATIVE_INFINITY);
  const element = scratch.i32(out.length);
  findValues(skin, { point, bound, value: out, element }, machine.threads, scratch, false);
  scratch.free();
}
