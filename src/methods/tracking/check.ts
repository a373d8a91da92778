/** Scenes that the schema lets pass and that cannot be meant: starts must lie in the domain. */
import { InputError } from '../../core/errors.ts';
import type { Box, Vec3 } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import { showPoint } from '../../tracking/multimaterial/shapes/check.ts';
import { trackingOptions } from './options.ts';
import type { StartSpec } from './options-start.ts';

/** How far a start may reach past the domain, relative to the domain: boxes may share its sides. */
const TOLERANCE = 1e-9;

export function checkScene({ options, domain }: Scene): void {
  const slack = TOLERANCE * Math.max(...domain.max.map((x, k) => x - domain.min[k]));
  trackingOptions.parse(options).start.forEach((spec, n) => {
    const { min, max } = findBounds(spec);
    const where = `tracking.start[${n}]`;
    if (min.some((x, k) => !(x < max[k])))
      throw new InputError(
        where,
        `its box from ${showPoint(min)} to ${showPoint(max)} is empty`,
        'give min < max',
      );
    if (min.every((x, k) => x >= domain.min[k] - slack && max[k] <= domain.max[k] + slack)) return;
    throw new InputError(
      where,
      `it reaches from ${showPoint(min)} to ${showPoint(max)}, out of the domain`,
      `move it, or enlarge the domain, now from ${showPoint(domain.min)} to ${showPoint(domain.max)}`,
    );
  });
}

function findBounds(spec: StartSpec): Box {
  if ('min' in spec) return spec;
  const reach = spec.type === 'double-sphere' ? spec.distance / 2 : 0;
  const side = (sign: number) =>
    spec.centre.map((x, k) => x + sign * (spec.radius + (k === 0 ? reach : 0))) as unknown as Vec3;
  return { min: side(-1), max: side(1) };
}
