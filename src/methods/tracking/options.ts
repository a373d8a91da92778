/**
 * Options of the tracking method: the scene's `tracking` key. Bounds and their defaults are those of
 * [da-2017] 9.6.
 */
import { z } from 'zod';
import { trackerDefaults } from '../../tracking/multimaterial/options.ts';
import { edgeSizing } from '../edge-options.ts';
import { flowSchema } from './options-flows.ts';
import { startSchema } from './options-start.ts';

const degrees = (what: string) => z.number().min(0).max(180).describe(`${what}, degrees`);
const corner = (which: string) =>
  z.tuple([z.number(), z.number(), z.number()]).describe(`${which} corner, metres: [x, y, z]`);
const inLengths = (what: string) => z.number().positive().describe(`${what}, in edge lengths`);

/** Everything about remeshing and topology that chapter 9.6 leaves to the user. */
const boundsSchema = z
  .strictObject({
    shortest: z
      .number()
      .positive()
      .max(0.95)
      .default(0.5)
      .describe('edges below this share of the resolution are collapsed (9.3)'),
    longest: z
      .number()
      .min(1.05)
      .default(1.5)
      .describe('edges above this multiple of the resolution are split (9.3)'),
    maxVolumeChange: z
      .number()
      .positive()
      .default(trackerDefaults.maxVolumeChange)
      .describe('greatest change of a volume by one edit, in cubed edge lengths'),
    maxTopologyChange: z
      .number()
      .positive()
      .default(trackerDefaults.maxTopologyChange)
      .describe('greatest change of a volume by one separation or snap, in cubed edge lengths'),
    minArea: z
      .number()
      .positive()
      .default(trackerDefaults.minArea)
      .describe('least area of a face that an edit may make, in squared edge lengths'),
    minAngle: degrees('least angle that an edit may make').default(trackerDefaults.minAngle),
    maxAngle: degrees('largest angle that an edit may make').default(trackerDefaults.maxAngle),
    splitAngle: degrees('edges opposite a larger angle are split').default(trackerDefaults.splitAngle),
    poorMinAngle: degrees('faces with a smaller angle are mended by all means (9.5)').default(
      trackerDefaults.poorMinAngle,
    ),
    poorMaxAngle: degrees('faces with a larger angle are mended by all means (9.5)').default(
      trackerDefaults.poorMaxAngle,
    ),
    featureAngle: degrees('edges bent by more are features (9.1)').default(trackerDefaults.featureAngle),
    smoothAngle: degrees('vertices of faces with a smaller angle are smoothed; 60: all (9.4)').default(
      trackerDefaults.smoothAngle,
    ),
    separation: inLengths('distance between the two vertices that a separation makes').default(
      trackerDefaults.separation,
    ),
    proximity: inLengths('surfaces closer than this push each other apart').default(
      trackerDefaults.proximity,
    ),
    mergeProximity: inLengths('surfaces closer than this merge').default(trackerDefaults.mergeProximity),
    mergeHorizon: z
      .number()
      .positive()
      .default(trackerDefaults.mergeHorizon)
      .describe('close surfaces merge if their motion brings them into contact within so many steps'),
    passes: z
      .int()
      .positive()
      .default(trackerDefaults.passes)
      .describe('passes of split, collapse, flip and smooth in one step'),
  })
  .prefault({});

export const trackingOptions = z.strictObject({
  start: z.array(startSchema).min(1).describe('the surface at time 0'),
  flows: z.array(flowSchema).min(1).describe('what moves it; several are added up'),
  timeStep: z.number().positive().describe('longest time step, seconds'),
  separationBy: z
    .enum(['velocity', 'area'])
    .optional()
    .describe(
      'by what regions part in a T1: the velocity that pulls them apart, or the area it saves (chapter 6); without it: velocity where all flows are velocity fields',
    ),
  volume: z
    .enum(['none', 'remeshing', 'all'])
    .optional()
    .describe(
      'what is given back to regions: nothing, what remeshing took, or whatever they lost; without it: all where all flows are velocity fields, else nothing',
    ),
  merging: z.boolean().default(true).describe('surfaces that come close merge (chapter 8)'),
  separations: z
    .boolean()
    .default(true)
    .describe('irregular vertices are separated: T1, splitting (chapter 6)'),
  topology: z
    .boolean()
    .default(true)
    .describe('edits may change topology at all: T1, T2, merging, collapses across thin parts'),
  butterfly: z
    .boolean()
    .default(trackerDefaults.butterfly)
    .describe('new vertices by modified butterfly subdivision, or halfway (9.3)'),
  flips: z.boolean().default(trackerDefaults.flips).describe('flip edges (9.2)'),
  smoothing: z.boolean().default(trackerDefaults.smoothing).describe('smooth vertices (9.4)'),
  bounds: boundsSchema.describe('bounds of remeshing and topology (9.6)'),
  sizing: edgeSizing,
  walls: z
    .strictObject({ min: corner('low'), max: corner('high') })
    .optional()
    .describe(
      'a box on whose sides the surface ends: vertices that start on a side slide on it, and mean curvature flow meets it at right angles; without it: none',
    ),
});

export type TrackingOptions = z.infer<typeof trackingOptions>;
