/**
 * Implicit primitives with exact signed distance, positive inside (docs/glossary.md).
 * Each factory checks its numbers and throws InputError on a bad one. Cost: O(1) per value.
 * Round solids are measured in cylindrical coordinates (h along the axis, r away from it), where the problem
 * is planar.
 */
import { InputError } from '../../core/errors.ts';
import type { Metres, Vec3 } from '../../core/types.ts';
import type { Implicit } from '../implicit.ts';
import { checkPoint, checkPositive, computeUnit } from './check.ts';

export function sphere(centre: Vec3, radius: Metres): Implicit {
  checkPoint('sphere', 'centre', centre);
  checkPositive('sphere', 'radius', radius);
  const [cx, cy, cz] = centre;
  return {
    bounds: {
      min: [cx - radius, cy - radius, cz - radius],
      max: [cx + radius, cy + radius, cz + radius],
    },
    value(x, y, z) {
      const dx = x - cx;
      const dy = y - cy;
      const dz = z - cz;
      return radius - Math.sqrt(dx * dx + dy * dy + dz * dz);
    },
  };
}

/** Axis-aligned box. */
export function box(min: Vec3, max: Vec3): Implicit {
  checkPoint('box', 'min', min);
  checkPoint('box', 'max', max);
  for (let axis = 0; axis < 3; axis++) {
    if (!(min[axis] < max[axis])) {
      throw new InputError(
        'box',
        `it is empty along ${'xyz'[axis]}: min ${min[axis]}, max ${max[axis]}`,
        'give min < max on every axis',
      );
    }
  }
  const [x0, y0, z0] = min;
  const [x1, y1, z1] = max;
  return {
    bounds: { min, max },
    value(x, y, z) {
      // Signed distances to the nearer face of each slab, positive outside.
      const dx = Math.max(x0 - x, x - x1);
      const dy = Math.max(y0 - y, y - y1);
      const dz = Math.max(z0 - z, z - z1);
      if (dx <= 0 && dy <= 0 && dz <= 0) return -Math.max(dx, dy, dz);
      const ox = Math.max(dx, 0);
      const oy = Math.max(dy, 0);
      const oz = Math.max(dz, 0);
      return -Math.sqrt(ox * ox + oy * oy + oz * oz);
    },
  };
}

/** Solid cylinder with flat caps at `base` and `top`. */
export function cylinder(base: Vec3, top: Vec3, radius: Metres): Implicit {
  checkPositive('cylinder', 'radius', radius);
  const { axis, length } = computeSegment('cylinder', 'base', base, 'top', top);
  const [ux, uy, uz] = axis;
  const [bx, by, bz] = base;
  // The disc of radius r with normal u reaches r sqrt(1 - u_i^2) along axis i.
  const reach = axis.map((u) => radius * Math.sqrt(Math.max(0, 1 - u * u)));
  return {
    bounds: {
      min: [0, 1, 2].map((i) => Math.min(base[i], top[i]) - reach[i]) as unknown as Vec3,
      max: [0, 1, 2].map((i) => Math.max(base[i], top[i]) + reach[i]) as unknown as Vec3,
    },
    value(x, y, z) {
      const dx = x - bx;
      const dy = y - by;
      const dz = z - bz;
      const h = dx * ux + dy * uy + dz * uz;
      const r = crossLength(dx, dy, dz, ux, uy, uz);
      const side = r - radius;
      const cap = Math.max(-h, h - length);
      if (side <= 0 && cap <= 0) return -Math.max(side, cap);
      const s = Math.max(side, 0);
      const c = Math.max(cap, 0);
      return -Math.sqrt(s * s + c * c);
    },
  };
}

/** All points within `radius` of the segment from `start` to `end`. */
export function capsule(start: Vec3, end: Vec3, radius: Metres): Implicit {
  checkPositive('capsule', 'radius', radius);
  const { axis, length } = computeSegment('capsule', 'start', start, 'end', end);
  const [ux, uy, uz] = axis;
  const [sx, sy, sz] = start;
  return {
    bounds: {
      min: [0, 1, 2].map((i) => Math.min(start[i], end[i]) - radius) as unknown as Vec3,
      max: [0, 1, 2].map((i) => Math.max(start[i], end[i]) + radius) as unknown as Vec3,
    },
    value(x, y, z) {
      const px = x - sx;
      const py = y - sy;
      const pz = z - sz;
      const h = Math.min(Math.max(px * ux + py * uy + pz * uz, 0), length);
      const dx = px - h * ux;
      const dy = py - h * uy;
      const dz = pz - h * uz;
      return radius - Math.sqrt(dx * dx + dy * dy + dz * dz);
    },
  };
}

/**
 * Ring torus: all points within `minorRadius` of the circle of `majorRadius` about `axis` through `centre`.
 */
export function torus(centre: Vec3, axis: Vec3, majorRadius: Metres, minorRadius: Metres): Implicit {
  checkPoint('torus', 'centre', centre);
  checkPositive('torus', 'major radius', majorRadius);
  checkPositive('torus', 'minor radius', minorRadius);
  if (minorRadius > majorRadius) {
    throw new InputError(
      'torus',
      `minor radius ${minorRadius} exceeds major radius ${majorRadius}, so the tube crosses itself`,
      'give a minor radius up to the major one',
    );
  }
  const unit = computeUnit('torus', 'axis', axis);
  const [ux, uy, uz] = unit;
  const [cx, cy, cz] = centre;
  const reach = unit.map((u) => majorRadius * Math.sqrt(Math.max(0, 1 - u * u)) + minorRadius);
  return {
    bounds: {
      min: [cx - reach[0], cy - reach[1], cz - reach[2]],
      max: [cx + reach[0], cy + reach[1], cz + reach[2]],
    },
    value(x, y, z) {
      const dx = x - cx;
      const dy = y - cy;
      const dz = z - cz;
      const h = dx * ux + dy * uy + dz * uz;
      const ring = crossLength(dx, dy, dz, ux, uy, uz) - majorRadius;
      return minorRadius - Math.sqrt(ring * ring + h * h);
    },
  };
}

/** Everything on the side of the plane through `point` that `outwardNormal` points away from. */
export function halfSpace(point: Vec3, outwardNormal: Vec3): Implicit {
  checkPoint('half-space', 'point', point);
  const normal = computeUnit('half-space', 'normal', outwardNormal);
  const [nx, ny, nz] = normal;
  const [px, py, pz] = point;
  // Bounded only where the normal is a coordinate axis.
  const along = normal.findIndex((n) => Math.abs(n) === 1);
  const min: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  const max: [number, number, number] = [Infinity, Infinity, Infinity];
  if (along >= 0 && normal[along] > 0) max[along] = point[along];
  if (along >= 0 && normal[along] < 0) min[along] = point[along];
  return {
    bounds: { min, max },
    value: (x, y, z) => (px - x) * nx + (py - y) * ny + (pz - z) * nz,
  };
}

/** Unit axis and length of a segment with distinct, finite ends. */
function computeSegment(where: string, aName: string, a: Vec3, bName: string, b: Vec3) {
  checkPoint(where, aName, a);
  checkPoint(where, bName, b);
  const axis: Vec3 = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  return { axis: computeUnit(where, `axis from ${aName} to ${bName}`, axis), length: Math.hypot(...axis) };
}

/** |d x u|: for unit u the distance from the axis, without the cancellation of sqrt(d.d - (d.u)^2). */
function crossLength(dx: number, dy: number, dz: number, ux: number, uy: number, uz: number): number {
  const x = dy * uz - dz * uy;
  const y = dz * ux - dx * uz;
  const z = dx * uy - dy * ux;
  return Math.sqrt(x * x + y * y + z * z);
}
