/**
 * Which parts of which hulls can be seen ([ando-2013] 5). A star holds the triplets and pairs whose smallest
 * ball it belongs to.
 *
 * If ball d is linked with a, b and c and reaches beyond a plane that touches all three, the plane is
 * covered: all triplets of the four are linked, so the surface of the hull of four belongs to the union, and
 * the plane lies inside it. In the same way a cone between a and b is covered in the directions in which a
 * ball linked with both reaches beyond it. What is not covered is listed; the rest lies under the skin or in
 * gaps inside. Only balls of at least half the radius of a are asked whether they cover: listing too much
 * costs time alone.
 *
 * A ball has some 33 links in the bulk, of which half are larger: the work for a ball is bounded, whatever
 * the sizes around it.
 */
import { defineKernel } from '../../core/kernels.ts';
import { NONE } from '../../core/types.ts';
import { type LinkIndex, LinkQuery } from './order.ts';

/** Balls below this share of the radius of a are not asked whether they cover. */
const LEAST_SHARE = 0.5;
/** Sectors of the circle of directions around a pair. */
const SECTORS = 8;

/**
 * The 26 directions to corners, middles of edges and of sides of a cube; patches of the sphere are the four
 * quarters of each side.
 */
const DIRECTION: Float64Array = new Float64Array(3 * 27);
const PATCHES: number[] = [];
/** A patch lies in the hull of its four directions and of these made longer by this. */
const OUTER = 1.4;
for (let n = 0; n < 27; n++) {
  const d = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1];
  const length = Math.max(1e-9, Math.hypot(d[0], d[1], d[2]));
  for (let k = 0; k < 3; k++) DIRECTION[3 * n + k] = d[k] / length;
}
for (let axis = 0; axis < 3; axis++)
  for (let side = -1; side <= 1; side += 2)
    for (let quarter = 0; quarter < 4; quarter++) {
      const u = (quarter & 1) === 0 ? -1 : 0;
      const v = (quarter & 2) === 0 ? -1 : 0;
      let bits = 0;
      for (let corner = 0; corner < 4; corner++) {
        const at = [0, 0, 0];
        at[axis] = side;
        at[(axis + 1) % 3] = u + (corner & 1);
        at[(axis + 2) % 3] = v + (corner >> 1);
        bits |= 1 << (at[0] + 1 + 3 * (at[1] + 1) + 9 * (at[2] + 1));
      }
      PATCHES.push(bits);
    }
const PATCH = Int32Array.from(PATCHES);

const COS = Float64Array.from({ length: SECTORS }, (_, n) => Math.cos((2 * Math.PI * n) / SECTORS));
const SIN = Float64Array.from({ length: SECTORS }, (_, n) => Math.sin((2 * Math.PI * n) / SECTORS));
/** Corners of the polygon around the circle, each between two directions. */
const FAR = 1 / Math.cos(Math.PI / SECTORS);
const OUTER_COS = Float64Array.from(
  { length: SECTORS },
  (_, n) => FAR * Math.cos((2 * Math.PI * (n + 0.5)) / SECTORS),
);
const OUTER_SIN = Float64Array.from(
  { length: SECTORS },
  (_, n) => FAR * Math.sin((2 * Math.PI * (n + 0.5)) / SECTORS),
);

/**
 * What the compiled form reads: cosines and sines of directions, then of the corners between them, directions
 * of patches, and the patches.
 */
export const TABLE = Float64Array.of(...COS, ...SIN, ...OUTER_COS, ...OUTER_SIN, ...DIRECTION, ...PATCH);

/** Stars of a call: its room and its scratch begin at multiples of it. */
export const STARS = 256;
/** Int32 of scratch of a call for balls with up to so many links. */
export const countScratch = (most: number): number => most + 8 * most + ((most + 31) >> 5) * (most + 1);

/**
 * Elements of the stars of balls first + [begin, end): kernels/skin.ts. Those of a call begin at its own
 * multiple of `room` in `out`, and none is written beyond; `size` tells how many numbers each star has.
 * needed (calls x 2): the room that the call would have needed, and the links of the first ball that has more
 * than `most`: there the call ends.
 */
export const buildStars = defineKernel(
  'buildStars',
  {
    first: 'number',
    room: 'number',
    most: 'number',
    x: 'number',
    y: 'number',
    z: 'number',
    classes: 'number',
    mask: 'number',
    ball: 'f64',
    near: 'f64',
    slot: 'i32',
    cell: 'i32',
    cellStart: 'i32',
    member: 'i32',
    width: 'f64',
    inClass: 'i32',
    table: 'f64',
    out: 'i32',
    size: 'i32',
    needed: 'i32',
    scratch: 'i32',
  },
  (begin, end, values) => {
    const { first, room, most, out, size, needed } = values;
    const builder = new StarBuilder(values, out, most);
    const call = Math.floor(begin / STARS);
    const start = call * room;
    let at = start;
    for (let n = begin; n < end; n++) {
      const own = builder.build(first + n, at, start + room);
      if (builder.count > most) {
        needed[2 * call + 1] = builder.count;
        return;
      }
      size[first + n] = own;
      at += own;
    }
    needed[2 * call] = at - start;
  },
);

/** Lists the elements of stars; lives within one chunk of a task. */
export class StarBuilder {
  readonly links: LinkQuery;
  /** Of balls linked with a: place and radius less those of a. */
  private w = new Float64Array(4 * 64);
  private isLarger = new Uint8Array(64);
  /** Who is linked with whom: a row of words for each that is larger. */
  private linked = new Int32Array(64 * 2);
  private words = 0;
  count = 0;

  constructor(
    private readonly balls: LinkIndex,
    private readonly out: Int32Array,
    private readonly most: number,
  ) {
    this.links = new LinkQuery(balls);
  }

  /**
   * Writes the elements of the star of ball a from `at` on, as two numbers each: NONE, NONE for the ball; b,
   * NONE for a pair; b, 2 c + side for a plane. None is written at or beyond `limit`. Returns how many
   * numbers there are.
   */
  build(a: number, at: number, limit: number): number {
    const { links, out } = this;
    if (!this.gather(a)) return 0;
    let next = at;
    const { count } = this;
    const put = (first: number, second: number) => {
      if (next + 1 < limit) {
        out[next] = first;
        out[next + 1] = second;
      }
      next += 2;
    };
    for (let b = 0; b < count; b++) {
      if (this.isLarger[b] === 0) continue;
      if (this.isPairSeen(b)) put(links.found[b], NONE);
      for (let c = b + 1; c < count; c++) {
        if (this.isLarger[c] === 0 || !this.areLinked(b, c)) continue;
        const sides = this.findSeenSides(b, c);
        if (sides & 1) put(links.found[b], 2 * links.found[c]);
        if (sides & 2) put(links.found[b], 2 * links.found[c] + 1);
      }
    }
    if (next > at || this.isBallSeen()) put(NONE, NONE);
    return next - at;
  }

  /** The balls linked with a, and which of them are linked; false where a lies inside one of them. */
  private gather(a: number): boolean {
    const { links } = this;
    const { ball } = this.balls;
    const found = links.ask(a, LEAST_SHARE);
    this.words = (found + 31) >> 5;
    if (this.w.length < 4 * found) this.w = new Float64Array(8 * found);
    if (this.isLarger.length < found) this.isLarger = new Uint8Array(2 * found);
    if (this.linked.length < found * this.words) this.linked = new Int32Array(2 * found * this.words);
    const { w, isLarger, linked, words } = this;
    let count = 0;
    let isHidden = false;
    for (let m = 0; m < found; m++) {
      const b = links.found[m];
      const x = ball[4 * b] - ball[4 * a];
      const y = ball[4 * b + 1] - ball[4 * a + 1];
      const z = ball[4 * b + 2] - ball[4 * a + 2];
      const q = ball[4 * b + 3] - ball[4 * a + 3];
      if (x * x + y * y + z * z <= q * q) {
        if (q > 0 || (q === 0 && b < a)) isHidden = true;
        continue;
      }
      links.found[count] = b;
      w[4 * count] = x;
      w[4 * count + 1] = y;
      w[4 * count + 2] = z;
      w[4 * count + 3] = q;
      isLarger[count] = q > 0 || (q === 0 && b > a) ? 1 : 0;
      count++;
    }
    this.count = count;
    if (isHidden || count > this.most) return false;
    const r = ball[4 * a + 3];
    linked.fill(0, 0, count * words);
    for (let b = 0; b < count; b++)
      for (let c = 0; c < count && isLarger[b] === 1; c++) {
        if (c === b) continue;
        const x = w[4 * b] - w[4 * c];
        const y = w[4 * b + 1] - w[4 * c + 1];
        const z = w[4 * b + 2] - w[4 * c + 2];
        const most = 2 * (2 * r + w[4 * b + 3] + w[4 * c + 3]);
        if (x * x + y * y + z * z >= most * most) continue;
        linked[b * words + (c >> 5)] |= 1 << (c & 31);
      }
    return true;
  }

  private areLinked(b: number, c: number): boolean {
    return ((this.linked[b * this.words + (c >> 5)] >> (c & 31)) & 1) === 1;
  }

  /**
   * Which of the two planes that touch a, b and c no ball linked with all of them reaches beyond: bits 1 and
   * 2.
   */
  private findSeenSides(b: number, c: number): number {
    const { w, linked, words } = this;
    const px = w[4 * b];
    const py = w[4 * b + 1];
    const pz = w[4 * b + 2];
    const qx = w[4 * c];
    const qy = w[4 * c + 1];
    const qz = w[4 * c + 2];
    const pp = px * px + py * py + pz * pz;
    const pq = px * qx + py * qy + pz * qz;
    const qq = qx * qx + qy * qy + qz * qz;
    const determinant = pp * qq - pq * pq;
    if (!(determinant > 1e-10 * pp * qq)) return 0;
    const dp = w[4 * b + 3];
    const dq = w[4 * c + 3];
    // The normal n has n . p = -dp and n . q = -dq: a part in the plane of the centres, and a part across it
    // on either side.
    const gp = (pq * dq - qq * dp) / determinant;
    const gq = (pq * dp - pp * dq) / determinant;
    const steep = -gp * dp - gq * dq;
    if (!(steep < 1)) return 0;
    const across = Math.sqrt((1 - steep) / determinant);
    const gx = gp * px + gq * qx;
    const gy = gp * py + gq * qy;
    const gz = gp * pz + gq * qz;
    const mx = across * (py * qz - pz * qy);
    const my = across * (pz * qx - px * qz);
    const mz = across * (px * qy - py * qx);
    let seen = 3;
    for (let word = 0; word < words; word++) {
      let bits = linked[b * words + word] & linked[c * words + word];
      while (bits !== 0) {
        const low = bits & -bits;
        const d = 4 * (32 * word + 31 - Math.clz32(low));
        bits ^= low;
        const along = gx * w[d] + gy * w[d + 1] + gz * w[d + 2] + w[d + 3];
        const over = mx * w[d] + my * w[d + 1] + mz * w[d + 2];
        if (along + over > 0) seen &= 2;
        if (along - over > 0) seen &= 1;
        if (seen === 0) return 0;
      }
    }
    return seen;
  }

  /**
   * Whether the cone of a and b may be seen from some direction: whether balls linked with both leave a
   * sector free.
   */
  private isPairSeen(b: number): boolean {
    const { w, linked, words } = this;
    const length = Math.sqrt(w[4 * b] * w[4 * b] + w[4 * b + 1] * w[4 * b + 1] + w[4 * b + 2] * w[4 * b + 2]);
    const ex = w[4 * b] / length;
    const ey = w[4 * b + 1] / length;
    const ez = w[4 * b + 2] / length;
    // Normals are -slope e + k (cos u + sin v).
    const slope = w[4 * b + 3] / length;
    const k = Math.sqrt(1 - slope * slope);
    let ux = 0;
    let uy = -ez;
    let uz = ey;
    if (Math.abs(ex) > 0.6) {
      ux = ez;
      uy = 0;
      uz = -ex;
    }
    const unit = k / Math.sqrt(ux * ux + uy * uy + uz * uz);
    ux *= unit;
    uy *= unit;
    uz *= unit;
    const vx = ey * uz - ez * uy;
    const vy = ez * ux - ex * uz;
    const vz = ex * uy - ey * ux;
    let free = (1 << SECTORS) - 1;
    for (let word = 0; word < words; word++) {
      let bits = linked[b * words + word];
      while (bits !== 0) {
        const low = bits & -bits;
        const d = 4 * (32 * word + 31 - Math.clz32(low));
        bits ^= low;
        const base = w[d + 3] - slope * (ex * w[d] + ey * w[d + 1] + ez * w[d + 2]);
        const x = ux * w[d] + uy * w[d + 1] + uz * w[d + 2];
        const y = vx * w[d] + vy * w[d + 1] + vz * w[d + 2];
        // Farther than every sector's inner corners: cheap, and true of most balls for some sector.
        let at = 0;
        let outer = 0;
        for (let s = 0; s < SECTORS; s++) {
          if (base + x * COS[s] + y * SIN[s] > 0) at |= 1 << s;
          if (base + x * OUTER_COS[s] + y * OUTER_SIN[s] > 0) outer |= 1 << s;
        }
        free &= ~(at & ((at >> 1) | (at << (SECTORS - 1))) & outer);
        if (free === 0) return false;
      }
    }
    return true;
  }

  /** Whether a patch of the sphere of a may be seen past the balls linked with it. */
  private isBallSeen(): boolean {
    const { w, count } = this;
    let free = 2 ** 24 - 1;
    for (let b = 0; b < count && free !== 0; b++) {
      let beyond = 0;
      for (let n = 0; n < 27; n++) {
        const along =
          DIRECTION[3 * n] * w[4 * b] +
          DIRECTION[3 * n + 1] * w[4 * b + 1] +
          DIRECTION[3 * n + 2] * w[4 * b + 2];
        if (Math.min(along, OUTER * along) + w[4 * b + 3] > 0) beyond |= 1 << n;
      }
      for (let patch = 0; patch < 24; patch++)
        if ((beyond & PATCH[patch]) === PATCH[patch]) free &= ~(1 << patch);
    }
    return free !== 0;
  }
}
