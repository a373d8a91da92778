/** Scenes that the schema lets pass and the lattice cannot hold. */
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Scene } from '../../scene/scene.ts';
import { latticeOptions } from './options.ts';

export function checkScene(scene: Scene): void {
  checkThickness(scene, scene.resolution / latticeOptions.parse(scene.options).surfaceRefinement);
}
