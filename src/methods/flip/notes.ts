/** What the flip method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';

export const ignores: readonly Ignored[] = [
  {
    parts: ['materials.surfaceTension'],
    notes: (scene) =>
      scene.liquids.some((l) => l.material.surfaceTension > 0) && scene.resolution < 0.003
        ? ['the flip method has no surface tension: drops and ripples of millimetres would be shaped by it']
        : [],
  },
];
