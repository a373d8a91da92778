/**
 * The lattice method as the runner sees it. [chentanez-2007]: Liquid Simulation on Lattice-Based Tetrahedral
 * Meshes.
 */

import type { HeapScope } from '../../core/heap.ts';
import { createStageClock } from '../../core/stages.ts';
import { classifyFaces } from '../../flow/boundary/conditions.ts';
import { projectWithContact } from '../../flow/boundary/contact.ts';
import { freeOpenedTriangles } from '../../flow/boundary/let-go.ts';
import { addSources, atRest } from '../../flow/boundary/sources.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import {
  buildSurfaceFrame,
  buildVolumeFrame,
  measureLiquid,
  measureMaxSpeed,
} from '../../flow/liquid/measure.ts';
import { beginState, meshStart } from '../../flow/liquid/start.ts';
import { buildDerived, type LiquidState, liquidStore } from '../../flow/liquid/state.ts';
import { AREA } from '../../flow/mesh/face-geometry.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { createStuffer } from '../../flow/mesh/mesher.ts';
import { project } from '../../flow/pressure/projection.ts';
import { addBodyForce } from '../../flow/velocity/advection.ts';
import { holdByScene } from '../../flow/viscosity/wall-vertices.ts';
import { buildParticleFrame } from '../../flow/volume/droplet-frame.ts';
import { buildSurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Method, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { estimate } from './estimate.ts';
import { buildModel, type LatticeModel } from './model.ts';
import { ignores } from './notes.ts';
import { latticeOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { step } from './step.ts';
import { thickenMesh } from './thickening/stage.ts';
import { addViscosity } from './viscosity.ts';

/** Largest time step in sqrt(h/g). */
const WAVE_STEP = 1;

export const lattice: Method<LatticeModel, LiquidState, Work> = {
  name: 'lattice',
  options: latticeOptions,
  features: ['liquids', 'solids', 'moving solids', 'no-slip walls', 'emitters', 'drains'],
  ignores,
  presentation,
  build: buildModel,
  start,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep,
  step,
  surface: buildSurfaceFrame,
  volume: buildVolumeFrame,
  particles: buildParticleFrame,
  measure: measureLiquid,
  ...liquidStore,
  estimate,
  check: checkScene,
};

/** Surface, mesh and velocity of the liquids as the scene describes them. */
function start(model: LatticeModel): LiquidState {
  const scope = model.heap.scope('lattice state');
  const scratch = model.heap.scope('lattice start');
  const surroundings = model.surroundingsAt(0, 0);
  try {
    const mesher = createStuffer(model, (surface, own) => thickenMesh(model, surface, own));
    const { contour, index, parts } = meshStart(model, surroundings, mesher, scope, scratch);
    const { surface } = contour;
    const faceVelocity = scope.f64(parts.topology.faceCount);
    setInitialVelocity(model, parts, faceVelocity);
    const conditions = classifyFaces(model, surroundings, parts, index, scope);
    const drainFlow = addSources(model, 0, parts, conditions, faceVelocity);
    project(model, parts, conditions, faceVelocity, scratch);
    const faceAcceleration = scope.f64(parts.topology.faceCount);
    addBodyForce(model.gravity, parts, 1, faceAcceleration);
    const still = atRest(conditions, scratch);
    const { facePressure, faceKind, opened } = projectWithContact(
      model,
      parts,
      still,
      1,
      faceAcceleration,
      scope,
    );
    if (model.viscosity > 0) slowStart(model, surroundings, parts, faceAcceleration, scratch);
    const freed = freeOpenedTriangles(model, parts, faceKind, opened, surface);
    const surfaceIndex = freed > 0 ? buildSurfaceIndex(surface, model.contour.walls, scope) : index;
    const faces = { faceVelocity, faceAcceleration, faceKind };
    return {
      ...beginState(contour, parts, scope),
      ...faces,
      facePressure,
      drainFlow,
      derived: buildDerived(model, surroundings, { surface, index: surfaceIndex, parts, faces }, scope),
    };
  } finally {
    scratch.free();
  }
}

/**
 * The first rate of change is that of an inviscid liquid; thick liquid takes it up for the blink of an eye
 * only. What is left of it after the time in which a wave crosses a cell is nearer to what a step sees.
 */
function slowStart(
  model: LatticeModel,
  surroundings: Surroundings,
  parts: MeshParts,
  outAcceleration: Float64Array,
  scratch: HeapScope,
): void {
  const g = Math.hypot(...model.gravity);
  if (g === 0) return;
  const nodes = holdByScene(model, surroundings, parts, 0, scratch);
  nodes.velocity.fill(0);
  addViscosity(model, parts, nodes, WAVE_STEP * Math.sqrt(model.lattice.size / g), outAcceleration, scratch);
}

/** Each face takes the velocity of the liquid whose shape it is deepest in. */
function setInitialVelocity(
  model: LatticeModel,
  { mesh, topology, geometry }: MeshParts,
  out: Float64Array,
): void {
  const { position } = mesh;
  for (let f = 0; f < topology.faceCount; f++) {
    const c = [0, 0, 0];
    for (let i = 0; i < 3; i++)
      for (let a = 0; a < 3; a++) c[a] += position[3 * topology.faceVertex[3 * f + i] + a] / 3;
    let deepest = Number.NEGATIVE_INFINITY;
    for (const liquid of model.liquids) {
      const depth = liquid.shape.value(c[0], c[1], c[2]);
      if (depth <= deepest) continue;
      deepest = depth;
      const u = liquid.velocity;
      out[f] =
        (u[0] * geometry.form[geometry.faceForm[f]] +
          u[1] * geometry.form[geometry.faceForm[f] + 1] +
          u[2] * geometry.form[geometry.faceForm[f] + 2]) /
        geometry.form[geometry.faceForm[f] + AREA];
    }
  }
}

/**
 * The liquid may cross `cfl` cells per step, at the speed it will have reached by falling through them. And a
 * step sees the waves of the lattice: none grows at any dt (flow/pressure/pressure.ts), but at 1.7 sqrt(h/g)
 * a wave of 24 cells is 4 % slow, at 1 half a percent.
 */
function stableTimeStep(model: LatticeModel, state: LiquidState): number {
  const reach = model.options.cfl * model.lattice.size;
  const speed = Math.max(measureMaxSpeed(state), state.derived.surroundings.topSpeed);
  const g = Math.hypot(...model.gravity);
  // speed t + g t^2 / 2 = reach
  const crossing = (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * g * reach));
  return Math.min(crossing || Number.POSITIVE_INFINITY, WAVE_STEP * Math.sqrt(model.lattice.size / g));
}
