import { z } from 'zod';
import { composeMaterialFields, type MethodInfo, runsFeature } from './method-info.ts';
import { drain, emitter, motion, wall } from './schema-motion.ts';
import { isOrdered, length, ordered, point, shapeSchema, vec3 } from './schema-shapes.ts';
import { folderName, line } from './schema-text.ts';

export type { DrainSpec, EmitterSpec, FlowRateSpec, MotionSpec } from './schema-motion.ts';
export { type ShapeSpec, shapeSchema, type TransformSpec } from './schema-shapes.ts';

/**
 * The scene file: JSON with comments, SI units, version 1. This schema is the one source of the format: the
 * validator, the messages (problems.ts reads the descriptions) and the shipped JSON Schema (json-schema.ts)
 * follow it. What methods add to it they declare (method-info.ts).
 */
const materialFields = {
  density: z.number().positive().describe('density, kg/m^3'),
  viscosity: z.number().nonnegative().describe('dynamic viscosity, Pa s').default(0),
  surfaceTension: z.number().nonnegative().describe('surface tension against air, N/m').default(0),
};
const material = z.strictObject(materialFields);

/** Every n-th frame, or never. */
const everyFrames = (what: string) =>
  z.union([z.int().positive(), z.literal(false)]).describe(`${what}: every n-th frame (1, 2, ...) or false`);

const output = z.strictObject({
  surface: z.boolean().describe('write surface/NNNNNN.ply for every frame').default(true),
  volume: everyFrames('write volume/NNNNNN.vtu').default(false),
  // No default: documents of runs that know nothing of it stay as they are.
  particles: everyFrames('write particles/NNNNNN.ply').optional(),
  checkpoint: z.int().positive().describe('write a checkpoint every n-th frame').default(1),
});

const domain = z
  .strictObject({ min: point('lower corner'), max: point('upper corner') })
  .refine(isOrdered, ordered)
  .describe('the box the liquid lives in; its walls are solid');

const solid = z
  .strictObject({
    name: line().min(1).optional(),
    shape: shapeSchema,
    motion: motion.optional(),
    handle: z
      .boolean()
      .describe('whether a person may lead it by hand in the page; elsewhere it holds still')
      .optional(),
    wall: wall('what the liquid does at its surface: slides along it, or sticks to it'),
  })
  .refine(({ motion, handle }) => handle !== true || motion === undefined, {
    path: ['handle'],
    message: 'false, or no "motion": a solid is led by hand or moves by itself',
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
  name: folderName().describe('short name; the run goes to runs/NAME').optional(),
  title: line().describe('one line for lists').optional(),
  takes: line().describe('about how long it runs, in words').optional(),
  duration: z.number().positive().describe('simulated time, seconds'),
  fps: z.number().positive().describe('output frames per second').default(30),
  gravity: vec3('acceleration, m/s^2').default([0, 0, -9.81]),
  domain,
  resolution: length('edge length of the finest cells, or of the triangles of a method without cells'),
  materials: z.record(line().min(1), material).default({}),
  walls: wall("what the liquid does at the domain's own walls: slides along them, or sticks to them"),
  liquids: z
    .array(liquid)
    .describe('the liquids at time 0: at least one, unless an emitter or the method brings some')
    .default([]),
  solids: z.array(solid).default([]),
  emitters: z.array(emitter).describe('nozzles that liquid comes out of').default([]),
  drains: z.array(drain).describe('places where liquid is taken away').default([]),
  output: output.prefault({}),
  seed: z.int().nonnegative().describe('seed of everything random').default(0),
  settings: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('named variants: keys that override the scene when chosen with --setting NAME')
    .optional(),
};

/** Of a scene, what its solids are shown by: for exports of runs, whatever their method. */
export const solidPartsSchema = z.object({ solids: common.solids, domain });

/** Keys of every material, whatever its methods. */
export const COMMON_MATERIAL_KEYS: readonly string[] = Object.keys(materialFields);

/**
 * The schema of a scene for the given methods: their names, their options under their own keys, and their
 * fields of materials.
 */
export function buildSceneSchema(methods: readonly MethodInfo[]) {
  const options: Record<string, z.ZodType> = {};
  for (const method of methods) options[method.name] = closed(method.options).optional();
  const startsItself = (name: string) => {
    const method = methods.find((m) => m.name === name);
    return method !== undefined && !runsFeature(method, 'liquids');
  };
  const added = Object.entries(composeMaterialFields(methods, materialFields));
  const materials = z
    .record(line().min(1), material.extend(Object.fromEntries(added.map(([key, s]) => [key, s.optional()]))))
    .default({});
  return z
    .strictObject({
      ...common,
      ...(added.length > 0 && { materials }),
      method: z
        .enum(methods.map((m) => m.name) as [string, ...string[]])
        .describe('the method that runs the scene'),
      ...options,
    })
    .refine((scene) => startsItself(scene.method) || scene.liquids.length > 0 || scene.emitters.length > 0, {
      path: ['liquids'],
      message: 'at least one liquid, or an emitter that brings some',
    })
    .superRefine((scene, context) => {
      const { name, options: own } = methods.find((m) => m.name === scene.method)!;
      if ((scene as Record<string, unknown>)[name] !== undefined || own.safeParse({}).success) return;
      const message = `the options of the ${name} method, which has no defaults for all of them`;
      context.addIssue({ code: 'custom', path: [name], message });
    });
}

/** Unknown keys are errors in every object of a scene, also where a method's schema forgot to say so. */
function closed(options: z.ZodType): z.ZodType {
  return options instanceof z.ZodObject ? options.strict() : options;
}

/** A scene file after validation, defaults filled in. */
export type SceneFile = z.infer<z.ZodObject<typeof common>> & { method: string };
