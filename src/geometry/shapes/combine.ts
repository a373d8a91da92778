/**
 * Boolean operations and offsets of implicit regions, positive inside.
 *
 * union = max, intersection = min, complement = -f, difference = min(a, -b), offset = f + d. All preserve the
 * 1-Lipschitz bound, so |value| never exceeds the distance to the result's boundary. The value is exact on
 * the outside of a union and on the inside of an intersection; elsewhere it can fall short of the true
 * distance near the seams. Where shapes have a parallel `sample` it is used.
 */
import { InputError } from '../../core/errors.ts';
import type { Box, F64View, Metres, Vec3 } from '../../core/types.ts';
import { costOf, type Implicit } from '../implicit.ts';
import { checkFinite } from './check.ts';

const EVERYWHERE: Box = { min: [-Infinity, -Infinity, -Infinity], max: [Infinity, Infinity, Infinity] };

/** True if the box holds no point: what an intersection of separate shapes has. */
export function isEmptyBox(b: Box): boolean {
  return !(b.min[0] <= b.max[0] && b.min[1] <= b.max[1] && b.min[2] <= b.max[2]);
}

export function union(...shapes: Implicit[]): Implicit {
  checkCount('union', shapes);
  if (shapes.length === 1) return shapes[0];
  const solid = shapes.map((s) => s.bounds).filter((b) => !isEmptyBox(b));
  const bounds = (solid.length > 0 ? solid : [shapes[0].bounds]).reduce(
    (a, b): Box => ({ min: mapAxes(a.min, b.min, Math.min), max: mapAxes(a.max, b.max, Math.max) }),
  );
  return combine(shapes, bounds, Math.max);
}

export function intersection(...shapes: Implicit[]): Implicit {
  checkCount('intersection', shapes);
  if (shapes.length === 1) return shapes[0];
  const bounds = shapes
    .map((s) => s.bounds)
    .reduce((a, b): Box => ({ min: mapAxes(a.min, b.min, Math.max), max: mapAxes(a.max, b.max, Math.min) }));
  return combine(shapes, bounds, Math.min);
}

/** `from` without any of `removed`. */
export function difference(from: Implicit, ...removed: Implicit[]): Implicit {
  return intersection(from, ...removed.map(complement));
}

/** Everything outside the shape. */
export function complement(shape: Implicit): Implicit {
  return mapValues(shape, EVERYWHERE, -1, 0);
}

/**
 * Grown (distance > 0) or shrunk (distance < 0) by a distance; convex edges of a grown shape become round.
 */
export function offset(shape: Implicit, distance: Metres): Implicit {
  checkFinite('offset', 'distance', distance);
  const { min, max } = shape.bounds;
  const bounds: Box = {
    min: [min[0] - distance, min[1] - distance, min[2] - distance],
    max: [max[0] + distance, max[1] + distance, max[2] + distance],
  };
  return mapValues(shape, bounds, 1, distance);
}

/** Values of any shape at many points (point: count x 3), through its parallel path where it has one. */
export function sampleImplicit(shape: Implicit, point: F64View, count: number, out: Float64Array): void {
  if (shape.sample) {
    shape.sample(point, count, out);
    return;
  }
  for (let i = 0; i < count; i++) out[i] = shape.value(point[3 * i], point[3 * i + 1], point[3 * i + 2]);
}

function combine(shapes: Implicit[], bounds: Box, pick: (a: number, b: number) => number): Implicit {
  const first = shapes[0];
  const rest = shapes.slice(1);
  const result: Implicit = {
    bounds,
    cost: shapes.reduce((sum, shape) => sum + costOf(shape), 0),
    value(x, y, z) {
      let value = first.value(x, y, z);
      for (let i = 0; i < rest.length; i++) value = pick(value, rest[i].value(x, y, z));
      return value;
    },
  };
  if (!shapes.some((s) => s.sample)) return result;
  result.sample = (point, count, out) => {
    const other = new Float64Array(count);
    sampleImplicit(first, point, count, out);
    for (const shape of rest) {
      sampleImplicit(shape, point, count, other);
      for (let i = 0; i < count; i++) out[i] = pick(out[i], other[i]);
    }
  };
  return result;
}

function mapValues(shape: Implicit, bounds: Box, factor: number, shift: number): Implicit {
  const value: Implicit['value'] = (x, y, z) => factor * shape.value(x, y, z) + shift;
  const result: Implicit = { bounds, value, cost: costOf(shape) };
  if (!shape.sample) return result;
  result.sample = (point, count, out) => {
    sampleImplicit(shape, point, count, out);
    for (let i = 0; i < count; i++) out[i] = factor * out[i] + shift;
  };
  return result;
}

function mapAxes(a: Vec3, b: Vec3, pick: (a: number, b: number) => number): Vec3 {
  return [pick(a[0], b[0]), pick(a[1], b[1]), pick(a[2], b[2])];
}

function checkCount(where: string, shapes: Implicit[]): void {
  if (shapes.length === 0) throw new InputError(where, 'it has 0 shapes', 'give at least one shape');
}
