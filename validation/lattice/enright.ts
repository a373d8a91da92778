/**
 * The deformation test of Enright, Fedkiw, Ferziger and Mitchell 2002 through the contouring alone: a ball is
 * drawn out into a sheet about as thin as a cell, then the flow is reversed and should bring the ball back.
 * Without thickening, with the paper's ([chentanez-2007] 3.4) and with the thinness that marching cubes need
 * for a sheet of any tilt; two resolutions.
 */
import { sphere } from '../../src/geometry/shapes.ts';
import type { RefereeCase } from '../../src/run/referee.ts';
import { type CarriedCase, compareCarried } from './carried-surface.ts';

const RADIUS = 0.15;
/** s: the flow turns at half of it. */
const PERIOD = 3;
/** Largest speed in the cube, m/s */
const SPEED = 2;
/** Area at the turn over the ball's, for exact motion. */
const AREA_AT_TURN = 4.1175;

const motion: CarriedCase = {
  name: 'Enright',
  shape: sphere([0.35, 0.35, 0.35], RADIUS),
  length: RADIUS,
  duration: PERIOD,
  speed: SPEED,
  turnArea: AREA_AT_TURN,
  velocity(x, y, z, t, out) {
    const strength = Math.cos((Math.PI * t) / PERIOD);
    const sx = Math.sin(Math.PI * x);
    const sy = Math.sin(Math.PI * y);
    const sz = Math.sin(Math.PI * z);
    const tx = Math.sin(2 * Math.PI * x);
    const ty = Math.sin(2 * Math.PI * y);
    const tz = Math.sin(2 * Math.PI * z);
    out[0] = 2 * strength * sx * sx * ty * tz;
    out[1] = -strength * tx * sy * sy * tz;
    out[2] = -strength * tx * ty * sz * sz;
  },
};

export const enrightCases: RefereeCase[] = [
  {
    name: 'lattice/enright',
    title: 'a ball drawn out into a sheet and back, contouring alone, with and without thickening',
    run: (context) => compareCarried(motion, [50, 100], context),
  },
];
