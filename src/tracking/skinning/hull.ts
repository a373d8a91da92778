/**
 * Signed distance to the convex hull of one, two or three balls ([ando-2013] 5): the union of the balls whose
 * centre and radius are interpolated between them. The distance is the largest r(s) - |x - c(s)| over the
 * mixtures s, a concave function: its top lies inside the triangle (the two planes), on an edge (a cone) or
 * at a corner (a sphere). Positive inside; outside it is exact, inside at most the true one.
 *
 * Plane: with g the gradient of the radius in the plane of the centres and H the height of x over it, the top
 * is at D = |H| / sqrt(1 - g^2) from x, moved by D g from the foot of x. Cone: the same along a line.
 */
import { CORNER, setCorner, UU, UW, WW } from '../../math/triangle.ts';

const seen = new Float64Array(CORNER);

export class BallHull {
  /** Largest value so far, and the ball of the mixture that has it. */
  best = Number.NEGATIVE_INFINITY;
  cx = 0;
  cy = 0;
  cz = 0;
  r = 0;

  begin(): void {
    this.best = Number.NEGATIVE_INFINITY;
  }

  /** Centres are relative to the point asked for. */
  addBall(x: number, y: number, z: number, r: number): void {
    const value = r - Math.sqrt(x * x + y * y + z * z);
    if (value > this.best) this.set(value, x, y, z, r);
  }

  /** The cone of balls a and b (4 numbers each from a and b on), where its top is between them. */
  addPair(ball: Float64Array, a: number, b: number): void {
    const ex = ball[b] - ball[a];
    const ey = ball[b + 1] - ball[a + 1];
    const ez = ball[b + 2] - ball[a + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const slope = (ball[b + 3] - ball[a + 3]) / length;
    if (!(slope * slope < 1)) return;
    const along = -(ball[a] * ex + ball[a + 1] * ey + ball[a + 2] * ez) / length;
    const square = ball[a] * ball[a] + ball[a + 1] * ball[a + 1] + ball[a + 2] * ball[a + 2] - along * along;
    const away = Math.sqrt(Math.max(0, square));
    const t = (along + (away * slope) / Math.sqrt(1 - slope * slope)) / length;
    if (!(t > 0 && t < 1)) return;
    this.addBall(
      ball[a] + t * ex,
      ball[a + 1] + t * ey,
      ball[a + 2] + t * ez,
      ball[a + 3] + t * slope * length,
    );
  }

  /** The planes of three balls, where their top is between them. */
  addTriplet(ball: Float64Array, a: number, b: number, c: number): void {
    setCorner(ball, a, b, c, seen);
    const { 0: px, 1: py, 2: pz, 3: qx, 4: qy, 5: qz, [UU]: pp, [WW]: qq, [UW]: pq } = seen;
    const determinant = pp * qq - pq * pq;
    if (!(determinant > 1e-12 * pp * qq)) return;
    const dp = ball[b + 3] - ball[a + 3];
    const dq = ball[c + 3] - ball[a + 3];
    // g = gp p + gq q with g . p = dp and g . q = dq
    const gp = (qq * dp - pq * dq) / determinant;
    const gq = (pp * dq - pq * dp) / determinant;
    const steep = gp * dp + gq * dq;
    if (!(steep < 1)) return;
    // The foot of the point (the origin) in the plane, in p and q from a.
    const op = -(ball[a] * px + ball[a + 1] * py + ball[a + 2] * pz);
    const oq = -(ball[a] * qx + ball[a + 1] * qy + ball[a + 2] * qz);
    const up = (qq * op - pq * oq) / determinant;
    const uq = (pp * oq - pq * op) / determinant;
    const fx = ball[a] + up * px + uq * qx;
    const fy = ball[a + 1] + up * py + uq * qy;
    const fz = ball[a + 2] + up * pz + uq * qz;
    const distance = Math.sqrt((fx * fx + fy * fy + fz * fz) / (1 - steep));
    const s = up + distance * gp;
    const t = uq + distance * gq;
    if (!(s > 0 && t > 0 && s + t < 1)) return;
    const value = ball[a + 3] + s * dp + t * dq - distance;
    if (value > this.best)
      this.set(
        value,
        ball[a] + s * px + t * qx,
        ball[a + 1] + s * py + t * qy,
        ball[a + 2] + s * pz + t * qz,
        ball[a + 3] + s * dp + t * dq,
      );
  }

  private set(value: number, x: number, y: number, z: number, r: number): void {
    this.best = value;
    this.cx = x;
    this.cy = y;
    this.cz = z;
    this.r = r;
  }
}
