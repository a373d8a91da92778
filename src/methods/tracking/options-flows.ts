/**
 * Flows as they stand in a scene: velocity fields, normal flows and mean curvature flow, each with a factor
 * over time.
 */
import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';

const vec3 = (what: string) => z.tuple([z.number(), z.number(), z.number()]).describe(`${what}: [x, y, z]`);
const label = z.int().nonnegative().describe('label of a region; 0 is the outside');
const speed = z.number().describe('speed, m/s');
const period = (what: string) => z.number().positive().describe(`${what}, seconds`);

/** 1, another number, or steps: [[0, 1], [2, -1]] turns the flow round at 2 s. */
const factor = z
  .union([
    z.number(),
    z
      .array(z.tuple([z.number().nonnegative(), z.number()]))
      .min(1)
      .superRefine((list, context) => {
        for (let i = 1; i < list.length; i++) {
          if (list[i][0] > list[i - 1][0]) continue;
          const message = `a time after that of the entry before, ${list[i - 1][0]} s`;
          context.addIssue({ code: 'custom', path: [i, 0], message, input: list });
        }
      }),
  ])
  .describe(
    'factor on the flow: a number, or [[time, number], ...], each from its time on; 0 before the first',
  )
  .default(1);

const enright = z.strictObject({
  type: z.literal('enright'),
  period: period('time of the whole deformation, there and back').default(3),
  factor,
});

const rotation = z.strictObject({
  type: z.literal('rotation'),
  centre: vec3('point of the axis, metres'),
  axis: vec3('direction of the axis')
    .refine((v) => Math.hypot(...v) > 0, 'a direction other than [0, 0, 0]')
    .default([0, 0, 1]),
  period: period('time of one turn, counter-clockwise seen from the tip of the axis'),
  factor,
});

const swirl = z.strictObject({
  type: z.literal('swirl'),
  speed,
  twist: z.number().describe('how much faster the top turns than the middle, relative').default(0.5),
  overturn: z.number().describe('speed of the overturning motion, relative').default(0.6),
  period: period('time in which the overturning goes there and back').default(2),
  factor,
});

const curlNoise = z.strictObject({
  type: z.literal('curl-noise'),
  scale: z.number().positive().describe('length of the largest eddies, metres'),
  speed: z.number().nonnegative().describe('root mean square speed, m/s'),
  waves: z.int().positive().max(LIMITS.waves).describe('waves to add up').default(24),
  seed: z.int().nonnegative().describe("seed; without it: the scene's").optional(),
  factor,
});

const normal = z.strictObject({
  type: z.literal('normal'),
  speed: speed.describe('speed at which regions grow into the outside, m/s').default(0),
  regions: z
    .array(z.strictObject({ label, speed }))
    .describe('regions that grow into the outside at a speed of their own')
    .default([]),
  pairs: z
    .array(z.strictObject({ from: label, into: label, speed }))
    .describe('interfaces between two regions that move from one into the other')
    .default([]),
  curves: z
    .enum(['outer', 'fixed'])
    .describe('curves where regions meet follow the moving faces alone, or stay (10.2)')
    .default('outer'),
  factor,
});

const cycle = z.strictObject({
  type: z.literal('cycle'),
  speed,
  order: z.tuple([label, label, label]).describe('each flows into the next, the last into the first'),
  factor,
});

const curvature = z.strictObject({
  type: z.literal('mean-curvature'),
  mobility: z
    .number()
    .positive()
    .describe('normal speed over the sum of the principal curvatures, m^2/s')
    .default(1),
  factor,
});

export const flowSchema = z.discriminatedUnion('type', [
  enright,
  rotation,
  swirl,
  curlNoise,
  normal,
  cycle,
  curvature,
]);

export type FlowSpec = z.infer<typeof flowSchema>;
export type FactorSpec = z.infer<typeof factor>;
