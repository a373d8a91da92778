import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'water',
  stages: {
    extend: 'velocity around the mesh',
    surface: 'surface and its volumes',
    ledger: 'ledger',
    mesh: 'tetrahedra',
    advect: 'advection',
    pressure: 'pressure',
  },
};
