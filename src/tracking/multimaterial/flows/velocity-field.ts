/**
 * Flows by an analytic velocity field ([da-2017] 10.1): vertices follow it by the classical fourth-order
 * Runge-Kutta method. The fields are those of the usual tests; all are free of divergence.
 */
import { createRandom } from '../../../core/random.ts';
import type { Seconds } from '../../../core/types.ts';
import type { SeparationCues } from '../separation-cues.ts';
import type { Tracker } from '../tracker.ts';

/** Velocity at a point and time, m/s. */
export type VelocityField = (x: number, y: number, z: number, t: Seconds, out: Float64Array) => void;

/** Positions after dt along the field, (vertexFill x 3) m. */
export function proposeAlong(tracker: Tracker, field: VelocityField, t: Seconds, dt: Seconds): Float64Array {
  const { mesh } = tracker;
  const p = mesh.position;
  const out = p.slice(0, 3 * mesh.vertexFill);
  const [k1, k2, k3, k4] = [0, 1, 2, 3].map(() => new Float64Array(3));
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const [x, y, z] = [p[3 * v], p[3 * v + 1], p[3 * v + 2]];
    const h = 0.5 * dt;
    field(x, y, z, t, k1);
    field(x + h * k1[0], y + h * k1[1], z + h * k1[2], t + h, k2);
    field(x + h * k2[0], y + h * k2[1], z + h * k2[2], t + h, k3);
    field(x + dt * k3[0], y + dt * k3[1], z + dt * k3[2], t + dt, k4);
    for (let k = 0; k < 3; k++) out[3 * v + k] += (dt / 6) * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
  }
  return out;
}

/** What the field says where topology is at stake, at a fixed time. */
export function createFieldFlow(tracker: Tracker, field: VelocityField, t: Seconds): SeparationCues {
  const ua = new Float64Array(3);
  const ub = new Float64Array(3);
  return {
    velocity: (x, y, z, out) => field(x, y, z, t, out),
    isParting(a, b) {
      const p = tracker.mesh.position;
      field(p[3 * a], p[3 * a + 1], p[3 * a + 2], t, ua);
      field(p[3 * b], p[3 * b + 1], p[3 * b + 2], t, ub);
      let closing = 0;
      for (let k = 0; k < 3; k++) closing += (ub[k] - ua[k]) * (p[3 * b + k] - p[3 * a + k]);
      return closing > 0;
    },
  };
}

/**
 * The deformation of LeVeque 1996 as Enright et al. 2002 use it, in the unit cube; reversed after half the
 * period.
 */
export function createEnrightField(period: Seconds = 3): VelocityField {
  return (x, y, z, t, out) => {
    const c = Math.cos((Math.PI * t) / period);
    const [sx, sy, sz] = [Math.sin(Math.PI * x), Math.sin(Math.PI * y), Math.sin(Math.PI * z)];
    const [dx, dy, dz] = [Math.sin(2 * Math.PI * x), Math.sin(2 * Math.PI * y), Math.sin(2 * Math.PI * z)];
    out[0] = 2 * c * sx * sx * dy * dz;
    out[1] = -c * dx * sy * sy * dz;
    out[2] = -c * dx * dy * sz * sz;
  };
}

/** Rigid rotation about the axis through `centre` along z, once per period: Zalesak's test. */
export function createRotationField(centre: readonly [number, number], period: Seconds): VelocityField {
  const rate = (2 * Math.PI) / period;
  return (x, y, _z, _t, out) => {
    out[0] = -rate * (y - centre[1]);
    out[1] = rate * (x - centre[0]);
    out[2] = 0;
  };
}

export interface CurlNoise {
  readonly seed: number;
  /** Length of the largest eddies, m; the smallest are four times smaller. */
  readonly scale: number;
  /** Root mean square speed, m/s */
  readonly speed: number;
  /** Waves to add up. */
  readonly waves?: number;
}

/**
 * Curl noise: the curl of a random vector potential, here a sum of plane waves, which makes the curl exact.
 * Wave k carries a velocity across itself, so that each is free of divergence.
 */
export function createCurlNoise({ seed, scale, speed, waves = 24 }: CurlNoise): VelocityField {
  const random = createRandom(seed);
  const wave = new Float64Array(7 * waves);
  for (let n = 0; n < waves; n++) {
    const direction = drawUnit();
    const number = ((2 * Math.PI) / scale) * 4 ** random.next();
    const other = drawUnit();
    const across = [
      direction[1] * other[2] - direction[2] * other[1],
      direction[2] * other[0] - direction[0] * other[2],
      direction[0] * other[1] - direction[1] * other[0],
    ];
    const length = Math.hypot(...across);
    // sin^2 averages to one half: waves of this amplitude add up to the speed asked for.
    const amplitude = speed * Math.sqrt(2 / waves);
    for (let k = 0; k < 3; k++) {
      wave[7 * n + k] = number * direction[k];
      wave[7 * n + 4 + k] = (amplitude * across[k]) / length;
    }
    wave[7 * n + 3] = 2 * Math.PI * random.next();
  }
  return (x, y, z, _t, out) => {
    out.fill(0, 0, 3);
    for (let n = 0; n < 7 * waves; n += 7) {
      const s = Math.sin(wave[n] * x + wave[n + 1] * y + wave[n + 2] * z + wave[n + 3]);
      out[0] += s * wave[n + 4];
      out[1] += s * wave[n + 5];
      out[2] += s * wave[n + 6];
    }
  };

  function drawUnit(): [number, number, number] {
    const z = 2 * random.next() - 1;
    const turn = 2 * Math.PI * random.next();
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(turn), r * Math.sin(turn), z];
  }
}
