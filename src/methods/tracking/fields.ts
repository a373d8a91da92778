/** Velocity fields and interface speeds by their description in the scene. */
import type { Box } from '../../core/types.ts';
import { createCycle, createGrowth, type InterfaceSpeed } from '../../tracking/multimaterial/flows/normal.ts';
import {
  createCurlNoise,
  createEnrightField,
  type VelocityField,
} from '../../tracking/multimaterial/flows/velocity-field.ts';
import type { FlowSpec } from './options-flows.ts';

/** What fields take from the scene. */
export interface FieldContext {
  readonly domain: Box;
  readonly seed: number;
}

type FieldSpec = Extract<FlowSpec, { type: 'enright' | 'rotation' | 'swirl' | 'curl-noise' }>;
type NormalSpec = Extract<FlowSpec, { type: 'normal' | 'cycle' }>;

export function buildField(spec: FieldSpec, { domain, seed }: FieldContext): VelocityField {
  switch (spec.type) {
    case 'enright':
      return createEnrightField(spec.period);
    case 'rotation':
      return createRotation(spec.centre, spec.axis, spec.period);
    case 'swirl':
      return createSwirl(spec, domain);
    case 'curl-noise':
      return createCurlNoise({ ...spec, seed: spec.seed ?? seed });
  }
}

/** Rigid rotation about an axis: omega x (x - centre). */
function createRotation(centre: readonly number[], axis: readonly number[], period: number): VelocityField {
  const rate = (2 * Math.PI) / period / Math.hypot(...axis);
  const [wx, wy, wz] = axis.map((a) => rate * a);
  const [cx, cy, cz] = centre;
  return (x, y, z, _t, out) => {
    out[0] = wy * (z - cz) - wz * (y - cy);
    out[1] = wz * (x - cx) - wx * (z - cz);
    out[2] = wx * (y - cy) - wy * (x - cx);
  };
}

/**
 * The stand-in for the forced fluid of [da-2017] figure 10.7: a vortex that fills the domain, turning faster
 * at one end than at the other, with an overturning motion that swings to and fro. Both are curls of a
 * potential that vanishes on the walls, so the field is free of divergence and does not cross them. With X,
 * Y, Z in [0, pi] across the domain and equal sides,
 *     u = s (1 + twist cos Z) (sin X cos Y, -cos X sin Y, 0) + s overturn cos(2 pi t / T) (sin X cos Z, 0, -cos X sin Z)
 * and on other boxes each component is scaled by its side.
 */
function createSwirl(spec: Extract<FlowSpec, { type: 'swirl' }>, { min, max }: Box): VelocityField {
  const { speed, twist, overturn, period } = spec;
  const side = max.map((x, k) => x - min[k]);
  const longest = Math.max(...side);
  const [ax, ay, az] = side.map((l) => (speed * l) / longest);
  const [kx, ky, kz] = side.map((l) => Math.PI / l);
  return (x, y, z, t, out) => {
    const [px, py, pz] = [kx * (x - min[0]), ky * (y - min[1]), kz * (z - min[2])];
    const turn = 1 + twist * Math.cos(pz);
    const over = overturn * Math.cos((2 * Math.PI * t) / period);
    out[0] = ax * Math.sin(px) * (turn * Math.cos(py) + over * Math.cos(pz));
    out[1] = -ay * turn * Math.cos(px) * Math.sin(py);
    out[2] = -az * over * Math.cos(px) * Math.sin(pz);
  };
}

export function buildInterfaceSpeed(spec: NormalSpec): InterfaceSpeed {
  if (spec.type === 'cycle') return createCycle(spec.speed, spec.order);
  const { speed, regions, pairs } = spec;
  if (regions.length === 0 && pairs.length === 0) return createGrowth(speed);
  const own = new Map(regions.map((region) => [region.label, region.speed]));
  const growth = (label: number) => own.get(label) ?? speed;
  return (towards, from) => {
    for (let n = 0; n < pairs.length; n++) {
      const pair = pairs[n];
      if (pair.from === from && pair.into === towards) return pair.speed;
      if (pair.from === towards && pair.into === from) return -pair.speed;
    }
    if (towards === 0) return growth(from);
    return from === 0 ? -growth(towards) : 0;
  };
}
