/** What the surface method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';
import { surfaceOptions } from './options.ts';

/** Ohnesorge number beyond which viscosity is no longer weak. */
const WEAK = 0.1;

export const ignores: readonly Ignored[] = [
  {
    parts: ['materials.viscosity'],
    notes: ({ liquids, options }) => {
      const { viscous } = surfaceOptions.parse(options);
      const [first] = liquids;
      if (!first) return [];
      const { name, viscosity, density, surfaceTension } = first.material;
      if (!viscous && viscosity > 0)
        return [`surface.viscous is off: ${name} flows as if it had no viscosity`];
      const { min, max } = first.shape.bounds;
      const size = Math.min(...max.map((x, k) => x - min[k]));
      const ohnesorge = viscosity / Math.sqrt(density * surfaceTension * size);
      if (!(ohnesorge > WEAK)) return [];
      return [
        `the surface method has weak viscosity only, as a damping of potential flow: ${name} is too thick for it at this size (Ohnesorge number ${Number(ohnesorge.toPrecision(2))})`,
      ];
    },
  },
];
