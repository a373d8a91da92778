/** Starting surfaces as they stand in a scene. Labels are regions' materials; 0 is the outside. */
import { z } from 'zod';
import { length, point } from '../../scene/schema-shapes.ts';

const label = (what: string) => z.int().positive().describe(what);
const box = {
  min: point('lower corner'),
  max: point('upper corner'),
};
/** Halvings of the icosahedron or octahedron; without it, as the resolution asks. */
const levels = z
  .int()
  .min(0)
  .max(8)
  .describe(
    'how often the faces of the solid it grows from are cut in four; without it: as the resolution asks',
  )
  .optional();

const sphere = z.strictObject({
  type: z.literal('sphere'),
  centre: point('centre'),
  radius: length('radius'),
  label: label('label of its region').default(1),
  levels,
});

const quarteredSphere = z.strictObject({
  type: z.literal('quartered-sphere'),
  centre: point('centre'),
  radius: length('radius'),
  levels,
});

const notchedSphere = z.strictObject({
  type: z.literal('notched-sphere'),
  centre: point('centre'),
  radius: length('radius'),
  width: length('width of the notch'),
  depth: length('depth of the notch below the sphere'),
  materials: z
    .union([z.literal(1), z.literal(2)])
    .describe('1, or 2: one on either side of the notch')
    .default(1),
});

const doubleSphere = z.strictObject({
  type: z.literal('double-sphere'),
  centre: point('middle of the disk between the two'),
  radius: length('radius of both'),
  distance: length('distance of their centres along x'),
});

const sphereGrid = z.strictObject({
  type: z.literal('sphere-grid'),
  ...box,
  count: z
    .tuple([z.int().positive(), z.int().positive(), z.int().positive()])
    .describe('spheres along x, y and z'),
  radius: length('radius'),
  labels: z.int().positive().describe('labels used in turn: 1 to this').default(1),
});

const spherePacking = z.strictObject({
  type: z.literal('sphere-packing'),
  ...box,
  count: z.int().positive().describe('spheres'),
  radii: z.tuple([z.number().positive(), z.number().positive()]).describe('least and largest radius, metres'),
  gap: z.number().nonnegative().describe('least distance between two, metres'),
  labels: z.int().positive().describe('labels drawn from 1 to this').default(1),
  seed: z.int().nonnegative().describe("seed; without it: the scene's").optional(),
});

const voronoi = z.strictObject({
  type: z.literal('voronoi'),
  ...box,
  cells: z
    .union([z.int().positive(), z.array(point('seed of a cell')).min(1)])
    .describe('number of cells with random seeds, or the seeds'),
  seed: z.int().nonnegative().describe("seed; without it: the scene's").optional(),
});

const cells = z.strictObject({
  type: z.literal('cells'),
  ...box,
  count: z.int().positive().describe('cubes along each edge of the box'),
  levels,
});

export const startSchema = z.discriminatedUnion('type', [
  sphere,
  quarteredSphere,
  notchedSphere,
  doubleSphere,
  sphereGrid,
  spherePacking,
  voronoi,
  cells,
]);

export type StartSpec = z.infer<typeof startSchema>;
