/** Starting films as they stand in a scene. Labels are regions; 0 is the air outside. */
import { z } from 'zod';
import { length, point } from '../../../scene/schema-shapes.ts';

const label = (what: string) => z.int().nonnegative().describe(what);

/**
 * Least value of the Legendre polynomial P_n on [-1, 1], rounded downwards for n = 6 and 8; its greatest is
 * 1.
 */
export const LEAST_LEGENDRE: Readonly<Record<number, number>> = {
  2: -0.5,
  3: -1,
  4: -3 / 7,
  5: -1,
  6: -0.41476,
  7: -1,
  8: -0.4097,
};

const mode = z
  .strictObject({
    order: z.int().min(2).max(8).describe('n'),
    amplitude: z.number().describe('share of the radius'),
  })
  .superRefine((value, context) => {
    const { order, amplitude } = value;
    const most = -1 / LEAST_LEGENDRE[order];
    if (amplitude > -1 && amplitude < most) return;
    const message = `a number between -1 and ${Number(most.toPrecision(4))}, where P_${order} leaves the radius above 0`;
    context.addIssue({ code: 'custom', path: ['amplitude'], message, input: value });
  });

interface Corners {
  readonly min: readonly number[];
  readonly max: readonly number[];
}

function checkCorners(box: Corners, context: z.RefinementCtx<Corners>): void {
  box.max.forEach((x, k) => {
    if (x > box.min[k]) return;
    const message = `more than in the lower corner, ${box.min[k]}`;
    context.addIssue({ code: 'custom', path: ['max', k], message, input: box });
  });
}

const stretch = z
  .tuple([z.number().positive(), z.number().positive(), z.number().positive()])
  .describe('factors along x, y and z')
  .default([1, 1, 1]);

const bubble = z.strictObject({
  type: z.literal('bubble'),
  centre: point('centre'),
  radius: length('radius'),
  stretch,
  mode: mode.describe('Legendre polynomial P_n of the angle from the z axis, added to the radius').optional(),
  divisions: z
    .int()
    .positive()
    .max(400)
    .describe('parts of each edge of the icosahedron it grows from; without it: as the resolution asks')
    .optional(),
  label: z.int().positive().describe('its region').default(1),
});

const doubleBubble = z.strictObject({
  type: z.literal('double-bubble'),
  centre: point('middle of the film between the two'),
  radius: length('radius of both'),
  distance: length('distance of their centres along x'),
  stretch,
});

const boxes = z
  .strictObject({
    type: z.literal('boxes'),
    min: point('lower corner'),
    max: point('upper corner'),
    count: z
      .tuple([z.int().positive(), z.int().positive(), z.int().positive()])
      .describe('boxes along x, y and z, each a bubble: labels from 1, x fastest')
      .default([1, 1, 1]),
    without: z.array(z.int().positive()).describe('labels of boxes left out').default([]),
    jitter: z
      .number()
      .min(0)
      .max(0.25)
      .describe('random shift of the corners along each axis at most, as a share of a box; by the seed')
      .default(0),
  })
  .superRefine(checkCorners)
  .superRefine((value, context) => {
    const boxCount = value.count.reduce((product, n) => product * n, 1);
    value.without.forEach((own, n) => {
      if (own <= boxCount) return;
      const message = `the label of a box, from 1 to ${boxCount}`;
      context.addIssue({ code: 'custom', path: ['without', n], message, input: value });
    });
    if (new Set(value.without.filter((own) => own <= boxCount)).size < boxCount) return;
    const message = `at least one of the boxes (${boxCount}) to be left`;
    context.addIssue({ code: 'custom', path: ['without'], message, input: value });
  });

const voronoi = z
  .strictObject({
    type: z.literal('voronoi'),
    min: point('lower corner'),
    max: point('upper corner'),
    cells: z
      .union([z.int().positive(), z.array(point('seed of a cell')).min(1)])
      .describe('number of bubbles with random seeds, or the seeds'),
  })
  .superRefine(checkCorners);

const frame = z.strictObject({
  type: z.literal('frame'),
  solid: z
    .enum(['tetrahedron', 'octahedron', 'cube'])
    .describe('films from every edge to the middle; faces of the solid are openings: list region 0'),
  centre: point('centre'),
  radius: length('distance of the corners from the centre'),
  middle: point('where the films meet at the start, from the centre').default([0, 0, 0]),
});

type Profile = [number, number][];

function checkSteps(profile: Profile, context: z.RefinementCtx<Profile>): void {
  profile.forEach(([r, z], n) => {
    if (n === 0 || r !== profile[n - 1][0] || z !== profile[n - 1][1]) return;
    const message = 'another point than the one before';
    context.addIssue({ code: 'custom', path: [n], message, input: profile });
  });
}

const revolution = z.strictObject({
  type: z.literal('revolution'),
  centre: point('origin of the profiles; the axis is z').default([0, 0, 0]),
  sheets: z
    .array(
      z
        .strictObject({
          profile: z
            .array(z.tuple([z.number().nonnegative(), z.number()]))
            .min(2)
            .superRefine(checkSteps)
            .describe('points [r, z] in metres; sheets that share an end point meet there'),
          left: label('region to the left when going along the profile, r to the right and z up'),
          right: label('region to the right'),
        })
        .refine(({ left, right }) => left !== right, {
          path: ['right'],
          message: 'another region than to the left',
        }),
    )
    .min(1)
    .describe('curves that turn about the axis'),
});

export const startSchema = z.discriminatedUnion('type', [
  bubble,
  doubleBubble,
  boxes,
  voronoi,
  frame,
  revolution,
]);
export type StartSpec = z.infer<typeof startSchema>;
