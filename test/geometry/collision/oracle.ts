/**
 * Do two primitives in linear motion touch in [0, 1]? Decided exactly over the doubles given, with BigInt
 * polynomials in time.
 *
 * Contact needs the four points coplanar: a root of a cubic. Where that is not zero throughout, its roots are
 * the only moments to look at. Where it is, the first moment of contact is 0 or a root of one of the
 * polynomials whose signs decide contact, so those are looked at. At each moment the closed primitives are
 * compared by signs alone, degenerate ones included.
 */
import {
  add,
  findRoots,
  multiply,
  type Polynomial,
  type Root,
  rationalRoot,
  signAt,
  subtract,
  trim,
} from './polynomial.ts';

type Vector = [Polynomial, Polynomial, Polynomial];

const difference = (p: Vector, q: Vector): Vector => [
  subtract(p[0], q[0]),
  subtract(p[1], q[1]),
  subtract(p[2], q[2]),
];
const dot = (p: Vector, q: Vector): Polynomial =>
  add(add(multiply(p[0], q[0]), multiply(p[1], q[1])), multiply(p[2], q[2]));
const cross = (p: Vector, q: Vector): Vector => [
  subtract(multiply(p[1], q[2]), multiply(p[2], q[1])),
  subtract(multiply(p[2], q[0]), multiply(p[0], q[2])),
  subtract(multiply(p[0], q[1]), multiply(p[1], q[0])),
];

const words = new DataView(new ArrayBuffer(8));

/** The double as mantissa x 2^exponent. */
function decompose(x: number): [bigint, number] {
  words.setFloat64(0, x);
  const bits = words.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = field === 0 ? fraction : fraction | 0x10000000000000n;
  return [bits >> 63n ? -mantissa : mantissa, (field === 0 ? 1 : field) - 1075];
}

/**
 * Trajectories of four vertices (12 coordinates at time 0, 12 at time 1) as polynomials, all scaled alike to
 * integers.
 */
function buildTrajectories(x0: Float64Array, x1: Float64Array): Vector[] {
  const parts = [...x0, ...x1].map(decompose);
  const least = Math.min(...parts.map(([m, e]) => (m === 0n ? Infinity : e)));
  const whole = parts.map(([m, e]) => (m === 0n ? 0n : m << BigInt(e - least)));
  const trajectory = (i: number): Polynomial => trim([whole[i], whole[12 + i] - whole[i]]);
  return [0, 1, 2, 3].map((v) => [trajectory(3 * v), trajectory(3 * v + 1), trajectory(3 * v + 2)]);
}

/** Signs that decide whether p lies on the segment ab. */
interface OnSegment {
  readonly zeros: Polynomial[];
  readonly nonNegative: Polynomial;
}
function onSegment(p: Vector, a: Vector, b: Vector): OnSegment {
  // Seen from p the ends lie in opposite directions; this holds for a = b too, where it asks for p = a.
  return {
    zeros: cross(difference(b, a), difference(p, a)),
    nonNegative: dot(difference(p, a), difference(b, p)),
  };
}
const holds = (test: OnSegment, t: Root) =>
  test.zeros.every((q) => signAt(q, t) === 0) && signAt(test.nonNegative, t) >= 0;

/** Inside where the normal is not zero: all of these signs >= 0. On one of the segments where it is. */
interface ContactSigns {
  readonly coplanar: Polynomial;
  readonly normal: Vector;
  readonly inside: Polynomial[];
  readonly segments: OnSegment[];
}

function touches(signs: ContactSigns): boolean {
  const { coplanar, normal, inside, segments } = signs;
  const moments =
    coplanar.length > 0
      ? findRoots(coplanar)
      : [
          rationalRoot(0n),
          ...[...normal, ...inside, ...segments.flatMap((s) => [...s.zeros, s.nonNegative])].flatMap((q) =>
            q.length > 0 ? findRoots(q) : [],
          ),
        ];
  return moments.some((t) =>
    normal.every((q) => signAt(q, t) === 0)
      ? segments.some((s) => holds(s, t))
      : inside.every((q) => signAt(q, t) >= 0),
  );
}

/** Vertex 0 against the triangle of vertices 1, 2, 3. */
export function vertexTriangleTouches(x0: Float64Array, x1: Float64Array): boolean {
  const [v, a, b, c] = buildTrajectories(x0, x1);
  const normal = cross(difference(b, a), difference(c, a));
  const side = (p: Vector, q: Vector) => dot(normal, cross(difference(q, p), difference(v, p)));
  return touches({
    coplanar: dot(normal, difference(v, a)),
    normal,
    inside: [side(a, b), side(b, c), side(c, a)],
    segments: [onSegment(v, a, b), onSegment(v, b, c), onSegment(v, c, a)],
  });
}

/** The edge of vertices 0, 1 against the edge of vertices 2, 3. */
export function edgeEdgeTouches(x0: Float64Array, x1: Float64Array): boolean {
  const [a, b, c, d] = buildTrajectories(x0, x1);
  const u = difference(b, a);
  const w = difference(d, c);
  const r = difference(c, a);
  const normal = cross(u, w);
  const norm = dot(normal, normal);
  // a + s u = c + t w:  s n.n = n.(r x w),  t n.n = n.(r x u).
  const s = dot(normal, cross(r, w));
  const t = dot(normal, cross(r, u));
  return touches({
    coplanar: dot(normal, r),
    normal,
    inside: [s, subtract(norm, s), t, subtract(norm, t)],
    segments: [onSegment(a, c, d), onSegment(b, c, d), onSegment(c, a, b), onSegment(d, a, b)],
  });
}
