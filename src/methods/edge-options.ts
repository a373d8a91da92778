/** Options that methods on remeshed surfaces share: which edges remeshing leaves alone. */
import { z } from 'zod';
import { sizingDefaults } from '../tracking/multimaterial/sizing.ts';

export const edgeOptions = {
  shortest: z
    .number()
    .positive()
    .max(0.95)
    .default(0.5)
    .describe('edges below this share of the resolution are collapsed'),
  longest: z
    .number()
    .min(1.05)
    .default(1.5)
    .describe('edges above this multiple of the resolution are split'),
};

export const edgeSizing = z
  .strictObject({
    least: z.number().positive().default(sizingDefaults.least).describe('least share of the resolution'),
    bend: z
      .number()
      .positive()
      .max(180)
      .default(sizingDefaults.bend)
      .describe('bend over an edge to aim at, degrees'),
    grading: z.number().gt(1).default(sizingDefaults.grading).describe('greatest ratio between neighbours'),
  })
  .describe('shorter edges where the surface bends ([da-2017] 23.1); without it: the same everywhere')
  .optional();
