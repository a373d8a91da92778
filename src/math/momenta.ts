/**
 * Sums over parts of a body that move, each with its mass: momentum, angular momentum about the origin,
 * energy.
 */
export class Momenta {
  readonly momentum: [number, number, number] = [0, 0, 0];
  readonly angularMomentum: [number, number, number] = [0, 0, 0];
  /** Twice the kinetic energy. */
  twiceEnergy = 0;
  /** Square of the greatest speed. */
  fastestSquared = 0;

  /** A part of mass m at (x, y, z) that moves with (ux, uy, uz). */
  add(m: number, x: number, y: number, z: number, ux: number, uy: number, uz: number): void {
    const { momentum: p, angularMomentum: l } = this;
    const squared = ux * ux + uy * uy + uz * uz;
    this.twiceEnergy += m * squared;
    this.fastestSquared = Math.max(this.fastestSquared, squared);
    p[0] += m * ux;
    p[1] += m * uy;
    p[2] += m * uz;
    l[0] += m * (y * uz - z * uy);
    l[1] += m * (z * ux - x * uz);
    l[2] += m * (x * uy - y * ux);
  }
}
