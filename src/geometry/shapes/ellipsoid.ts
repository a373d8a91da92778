/**
 * Exact signed distance to an ellipsoid.
 *
 * The closest surface point x to y satisfies y_i = x_i (1 + t / e_i^2) (Eberly, "Distance from a point to an
 * ellipse, an ellipsoid, or a hyperellipsoid"). With z_i = y_i / e_i, r_i = (e_i / e_min)^2 and the unknown u
 * = 1 + t / e_min^2 the multiplier is the root u >= 0 of
 *     g(u) = sum_i (r_i z_i / (u + r_i - 1))^2 - 1,
 * convex and decreasing. Deviation from Eberly's bisection: each term alone bounds the root from below, so
 * Newton started at the largest of these bounds climbs monotonically to the root and needs a handful of
 * iterations; u instead of t keeps full precision when the root approaches the singularity (points near the
 * medial disc).
 */
import { InputError } from '../../core/errors.ts';
import type { Vec3 } from '../../core/types.ts';
import type { Implicit } from '../implicit.ts';
import { checkPoint, checkPositive } from './check.ts';

/** Newton converges in under 10 iterations; a run beyond this is a broken invariant, not slow progress. */
const NEWTON_LIMIT = 100;

/** Of a value, in those of a sphere, as measured: the handful of iterations. */
const COST = 5;

/**
 * Scaled coordinates below this are taken as 0, a change far below rounding: their squares' inverses would
 * overflow.
 */
const SMALLEST_COORDINATE = 1e-150;

/** Axis-aligned ellipsoid with the given semi-axes in metres; rotate it with `rotate`. */
export function ellipsoid(centre: Vec3, semiAxes: Vec3): Implicit {
  checkPoint('ellipsoid', 'centre', centre);
  for (let axis = 0; axis < 3; axis++) {
    checkPositive('ellipsoid', `semi-axis along ${'xyz'[axis]}`, semiAxes[axis]);
  }
  const [cx, cy, cz] = centre;
  const [a, b, c] = semiAxes;
  return {
    bounds: { min: [cx - a, cy - b, cz - c], max: [cx + a, cy + b, cz + c] },
    cost: COST,
    value: (x, y, z) => computeSignedDistance(a, b, c, x - cx, y - cy, z - cz),
  };
}

function computeSignedDistance(a: number, b: number, c: number, x: number, y: number, z: number): number {
  const zx = computeScaled(x, a);
  const zy = computeScaled(y, b);
  const zz = computeScaled(z, c);
  const least = Math.min(a, b, c);
  const ra = (a / least) ** 2;
  const rb = (b / least) ** 2;
  const rc = (c / least) ** 2;
  const inside = zx * zx + zy * zy + zz * zz < 1;

  const u = findMultiplier(ra, rb, rc, zx, zy, zz);
  // x_i = r_i y_i / (u + r_i - 1); where both vanish (y on the medial disc) the coordinate is what the others
  // leave.
  let fx = computeFraction(ra, zx, u);
  let fy = computeFraction(rb, zy, u);
  let fz = computeFraction(rc, zz, u);
  const sum = fx * fx + fy * fy + fz * fz;
  if (u === 0 && sum < 1) {
    const rest = Math.sqrt(1 - sum);
    if (ra === 1) fx = rest;
    else if (rb === 1) fy = rest;
    else fz = rest;
  }
  const dx = a * (fx - zx);
  const dy = b * (fy - zy);
  const dz = c * (fz - zz);
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  return inside ? distance : -distance;
}

function computeScaled(x: number, semiAxis: number): number {
  const scaled = Math.abs(x) / semiAxis;
  return scaled < SMALLEST_COORDINATE ? 0 : scaled;
}

/** Closest point's coordinate over its semi-axis. */
function computeFraction(r: number, z: number, u: number): number {
  return z === 0 ? 0 : (r * z) / (u + (r - 1));
}

function findMultiplier(ra: number, rb: number, rc: number, zx: number, zy: number, zz: number): number {
  let u = Math.max(0, 1 - ra + ra * zx, 1 - rb + rb * zy, 1 - rc + rc * zz);
  for (let iteration = 0; iteration < NEWTON_LIMIT; iteration++) {
    const fx = computeFraction(ra, zx, u);
    const fy = computeFraction(rb, zy, u);
    const fz = computeFraction(rc, zz, u);
    const g = fx * fx + fy * fy + fz * fz - 1;
    if (g <= 0) return u;
    let slope = 0;
    if (zx > 0) slope += (fx * fx) / (u + (ra - 1));
    if (zy > 0) slope += (fy * fy) / (u + (rb - 1));
    if (zz > 0) slope += (fz * fz) / (u + (rc - 1));
    const next = u + g / (2 * slope);
    if (!(next > u)) return u;
    u = next;
  }
  throw new InputError(
    'ellipsoid',
    `no closest point found for scaled point [${zx}, ${zy}, ${zz}] with axis ratios ${ra}, ${rb}, ${rc}`,
    'use less extreme semi-axes or finite points',
  );
}
