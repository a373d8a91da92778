import type { Seconds } from '../../core/types.ts';
import type { StepReport, Work } from '../method.ts';
import type { FlipModel } from './model.ts';
import { beginStages } from './stages.ts';
import type { FlipState } from './state.ts';

/** One time step: algorithm 1 of [ando-2013]. */
export function step(model: FlipModel, state: FlipState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  try {
    stages.findSurface(); //        lines 2, 3   skin of the particles, their depths
    stages.correctPositions(); //   line 4       pushed apart, along the surface where it is near
    if (stages.needsMesh()) {
      stages.remesh(); //           lines 5 to 7 sizing function (15), octree, tets
      stages.resample(); //         line 8       merged and split
    }
    stages.gatherVelocity(); //     lines 9, 10  means of particles in tets, carried on outside
    stages.diffuse(); //            ours         viscosity, on the nodes
    stages.project(); //            line 11      eqs. (1) to (13); ours: density, with the same matrix
    stages.takeUpVelocity(); //     line 12      eq. (14)
    stages.advect(); //             line 13      along the velocity; ours: walls, nozzles, drains
    stages.whiten(); //             ours         spray, foam and bubbles
    return stages.accept();
  } finally {
    stages.end();
  }
}
