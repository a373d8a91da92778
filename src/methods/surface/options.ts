/** Options of a scene under `surface`. */
import { z } from 'zod';
import { edgeOptions, edgeSizing } from '../edge-options.ts';

const degrees = z.number().min(0).max(180);
const contactAngle = z.union([
  degrees,
  z
    .strictObject({
      advancing: degrees.describe('angle at which a contact line moves on, degrees'),
      receding: degrees.describe('angle at which it draws back, degrees'),
    })
    .refine(({ advancing, receding }) => advancing >= receding, {
      path: ['advancing'],
      message: 'an angle not below the receding one',
    }),
]);

const rate = (what: string) => z.number().nonnegative().default(0).describe(what);

export const surfaceOptions = z.strictObject({
  step: z
    .enum(['potential', 'thesis'])
    .default('potential')
    .describe(
      "potential: the method's own step. thesis: velocities, one sweep of the projection and collocated forces, as published; small sizes, for comparisons",
    ),
  cfl: z
    .number()
    .positive()
    .max(1)
    .default(0.6)
    .describe('time step as a share of the longest that the shortest wave on the mesh allows, by estimate'),
  damping: rate(
    "damping of the scheme's own, m^2/s: acts as so much kinematic viscosity beside the liquid's. Splashes want about 0.02 sqrt(tension x resolution / density)",
  ),
  viscous: z
    .boolean()
    .default(true)
    .describe(
      "may the liquid's viscosity damp the flow? As that of a potential flow, so only while it is weak",
    ),
  circulation: z
    .number()
    .default(0)
    .describe(
      'm^2/s around the hole of every ring of liquid at the start, about the axis that it is thinnest along',
    ),
  accuracy: z
    .number()
    .min(1e-8)
    .max(1e-2)
    .default(1e-5)
    .describe('relative error of the sums over large surfaces, and residual of the solve; smaller is slower'),
  contactAngle: contactAngle
    .default(90)
    .describe(
      'angle in the liquid at which its surface meets walls, degrees: below 90 it wets them, above 150 it rolls off; with an advancing and a receding angle lines between them are held',
    ),
  contactAngles: z
    .record(z.string(), contactAngle)
    .default({})
    .describe('the same for solids by name, where they differ; "domain" for the sides of the domain'),
  open: z
    .array(z.enum(['-x', '+x', '-y', '+y', '-z', '+z']))
    .default([])
    .describe('sides of the domain that are no walls: drops that have left through them are taken away'),
  ...edgeOptions,
  sizing: edgeSizing,
  contact: z
    .number()
    .positive()
    .max(0.4)
    .default(0.15)
    .describe(
      'surfaces nearer than this that close on each other merge, in edge lengths: the air between them is not known',
    ),
  ruptureThickness: z
    .number()
    .nonnegative()
    .default(0)
    .describe(
      'm: liquid sheets thinner than this break, one hole a step where it is thinnest; 0: only where their sides meet',
    ),
  separation: z
    .number()
    .positive()
    .max(0.5)
    .default(0.2)
    .describe(
      'distance between the two vertices that a pinch makes, in edge lengths: the shortest edge sets the time step',
    ),
  mote: z
    .number()
    .nonnegative()
    .default(0.5)
    .describe(
      'drops of less than so many cubes of the resolution fly as they are, without a flow of their own',
    ),
  smoothing: z.boolean().default(true).describe('may remeshing slide vertices along the surface?'),
  flips: z.boolean().default(true).describe('may remeshing flip edges?'),
});

export type ContactAngleSpec = z.infer<typeof contactAngle>;
export type SurfaceOptions = z.infer<typeof surfaceOptions>;
