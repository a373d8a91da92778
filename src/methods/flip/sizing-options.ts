/** Options of the sizing function, [ando-2013] eq. (15): each part can be switched off. */
import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { sizeField } from '../../scene/schema-shapes.ts';

const positive = (what: string, standard: number) => z.number().positive().default(standard).describe(what);

export const sizingOptions = z
  .strictObject({
    surfaceLevels: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe('How often cells at the surface may double where nothing asks for finer ones.'),
    depth: z
      .union([z.number().positive(), z.literal(false)])
      .default(0.5)
      .describe(
        'Cells may be as large as this times their depth below the surface; false: not larger there.',
      ),
    liquidCurvature: z
      .union([z.number().positive(), z.literal(false)])
      .default(0.8)
      .describe('Cells at the surface are at most this over its curvature; false: whatever its curvature.'),
    solidCurvature: z
      .union([z.number().positive(), z.literal(false)])
      .default(1.6)
      .describe('Cells near solids are at most this over the curvature of the solid; false: as elsewhere.'),
    strain: z
      .union([z.number().positive(), z.literal(false)])
      .default(0.15)
      .describe(
        'Cells are at most this times sqrt(g L) over the strain rate, L the largest side of the domain; false: whatever the strain.',
      ),
    fields: z
      .array(sizeField)
      .max(LIMITS.shapes)
      .default([])
      .describe('Sizes given by hand: at most so large in a box, growing with the distance from it.'),
    memory: positive('Seconds in which a wish for fine cells fades to half; very short: no memory.', 1e-9),
  })
  .prefault({})
  .describe('where cells are fine, eq. (15) of the paper');

export type SizingOptions = z.infer<typeof sizingOptions>;
