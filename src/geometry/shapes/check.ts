/**
 * Checks of shape parameters at the border: a bad number is named together with the shape it was given to.
 */
import { InputError } from '../../core/errors.ts';
import type { Vec3 } from '../../core/types.ts';

export function checkPoint(where: string, name: string, p: Vec3): void {
  if (p.length !== 3 || !p.every(Number.isFinite)) {
    throw new InputError(where, `${name} is [${p.join(', ')}]`, 'give three finite numbers in metres');
  }
}

export function checkPositive(where: string, name: string, value: number): void {
  if (!(Number.isFinite(value) && value > 0)) {
    throw new InputError(where, `${name} is ${value}`, 'give a finite number greater than 0');
  }
}

export function checkFinite(where: string, name: string, value: number): void {
  if (!Number.isFinite(value)) throw new InputError(where, `${name} is ${value}`, 'give a finite number');
}

/** The direction made unit length; a zero or non-finite one is refused. */
export function computeUnit(where: string, name: string, v: Vec3): Vec3 {
  checkPoint(where, name, v);
  const scale = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  if (scale === 0) throw new InputError(where, `${name} has length 0`, 'give a direction');
  // Scaled first, so that neither tiny nor huge components under- or overflow when squared.
  const x = v[0] / scale;
  const y = v[1] / scale;
  const z = v[2] / scale;
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
