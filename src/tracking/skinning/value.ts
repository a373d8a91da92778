/**
 * The value of a skin at points: the largest over its elements, found from the nearest boxes on. Positive
 * inside; outside it is minus the distance.
 *
 * Ball: r - |x|, with x from its centre. Cone: with `along` and `away` the place of x along and off the axis,
 * the nearest mixture lies at along + away tan, where sin = slope; its value is r + slope along - away cos.
 * Plane: r - n . x. Each counts where its mixture is one of its balls.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineKernel } from '../../core/kernels.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { CORNER, setEdges } from '../../math/triangle.ts';
import { PAIR, PLANE, type Skin, TRIANGLE } from './elements.ts';

/**
 * Shares at which a mixture still counts as one of the balls: neighbouring elements overlap by it, so that no
 * point falls between.
 */
const SLACK = 1e-5;
/** Boxes are measured in single precision. */
const SAFE = Math.fround(0.999999);
/** Entries of the stack: three wait on each level at most, and four come on top. */
const STACK = 80;
/**
 * Points of a call; each call has a stack of entries of three numbers in the scratch of the compiled form.
 */
export const POINTS = 128;
/** A bound that tells not to ask a point. */
export const SKIPPED = Number.POSITIVE_INFINITY;
const SKIP = 1e300;
/** A value is no less than the last one less the way to it, and a little. */
const FOLLOW = 1.000001;

/**
 * value: the largest over the elements where it is more than `bound`, else that; element: which one has it,
 * or NONE. Points of which the bound is SKIPPED are left as they are. The search ends with the first element
 * that holds the point. On entry `element` may name one that is likely, and else is NONE. follows: 1 where
 * values have slopes of 1 at most, so that each search may start from the last one's answer.
 */
export const findSkinValues = defineKernel(
  'findSkinValues',
  {
    x: 'number',
    y: 'number',
    z: 'number',
    follows: 'number',
    levels: 'number',
    ball: 'f64',
    owner: 'i32',
    partner: 'i32',
    shape: 'f32',
    levelStart: 'i32',
    box: 'f32',
    point: 'f64',
    bound: 'f64',
    value: 'f64',
    element: 'i32',
    scratch: 'i32',
  },
  (begin, end, tree) => {
    const { point, bound, value, element, follows } = tree;
    const search = new Search(tree);
    let before = 0;
    let last = 0;
    for (let n = begin; n < end; n++) {
      let best = bound[n];
      if (best > SKIP) continue;
      if (follows !== 0 && before < 0) {
        const x = point[3 * n] - point[3 * last];
        const y = point[3 * n + 1] - point[3 * last + 1];
        const z = point[3 * n + 2] - point[3 * last + 2];
        best = Math.max(best, before - Math.sqrt(x * x + y * y + z * z) * FOLLOW);
      }
      search.element = follows !== 0 ? search.element : element[n];
      before = search.find(point[3 * n], point[3 * n + 1], point[3 * n + 2], best);
      last = n;
      value[n] = before;
      element[n] = search.element;
    }
  },
);

const valuesTask = defineTask('tracking/find-skin-values', findSkinValues);

/** Points, what is known and what is found: columns of findSkinValues. */
export interface Asked {
  readonly point: Float64Array;
  readonly bound: Float64Array;
  readonly value: Float64Array;
  readonly element: Int32Array;
}

/** Scratch of the kernel for so many points. */
export const buildStacks = (count: number, scope: HeapScope): Int32Array =>
  scope.i32(3 * STACK * Math.ceil(count / POINTS));

/** Values at points, on all threads; nothing is guessed. */
export function findValues(
  tree: Skin,
  asked: Asked,
  threads: Threads,
  scratch: HeapScope,
  follows: boolean,
): void {
  asked.element.fill(NONE);
  const count = asked.value.length;
  const stacks = buildStacks(count, scratch);
  threads.run(valuesTask, count, POINTS, { ...tree, ...asked, follows: follows ? 1 : 0, scratch: stacks });
}

type Tree = Pick<
  Skin,
  'x' | 'y' | 'z' | 'levels' | 'ball' | 'owner' | 'partner' | 'shape' | 'levelStart' | 'box'
>;

/** The plain form, a point at a time. */
class Search {
  /** Of the last answer, and before a search a guess. */
  element = NONE;
  private readonly level = new Int32Array(STACK);
  private readonly node = new Int32Array(STACK);
  private readonly square = new Float64Array(STACK);

  constructor(private readonly tree: Tree) {}

  find(x: number, y: number, z: number, bound: number): number {
    const { tree, level, node, square } = this;
    const { levels, levelStart, box } = tree;
    const fx = Math.fround(x - tree.x);
    const fy = Math.fround(y - tree.y);
    const fz = Math.fround(z - tree.z);
    let best = bound;
    let limit = Math.fround(best * best);
    const guess = this.element;
    this.element = NONE;
    if (guess !== NONE && levels > 0 && best < 0) {
      const found = evaluateElement(tree, guess, x, y, z);
      if (found > best) {
        best = found;
        limit = Math.fround(best * best);
        this.element = guess;
      }
    }
    let top = 0;
    if (levels > 0 && best < 0) {
      level[0] = levels - 1;
      node[0] = 0;
      square[0] = 0;
      top = 1;
    }
    while (top > 0) {
      top--;
      if (!(square[top] < limit)) continue;
      const l = level[top];
      const own = node[top];
      if (l < 0) {
        const found = evaluateElement(tree, own, x, y, z);
        if (!(found > best)) continue;
        best = found;
        limit = Math.fround(best * best);
        this.element = own;
        if (best >= 0) break;
        continue;
      }
      const at = 24 * (levelStart[l] + own);
      const from = top;
      for (let c = 0; c < 4; c++) {
        const dx = Math.max(0, Math.fround(box[at + c] - fx), Math.fround(fx - box[at + 12 + c]));
        const dy = Math.max(0, Math.fround(box[at + 4 + c] - fy), Math.fround(fy - box[at + 16 + c]));
        const dz = Math.max(0, Math.fround(box[at + 8 + c] - fz), Math.fround(fz - box[at + 20 + c]));
        const xy = Math.fround(Math.fround(dx * dx) + Math.fround(dy * dy));
        const far = Math.fround(Math.fround(xy + Math.fround(dz * dz)) * SAFE);
        if (!(far < limit)) continue;
        // The nearest last.
        let to = top;
        for (; to > from && square[to - 1] < far; to--) {
          square[to] = square[to - 1];
          node[to] = node[to - 1];
        }
        square[to] = far;
        node[to] = 4 * own + c;
        level[top++] = l - 1;
      }
    }
    return best;
  }
}

/** The value of one element, minus infinity where it is another's turn. */
function evaluateElement(tree: Tree, e: number, x: number, y: number, z: number): number {
  const { ball, owner, shape } = tree;
  const a = owner[e] & -4;
  const kind = owner[e] & 3;
  const dx = x - ball[a];
  const dy = y - ball[a + 1];
  const dz = z - ball[a + 2];
  const r = ball[a + 3];
  const f = 12 * e;
  if (kind === PLANE) {
    const s = shape[f + 4] * dx + shape[f + 5] * dy + shape[f + 6] * dz;
    const t = shape[f + 8] * dx + shape[f + 9] * dy + shape[f + 10] * dz;
    if (!(s >= -SLACK && t >= -SLACK && s + t <= 1 + SLACK)) return Number.NEGATIVE_INFINITY;
    const value = r - (shape[f] * dx + shape[f + 1] * dy + shape[f + 2] * dz);
    // Beyond the middle the other side's turn begins.
    const most = (r + s * shape[f + 7] + t * shape[f + 11]) * (1 + SLACK);
    return value <= most ? value : Number.NEGATIVE_INFINITY;
  }
  if (kind === TRIANGLE) return -Math.sqrt(measureTriangle(tree, e, dx, dy, dz));
  const square = dx * dx + dy * dy + dz * dz;
  if (kind === PAIR) {
    const length = shape[f + 3];
    const slope = shape[f + 4];
    const cosine = shape[f + 5];
    const along = shape[f] * dx + shape[f + 1] * dy + shape[f + 2] * dz;
    const away = Math.sqrt(Math.max(0, square - along * along));
    const t = along * cosine + away * slope;
    const slack = SLACK * length;
    if (!(t >= -slack && t <= length * cosine + slack)) return Number.NEGATIVE_INFINITY;
    return r + slope * along - away * cosine;
  }
  return r - Math.sqrt(square);
}

const edges = new Float64Array(CORNER);

/**
 * Squared distance to a triangle of a mesh, of a point less its first corner: to its plane over it, else to
 * its nearest side.
 */
function measureTriangle(tree: Tree, e: number, dx: number, dy: number, dz: number): number {
  const { ball, owner, partner } = tree;
  const a = owner[e] & -4;
  const b = 4 * partner[2 * e];
  const c = 4 * partner[2 * e + 1];
  setEdges(ball, a, b, c, edges);
  const { 0: px, 1: py, 2: pz, 3: qx, 4: qy, 5: qz, 6: nx, 7: ny, 8: nz } = edges;
  const nn = nx * nx + ny * ny + nz * nz;
  const s = dx * (qy * nz - qz * ny) + dy * (qz * nx - qx * nz) + dz * (qx * ny - qy * nx);
  const t = dx * (ny * pz - nz * py) + dy * (nz * px - nx * pz) + dz * (nx * py - ny * px);
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn) {
    const height = dx * nx + dy * ny + dz * nz;
    return (height * height) / nn;
  }
  const one = measureSegment(dx, dy, dz, px, py, pz);
  const two = measureSegment(dx, dy, dz, qx, qy, qz);
  return Math.min(one, two, measureSegment(dx - px, dy - py, dz - pz, qx - px, qy - py, qz - pz));
}

/** Squared distance of x from a segment from the origin to e. */
function measureSegment(x: number, y: number, z: number, ex: number, ey: number, ez: number): number {
  const square = ex * ex + ey * ey + ez * ez;
  const along = x * ex + y * ey + z * ez;
  const t = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  const dx = x - t * ex;
  const dy = y - t * ey;
  const dz = z - t * ez;
  return dx * dx + dy * dy + dz * dz;
}
