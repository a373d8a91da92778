import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'surface',
  stages: {
    extend: 'velocity around the mesh',
    surface: 'surface and its volumes',
    ledger: 'ledger',
    mesh: 'tetrahedra',
    advect: 'advection',
    viscosity: 'viscosity and pressure',
    pressure: 'pressure',
  },
};
