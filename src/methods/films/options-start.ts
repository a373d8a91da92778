/** Starting films as they stand in a scene. Labels are regions; 0 is the air outside. */
import { z } from 'zod';
import { length, point } from '../../scene/schema-shapes.ts';

const label = (what: string) => z.int().nonnegative().describe(what);

const bubble = z.strictObject({
  type: z.literal('bubble'),
  centre: point('centre'),
  radius: length('radius'),
  stretch: z
    .tuple([z.number().positive(), z.number().positive(), z.number().positive()])
    .describe('factors along x, y and z')
    .default([1, 1, 1]),
  mode: z
    .strictObject({
      order: z.int().min(2).max(8).describe('n'),
      amplitude: z.number().describe('share of the radius'),
    })
    .describe('Legendre polynomial P_n of the angle from the z axis, added to the radius')
    .optional(),
  divisions: z
    .int()
    .positive()
    .max(400)
    .describe('parts of each edge of the icosahedron it grows from; without it: as the resolution asks')
    .optional(),
  label: label('its region').default(1),
});

const doubleBubble = z.strictObject({
  type: z.literal('double-bubble'),
  centre: point('middle of the film between the two'),
  radius: length('radius of both'),
  distance: length('distance of their centres along x'),
  stretch: z
    .tuple([z.number().positive(), z.number().positive(), z.number().positive()])
    .describe('factors along x, y and z')
    .default([1, 1, 1]),
});

const boxes = z.strictObject({
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
});

const voronoi = z.strictObject({
  type: z.literal('voronoi'),
  min: point('lower corner'),
  max: point('upper corner'),
  cells: z
    .union([z.int().positive(), z.array(point('seed of a cell')).min(1)])
    .describe('number of bubbles with random seeds, or the seeds'),
});

const frame = z.strictObject({
  type: z.literal('frame'),
  solid: z
    .enum(['tetrahedron', 'octahedron', 'cube'])
    .describe('films from every edge to the middle; faces of the solid are openings: list region 0'),
  centre: point('centre'),
  radius: length('distance of the corners from the centre'),
  middle: point('where the films meet at the start, from the centre').default([0, 0, 0]),
});

const revolution = z.strictObject({
  type: z.literal('revolution'),
  centre: point('origin of the profiles; the axis is z').default([0, 0, 0]),
  sheets: z
    .array(
      z.strictObject({
        profile: z
          .array(z.tuple([z.number().nonnegative(), z.number()]))
          .min(2)
          .describe('points [r, z] in metres; sheets that share an end point meet there'),
        left: label('region to the left when going along the profile, r to the right and z up'),
        right: label('region to the right'),
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
