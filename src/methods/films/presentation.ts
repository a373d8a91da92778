import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'film',
  pokeHint: 'Click a film to pop it.',
  wires: 'films.wires',
  stages: {
    events: 'films that burst',
    packing: 'packing',
    air: 'motion of the air',
    collisions: 'motion without collisions',
    merging: 'merging',
    improvement: 'remeshing',
    separation: 'separation (T1)',
    volumes: 'volumes',
  },
};
