import { z } from 'zod';

/** Lengths, points, directions and shapes as they stand in a scene file. */
export const length = (what: string) => z.number().positive().describe(`${what}, metres`);
export const vec3 = (what: string) =>
  z.tuple([z.number(), z.number(), z.number()]).describe(`${what}: [x, y, z]`);
export const point = (what: string) => vec3(`${what}, metres`);
export const direction = vec3('direction, any length but 0').refine(
  (v) => Math.hypot(...v) > 0,
  'a direction other than [0, 0, 0]',
);

const transform = z
  .strictObject({
    scale: z.number().positive().describe('factor in all directions').optional(),
    rotate: z
      .strictObject({ axis: direction, degrees: z.number().describe('angle about the axis, degrees') })
      .describe('rotation about an axis through the origin')
      .optional(),
    translate: point('displacement').optional(),
  })
  .describe('moves the shape: first scale, then rotate, then translate')
  .optional();

export interface TransformSpec {
  scale?: number | undefined;
  rotate?: { axis: [number, number, number]; degrees: number } | undefined;
  translate?: [number, number, number] | undefined;
}

type Point = [number, number, number];
/** A shape as it stands in the file. */
export type ShapeSpec = { transform?: TransformSpec | undefined } & (
  | { type: 'box'; min: Point; max: Point }
  | { type: 'sphere'; centre: Point; radius: number }
  | { type: 'ellipsoid'; centre: Point; radii: Point }
  | { type: 'cylinder'; from: Point; to: Point; radius: number }
  | { type: 'capsule'; from: Point; to: Point; radius: number }
  | { type: 'torus'; centre: Point; axis: Point; major: number; minor: number }
  | { type: 'halfspace'; point: Point; normal: Point }
  | { type: 'mesh'; file: string }
  | { type: 'union' | 'intersection'; shapes: ShapeSpec[] }
  | { type: 'difference'; from: ShapeSpec; minus: ShapeSpec[] }
);

/** A box must have room in all three directions; says which one has none. */
export function isOrdered(box: { min: Point; max: Point }): boolean {
  return box.min[0] < box.max[0] && box.min[1] < box.max[1] && box.min[2] < box.max[2];
}
export const ordered = 'a box whose min is below its max in x, y and z';
const apart = 'two different end points';
const differ = (s: { from: Point; to: Point }) => s.from.some((x, i) => x !== s.to[i]);

export const shapeSchema: z.ZodType<ShapeSpec> = z
  .lazy(() =>
    z.discriminatedUnion('type', [
      z
        .strictObject({
          type: z.literal('box'),
          min: point('lower corner'),
          max: point('upper corner'),
          transform,
        })
        .refine(isOrdered, ordered),
      z.strictObject({
        type: z.literal('sphere'),
        centre: point('centre'),
        radius: length('radius'),
        transform,
      }),
      z.strictObject({
        type: z.literal('ellipsoid'),
        centre: point('centre'),
        radii: z
          .tuple([length('radius in x'), length('radius in y'), length('radius in z')])
          .describe('half axes: [x, y, z]'),
        transform,
      }),
      z
        .strictObject({
          type: z.literal('cylinder'),
          from: point('centre of one end'),
          to: point('centre of the other end'),
          radius: length('radius'),
          transform,
        })
        .refine(differ, apart),
      z
        .strictObject({
          type: z.literal('capsule'),
          from: point('centre of one cap'),
          to: point('centre of the other cap'),
          radius: length('radius'),
          transform,
        })
        .refine(differ, apart),
      z
        .strictObject({
          type: z.literal('torus'),
          centre: point('centre'),
          axis: direction.default([0, 0, 1]),
          major: length('radius of the ring'),
          minor: length('radius of the tube'),
          transform,
        })
        .refine((s) => s.minor < s.major, 'a torus whose minor radius is below its major radius'),
      z.strictObject({
        type: z.literal('halfspace'),
        point: point('a point of the plane'),
        normal: direction.describe('out of the filled side: [0, 0, 1] fills everything below the point'),
        transform,
      }),
      z.strictObject({
        type: z.literal('mesh'),
        file: z
          .string()
          .min(1)
          .describe('closed triangle mesh (.obj, .ply or .stl), relative to the scene file'),
        transform,
      }),
      z.strictObject({ type: z.literal('union'), shapes: z.array(shapeSchema).min(1), transform }),
      z.strictObject({ type: z.literal('intersection'), shapes: z.array(shapeSchema).min(1), transform }),
      z.strictObject({
        type: z.literal('difference'),
        from: shapeSchema,
        minus: z.array(shapeSchema).min(1).describe('shapes taken away'),
        transform,
      }),
    ]),
  )
  .meta({ id: 'shape' });

/** A size of cells wanted in a box (mesh/octree/grown-sizing.ts). */
export const sizeField = z
  .strictObject({
    min: point('lower corner'),
    max: point('upper corner'),
    size: z.number().positive().describe('edge of cells inside the box, metres'),
    slope: z
      .number()
      .nonnegative()
      .default(0.5)
      .describe('by how much cells grow with the distance from the box, m/m'),
  })
  .refine(isOrdered, ordered);
