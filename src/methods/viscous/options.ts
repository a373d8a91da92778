/** Options of the viscous method: the scene's `viscous` key; and the field it adds to materials. */
import { z } from 'zod';
import { LIMITS } from '../../core/limits.ts';
import { liquidOptions } from '../../flow/liquid/options.ts';
import { sizeField } from '../../scene/schema-shapes.ts';

const viscosity = z.number().nonnegative();

/** Pa s along a line through space, in place of the materials' own. */
const viscosityField = z
  .strictObject({
    from: z.tuple([z.number(), z.number(), z.number()]).describe('point where the first value holds, metres'),
    to: z.tuple([z.number(), z.number(), z.number()]).describe('point where the last value holds, metres'),
    values: z
      .array(viscosity)
      .min(2)
      .describe('viscosities at equal distances from the one point to the other, Pa s; linear in between'),
  })
  .refine(({ from, to }) => from.some((x, a) => x !== to[a]), 'a line between two points that differ')
  .describe(
    'Viscosity by place instead of by material: constant across the line between two points, and beyond its ends.',
  );

/** Of embedded meshes. */
const sizing = z
  .strictObject({
    surfaceLevels: z
      .int()
      .min(0)
      .max(6)
      .default(0)
      .describe('How often cells at the surface may double where no field asks for finer ones.'),
    growth: z
      .number()
      .positive()
      .default(1)
      .describe(
        'By how much cells grow with the distance from the surface, m/m, up to `interiorLevels` doublings.',
      ),
    fields: z
      .array(sizeField)
      .max(LIMITS.shapes)
      .default([])
      .describe('Sizes given by hand: at most so large in a box, growing with the distance from it.'),
  })
  .describe('How fine embedded meshes are, and where; stuffed ones are finest at the whole surface.');

export const viscousOptions = z
  .strictObject({
    ...liquidOptions,
    order: z
      .enum(['coupled', 'viscosity-pressure', 'pressure-viscosity-pressure'])
      .default('coupled')
      .describe(
        'Velocity and pressure solved together, or split as in the paper: viscosity then pressure, or pressure before and after it.',
      ),
    transfer: z
      .enum(['flip', 'pic', 'implicit'])
      .default('flip')
      .describe(
        'Split orders only: how velocities pass between faces and vertices: by increments, as a whole, or inside the solve.',
      ),
    mesh: z
      .enum(['stuffed', 'embedded'])
      .default('stuffed')
      .describe(
        "Tets that end in the surface, or the paper's own: graded tets that it cuts, as fine as `sizing` says. Embedded ones need `order` coupled.",
      ),
    sizing: sizing.prefault({}),
    stress: z
      .enum(['full', 'laplacian'])
      .default('full')
      .describe(
        'The full stress, or the Laplacian of each component, which resists rotation: for comparison only.',
      ),
    friction: z
      .enum(['no-slip', 'scene'])
      .default('no-slip')
      .describe(
        "Whether the liquid sticks to all walls and solids, or to those that the scene's `walls` and `wall` say.",
      ),
    lineSlip: z
      .number()
      .nonnegative()
      .max(10)
      .default(0.1)
      .describe(
        'Lattice cells behind a wall at which liquid on a contact line is as if held; 0 lets contact lines stand and the liquid roll over them.',
      ),
    contactAngle: z
      .number()
      .min(5)
      .max(175)
      .default(90)
      .describe(
        'Degrees between the surface and a wall, through the liquid, at which contact lines come to rest under surface tension; stuffed meshes only.',
      ),
    viscosityField: viscosityField.optional(),
    moveUpTo: z
      .number()
      .nonnegative()
      .max(0.25)
      .default(0.2)
      .describe(
        'Lattice cells that the surface may move by its vertices before it is contoured anew; 0 contours every step.',
      ),
    viscosityTolerance: z
      .number()
      .positive()
      .max(0.1)
      .default(1e-6)
      .describe('Residual of the viscous solve relative to its right-hand side.'),
    viscosityIterations: z
      .int()
      .positive()
      .default(1000)
      .describe('Iterations of the viscous solve before the step counts as not converged.'),
    picardRounds: z
      .int()
      .positive()
      .max(100)
      .default(20)
      .describe('Rounds at most in which a viscosity that depends on the flow is found.'),
  })
  .prefault({});

export type ViscousOptions = z.infer<typeof viscousOptions>;

const positive = (what: string) => z.number().positive().describe(what);
const index = positive('power of the shear rate in the stress: below 1 the liquid thins when sheared');
const regularisation = positive(
  's: a tenth of the yield stress is reached at about a tenth of 1 over this shear rate',
);
const yieldStress = z.number().nonnegative().describe('stress below which it does not flow, Pa');

/**
 * Viscosity that depends on the shear rate, instead of the material's `viscosity`
 * (flow/viscosity/rheology.ts).
 */
export const rheologyField = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('carreau'),
      zero: positive('viscosity at rest, Pa s'),
      infinite: viscosity.describe('viscosity at the fastest shear, Pa s'),
      time: positive('1 over the shear rate from which it thins, s'),
      index,
    }),
    z
      .strictObject({
        type: z.literal('power-law'),
        consistency: positive('Pa s^index'),
        index,
        least: positive('least viscosity, Pa s'),
        most: positive('greatest viscosity, Pa s'),
      })
      .refine(
        ({ least, most }) => least <= most,
        'a power law whose least viscosity is not above its greatest',
      ),
    z.strictObject({
      type: z.literal('bingham'),
      viscosity: positive('plastic viscosity, Pa s'),
      yieldStress,
      regularisation,
    }),
    z.strictObject({
      type: z.literal('herschel-bulkley'),
      consistency: positive('Pa s^index'),
      index,
      yieldStress,
      regularisation,
    }),
  ])
  .describe(
    'how viscosity depends on the shear rate, instead of `viscosity`: Carreau, power law, Bingham, Herschel-Bulkley',
  );
