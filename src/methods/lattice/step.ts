import { timed } from '../../core/stages.ts';
import type { Seconds } from '../../core/types.ts';
import { buildSurfaceIndex } from '../../tracking/contouring/distance.ts';
import type { StepReport, Work } from '../method.ts';
import { dropUnmeshedFragments } from './fragments.ts';
import { classifyFaces, stuffLiquid } from './mesh-stage.ts';
import type { LatticeModel } from './model.ts';
import { project } from './pressure-stage.ts';
import { buildDerived, buildFlow, buildMeshParts, type LatticeState } from './state.ts';
import { contourAdvected } from './surface-stage.ts';
import { addBodyForce, advectVelocity, computeAcceleration } from './velocity-stage.ts';

/** One time step of [chentanez-2007] section 3. Deviations: README.md beside this file. */
export function step(model: LatticeModel, state: LatticeState, work: Work, dt: Seconds): StepReport {
  const { clock } = work;
  const next = model.heap.scope('lattice state');
  const scratch = model.heap.scope('lattice step');
  const stage = <T>(name: string, run: () => T) => timed(clock, name, run);
  try {
    const flow = stage('extend', () => buildFlow(model, state, dt, scratch)); // 3.3.2
    const contour = stage('surface', () => contourAdvected(model, state, flow, dt, next, scratch)); // 3.2
    const index = stage('surface', () => buildSurfaceIndex(contour.surface, model.contour.walls, next));
    const mesh = stage('mesh', () => stuffLiquid(model, contour, index, next, scratch)); // 3.3, 3.3.1
    const parts = stage('mesh', () => buildMeshParts(model, mesh, next));
    const { velocity, former } = stage('advect', () => advectVelocity(model, flow, parts, dt, next, scratch)); // 3.1, eq. (3)
    addBodyForce(model.gravity, parts, dt, velocity); // eq. (4)
    const faces = stage('pressure', () => classifyFaces(model, parts, index, next)); // 3.3.1
    const solved = stage('pressure', () => project(model, parts, faces, velocity, next, scratch)); // eqs. (5), (6)
    const acceleration = computeAcceleration(former, velocity, dt, next);
    const kept = stage('surface', () => dropUnmeshedFragments(model, contour.surface, index, mesh, next));
    const derived = stage('extend', () =>
      buildDerived(model, kept.surface, kept.index, parts, velocity, acceleration, faces.kind, next),
    );
    state.scope.free();
    Object.assign(state, {
      scope: next,
      surface: kept.surface,
      mesh,
      faceVelocity: velocity,
      faceAcceleration: acceleration,
      derived,
    });
    Object.assign(state, { faceKind: faces.kind, facePressure: solved.facePressure, pressureStep: dt });
    return { dt, solver: { pressure: solved.report }, events: { lostFragments: kept.dropped } };
  } catch (error) {
    next.free();
    throw error;
  } finally {
    scratch.free();
  }
}
