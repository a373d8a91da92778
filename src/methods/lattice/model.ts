/** What a scene fixes for the lattice method. */
import { InputError } from '../../core/errors.ts';
import { buildLiquidModel, type LiquidModel } from '../../flow/liquid/model.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Resources } from '../method.ts';
import { type LatticeOptions, latticeOptions } from './options.ts';

export interface LatticeModel extends LiquidModel {
  readonly options: LatticeOptions;
  /** Pa s; 0 where the liquid is to be inviscid */
  readonly viscosity: number;
}

export function buildModel(scene: Scene, resources: Resources): LatticeModel {
  const options = latticeOptions.parse(scene.options);
  return {
    ...buildLiquidModel(scene, options, resources),
    viscosity: options.viscosity ? commonViscosity(scene) : 0,
  };
}

/** Refuses liquids of different viscosities: which is where, the method does not know. */
export function commonViscosity({ liquids, emitters }: Scene): number {
  const all = [...new Set([...liquids, ...emitters].map((l) => l.material.viscosity))];
  if (all.length > 1)
    throw new InputError(
      'lattice.viscosity',
      `the lattice method has one viscosity, but the materials have ${all.join(' and ')} Pa s`,
      'give all liquids the same viscosity, or use the viscous method',
    );
  return all[0];
}
