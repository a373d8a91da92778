/** Refuses scenes that the schema lets pass and the surface method cannot hold. */
import { InputError } from '../../core/errors.ts';
import { checkThickness } from '../../flow/boundary/check-thickness.ts';
import type { Material, Scene } from '../../scene/scene.ts';
import { surfaceOptions } from './options.ts';
import { SIDES } from './walls/solids.ts';

/**
 * Sheets that break, in shortest edges: what the tracker snaps together (tracking/multimaterial/merge.ts).
 */
const THICKEST = 0.5;

/** The one liquid of a scene. */
export function findMaterial({ liquids, emitters }: Scene): Material {
  return [...liquids, ...emitters][0].material;
}

export function checkScene(scene: Scene): void {
  if (scene.liquids.length + scene.emitters.length === 0)
    throw new InputError('liquids', 'there are none', 'give the surface method at least one drop or emitter');
  const first = findMaterial(scene);
  const other = [...scene.liquids, ...scene.emitters].find(({ material }) => material.name !== first.name);
  if (other)
    throw new InputError(
      'liquids',
      `${first.name} and ${other.material.name} in one scene`,
      'the surface method knows one liquid: give all the same material',
    );
  const { step, open } = surfaceOptions.parse(scene.options);
  if (step === 'thesis' && scene.solids.length + scene.emitters.length + (SIDES.length - open.length) > 0)
    throw new InputError(
      'surface.step',
      "the thesis' step with walls or emitters",
      'leave out solids and emitters and open all six sides of the domain (surface.open)',
    );
  if (!(first.surfaceTension > 0))
    throw new InputError(
      `material "${first.name}"`,
      'it has no surface tension',
      'give it surfaceTension in N/m, as water has 0.072: the surface method is for liquids that tension shapes',
    );
  const { ruptureThickness, shortest } = surfaceOptions.parse(scene.options);
  checkThickness(scene, shortest * scene.resolution, 'a shortest edge');
  const thickest = THICKEST * shortest * scene.resolution;
  if (ruptureThickness > thickest)
    throw new InputError(
      'surface.ruptureThickness',
      `${ruptureThickness} m is more than half of the shortest edge`,
      `give ${thickest} at most, or a coarser resolution: thicker sheets are not brought together`,
    );
}
