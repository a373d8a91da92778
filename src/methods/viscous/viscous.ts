/** The viscous method as the runner sees it. [batty-houston-2011]: A Simple Finite Volume Method for Adaptive Viscous Liquids. */

import { createStageClock } from '../../core/stages.ts';
import { measureMaxSpeed } from '../../flow/liquid/measure.ts';
import { meshStart } from '../../flow/liquid/start.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { findMeshPieces } from '../../flow/mesh/mesh-pieces.ts';
import { buildParticleFrame } from '../../flow/volume/droplet-frame.ts';
import { ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import { findPieces } from '../../tracking/contouring/pieces.ts';
import { buildSignGrid } from '../../tracking/contouring/signs.ts';
import type { Method, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { estimate } from './estimate.ts';
import { buildSurfaceFrame, buildVolumeFrame, measureViscous } from './frames.ts';
import { findTetMaterials, shareAtStart } from './materials.ts';
import { createMesher } from './mesher.ts';
import { buildModel, type ViscousModel } from './model.ts';
import { ignores } from './notes.ts';
import { rheologyField, viscousOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { averageOnFaces, findFaceKinds } from './solve.ts';
import { buildViscousDerived, type ViscousState, viscousStore } from './state.ts';
import { step } from './step.ts';
import { findVertexConditions } from './vertex-conditions.ts';

/**
 * Largest time step in sqrt(h/g), where gravity's waves are hardly damped: it is explicit, and so are they. Viscosity nu damps the wave of number k at the rate 2 nu k^2, and
 * nothing grows while g k dt^2 < 4 + 4 nu k^2 dt for all k, that is up to dt = 4 (nu / g^2)^(1/3): DAMPED_STEP is half of that.
 */
const WAVE_STEP = 1;
const DAMPED_STEP = 2;

export const viscous: Method<ViscousModel, ViscousState, Work> = {
  name: 'viscous',
  options: viscousOptions,
  features: ['liquids', 'solids', 'moving solids', 'no-slip walls', 'emitters'],
  materialFields: { rheology: rheologyField },
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
  measure: measureViscous,
  ...viscousStore,
  estimate,
  check: checkScene,
};

/** Surface, mesh and velocity of the liquids as the scene describes them. */
function start(model: ViscousModel): ViscousState {
  const scope = model.heap.scope('viscous state');
  const scratch = model.heap.scope('viscous start');
  const surroundings = model.surroundingsAt(0, 0);
  try {
    const { contour, index, parts } = meshStart(model, surroundings, createMesher(model), scope, scratch);
    const { surface } = contour;
    const { mesh } = parts;
    const velocity = scope.f64(3 * mesh.vertexCount);
    setInitialVelocity(model, parts, velocity);
    const share = shareAtStart(model, mesh, scope);
    const { viscosity } = findTetMaterials(model, mesh, share, scope);
    const conditions = findVertexConditions(
      { model, surroundings, time: 0, dt: 0 },
      parts,
      { expected: velocity, viscosity },
      scratch,
    );
    for (let v = 0; v < mesh.vertexCount; v++)
      if (conditions.isNozzle[v] === 1)
        for (let n = 3 * v; n < 3 * v + 3; n++) velocity[n] = conditions.velocity[n];
    const acceleration = scope.f64(3 * mesh.vertexCount);
    setInitialFall(model, parts, conditions.isNozzle, acceleration);
    const rates = { velocity, acceleration };
    return {
      scope,
      time: 0,
      surface,
      signs: buildSignGrid(contour.signs, scope),
      mesh,
      faceVelocity: averageOnFaces(parts, velocity, scope),
      lead: 0,
      faceAcceleration: averageOnFaces(parts, acceleration, scope),
      faceKind: findFaceKinds(parts, conditions.isFree, scope),
      facePressure: scope.f64(parts.topology.faceCount),
      pressureStep: 1,
      pieceTarget: findPieces(surface).volume,
      droplets: new Float64Array(0),
      drainFlow: 0,
      drift: 0,
      dissipation: 0,
      vertexPressure: scope.f64(mesh.vertexCount),
      level: parts.embedding?.level ?? scope.f64(0),
      share,
      tetViscosity: viscosity,
      tetShearRate: scope.f64(mesh.tetCount),
      derived: buildViscousDerived(surroundings, surface, index, parts, rates, scope),
    };
  } finally {
    scratch.free();
  }
}

/** Each vertex takes the velocity of the liquid whose shape it is deepest in. */
function setInitialVelocity({ liquids }: ViscousModel, { mesh }: MeshParts, out: Float64Array): void {
  const { position } = mesh;
  if (liquids.every(({ velocity: [x, y, z] }) => x === 0 && y === 0 && z === 0)) return;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3) {
    let deepest = Number.NEGATIVE_INFINITY;
    for (const { shape, velocity } of liquids) {
      const depth = shape.value(position[v], position[v + 1], position[v + 2]);
      if (depth <= deepest) continue;
      deepest = depth;
      out.set(velocity, v);
    }
  }
}

/** What nothing holds up begins to fall freely; the rest is at rest until the first step says more. */
function setInitialFall(
  { gravity }: ViscousModel,
  { mesh, topology }: MeshParts,
  isNozzle: Uint8Array,
  outAcceleration: Float64Array,
): void {
  const { count, vertexPiece } = findMeshPieces(mesh, topology);
  const held = new Uint8Array(count);
  for (let v = 0; v < mesh.vertexCount; v++)
    if ((mesh.vertexOnSurface[v] & ON_VESSEL) !== 0 || isNozzle[v] === 1)
      if (vertexPiece[v] >= 0) held[vertexPiece[v]] = 1;
  for (let v = 0; v < mesh.vertexCount; v++)
    if (vertexPiece[v] >= 0 && held[vertexPiece[v]] === 0) outAcceleration.set(gravity, 3 * v);
}

/**
 * The liquid may cross `cfl` cells per step, at the speed it will have reached on the way if it goes on getting faster as it does; and a step sees gravity's waves.
 * Viscosity and surface tension bound nothing: they are implicit.
 */
function stableTimeStep(model: ViscousModel, state: ViscousState): number {
  const reach = model.options.cfl * model.lattice.size;
  const emitted = model.emitters.map((e, n) => e.flowAt(state.time) / model.emitterSection[n]);
  const speed = Math.max(measureMaxSpeed(state), state.derived.surroundings.topSpeed, ...emitted);
  const g = Math.hypot(...model.gravity);
  const pull = Math.min(g, state.time > 0 ? measureTopAcceleration(state) : g);
  // speed t + pull t^2 / 2 = reach
  const crossing = (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * pull * reach));
  const waves = Math.max(
    WAVE_STEP * Math.sqrt(model.lattice.size / g),
    DAMPED_STEP * Math.cbrt(model.leastViscosity / model.density / (g * g)),
  );
  return Math.min(crossing || Number.POSITIVE_INFINITY, waves);
}

/** Greatest acceleration of a vertex over the last step, m/s^2. */
function measureTopAcceleration({ derived, mesh }: ViscousState): number {
  const a = derived.rates.acceleration;
  let most = 0;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3)
    most = Math.max(most, a[v] * a[v] + a[v + 1] * a[v + 1] + a[v + 2] * a[v + 2]);
  return Math.sqrt(most);
}
