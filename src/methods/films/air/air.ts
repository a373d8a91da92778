/**
 * The air around one sheet of fixed topology: what a stage of time integration asks for. All arrays live in a
 * scope that ends with the step.
 *
 *   kick   potential_i -= dt p_i / rho     (14.9), and damping
 *   move   velocities of the vertices from the potentials
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Threads } from '../../../core/threads/task.ts';
import type { Seconds } from '../../../core/types.ts';
import { computeNearPairs, findNearPairs, type NearPairs } from '../../../integrals/panels/near-pairs.ts';
import type { Sheet } from '../circulation/sheet.ts';
import { imposeWires, type WireSolve } from '../wires/wire-solve.ts';
import { addDamping, computeDiffusion } from './damping.ts';
import type { FilmSums } from './sums.ts';
import {
  computePressure,
  computeVertexGradients,
  createVertexGradients,
  type VertexGradients,
} from './tension.ts';
import {
  computeFlux,
  computeMiddles,
  computeStrength,
  computeVectorPotential,
  createFaceFields,
  type FaceFields,
  imposeFlux,
} from './velocity.ts';

export interface AirConstants {
  /** Film tension, N/m: twice that of the liquid. */
  readonly tension: number;
  /** kg/m^3 */
  readonly density: number;
  /** Diffusion of circulation along the films, m^2/s */
  readonly damping: number;
  /** Decay of all circulation, 1/s */
  readonly drag: number;
  /** Regularisation of the Biot-Savart sum, m */
  readonly blur: number;
}

export interface Air {
  readonly sheet: Sheet;
  readonly constants: AirConstants;
  readonly gradients: VertexGradients;
  readonly fields: FaceFields;
  /** (entries) Pa */
  readonly pressure: Float64Array;
  /** (entries) m^3/s */
  readonly flux: Float64Array;
  /** (vertices x 3) m/s */
  readonly velocity: Float64Array;
  readonly threads: Threads;
  readonly sums: FilmSums;
  readonly scope: HeapScope;
  near: NearPairs | undefined;
  /** What wires hold. */
  hold: HeldVertices | undefined;
  /** How the wires' circulations were found, in each evaluation of the velocity. */
  readonly wireSolves: WireSolve[];
  /** Adds the velocity of sources at these positions. */
  addSources: ((position: Float64Array, velocity: Float64Array) => void) | undefined;
}

export interface HeldVertices {
  /** Packed vertices that wires move, and how fast (x 3) m/s. */
  readonly vertex: Int32Array;
  readonly velocity: Float64Array;
  /** Places in `vertex` with regions that no opening meets: their circulation follows from their motion. */
  readonly wired: Int32Array;
}

export function createAir(
  sheet: Sheet,
  constants: AirConstants,
  sums: FilmSums,
  threads: Threads,
  scope: HeapScope,
): Air {
  return {
    sheet,
    constants,
    gradients: createVertexGradients(sheet, scope),
    fields: createFaceFields(sheet, scope),
    pressure: scope.f64(sheet.entryCount),
    flux: scope.f64(sheet.entryCount),
    velocity: scope.f64(3 * sheet.vertexCount),
    threads,
    sums,
    scope,
    near: undefined,
    hold: undefined,
    wireSolves: [],
    addSources: undefined,
  };
}

/** Gradients of area and volumes at the sheet's present positions; everything else builds on them. */
export function updateGradients(air: Air): void {
  const { sheet, gradients, threads, constants } = air;
  computeVertexGradients(threads, { sheet, gradients });
  computePressure(threads, { sheet, gradients, tension: constants.tension, out: air.pressure });
}

/** Tension and damping act on the circulation for dt (15.1). */
export function kick(air: Air, dt: Seconds): void {
  const { sheet, pressure, constants, threads } = air;
  const { potential } = sheet;
  const rate = dt / constants.density;
  for (let n = 0; n < sheet.entryCount; n++) potential[n] -= rate * pressure[n];
  clearRims(sheet);
  addDamping(sheet, constants.damping, constants.drag, dt, threads, air.flux, potential);
  clearRims(sheet);
}

/** The same as a rate, m^2/s^2 per entry. */
export function setPotentialRate(air: Air, rate: Float64Array): void {
  const { sheet, pressure, constants, threads } = air;
  computeDiffusion(threads, { sheet, potential: sheet.potential, rate: air.flux });
  for (let n = 0; n < sheet.entryCount; n++)
    rate[n] =
      constants.damping * air.flux[n] - pressure[n] / constants.density - constants.drag * sheet.potential[n];
  for (let v = 0; v < sheet.vertexCount; v++) {
    if (!sheet.isRim[v]) continue;
    const common = computeRimMean(rate, sheet.isOpen, sheet.entryStart[v], sheet.entryStart[v + 1]);
    for (let n = sheet.entryStart[v]; n < sheet.entryStart[v + 1]; n++)
      rate[n] = sheet.isOpen[n] ? 0 : rate[n] - common;
  }
}

/**
 * Rims carry no circulation: the air is one around them, so its potential is the same on both sides (15.6).
 * That goes for the regions that the opening meets. A bubble that touches the wire keeps the difference of
 * its potential to theirs, of which a constant is arbitrary while the bubble is closed: taken for none, all
 * of it would become a vortex along the wire.
 */
export function clearRims({ potential, isRim, isOpen, entryStart, vertexCount }: Sheet): void {
  for (let v = 0; v < vertexCount; v++) {
    if (!isRim[v]) continue;
    const common = computeRimMean(potential, isOpen, entryStart[v], entryStart[v + 1]);
    for (let n = entryStart[v]; n < entryStart[v + 1]; n++)
      potential[n] = isOpen[n] ? 0 : potential[n] - common;
  }
}

/** Mean over the entries that an opening meets, of those in [first, last). */
function computeRimMean(value: Float64Array, isOpen: Uint8Array, first: number, last: number): number {
  let sum = 0;
  let count = 0;
  for (let n = first; n < last; n++) {
    if (!isOpen[n]) continue;
    sum += value[n];
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/** Velocities of all vertices (15.4), with wires (15.6) and sources. */
export function move(air: Air): void {
  const { sheet, gradients, fields, threads, flux, velocity } = air;
  computeMiddles(threads, { sheet, middle: fields.middle });
  air.near ??= findNearPairs(sheet.corner, sheet.position, fields.middle, threads, air.scope);
  computeNearPairs(air.near, sheet.corner, sheet.position, threads);
  computeAllFlux(air);
  if (air.hold && air.hold.wired.length > 0) {
    const solve = imposeWires(air, air.hold, () => computeAllFlux(air));
    if (solve) air.wireSolves.push(solve);
  }
  air.sums.addUpVelocity(fields.middle, fields.strength, sheet.position, air.constants.blur, velocity);
  imposeFlux(threads, { sheet, gradients, flux, velocity });
  air.addSources?.(sheet.position, velocity);
  if (air.hold) setHeldVelocities(air.hold, velocity);
}

function computeAllFlux(air: Air): void {
  const { sheet, fields, threads, flux } = air;
  computeStrength(threads, { sheet, potential: sheet.potential, strength: fields.strength });
  computeVectorPotential(fields, air.near!, air.sums, threads);
  computeFlux(threads, { sheet, vectorPotential: fields.vectorPotential, flux });
}

function setHeldVelocities({ vertex, velocity }: HeldVertices, out: Float64Array): void {
  for (let n = 0; n < vertex.length; n++)
    for (let k = 0; k < 3; k++) out[3 * vertex[n] + k] = velocity[3 * n + k];
}

/** rho/2 sum potential W, J: after `move`. */
export function measureKineticEnergy(air: Air): number {
  const { strength, vectorPotential } = air.fields;
  let sum = 0;
  for (let n = 0; n < strength.length; n++) sum += strength[n] * vectorPotential[n];
  return 0.5 * air.constants.density * sum;
}
