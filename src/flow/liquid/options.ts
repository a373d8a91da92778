/** Options that methods on a stuffed mesh have in common, as parts of their schemas. */
import { z } from 'zod';

/** How many contouring cells there are to a lattice cell, where the scene does not say. */
export const composeRefinement = (cells: number) =>
  z
    .int()
    .min(1)
    .max(4)
    .default(cells)
    .describe('Contouring cells per lattice cell: the surface is this much finer than the tet boundary.');

export const liquidOptions = {
  cfl: z
    .number()
    .positive()
    .max(5)
    .default(1)
    .describe('Cells the fastest liquid may cross in one time step.'),
  interiorLevels: z
    .int()
    .min(0)
    .max(8)
    .default(3)
    .describe('How often the lattice may double its cells away from the surface; 0 keeps it uniform.'),
  surfaceRefinement: composeRefinement(2),
  pressureTolerance: z
    .number()
    .positive()
    .max(0.1)
    .default(1e-7)
    .describe('Residual of the pressure solve relative to its right-hand side.'),
  pressureIterations: z
    .int()
    .positive()
    .default(3000)
    .describe('Conjugate gradient iterations before the step counts as not converged.'),
  pressureSolver: z
    .enum(['conjugate-gradients', 'multigrid-v', 'multigrid-full'])
    .default('conjugate-gradients')
    .describe(
      'How the pressure is solved: conjugate gradients with the preconditioner below, or the algebraic multigrid of the paper alone, in V-cycles or full cycles.',
    ),
  preconditioner: z
    .enum(['vertex-multigrid', 'multigrid', 'aggregation-multigrid', 'incomplete-cholesky', 'jacobi'])
    .default('vertex-multigrid')
    .describe(
      'Preconditioner of the conjugate gradients: multigrid over the vertices (fastest), the algebraic multigrid of the paper or smoothed aggregation over the faces, incomplete Cholesky or the diagonal.',
    ),
  walls: z
    .enum(['unilateral', 'bilateral'])
    .default('unilateral')
    .describe(
      "Whether the liquid may leave walls and solids (unilateral) or is held to them, at pressures below the air's too (bilateral).",
    ),
  volumeCorrection: z
    .boolean()
    .default(true)
    .describe('Shift the free surface by a hair each step so that the volume does not drift.'),
};

const schema = z.object(liquidOptions);
export type LiquidOptions = z.infer<typeof schema>;
