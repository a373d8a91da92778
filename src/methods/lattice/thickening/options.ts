/**
 * Options of thickening ([chentanez-2007] 3.4): every constant of the section, with the paper's value where
 * it gives one.
 */
import { z } from 'zod';

/** Lengths are in leaf edges: lattice cells for the mesh, contouring cells for the surface. */
export const thickeningOptions = z
  .strictObject({
    mesh: z
      .boolean()
      .default(false)
      .describe(
        'Thicken the mesh around thin liquid, so that every sheet and drop has tetrahedra to move with.',
      ),
    surface: z
      .boolean()
      .default(false)
      .describe(
        'Thicken the surface where it is thin, so that sheets and drops do not vanish between grid points.',
      ),
    thinness: z
      .number()
      .positive()
      .max(3)
      .default(1.2)
      .describe('gamma: thickness, in leaf edges, up to which liquid counts as thin.'),
    medialRatio: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        'Least distance of a medial point from the surface, as a share of its distance from the ray origin.',
      ),
    meshOffset: z
      .number()
      .nonnegative()
      .max(1)
      .default(0.6)
      .describe('gamma_mesh: half thickness, in lattice cells, that the mesh of thin liquid is grown to.'),
    meshRadius: z
      .number()
      .positive()
      .max(8)
      .default(4)
      .describe('h: reach of the offset kernel, in lattice cells.'),
    smallThickness: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('beta_slc: thickness, as a share of gamma, up to which a particle is small.'),
    redistributionRadius: z
      .number()
      .nonnegative()
      .max(3)
      .default(0)
      .describe(
        'r_redis, in contouring cells: small particles this close to big ones give them their radius and go.',
      ),
    bigGrowth: z
      .number()
      .nonnegative()
      .max(1)
      .default(0.25)
      .describe('r_ib: growth of a big particle per step, in contouring cells.'),
    smallGrowth: z
      .number()
      .nonnegative()
      .max(1)
      .default(0.15)
      .describe('r_is: growth of a small particle per step, in contouring cells.'),
    guided: z
      .boolean()
      .default(true)
      .describe(
        'Grow particles only as far as the volume falls short, and shrink them where there is too much.',
      ),
    leastThickness: z
      .number()
      .nonnegative()
      .max(2)
      .default(1.2)
      .describe(
        'Thickness that thin liquid is held at, in contouring cells along the grid axis nearest to its normal: the contour sees a flat sheet of 1 without holes, the rest is for bends; 0 lets sheets tear.',
      ),
    kernelRadius: z
      .number()
      .positive()
      .max(4)
      .default(2)
      .describe('Reach of the kernel that blends the particles into a surface, in contouring cells.'),
  })
  .prefault({});

export type ThickeningOptions = z.infer<typeof thickeningOptions>;
