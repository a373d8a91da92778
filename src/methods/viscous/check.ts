/** Scenes that the schema lets pass and the viscous method cannot hold. */
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Scene } from '../../scene/scene.ts';
import { viscousOptions } from './options.ts';

export function checkScene(scene: Scene): void {
  checkThickness(scene, scene.resolution / viscousOptions.parse(scene.options).surfaceRefinement);
}
