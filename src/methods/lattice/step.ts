import type { Seconds } from '../../core/types.ts';
import type { LiquidState } from '../../flow/liquid/state.ts';
import type { StepReport, Work } from '../method.ts';
import type { LatticeModel } from './model.ts';
import { beginStages } from './stages.ts';

/** One time step of [chentanez-2007] section 3. Deviations: README.md beside this file. */
export function step(model: LatticeModel, state: LiquidState, work: Work, dt: Seconds): StepReport {
  const stages = beginStages(model, state, work.clock, dt);
  try {
    const flow = stages.extendVelocity(); //                                3.3.2 velocity around the old mesh
    const thin = stages.advectThinLiquid(flow); //                          3.4.1 particles where the liquid is thin
    const contour = stages.contourAdvected(flow, thin); //                  3.2   semi-Lagrangian contouring, united with them (3.4.3)
    const surface = stages.keepVolumes(flow, contour); //                   ours  each piece shifted to the volume it should hold
    const mesh = stages.stuff(surface); //                                  3.3   isosurface stuffing of the vessel, then of the liquid (3.3.1, 3.4.2)
    const velocity = stages.advectVelocity(flow, mesh); //                  3.1   eq. (3)
    stages.addBodyForce(mesh, velocity); //                                       eq. (4)
    const viscosity = stages.addViscosity(mesh, velocity); //               [batty-houston-2011] 4, 5.2, where the scene asks for it
    const pressure = stages.project(surface, mesh, velocity); //            3.5   eqs. (5), (6), under walls that let go
    return stages.accept(surface, mesh, velocity, viscosity, pressure);
  } finally {
    stages.end();
  }
}
