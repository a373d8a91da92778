/** What a scene fixes for the viscous method. */
import type { Seconds } from '../../core/types.ts';
import { buildLiquidModel, type LiquidModel } from '../../flow/liquid/model.ts';
import type { RheologyLaw } from '../../flow/viscosity/rheology.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import type { Material, Scene } from '../../scene/scene.ts';
import type { Resources } from '../method.ts';
import { type ViscousOptions, viscousOptions } from './options.ts';

/** A liquid of the scene: where it is at the start, and which material it is. */
export interface LiquidOrigin {
  readonly shape: Implicit;
  readonly material: number;
}

export interface ViscousModel extends LiquidModel {
  readonly options: ViscousOptions;
  /** (materials of the scene's liquids) how viscous each is */
  readonly laws: readonly RheologyLaw[];
  readonly isNewtonian: boolean;
  /** Pa s, of all liquids at all shear rates */
  readonly leastViscosity: number;
  /** N/m */
  readonly surfaceTension: number;
  /** N/m, sigma cos(contact angle): what a wetted wall saves */
  readonly wetting: number;
  /** No step is longer. */
  readonly frameTime: Seconds;
  readonly liquidOrigins: readonly LiquidOrigin[];
  /** (emitters) which material each brings */
  readonly emitterMaterial: readonly number[];
}

export function buildModel(scene: Scene, resources: Resources): ViscousModel {
  const base = buildLiquidModel(scene, viscousOptions.parse(scene.options), resources);
  const materials = listMaterials(scene);
  const laws = materials.map(findLaw);
  return {
    ...base,
    clings: true,
    laws,
    leastViscosity: Math.min(...(base.options.viscosityField?.values ?? laws.map(findLeast))),
    isNewtonian: laws.every((law) => law.type === 'newtonian'),
    surfaceTension: materials[0].surfaceTension,
    wetting: findWetting(materials[0].surfaceTension, base.options),
    frameTime: 1 / scene.fps,
    liquidOrigins: scene.liquids.map(({ shape, material }) => ({
      shape,
      material: materials.indexOf(material),
    })),
    emitterMaterial: scene.emitters.map((e) => materials.indexOf(e.material)),
  };
}

/** The materials of liquids and emitters, each once, in the scene's order. */
export const listMaterials = (scene: Scene): Material[] => [
  ...new Set([...scene.liquids, ...scene.emitters].map((l) => l.material)),
];

/** How viscous a material is: by its law, or by its viscosity alone. */
export const findLaw = ({ viscosity, fields }: Material): RheologyLaw =>
  (fields?.['rheology'] as RheologyLaw | undefined) ?? { type: 'newtonian', viscosity };

/** The least viscosity that a law has, Pa s. */
export function findLeast(law: RheologyLaw): number {
  switch (law.type) {
    case 'newtonian':
    case 'bingham':
      return law.viscosity;
    case 'carreau':
      return Math.min(law.zero, law.infinite);
    case 'power-law':
      return law.least;
    case 'herschel-bulkley':
      return 0;
  }
}

/** Exactly nothing at a right angle. */
function findWetting(surfaceTension: number, { contactAngle, mesh }: ViscousOptions): number {
  if (contactAngle === 90 || mesh === 'embedded') return 0;
  return surfaceTension * Math.cos((Math.PI / 180) * contactAngle);
}
