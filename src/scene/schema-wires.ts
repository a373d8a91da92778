/** Wires: curves in space, at rest or moving. */
import { z } from 'zod';
import { motion } from './schema-motion.ts';
import { direction, length, point } from './schema-shapes.ts';

const ring = z.strictObject({
  type: z.literal('ring'),
  centre: point('centre'),
  axis: direction,
  radius: length('radius'),
  motion: motion.optional(),
});
const polyline = z.strictObject({
  type: z.literal('polyline'),
  points: z
    .array(point('corner'))
    .min(2)
    .refine(([first, ...others]) => others.some((p) => p.some((x, k) => x !== first[k])), {
      message: 'two different points at least',
    })
    .describe('corners in order'),
  closed: z.boolean().describe('joins the last corner to the first').default(false),
  motion: motion.optional(),
});

export const wireSchema = z.discriminatedUnion('type', [ring, polyline]);
export type WireSpec = z.infer<typeof wireSchema>;
