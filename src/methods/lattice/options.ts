/** Options of the lattice method: the scene's `lattice` key. */
import { z } from 'zod';
import { liquidOptions } from '../../flow/liquid/options.ts';
import { thickeningOptions } from './thickening/options.ts';

export const latticeOptions = z
  .strictObject({
    ...liquidOptions,
    thickening: thickeningOptions.describe('Thickening of sheets and drops below the resolution.'),
  })
  .prefault({});

export type LatticeOptions = z.infer<typeof latticeOptions>;
