/**
 * The ledger of a step (methods/ledger.ts): what its stages did to volume and energy.
 *
 * Volume. transport: the old surface with all its vertices moved by the flow, against the flux of that flow:
 * what moving a triangulation by a velocity field in finite steps makes of it. contouring: the new contour
 * against the moved surface, apart from what was to come or go there (emitters are filled again by the
 * contour, not by the flow alone). correction: what the shifts to the pieces' targets add. dropped: pieces
 * that leave the surface as droplets, less what droplets gain; and droplets that go back, whose volume
 * `correction` then brings.
 *
 * Energy, of the projection that ends the step (its velocities lead by half a step, which `numerics` bears).
 * walls: pressure times the flux of moving solids. sources: emitters bring liquid at their nozzle's speed and
 * push it with its pressure; drains take it as it is where they are.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import { measureSurface } from '../../tracking/contouring/surface.ts';
import { readMouth } from '../boundary/nozzles.ts';
import { AREA } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { type Conditions, computeCellVelocity, WALL } from '../pressure/pressure.ts';
import { advectPoints } from '../velocity/advect-points.ts';
import type { MeshVelocity } from '../velocity/mesh-velocity.ts';
import { sumDroplets } from '../volume/droplets.ts';
import type { Kept } from '../volume/fragments.ts';
import type { PieceBooks } from '../volume/keep-volumes.ts';
import type { LiquidModel } from './model.ts';
import type { LiquidState } from './state.ts';

/** What the flow does to the old surface, m^3. */
export interface Transport {
  /** Volume of the old surface with its vertices moved by the flow. */
  readonly moved: number;
  /**
   * What flows out of the old mesh in the step, through walls and free faces: what sources bring less what
   * drains take.
   */
  readonly flux: number;
}

export function measureTransport(
  model: LiquidModel,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  scratch: HeapScope,
): Transport {
  const { surface } = state;
  const moved = scratch.f64(Math.max(1, 3 * surface.vertexCount));
  advectPoints(model, flow, dt, surface.position, surface.vertexCount, moved);
  // An embedded mesh does not end where the liquid does: what sources bring is what should flow out of it.
  const flux = state.derived.embedding
    ? measureEmitted(model, state.time, state.time + dt).volume - state.drainFlow * dt
    : dt * measureOutflow(flow);
  return { moved: measureSurface({ ...surface, position: moved }).volume, flux };
}

/** Out of the mesh, m^3/s. */
function measureOutflow({ topology, geometry, faceVelocity }: MeshVelocity): number {
  const { faceCount, faceToTet } = topology;
  const { form, faceForm } = geometry;
  let rate = 0;
  for (let f = 0; f < faceCount; f++)
    if (faceToTet[2 * f + 1] === NONE) rate += form[faceForm[f] + AREA] * faceVelocity[f];
  return rate;
}

/**
 * Work of moving solids, and what emitters and drains bring and take, over the step that a projection ends.
 */
export function measureEnergy(
  model: LiquidModel,
  { mesh, topology, geometry }: MeshParts,
  { kind, wallVelocity, fixed, source }: Conditions,
  facePressure: Float64Array,
  faceVelocity: Float64Array,
  dt: Seconds,
  scratch: HeapScope,
): { walls: number; sources: number; sourcePotential: number } {
  const { density } = model;
  const { faceCount, faceToTet, tetToFace } = topology;
  const energy = { walls: 0, sources: 0, sourcePotential: 0 };
  for (let f = 0; f < faceCount; f++) {
    if (kind[f] !== WALL || wallVelocity[f] === 0) continue;
    // Along the face's area vector, out of its first tet; the wall works on the liquid where it moves in.
    const work = density * facePressure[f] * geometry.form[geometry.faceForm[f] + AREA] * wallVelocity[f];
    if (faceToTet[2 * f + 1] === NONE) energy.walls -= work;
    else energy.sources -= fixed[faceToTet[2 * f]] === 1 ? -work : work;
  }
  if (model.drains.length === 0) return energy;
  const velocity = scratch.f64(Math.max(1, 3 * mesh.tetCount));
  computeCellVelocity(mesh, topology, geometry, faceVelocity, model.threads, velocity);
  const drained = measureDrained(model, { mesh, geometry }, source, dt, (t) => {
    let pressure = 0;
    for (let i = 0; i < 4; i++) pressure += facePressure[tetToFace[4 * t + i]] / 4;
    const speed = Math.hypot(velocity[3 * t], velocity[3 * t + 1], velocity[3 * t + 2]);
    return { pressure: (density * pressure) / dt, speed };
  });
  return { ...energy, sources: energy.sources + drained.sources, sourcePotential: drained.sourcePotential };
}

/** What drains take in dt, J: the liquid as it is in their tets, with the work of its pressure (Pa). */
export function measureDrained(
  { density, gravity }: Pick<LiquidModel, 'density' | 'gravity'>,
  { mesh, geometry, embedding }: Pick<MeshParts, 'mesh' | 'geometry' | 'embedding'>,
  source: Float64Array,
  dt: Seconds,
  readTet: (t: number) => { readonly pressure: number; readonly speed: number },
): { sources: number; sourcePotential: number } {
  const sum = { sources: 0, sourcePotential: 0 };
  for (let t = 0; t < source.length && t < mesh.tetCount; t++) {
    if (source[t] === 0) continue;
    const volume = source[t] * geometry.volume[t] * (embedding ? embedding.fraction[t] : 1) * dt;
    let height = 0;
    for (let i = 0; i < 4; i++)
      for (let a = 0; a < 3; a++) height -= (gravity[a] * mesh.position[3 * mesh.tet[4 * t + i] + a]) / 4;
    const { pressure, speed } = readTet(t);
    sum.sources += volume * (0.5 * density * speed * speed + pressure);
    sum.sourcePotential += density * volume * height;
  }
  return sum;
}

/**
 * Kinetic and potential energy of what the emitters brought between two times, J: at the speed of flow over
 * section, at the nozzle's mouth; with what it took to speed up their plugs.
 */
function measureEmitted(
  { emitters, emitterSection, density, gravity }: LiquidModel,
  from: Seconds,
  to: Seconds,
): { volume: number; kinetic: number; potential: number } {
  const sum = { volume: 0, kinetic: 0, potential: 0 };
  emitters.forEach((emitter, n) => {
    const volume = emitter.emittedUntil(to) - emitter.emittedUntil(from);
    const section = emitterSection[n];
    const start = readMouth(emitter, section, gravity, from);
    const { length, ...end } = readMouth(emitter, section, gravity, to);
    const { direction, carry, potential } = readMouth(emitter, section, gravity, (from + to) / 2);
    const speed = volume / (to - from) / section;
    const velocity = direction.map((d, a) => speed * d + carry[a]);
    sum.volume += volume;
    sum.kinetic += 0.5 * density * volume * Math.hypot(...velocity) ** 2;
    sum.potential += density * volume * potential;
    // The plug in the nozzle changes its speed with the flow, and rises and falls with it; let go, it keeps
    // it.
    if (to >= emitter.shutFrom) return;
    const plug = density * length * section;
    sum.kinetic += 0.5 * plug * (Math.hypot(...end.velocity) ** 2 - Math.hypot(...start.velocity) ** 2);
    sum.potential += plug * (end.potential - start.potential);
  });
  return sum;
}

/** What a step did to volume, m^3, and energy, J, by cause: the terms of methods/ledger.ts. */
export interface LiquidLedger {
  readonly volume: Readonly<
    Record<'emitted' | 'drained' | 'transport' | 'contouring' | 'dropped' | 'correction', number>
  >;
  readonly energy: Readonly<Record<'walls' | 'sources' | 'sourcePotential', number>> & {
    readonly rest: 'numerics';
  };
}

/** The ledger of a step that ends at `time`; `state` is still the old one. */
export function buildLedger(
  model: LiquidModel,
  state: LiquidState,
  time: Seconds,
  { moved, flux }: Transport,
  books: PieceBooks,
  kept: Kept,
  energy: ReturnType<typeof measureEnergy>,
): LiquidLedger {
  const before = state.derived.integrals.volume;
  const emitted = measureEmitted(model, state.time, time);
  const drained = -books.drained;
  const droplets = sumDroplets(kept.droplets) - sumDroplets(state.droplets);
  return {
    volume: {
      emitted: emitted.volume,
      drained,
      transport: moved - before - flux,
      contouring: books.contoured - moved - (emitted.volume + drained - flux),
      dropped: droplets - kept.droppedVolume,
      correction: books.shifted,
    },
    energy: {
      walls: energy.walls,
      sources: energy.sources + emitted.kinetic,
      sourcePotential: energy.sourcePotential + emitted.potential,
      rest: 'numerics',
    },
  };
}
