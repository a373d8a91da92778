/**
 * What stuffed and embedded meshes take alike of walls: whether liquid sticks to them, and when it arrives.
 */
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import { sticksToAny } from '../../flow/viscosity/wall-vertices.ts';
import type { ViscousModel } from './model.ts';

/** Lattice cells by which a vertex that meets a wall goes too far, so that it arrives. */
export const ARRIVAL = 0.02;
/** Lattice cells by which it must pass the wall otherwise. */
export const LEAST_PASS = 0.05;

/** Whether the liquid sticks to any wall at a point of the solid `nearest`. */
export function sticksAt(
  { options, lattice }: ViscousModel,
  surroundings: Surroundings,
  nearest: number,
  x: number,
  y: number,
  z: number,
): boolean {
  return options.friction === 'no-slip' || sticksToAny(surroundings, lattice.size, nearest, x, y, z);
}
