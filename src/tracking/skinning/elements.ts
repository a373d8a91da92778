/**
 * The elements of a skin and the tree over them. An element is a ball, the cone of a pair or a plane of a
 * triplet; each has a box around it, and four neighbours in the list share a node of the tree, four nodes the
 * next one. The list is in Z-order of the balls that the elements belong to, so neighbours in it lie near
 * each other, and no more sorting is needed.
 *
 * A plane's shape is three rows of four: the outward normal n and 0; s and t of the mixture of balls below a
 * point, as linear functions of the point less the centre of a, and the radii of b and c less that of a. A
 * cone's is the unit vector to b and the length; slope and cosine.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { CORNER, setCorner, UU, UW, WW } from '../../math/triangle.ts';

const seen = new Float64Array(CORNER);

export const BALL = 0;
export const PAIR = 1;
export const PLANE = 2;
/** Of a mesh, whose vertices are balls without radius: the whole triangle, seen from both sides. */
export const TRIANGLE = 3;

export const skinRecord = defineRecord('skin', {
  x: 'number',
  y: 'number',
  z: 'number',
  elements: { type: 'number', meaning: 'how many' },
  levels: { type: 'number', meaning: 'of the tree; 0 where there are no elements' },
  ball: { type: 'f64', per: 'ball', stride: 4, unit: 'm', meaning: 'centre and radius' },
  owner: { type: 'i32', per: 'element', meaning: '4 a + kind, where a is the ball it belongs to' },
  partner: { type: 'i32', per: 'element', stride: 2, meaning: 'b and 2 c + side, NONE where there are none' },
  shape: { type: 'f32', per: 'element', stride: 12, meaning: 'see above' },
  levelStart: { type: 'i32', meaning: 'first node of each level, the lowest first' },
  box: {
    type: 'f32',
    per: 'node',
    stride: 24,
    unit: 'm',
    meaning: 'low x, y, z and high x, y, z of four children, less the low corner; four numbers of each',
  },
});
export type Skin = ValuesOf<typeof skinRecord>;

const GRAIN = 4096;
/** Boxes are wider by this share of the largest coordinate: single precision. */
const MARGIN = 2 ** -21;

/** Elements whose owners and partners are known: shapes and tree. */
export function buildTree(
  ball: Float64Array,
  owner: Int32Array,
  partner: Int32Array,
  threads: Threads,
  scope: HeapScope,
): Skin {
  const elements = owner.length;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let extent = 0;
  for (let p = 0; p < ball.length; p += 4)
    for (let k = 0; k < 3; k++) low[k] = Math.min(low[k], ball[p + k] - ball[p + 3]);
  for (let p = 0; p < ball.length; p += 4)
    for (let k = 0; k < 3; k++) extent = Math.max(extent, ball[p + k] + ball[p + 3] - low[k]);
  const counts: number[] = [];
  for (let count = Math.ceil(elements / 4); elements > 0; count = Math.ceil(count / 4)) {
    counts.push(count);
    if (count === 1) break;
  }
  const levels = counts.length;
  const levelStart = scope.i32(levels + 1);
  for (let level = 0; level < levels; level++) levelStart[level + 1] = levelStart[level] + counts[level];
  const hasShapes = partner.length > 0;
  const skin: Skin = {
    x: ball.length > 0 ? low[0] : 0,
    y: ball.length > 0 ? low[1] : 0,
    z: ball.length > 0 ? low[2] : 0,
    elements,
    levels,
    ball,
    owner,
    partner,
    shape: scope.f32(hasShapes ? 12 * elements : 0),
    levelStart,
    box: scope.f32(24 * levelStart[levels]),
  };
  const margin = MARGIN * extent;
  if (elements > 0) threads.run(shapeElements, counts[0], GRAIN / 4, { skin, margin });
  for (let level = 1; level < levels; level++)
    threads.run(joinBoxes, counts[level], GRAIN, {
      skin,
      from: levelStart[level - 1],
      count: counts[level - 1],
      to: levelStart[level],
    });
  return skin;
}

/** Shapes and boxes of four elements for each node of the lowest level. */
const shapeElements = defineTask(
  'tracking/shape-skin-elements',
  { skin: skinRecord, margin: 'number' },
  (begin, end, { skin, margin }) => {
    const { elements, owner, box } = skin;
    const shaper = new Shaper(skin);
    const origin = [skin.x, skin.y, skin.z];
    for (let node = begin; node < end; node++)
      for (let lane = 0; lane < 4; lane++) {
        const e = 4 * node + lane;
        const at = 24 * node + lane;
        if (e >= elements) {
          clearBox(box, at);
          continue;
        }
        shaper.begin();
        const kind = owner[e] & 3;
        if (kind === PLANE) shaper.shapePlane(e);
        else if (kind === TRIANGLE) shaper.addTriangle(e);
        else if (kind === PAIR) shaper.shapePair(e);
        else shaper.addBall(owner[e] >> 2);
        for (let k = 0; k < 3; k++) {
          box[at + 4 * k] = shaper.low[k] - origin[k] - margin;
          box[at + 12 + 4 * k] = shaper.high[k] - origin[k] + margin;
        }
      }
  },
);

function clearBox(box: Float32Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    box[at + 4 * k] = Number.POSITIVE_INFINITY;
    box[at + 12 + 4 * k] = Number.NEGATIVE_INFINITY;
  }
}

/** Computes one element at a time, and the box that holds it. */
class Shaper {
  readonly low = new Float64Array(3);
  readonly high = new Float64Array(3);
  constructor(private readonly skin: Skin) {}

  begin(): void {
    this.low.fill(Number.POSITIVE_INFINITY);
    this.high.fill(Number.NEGATIVE_INFINITY);
  }

  private add(k: number, value: number): void {
    if (value < this.low[k]) this.low[k] = value;
    if (value > this.high[k]) this.high[k] = value;
  }

  addBall(a: number): void {
    const { ball } = this.skin;
    for (let k = 0; k < 3; k++) {
      this.add(k, ball[4 * a + k] - ball[4 * a + 3]);
      this.add(k, ball[4 * a + k] + ball[4 * a + 3]);
    }
  }

  addTriangle(e: number): void {
    const { owner, partner } = this.skin;
    this.addBall(owner[e] >> 2);
    this.addBall(partner[2 * e]);
    this.addBall(partner[2 * e + 1]);
  }

  shapePair(e: number): void {
    const { ball, owner, partner, shape } = this.skin;
    const a = owner[e] >> 2;
    const b = partner[2 * e];
    this.addBall(a);
    this.addBall(b);
    const x = ball[4 * b] - ball[4 * a];
    const y = ball[4 * b + 1] - ball[4 * a + 1];
    const z = ball[4 * b + 2] - ball[4 * a + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    const slope = (ball[4 * b + 3] - ball[4 * a + 3]) / length;
    const to = 12 * e;
    shape[to] = x / length;
    shape[to + 1] = y / length;
    shape[to + 2] = z / length;
    shape[to + 3] = length;
    shape[to + 4] = slope;
    shape[to + 5] = Math.sqrt(1 - slope * slope);
  }

  /** The box holds the triangle of the centres and the plane's part over it. */
  shapePlane(e: number): void {
    const { ball, owner, partner, shape } = this.skin;
    const a = 4 * (owner[e] >> 2);
    const b = 4 * partner[2 * e];
    const c = 4 * (partner[2 * e + 1] >> 1);
    setCorner(ball, a, b, c, seen);
    const { 0: px, 1: py, 2: pz, 3: qx, 4: qy, 5: qz, 6: mx, 7: my, 8: mz } = seen;
    const { [UU]: pp, [WW]: qq, [UW]: pq } = seen;
    const dp = ball[b + 3] - ball[a + 3];
    const dq = ball[c + 3] - ball[a + 3];
    const determinant = pp * qq - pq * pq;
    const gp = (pq * dq - qq * dp) / determinant;
    const gq = (pq * dp - pp * dq) / determinant;
    const steep = -gp * dp - gq * dq;
    const across = ((partner[2 * e + 1] & 1) === 0 ? 1 : -1) * Math.sqrt((1 - steep) / determinant);
    const nx = gp * px + gq * qx + across * mx;
    const ny = gp * py + gq * qy + across * my;
    const nz = gp * pz + gq * qz + across * mz;
    // s = (c x n) . x / (b . (c x n)), t = (n x b) . x / the same
    const sx = qy * nz - qz * ny;
    const sy = qz * nx - qx * nz;
    const sz = qx * ny - qy * nx;
    const inverse = 1 / (px * sx + py * sy + pz * sz);
    const to = 12 * e;
    shape[to] = nx;
    shape[to + 1] = ny;
    shape[to + 2] = nz;
    shape[to + 3] = 0;
    shape[to + 4] = sx * inverse;
    shape[to + 5] = sy * inverse;
    shape[to + 6] = sz * inverse;
    shape[to + 7] = dp;
    shape[to + 8] = (ny * pz - nz * py) * inverse;
    shape[to + 9] = (nz * px - nx * pz) * inverse;
    shape[to + 10] = (nx * py - ny * px) * inverse;
    shape[to + 11] = dq;
    const n = [nx, ny, nz];
    for (const at of [a, b, c])
      for (let k = 0; k < 3; k++) {
        this.add(k, ball[at + k]);
        this.add(k, ball[at + k] + ball[at + 3] * n[k]);
      }
  }
}

/** Boxes of four nodes of a level as those of one node of the next. */
const joinBoxes = defineTask(
  'tracking/join-skin-boxes',
  { skin: skinRecord, from: 'number', count: 'number', to: 'number' },
  (begin, end, { skin, from, count, to }) => {
    const { box } = skin;
    for (let node = begin; node < end; node++)
      for (let lane = 0; lane < 4; lane++) {
        const child = 4 * node + lane;
        const at = 24 * (to + node) + lane;
        clearBox(box, at);
        if (child >= count) continue;
        for (let k = 0; k < 3; k++)
          for (let other = 0; other < 4; other++) {
            const of = 24 * (from + child) + 4 * k + other;
            if (box[of] < box[at + 4 * k]) box[at + 4 * k] = box[of];
            if (box[of + 12] > box[at + 12 + 4 * k]) box[at + 12 + 4 * k] = box[of + 12];
          }
      }
  },
);
