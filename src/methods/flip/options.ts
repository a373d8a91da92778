/** Options of the flip method: the scene's `flip` key. */
import { z } from 'zod';
import { cameraSchema } from '../../scene/schema-camera.ts';
import { sizingOptions } from './sizing-options.ts';
import { whitewaterOptions } from './whitewater-options.ts';

export const flipOptions = z
  .strictObject({
    levels: z
      .int()
      .min(0)
      .max(10)
      .default(3)
      .describe('How often cells may double from the finest size on, the resolution of the scene.'),
    sizing: sizingOptions,
    camera: cameraSchema.optional(),
    remeshSteps: z
      .int()
      .positive()
      .default(10)
      .describe('Steps between two meshes, and between two rounds of splitting and merging.'),
    transfer: z
      .enum(['flip', 'apic'])
      .default('flip')
      .describe(
        'How particles take up velocities: by changes of the mesh (flip), or with a gradient of their own (apic).',
      ),
    picShare: z
      .number()
      .min(0)
      .max(1)
      .default(0.03)
      .describe(
        'Least share of the mesh velocity that a flip particle takes over in a step; viscosity adds to it.',
      ),
    cfl: z.number().positive().max(4).default(1).describe('Cells that liquid may cross in one time step.'),
    positionCorrection: z
      .number()
      .min(0)
      .max(1)
      .default(0.3)
      .describe('How strongly particles push each other apart in a step; 0: not at all.'),
    surfacePull: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe(
        'How strongly particles near the surface are pulled to it in a step, so that gaps in it close.',
      ),
    densityCorrection: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe('Share of the error in density that is taken back in a step; 0: none.'),
    ballistic: z
      .boolean()
      .default(true)
      .describe(
        'Whether particles that have no other within six radii fly freely, without mesh and pressure.',
      ),
    skinDetail: z
      .number()
      .min(0.5)
      .max(8)
      .default(2)
      .describe('Edge of the cells of the surface in frames, radii of the particles there; 1: a final skin.'),
    whitewater: whitewaterOptions
      .optional()
      .describe(
        'Spray, foam and bubbles as particles beside the liquid; absent: none. {}: with the defaults.',
      ),
    pressureTolerance: z
      .number()
      .positive()
      .max(0.1)
      .default(1e-6)
      .describe('Residual of the pressure solve relative to its right-hand side.'),
    pressureIterations: z
      .int()
      .positive()
      .default(500)
      .describe('Conjugate gradient iterations before the step counts as not converged.'),
  })
  .prefault({});

export type FlipOptions = z.infer<typeof flipOptions>;
