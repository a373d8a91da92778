/** Scenes that the schema lets pass and the lattice cannot hold. */
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Scene } from '../../scene/scene.ts';
import { commonViscosity } from './model.ts';
import { latticeOptions } from './options.ts';

export function checkScene(scene: Scene): void {
  const options = latticeOptions.parse(scene.options);
  checkThickness(scene, scene.resolution / options.surfaceRefinement);
  if (options.viscosity) commonViscosity(scene);
}
