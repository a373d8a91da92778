/** Options of the films method: the scene's `films` key. */
import { z } from 'zod';
import { DEFAULT_TOLERANCE } from '../../integrals/kernel-sum.ts';
import { length, point } from '../../scene/schema-shapes.ts';
import { wireSchema } from '../../scene/schema-wires.ts';
import { edgeOptions } from '../edge-options.ts';
import { startSchema } from './start/options.ts';

const label = (what: string) => z.int().nonnegative().describe(what);
const seconds = (what: string) => z.number().nonnegative().describe(`${what}, seconds`);

const popSchema = z
  .strictObject({
    time: seconds('when'),
    region: label('the bubble that bursts'),
    into: label(
      'the region it opens into; without it: the outside if they touch, else where the film is largest',
    ).optional(),
  })
  .refine(({ region, into }) => into !== region, { path: ['into'], message: 'another region than its own' });

const randomPopsSchema = z.strictObject({
  start: seconds('when the first film bursts'),
  interval: z.number().positive().describe('time between two, seconds'),
  count: z.int().positive().describe('how many burst'),
});

const sourceSchema = z
  .strictObject({
    region: z.int().positive().describe('the region blown into; not 0, the air outside'),
    position: point('where the air comes from; without it: the middle of the region').optional(),
    rate: z.number().describe('volume per second, m^3/s; negative takes air out'),
    start: seconds('when it begins').default(0),
    end: seconds('when it ends').optional(),
  })
  .superRefine((source, context) => {
    const { start, end = Infinity } = source;
    if (end > start) return;
    const message = `a time after the start, ${start} s`;
    context.addIssue({ code: 'custom', path: ['end'], message, input: source });
  });

const kneadingSchema = z.strictObject({
  amplitude: z.number().positive().max(0.9).describe('greatest change of a volume, as a share of it'),
  period: z.number().positive().describe('time of a swing, seconds'),
  start: seconds('when it begins').default(0),
  fade: seconds('when it begins to fade; default: half way').optional(),
  end: z.number().positive().describe('when it has faded away, seconds'),
  resolution: length(
    "edges until then; default: the scene's resolution; coarser ones are quicker",
  ).optional(),
});

export const filmsOptions = z.strictObject({
  start: z.array(startSchema).min(1).describe('the films at time 0'),
  tension: z
    .number()
    .positive()
    .default(0.05)
    .describe('tension of a film, N/m: twice the surface tension of its liquid, for its two sides'),
  airDensity: z.number().positive().default(1.2).describe('density of the air, kg/m^3'),
  integrator: z
    .enum(['symplectic-euler', 'leapfrog', 'runge-kutta'])
    .default('leapfrog')
    .describe(
      'symplectic Euler as in the thesis, leapfrog (second order for small waves, as cheap), or classical Runge-Kutta (fourth order, four evaluations per step)',
    ),
  cfl: z
    .number()
    .positive()
    .max(1)
    .default(0.6)
    .describe(
      'time step as a share of the longest that the shortest wave allows, by estimate; the worst junctions allow 0.66 of it',
    ),
  damping: z.number().nonnegative().default(0).describe('diffusion of circulation along the films, m^2/s'),
  drag: z.number().nonnegative().default(0).describe('decay of all circulation, 1/s'),
  regularisation: z
    .number()
    .positive()
    .default(0.5)
    .describe('regularisation of the Biot-Savart sum (15.3), in resolutions'),
  accuracy: z
    .number()
    .min(1e-6)
    .max(1e-2)
    .default(DEFAULT_TOLERANCE)
    .describe(
      'relative error of the sums over all films (chapter 18); smaller is slower. What is near is summed to 1e-6',
    ),
  ...edgeOptions,
  separation: z
    .number()
    .positive()
    .max(0.5)
    .default(0.3)
    .describe(
      'distance between the two vertices that a T1 makes, in edge lengths: the tracker alone takes 0.1, but the shortest edge sets the time step',
    ),
  flips: z.boolean().default(true).describe('may remeshing flip edges?'),
  smoothing: z.boolean().default(true).describe('may remeshing slide vertices along the films?'),
  openings: z
    .array(label('a region'))
    .default([])
    .describe('regions whose faces are no films but close open ones for the tracker (15.6)'),
  wires: z
    .array(wireSchema)
    .default([])
    .describe(
      'curves that hold the films along them, at rest or moving; at time 0 films within half a resolution are drawn onto them',
    ),
  pops: z.array(popSchema).default([]).describe('films that burst at given times'),
  randomPops: randomPopsSchema.optional().describe("films that burst at random, by the scene's seed"),
  kneading: kneadingSchema
    .refine(({ start, end }) => end > start, { path: ['end'], message: 'a time after start' })
    .refine(({ start, fade = start, end }) => fade >= start && fade < end, {
      path: ['fade'],
      message: 'a time between start and end',
    })
    .optional()
    .describe('every bubble swells and shrinks for a while, which lets a foam flow that would jam'),
  sources: z.array(sourceSchema).default([]).describe('air blown into bubbles'),
});

export type FilmsOptions = z.infer<typeof filmsOptions>;
