/** Scenes that the schema lets pass and the viscous method cannot hold. */
import { InputError } from '../../core/errors.ts';
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Scene } from '../../scene/scene.ts';
import { viscousOptions } from './options.ts';

export function checkScene(scene: Scene): void {
  const { surfaceRefinement, mesh, order } = viscousOptions.parse(scene.options);
  checkThickness(scene, scene.resolution / surfaceRefinement);
  if (mesh === 'embedded' && order !== 'coupled')
    throw new InputError(
      'viscous.mesh',
      `embedded meshes have velocity and pressure in one solve, but the order is ${order}`,
      'set viscous.order to coupled, or viscous.mesh to stuffed',
    );
  if (order !== 'coupled' && scene.emitters.some(({ motion }) => motion))
    throw new InputError(
      'viscous.order',
      `nozzles move where velocity and pressure are in one solve, but the order is ${order}`,
      'set viscous.order to coupled, or remove "motion" from the emitters',
    );
}
