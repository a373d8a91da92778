import { z } from 'zod';
import { direction, point, shapeSchema, vec3 } from './schema-shapes.ts';
import { line } from './schema-text.ts';

/** Everything of a scene that has its own time: moving solids, emitters, drains; and the kinds of walls. */

/** In messages and lists. */
const name = line().min(1).optional();

export const wall = (what: string) => z.enum(['slip', 'no-slip']).describe(what).default('slip');

const start = z.number().describe('when it begins, seconds').default(0);
const end = z.number().describe('when it ends, seconds; without it: never').optional();
const ramp = z
  .number()
  .nonnegative()
  .describe('time over which the rate rises after the start and falls before the end, seconds')
  .default(0);

interface Span {
  start: number;
  end?: number | undefined;
  ramp?: number;
}
/** Holds a time span to be one: an end after the start, with room for both ramps. */
function checkSpan(span: Span, context: z.RefinementCtx<Span>): void {
  const { start, end, ramp = 0 } = span;
  if (end === undefined) return;
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, input: span });
  if (end <= start) issue('end', `a time after the start, ${start} s`);
  else if (2 * ramp > end - start)
    issue('ramp', `at most half the time from start to end: ${(end - start) / 2} s`);
}

/** Holds the times of a list to increase; `timeOf` finds an entry's, `key` names it in the entry. */
function checkIncreasing<T>(key: string | number, timeOf: (entry: T) => number) {
  return (list: readonly T[], context: z.RefinementCtx<T[]>): void => {
    for (let i = 1; i < list.length; i++) {
      const before = timeOf(list[i - 1]);
      if (timeOf(list[i]) > before) continue;
      const message = `a time after that of the entry before, ${before} s`;
      context.addIssue({ code: 'custom', path: [i, key], message, input: list });
    }
  };
}

const keyframe = z.strictObject({
  time: z.number().describe('when the solid is there, seconds'),
  translate: point('displacement from the rest pose').default([0, 0, 0]),
  rotate: z
    .strictObject({ axis: direction, degrees: z.number().describe('angle about the axis, degrees') })
    .describe('rotation about an axis through the pivot, from the rest pose')
    .optional(),
});

export const motion = z
  .strictObject({
    keyframes: z
      .array(keyframe)
      .min(2)
      .superRefine(checkIncreasing('time', (k) => k.time))
      .describe('poses at given times')
      .optional(),
    pivot: point('the point of the rest shape that keyframes turn about').optional(),
    interpolation: z
      .enum(['smooth', 'linear'])
      .describe('between keyframes: with continuous velocity, or at constant velocity')
      .optional(),
    repeat: z.boolean().describe('run through the keyframes again and again').optional(),
    rotate: z
      .strictObject({
        axis: direction,
        pivot: point('the point of the rest shape it turns about'),
        revolutionsPerSecond: z
          .number()
          .describe('rate, counter-clockwise seen from the tip of the axis, 1/s'),
        start,
        end,
        ramp,
      })
      .superRefine(checkSpan)
      .describe('turns at a rate')
      .optional(),
    oscillate: z
      .strictObject({
        direction,
        amplitude: z.number().nonnegative().describe('greatest displacement either way, metres'),
        frequency: z.number().positive().describe('swings per second, 1/s'),
        phase: z
          .number()
          .describe('where in the swing it starts, degrees; 90: at the far end, at rest')
          .default(0),
        start,
        end,
      })
      .superRefine(checkSpan)
      .describe('swings to and fro along a line')
      .optional(),
    translate: z
      .strictObject({ velocity: vec3('velocity, m/s'), start, end, ramp })
      .superRefine(checkSpan)
      .describe('moves at a velocity')
      .optional(),
  })
  .superRefine((value, context) => {
    const { keyframes, rotate, oscillate, translate } = value;
    const issue = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message, input: value });
    if (!keyframes && !rotate && !oscillate && !translate) {
      issue([], 'at least one of keyframes, rotate, oscillate, translate');
    }
    for (const key of ['pivot', 'interpolation', 'repeat'] as const) {
      if (!keyframes && value[key] !== undefined)
        issue([key], `no "${key}" here, since it belongs to keyframes`);
    }
  })
  .describe('how the solid moves: rotate, then translate and oscillate, then keyframes carry all of that');

const flow = z
  .union([
    z.number().nonnegative(),
    z
      .array(
        z.tuple([
          z.number().describe('time, seconds'),
          z.number().nonnegative().describe('volume per second, m^3/s'),
        ]),
      )
      .min(1)
      .superRefine(checkIncreasing(0, ([time]) => time)),
  ])
  .describe('volume per second, m^3/s; or a list of [time, flow] pairs, linear in between');

const material = z
  .string()
  .describe('a preset (water, honey, ...) or a name defined under materials')
  .default('water');

export const emitter = z
  .strictObject({
    name,
    shape: shapeSchema.describe('the nozzle: a region kept full of liquid'),
    material,
    direction: direction.describe('the way the liquid leaves, any length but 0'),
    motion: motion.describe('how the nozzle moves, as of solids').optional(),
    flow,
    start,
    end,
  })
  .superRefine(checkSpan);

export const drain = z
  .strictObject({ name, shape: shapeSchema.describe('where liquid is taken away'), flow, start, end })
  .superRefine(checkSpan);

export type MotionSpec = z.infer<typeof motion>;
export type FlowRateSpec = z.infer<typeof flow>;
export type EmitterSpec = z.infer<typeof emitter>;
export type DrainSpec = z.infer<typeof drain>;
