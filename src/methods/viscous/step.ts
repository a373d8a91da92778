import type { Seconds } from '../../core/types.ts';
import type { StepReport, Work } from '../method.ts';
import type { ViscousModel } from './model.ts';
import { beginStages } from './stages.ts';
import type { ViscousState } from './state.ts';

/**
 * One time step of [batty-houston-2011] sections 3 to 5, on stuffed or embedded meshes. Deviations: README.md
 * beside this file.
 */
export function step(model: ViscousModel, state: ViscousState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  try {
    const flow = stages.extendVelocity(); //                        velocity around the old mesh
    const moved = stages.moveSurface(flow); //                      ours  by its vertices where it creeps, else contoured
    const surface = stages.keepVolumes(flow, moved); //             ours  each piece holds what it should
    const mesh = stages.stuff(surface); //                          fine at the surface, coarse inside
    const liquid = stages.advect(flow, mesh); //                    3     semi-Lagrangian: velocity and materials
    const velocity = stages.solve(surface, mesh, liquid); //        4, 5  eqs. (1)-(11), with the pressure or before it
    return stages.accept(surface, mesh, liquid, velocity);
  } finally {
    stages.end();
  }
}
