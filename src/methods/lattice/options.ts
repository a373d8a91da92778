/** Options of the lattice method: the scene's `lattice` key. */
import { z } from 'zod';
import { composeRefinement, liquidOptions } from '../../flow/liquid/options.ts';
import { thickeningOptions } from './thickening/options.ts';

export const latticeOptions = z
  .strictObject({
    ...liquidOptions,
    surfaceRefinement: composeRefinement(3),
    viscosity: z
      .boolean()
      .default(false)
      .describe(
        'Solve the viscosity of the liquid, one for all: at vertices, just before the pressure. Off, liquids are inviscid.',
      ),
    thickening: thickeningOptions.describe('Thickening of sheets and drops below the resolution.'),
  })
  .prefault({});

export type LatticeOptions = z.infer<typeof latticeOptions>;
