import type { Presentation } from '../presentation.ts';

export const presentation: Presentation = {
  look: 'water',
  camera: 'flip.camera',
  stages: {
    surface: 'skin of the particles',
    positions: 'particles pushed apart',
    mesh: 'sizes and tetrahedra',
    resample: 'splitting and merging',
    transfer: 'velocities between particles and mesh',
    viscosity: 'viscosity',
    pressure: 'pressure and density',
    advect: 'motion of particles',
    whitewater: 'spray, foam and bubbles',
    ledger: 'ledger',
  },
};
