/**
 * Rigid motions and uniform scaling of implicit regions: the only maps under which an exact distance stays
 * exact. A transform maps the shape; values are found by mapping the point back. Bounds are those of the
 * moved box, so they can be loose after a rotation but never cut.
 */
import { InputError } from '../../core/errors.ts';
import type { Box, Vec3 } from '../../core/types.ts';
import { costOf, type Implicit } from '../implicit.ts';
import type { RigidPose } from '../rigid-motion.ts';
import { checkFinite, checkPoint, checkPositive, computeUnit } from './check.ts';

/** Row-major 3 x 3 matrix. */
export type Mat3 = readonly [number, number, number, number, number, number, number, number, number];

/** How far R R^T may differ from the identity, per entry, before a matrix is refused as not a rotation. */
const ROTATION_TOLERANCE = 1e-9;

export function translate(shape: Implicit, by: Vec3): Implicit {
  checkPoint('translate', 'vector', by);
  return transform(shape, [1, 0, 0, 0, 1, 0, 0, 0, 1], 1, by);
}

/**
 * Rotation about an axis through `about` by an angle in radians, counter-clockwise seen from the axis' tip.
 */
export function rotate(shape: Implicit, axis: Vec3, angle: number, about: Vec3 = [0, 0, 0]): Implicit {
  checkFinite('rotate', 'angle', angle);
  return rotateByMatrix(shape, computeRotation(axis, angle), about);
}

export function rotateByMatrix(shape: Implicit, rotation: Mat3, about: Vec3 = [0, 0, 0]): Implicit {
  checkPoint('rotate', 'centre', about);
  checkRotation(rotation);
  const moved = multiply(rotation, about);
  return transform(shape, rotation, 1, [about[0] - moved[0], about[1] - moved[1], about[2] - moved[2]]);
}

/** A rest shape where a rigid pose puts it. */
export function moveToPose(shape: Implicit, { rotation, translation }: RigidPose): Implicit {
  checkPoint('pose', 'translation', translation);
  const matrix = [...rotation] as unknown as Mat3;
  checkRotation(matrix);
  return transform(shape, matrix, 1, translation);
}

/** Uniform scaling about a point. */
export function scale(shape: Implicit, factor: number, about: Vec3 = [0, 0, 0]): Implicit {
  checkPositive('scale', 'factor', factor);
  checkPoint('scale', 'centre', about);
  const keep = 1 - factor;
  const by: Vec3 = [keep * about[0], keep * about[1], keep * about[2]];
  return transform(shape, [1, 0, 0, 0, 1, 0, 0, 0, 1], factor, by);
}

/** Rodrigues' formula. */
export function computeRotation(axis: Vec3, angle: number): Mat3 {
  const [x, y, z] = computeUnit('rotate', 'axis', axis);
  const s = Math.sin(angle);
  const c = Math.cos(angle);
  const k = 1 - c;
  return [
    c + k * x * x,
    k * x * y - s * z,
    k * x * z + s * y,
    k * x * y + s * z,
    c + k * y * y,
    k * y * z - s * x,
    k * x * z - s * y,
    k * y * z + s * x,
    c + k * z * z,
  ];
}

/** x -> factor R x + by. */
function transform(shape: Implicit, r: Mat3, factor: number, by: Vec3): Implicit {
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = r;
  const [bx, by_, bz] = by;
  const inverse = 1 / factor;
  const result: Implicit = {
    bounds: transformBox(shape.bounds, r, factor, by),
    cost: costOf(shape),
    value(x, y, z) {
      const dx = (x - bx) * inverse;
      const dy = (y - by_) * inverse;
      const dz = (z - bz) * inverse;
      return (
        factor *
        shape.value(r0 * dx + r3 * dy + r6 * dz, r1 * dx + r4 * dy + r7 * dz, r2 * dx + r5 * dy + r8 * dz)
      );
    },
  };
  const sample = shape.sample?.bind(shape);
  if (!sample) return result;
  result.sample = (point, count, out) => {
    const back = new Float64Array(3 * count);
    for (let i = 0; i < 3 * count; i += 3) {
      const dx = (point[i] - bx) * inverse;
      const dy = (point[i + 1] - by_) * inverse;
      const dz = (point[i + 2] - bz) * inverse;
      back[i] = r0 * dx + r3 * dy + r6 * dz;
      back[i + 1] = r1 * dx + r4 * dy + r7 * dz;
      back[i + 2] = r2 * dx + r5 * dy + r8 * dz;
    }
    sample(back, count, out);
    for (let i = 0; i < count; i++) out[i] *= factor;
  };
  return result;
}

/**
 * Interval arithmetic, with 0 times infinity taken as 0 so that unbounded boxes stay bounded where they can.
 */
function transformBox(box: Box, r: Mat3, factor: number, by: Vec3): Box {
  const min: [number, number, number] = [0, 0, 0];
  const max: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const m = factor * r[3 * i + j];
      if (m === 0) continue;
      min[i] += m * (m > 0 ? box.min[j] : box.max[j]);
      max[i] += m * (m > 0 ? box.max[j] : box.min[j]);
    }
    min[i] += by[i];
    max[i] += by[i];
  }
  return { min, max };
}

function multiply(m: Mat3, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

function checkRotation(r: Mat3): void {
  const rows: Vec3[] = [
    [r[0], r[1], r[2]],
    [r[3], r[4], r[5]],
    [r[6], r[7], r[8]],
  ];
  let error = r.length === 9 && r.every(Number.isFinite) ? 0 : Infinity;
  for (let i = 0; i < 3; i++) {
    const product = multiply(r, rows[i]);
    for (let j = 0; j < 3; j++) error = Math.max(error, Math.abs(product[j] - (i === j ? 1 : 0)));
  }
  if (!(error <= ROTATION_TOLERANCE)) {
    throw new InputError(
      'rotate',
      `matrix differs from a rotation by ${error}`,
      'give an orthonormal matrix',
    );
  }
}
