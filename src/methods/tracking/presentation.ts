import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'materials',
  stages: {
    flow: 'flows',
    collisions: 'motion without collisions',
    merging: 'merging',
    improvement: 'remeshing',
    separation: 'separation (T1)',
    packing: 'packing',
  },
};
