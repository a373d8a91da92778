/** What the flip method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';
import type { Scene } from '../../scene/scene.ts';

/** Pa s: a viscosity that shows at any size, about fifty times water's. */
const THICK = 0.05;
/** m: cells below which drops and ripples that tension shapes would be seen. */
const FINE = 0.003;

export const ignores: readonly Ignored[] = [
  { parts: ['materials.viscosity'], notes: noteViscosity },
  {
    parts: ['materials.surfaceTension'],
    notes: (scene) =>
      scene.liquids.some((l) => l.material.surfaceTension > 0) && scene.resolution < FINE
        ? ['the flip method has no surface tension: drops and ripples of millimetres would be shaped by it']
        : [],
  },
];

/** Eq. (14) of [ando-2013] is all that viscosity does here. */
function noteViscosity({ liquids, emitters }: Scene): string[] {
  const thick = new Set([...liquids, ...emitters].map((l) => l.material).filter((m) => m.viscosity > THICK));
  return [...thick].map(
    ({ name, viscosity }) =>
      `the flip method has viscosity only as a smoothing of the particles' velocities: ${name} with ${viscosity} Pa s neither sticks nor coils; use the viscous method`,
  );
}
