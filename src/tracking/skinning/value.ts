/**
 * The value of a skin at a point: the largest over its elements, found from the nearest boxes on. Positive inside; outside it is minus the distance.
 *
 * Ball: r - |x|, with x from its centre. Cone: with `along` and `away` the place of x along and off the axis, the nearest mixture lies at
 * along + away tan, where sin = slope; its value is r + slope along - away cos. Plane: r - n . x. Each counts where its mixture is one of its balls.
 */
import { NONE } from '../../core/types.ts';
import { PAIR, PLANE, type Skin, TRIANGLE } from './elements.ts';

/** Shares at which a mixture still counts as one of the balls: neighbouring elements overlap by it, so that no point falls between. */
const SLACK = 1e-5;
/** Boxes are measured in single precision. */
const SAFE = 1 - 1e-6;
/** Three children wait on each level at most, and one comes on top. */
const STACK = 3 * 17 + 4;

export class SkinQuery {
  private readonly level = new Int32Array(STACK);
  private readonly node = new Int32Array(STACK);
  private readonly square = new Float64Array(STACK);
  private readonly lane = new Int32Array(4);
  private readonly near = new Float64Array(4);

  /** Of the last answer: the element that has the value, NONE where it is the bound. */
  element = NONE;

  constructor(private readonly skin: Skin) {}

  /** The value at a point where it is more than `bound`, else `bound`. */
  valueAt(x: number, y: number, z: number, bound: number): number {
    const { skin, level, node, square, lane, near } = this;
    const { levels, levelStart, box, elements } = skin;
    this.element = NONE;
    if (levels === 0) return bound;
    const bx = Math.fround(x - skin.x);
    const by = Math.fround(y - skin.y);
    const bz = Math.fround(z - skin.z);
    let best = bound;
    level[0] = levels - 1;
    node[0] = 0;
    square[0] = 0;
    let top = 1;
    while (top > 0) {
      top--;
      if (!isNearer(square[top], best)) continue;
      const l = level[top];
      const own = node[top];
      const at = 24 * (levelStart[l] + own);
      let count = 0;
      for (let c = 0; c < 4; c++) {
        const dx = Math.max(0, Math.max(Math.fround(box[at + c] - bx), Math.fround(bx - box[at + 12 + c])));
        const dy = Math.max(
          0,
          Math.max(Math.fround(box[at + 4 + c] - by), Math.fround(by - box[at + 16 + c])),
        );
        const dz = Math.max(
          0,
          Math.max(Math.fround(box[at + 8 + c] - bz), Math.fround(bz - box[at + 20 + c])),
        );
        const xy = Math.fround(Math.fround(dx * dx) + Math.fround(dy * dy));
        const far = Math.fround(xy + Math.fround(dz * dz)) * SAFE;
        if (!isNearer(far, best)) continue;
        // Nearest last.
        let to = count++;
        for (; to > 0 && near[to - 1] < far; to--) {
          near[to] = near[to - 1];
          lane[to] = lane[to - 1];
        }
        near[to] = far;
        lane[to] = c;
      }
      if (l > 0) {
        for (let n = 0; n < count; n++, top++) {
          level[top] = l - 1;
          node[top] = 4 * own + lane[n];
          square[top] = near[n];
        }
        continue;
      }
      for (let n = count - 1; n >= 0; n--) {
        if (!isNearer(near[n], best)) continue;
        const e = 4 * own + lane[n];
        if (e >= elements) continue;
        const value = evaluateElement(skin, e, x, y, z);
        if (value > best) {
          best = value;
          this.element = e;
        }
      }
    }
    return best;
  }
}

/** Whether what lies at a squared distance may have a larger value; inside the skin only boxes around the point may. */
const isNearer = (square: number, best: number): boolean => (best < 0 ? square < best * best : square === 0);

/** The value of one element, minus infinity where it is another's turn. */
export function evaluateElement(skin: Skin, e: number, x: number, y: number, z: number): number {
  const { ball, owner, shape } = skin;
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
    return value <= (r + s * shape[f + 7] + t * shape[f + 11]) * (1 + SLACK)
      ? value
      : Number.NEGATIVE_INFINITY;
  }
  if (kind === TRIANGLE) return -Math.sqrt(measureTriangle(skin, e, x, y, z));
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

/** Squared distance to a triangle of a mesh: to its plane over it, else to its nearest side. */
function measureTriangle(skin: Skin, e: number, x: number, y: number, z: number): number {
  const { ball, owner, partner } = skin;
  const a = owner[e] & -4;
  const b = 4 * partner[2 * e];
  const c = 4 * partner[2 * e + 1];
  const px = ball[b] - ball[a];
  const py = ball[b + 1] - ball[a + 1];
  const pz = ball[b + 2] - ball[a + 2];
  const qx = ball[c] - ball[a];
  const qy = ball[c + 1] - ball[a + 1];
  const qz = ball[c + 2] - ball[a + 2];
  const dx = x - ball[a];
  const dy = y - ball[a + 1];
  const dz = z - ball[a + 2];
  const nx = py * qz - pz * qy;
  const ny = pz * qx - px * qz;
  const nz = px * qy - py * qx;
  const nn = nx * nx + ny * ny + nz * nz;
  const s = dx * (qy * nz - qz * ny) + dy * (qz * nx - qx * nz) + dz * (qx * ny - qy * nx);
  const t = dx * (ny * pz - nz * py) + dy * (nz * px - nx * pz) + dz * (nx * py - ny * px);
  if (nn > 0 && s >= 0 && t >= 0 && s + t <= nn) {
    const height = dx * nx + dy * ny + dz * nz;
    return (height * height) / nn;
  }
  return Math.min(
    measureSegment(dx, dy, dz, px, py, pz),
    measureSegment(dx, dy, dz, qx, qy, qz),
    measureSegment(dx - px, dy - py, dz - pz, qx - px, qy - py, qz - pz),
  );
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
