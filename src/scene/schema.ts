import { z } from 'zod';

/**
 * The scene file: JSON with comments, SI units, version 1. This schema is the one source of the format: the
 * validator, the messages (problems.ts reads the descriptions) and the shipped JSON Schema (json-schema.ts) follow it.
 */
const length = (what: string) => z.number().positive().describe(`${what}, metres`);
const vec3 = (what: string) => z.tuple([z.number(), z.number(), z.number()]).describe(`${what}: [x, y, z]`);
const point = (what: string) => vec3(`${what}, metres`);
const direction = vec3('direction, any length but 0').refine(
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
function isOrdered(box: { min: Point; max: Point }): boolean {
  return box.min[0] < box.max[0] && box.min[1] < box.max[1] && box.min[2] < box.max[2];
}
const ordered = 'a box whose min is below its max in x, y and z';
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

const material = z.strictObject({
  density: z.number().positive().describe('density, kg/m^3'),
  viscosity: z.number().nonnegative().describe('dynamic viscosity, Pa s').default(0),
  surfaceTension: z.number().nonnegative().describe('surface tension against air, N/m').default(0),
});

/** Every n-th frame, or never. */
const everyFrames = (what: string) =>
  z.union([z.int().positive(), z.literal(false)]).describe(`${what}: every n-th frame (1, 2, ...) or false`);

const output = z.strictObject({
  surface: z.boolean().describe('write surface/NNNNNN.ply for every frame').default(true),
  volume: everyFrames('write volume/NNNNNN.vtu').default(false),
  checkpoint: z.int().positive().describe('write a checkpoint every n-th frame').default(1),
});

const domain = z
  .strictObject({ min: point('lower corner'), max: point('upper corner') })
  .refine(isOrdered, ordered)
  .describe('the box the liquid lives in; its walls are solid');

const solid = z.strictObject({
  name: z.string().min(1).optional(),
  shape: shapeSchema,
  motion: z.unknown().optional().describe('reserved for moving solids'),
});

const liquid = z.strictObject({
  shape: shapeSchema,
  material: z
    .string()
    .describe('a preset (water, honey, ...) or a name defined under materials')
    .default('water'),
  velocity: vec3('initial velocity, m/s').default([0, 0, 0]),
});

const common = {
  $schema: z.string().optional(),
  version: z.literal(1).describe('version of the scene format'),
  name: z.string().min(1).describe('short name').optional(),
  title: z.string().describe('one line for lists').optional(),
  takes: z.string().describe('about how long it runs, in words').optional(),
  duration: z.number().positive().describe('simulated time, seconds'),
  fps: z.number().positive().describe('output frames per second').default(30),
  gravity: vec3('acceleration, m/s^2').default([0, 0, -9.81]),
  domain,
  resolution: length('edge length of the finest cells'),
  materials: z.record(z.string(), material).default({}),
  liquids: z.array(liquid).min(1).describe('the liquids at time 0'),
  solids: z.array(solid).default([]),
  emitters: z.array(z.unknown()).optional().describe('reserved for inflow'),
  drains: z.array(z.unknown()).optional().describe('reserved for outflow'),
  output: output.prefault({}),
  seed: z.int().nonnegative().describe('seed of everything random').default(0),
  settings: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('named variants: keys that override the scene when chosen with --setting NAME')
    .optional(),
};

/** What scene validation must know of a method; the methods themselves sit above this folder. */
export interface MethodInfo {
  readonly name: string;
  readonly options: z.ZodType;
}

/** The schema of a scene for the given methods: their names, and their options under their own keys. */
export function buildSceneSchema(methods: readonly MethodInfo[]) {
  const options: Record<string, z.ZodType> = {};
  for (const method of methods) options[method.name] = closed(method.options).optional();
  return z.strictObject({
    ...common,
    method: z
      .enum(methods.map((m) => m.name) as [string, ...string[]])
      .describe('the method that runs the scene'),
    ...options,
  });
}

/** Unknown keys are errors in every object of a scene, also where a method's schema forgot to say so. */
function closed(options: z.ZodType): z.ZodType {
  return options instanceof z.ZodObject ? options.strict() : options;
}

/** A scene file after validation, defaults filled in. */
export type SceneFile = z.infer<z.ZodObject<typeof common>> & { method: string };
