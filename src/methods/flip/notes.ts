/** What the flip method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';

/** m: cells below which drops and ripples that tension shapes would be seen. */
const FINE = 0.003;

export const ignores: readonly Ignored[] = [
  {
    parts: ['materials.surfaceTension'],
    notes: (scene) =>
      scene.liquids.some((l) => l.material.surfaceTension > 0) && scene.resolution < FINE
        ? ['the flip method has no surface tension: drops and ripples of millimetres would be shaped by it']
        : [],
  },
];
