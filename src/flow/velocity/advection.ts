/**
 * Advection of the face-normal velocities and body forces ([chentanez-2007] 3.1, eqs. (3) and (4)).
 *
 * Leapfrog. The paper's splitting is first order in time: a ball falls behind its parabola by g t dt / 2. Its
 * velocities are right, though, for the instant half a step later. We take them for that: surface and
 * pressure live at t, velocities at t + dt/2 (`LiquidState.lead`), and each step moves both with the velocity
 * of its own middle. So a ball keeps to its parabola and a wave neither grows nor decays; moving only the
 * paths ahead by dt/2 a would do the first, but cost waves a share pi/2 omega dt of their amplitude per
 * period. Where the step's length changes, (dt - last dt)/2 times the rate of change makes up for it; at the
 * start, dt/2 times the acceleration of rest.
 *
 * Free faces. There are about twice as many as vertices on the free surface, so half of the patterns their
 * velocities can form move no vertex: no wave comes of them, gravity does not bring them to rest, and
 * whatever noise feeds them adds up. The velocity of a free face is drawn to that of its vertices, by a share
 * that goes with dt, so that waves lose the same in a period whatever the step.
 */

import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import { ON_LIQUID } from '../../mesh/lattice/lattice.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';
import { AREA } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { type MeshVelocity, VelocitySampler, velocityRecord, velocityValues } from './mesh-velocity.ts';

/**
 * Rate, in sqrt(g/h), at which free faces are drawn to their vertices. Waves of 24 cells then lose 0.16 to
 * 0.26 % of their height a period, at depth 6.2 0.18, and 0.11 without; speeds in still pools stay at 1e-6
 * sqrt(gH), and rise to 2e-5 without.
 */
const DRAW = 0.5;
const GRAIN = 1024;

const advectFaces = defineTask(
  'flow/advect-faces',
  {
    flow: velocityRecord,
    dt: 'number',
    position: 'f64',
    faceVertex: 'i32',
    faceForm: 'i32',
    form: 'f64',
    faceToTet: 'i32',
    vertexOnSurface: 'u8',
    draw: 'number',
    pressure: 'f64',
    outAdvected: 'f64',
    outFormer: 'f64',
    outPressure: 'f64',
  },
  (begin, end, values) => {
    const { dt, position, faceVertex, faceForm, form, faceToTet, vertexOnSurface, draw } = values;
    const { pressure, outAdvected, outFormer, outPressure } = values;
    const flow = new VelocitySampler(values.flow);
    for (let f = begin; f < end; f++) {
      const a = 3 * faceVertex[3 * f];
      const b = 3 * faceVertex[3 * f + 1];
      const c = 3 * faceVertex[3 * f + 2];
      const x = (position[a] + position[b] + position[c]) / 3;
      const y = (position[a + 1] + position[b + 1] + position[c + 1]) / 3;
      const z = (position[a + 2] + position[b + 2] + position[c + 2]) / 3;
      const row = faceForm[f];
      const nx = form[row] / form[row + AREA];
      const ny = form[row + 1] / form[row + AREA];
      const nz = form[row + 2] / form[row + AREA];
      flow.returnToStart();
      flow.detailed(x, y, z);
      outFormer[f] = flow.x * nx + flow.y * ny + flow.z * nz;
      outPressure[f] = flow.blendFaces(pressure);
      flow.trace(x, y, z, -dt);
      flow.detailed(flow.endX, flow.endY, flow.endZ);
      outAdvected[f] = flow.x * nx + flow.y * ny + flow.z * nz;
      if (faceToTet[2 * f + 1] !== NONE) continue;
      const on = vertexOnSurface[a / 3] & vertexOnSurface[b / 3] & vertexOnSurface[c / 3];
      if ((on & ON_LIQUID) === 0) continue;
      flow.smooth(flow.endX, flow.endY, flow.endZ);
      outAdvected[f] += draw * (flow.x * nx + flow.y * ny + flow.z * nz - outAdvected[f]);
    }
  },
);

export interface Advected {
  /**
   * (faceCount) u*: the old velocity at the start of the path that ends at the face, m/s; free faces are
   * drawn to their vertices
   */
  readonly velocity: Float64Array;
  /** (faceCount) the old velocity at the face itself, m/s */
  readonly former: Float64Array;
  /**
   * (faceCount) p dt / rho with the old pressure at the face, m^2/s: where the search for the new one begins
   */
  readonly formerPressure: Float64Array;
}

/** u* on the faces of the new mesh, eq. (3). */
export function advectVelocity(
  model: LiquidModel,
  { facePressure, pressureStep }: Pick<LiquidState, 'facePressure' | 'pressureStep'>,
  flow: MeshVelocity,
  parts: MeshParts,
  dt: Seconds,
  scope: HeapScope,
  scratch: HeapScope,
): Advected {
  const { mesh, topology, geometry } = parts;
  const velocity = scope.f64(topology.faceCount);
  const former = scratch.f64(topology.faceCount);
  const formerPressure = scratch.f64(topology.faceCount);
  const { faceForm, form } = geometry;
  const draw = Math.min(1, DRAW * dt * Math.sqrt(Math.hypot(...model.gravity) / model.lattice.size));
  const { faceVertex, faceToTet } = topology;
  const { position, vertexOnSurface } = mesh;
  const faces = { position, faceVertex, faceForm, form, faceToTet, vertexOnSurface, draw };
  const out = { outAdvected: velocity, outFormer: former, outPressure: formerPressure };
  const values = { flow: velocityValues(flow), dt, ...faces, pressure: facePressure, ...out };
  model.threads.run(advectFaces, topology.faceCount, GRAIN, values);
  for (let f = 0; f < formerPressure.length; f++) formerPressure[f] *= dt / pressureStep;
  return { velocity, former, formerPressure };
}

/** u** = u* + dt g, eq. (4). */
export function addBodyForce(
  gravity: Vec3,
  parts: MeshParts,
  dt: Seconds,
  outFaceVelocity: Float64Array,
): void {
  const { faceForm, form } = parts.geometry;
  for (let f = 0; f < faceForm.length; f++) {
    const row = faceForm[f];
    outFaceVelocity[f] +=
      (dt * (gravity[0] * form[row] + gravity[1] * form[row + 1] + gravity[2] * form[row + 2])) /
      form[row + AREA];
  }
}

/**
 * Rate of change of the velocity at fixed places, faces or vertices, m/s^2. (Not of the liquid's particles:
 * that field is not free of divergence, and a surface that followed it would gain volume.)
 */
export function computeAcceleration(
  former: Float64Array,
  velocity: Float64Array,
  dt: Seconds,
  scope: HeapScope,
): Float64Array {
  const out = scope.f64(velocity.length);
  for (let f = 0; f < out.length; f++) out[f] = (velocity[f] - former[f]) / dt;
  return out;
}
