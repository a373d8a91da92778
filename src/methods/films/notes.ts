/** What the films method leaves out of a scene. */
import type { Ignored } from '../../scene/method-info.ts';
import { filmsOptions } from './options.ts';

export const ignores: readonly Ignored[] = [
  {
    parts: ['gravity', 'domain', 'materials'],
    notes:
      'the films method: films weigh nothing and the air is of one density, so gravity has no part in it; the domain has no walls for them',
  },
  {
    parts: ['materials.viscosity'],
    notes: ({ options }) => {
      const { damping, drag } = filmsOptions.parse(options);
      if (damping > 0 || drag > 0) return [];
      return [
        'the films method has no viscosity of its own: without films.damping or films.drag, films swing on',
      ];
    },
  },
];
