/** What a scene fixes for the lattice method. */
import { buildLiquidModel, type LiquidModel } from '../../flow/liquid/model.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Resources } from '../method.ts';
import { type LatticeOptions, latticeOptions } from './options.ts';

export interface LatticeModel extends LiquidModel {
  readonly options: LatticeOptions;
}

export const buildModel = (scene: Scene, resources: Resources): LatticeModel =>
  buildLiquidModel(scene, latticeOptions.parse(scene.options), resources);
