/**
 * The skin of particles ([ando-2013] 5): the union of the convex hulls of all triplets of linked balls, as a list of the elements that may be
 * seen, with a tree over them. Its value is positive inside; outside it is minus the distance, exact but for single precision in the elements.
 * Inside the value tells the sign alone, and there are gaps: see level.ts.
 */
import type { Heap, HeapScope } from '../../core/heap.ts';

import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { BALL, buildTree, PAIR, PLANE, type Skin, skinRecord } from './elements.ts';
import { type Balls, type OrderedBalls, orderBalls, orderedBallsRecord } from './order.ts';
import { StarBuilder } from './stars.ts';
import { SkinQuery } from './value.ts';

export interface Machine {
  readonly heap: Heap;
  readonly threads: Threads;
}

/** Balls whose stars are listed by one call of a body, and those between two times that results are put away. */
const STARS = 256;
const WAVE = 64 * STARS;
/** Numbers that the stars of a call may have at first. */
const ROOM = 64 * STARS;

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
  let owner = new Int32Array(4 * count + 16);
  let partner = new Int32Array(2 * owner.length);
  let elements = 0;
  let room = ROOM;
  const calls = WAVE / STARS;
  let out = scratch.i32(room * calls);
  const size = scratch.i32(count);
  for (let first = 0; first < count; first += WAVE) {
    const stars = Math.min(WAVE, count - first);
    let needed = threads.max(buildStars, stars, STARS, { balls, first, room, out, size });
    if (needed > room) {
      while (room < needed) room *= 2;
      out = scratch.i32(room * calls);
      needed = threads.max(buildStars, stars, STARS, { balls, first, room, out, size });
    }
    for (let a = first, at = 0; a < first + stars; a++) {
      if ((a - first) % STARS === 0) at = ((a - first) / STARS) * room;
      if (2 * (elements + size[a]) > partner.length) {
        owner = lengthen(owner, elements + size[a]);
        partner = lengthen(partner, 2 * (elements + size[a]));
      }
      for (let n = 0; n < size[a]; n += 2, elements++, at += 2) {
        partner[2 * elements] = out[at];
        partner[2 * elements + 1] = out[at + 1];
        owner[elements] = 4 * a + (out[at] === NONE ? BALL : out[at + 1] === NONE ? PAIR : PLANE);
      }
    }
  }
  return { owner: owner.subarray(0, elements), partner: partner.subarray(0, 2 * elements) };
}

function lengthen(array: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(Math.max(2 * array.length, 2 * least));
  longer.set(array);
  return longer;
}

/** Elements of the stars of balls from `first` on, those of each call from a place of its own on; returns the room that was needed. */
const buildStars = defineTask(
  'tracking/skinning/build-stars',
  { balls: orderedBallsRecord, first: 'number', room: 'number', out: 'i32', size: 'i32' },
  (begin, end, { balls, first, room, out, size }) => {
    const builder = new StarBuilder(balls, out);
    const start = (begin / STARS) * room;
    let at = start;
    for (let n = begin; n < end; n++) {
      const own = builder.build(first + n, at, start + room);
      size[first + n] = own;
      at += own;
    }
    return at - start;
  },
);

/** Value of the skin at points (count x 3). */
export function evaluateSkin(skin: Skin, point: Float64Array, out: Float64Array, threads: Threads): void {
  threads.run(evaluatePoints, out.length, 256, { skin, point, out });
}

const evaluatePoints = defineTask(
  'tracking/skinning/evaluate',
  { skin: skinRecord, point: 'f64', out: 'f64' },
  (begin, end, { skin, point, out }) => {
    const query = new SkinQuery(skin);
    for (let n = begin; n < end; n++)
      out[n] = query.valueAt(point[3 * n], point[3 * n + 1], point[3 * n + 2], Number.NEGATIVE_INFINITY);
  },
);
