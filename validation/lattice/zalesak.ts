/**
 * Zalesak's notched sphere in rigid rotation (Enright et al. 2002) through the contouring alone: one turn
 * should bring it back with its notch sharp. With and without thickening; two resolutions, at which the notch
 * is 2.5 and 5 cells wide.
 */
import { box, difference, sphere } from '../../src/geometry/shapes.ts';
import type { RefereeCase } from '../../src/run/referee.ts';
import { type CarriedCase, compareCarried } from './carried-surface.ts';

const RADIUS = 0.15;
/** s, for a full turn */
const PERIOD = 1;
const RATE = (2 * Math.PI) / PERIOD;

const motion: CarriedCase = {
  name: 'Zalesak',
  // The notch is 0.05 wide and 0.125 deep, and goes through from side to side.
  shape: difference(sphere([0.5, 0.75, 0.5], RADIUS), box([0.475, 0.5, 0.2], [0.525, 0.725, 0.8])),
  length: RADIUS,
  duration: PERIOD,
  speed: RATE * (0.25 + RADIUS),
  velocity(x, y, _z, _t, out) {
    out[0] = RATE * (0.5 - y);
    out[1] = RATE * (x - 0.5);
    out[2] = 0;
  },
};

export const zalesakCases: RefereeCase[] = [
  {
    name: 'lattice/zalesak',
    title: 'a notched sphere turned once, contouring alone, with and without thickening',
    run: (context) => compareCarried(motion, [50, 100], context),
  },
];
