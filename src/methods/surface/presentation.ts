import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'water',
  pokeHint: 'Click the liquid to push it.',
  stages: {
    packing: 'packing',
    flow: 'potential flow',
    walls: 'walls and nozzles',
    collisions: 'motion without collisions',
    merging: 'merging',
    improvement: 'remeshing',
    separation: 'pinching',
    volumes: 'volumes',
    impulses: 'momentum through edits',
  },
};
