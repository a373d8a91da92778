/** Advection of the face-normal velocities and body forces ([chentanez-2007] 3.1, eqs. (3) and (4)). */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type TaskArg } from '../../core/threads/task.ts';
import type { Seconds, Vec3 } from '../../core/types.ts';
import { FLOW_ARG_COUNT, type Flow, FlowSampler, flowArgs } from './flow.ts';
import type { LatticeModel } from './model.ts';
import type { MeshParts } from './state.ts';

const GRAIN = 1024;

const advectFaces = defineTask('lattice.advectFaces', (begin: number, end: number, ...args: TaskArg[]) => {
  const flow = new FlowSampler(args);
  const dt = args[FLOW_ARG_COUNT] as number;
  const position = args[FLOW_ARG_COUNT + 1] as Float64Array;
  const faceVertex = args[FLOW_ARG_COUNT + 2] as Int32Array;
  const areaVector = args[FLOW_ARG_COUNT + 3] as Float64Array;
  const area = args[FLOW_ARG_COUNT + 4] as Float64Array;
  const out = args[FLOW_ARG_COUNT + 5] as Float64Array;
  for (let f = begin; f < end; f++) {
    const a = 3 * faceVertex[3 * f];
    const b = 3 * faceVertex[3 * f + 1];
    const c = 3 * faceVertex[3 * f + 2];
    flow.trace(
      (position[a] + position[b] + position[c]) / 3,
      (position[a + 1] + position[b + 1] + position[c + 1]) / 3,
      (position[a + 2] + position[b + 2] + position[c + 2]) / 3,
      -dt,
    );
    flow.detailed(flow.endX, flow.endY, flow.endZ);
    out[f] =
      (flow.x * areaVector[3 * f] + flow.y * areaVector[3 * f + 1] + flow.z * areaVector[3 * f + 2]) / area[f];
  }
});

/** u* on the faces of the new mesh: the old velocity at the start of the path that ends there, eq. (3). */
export function advectVelocity(
  model: LatticeModel,
  flow: Flow,
  parts: MeshParts,
  dt: Seconds,
  scope: HeapScope,
): Float64Array {
  const { mesh, topology, geometry } = parts;
  const out = scope.f64(topology.faceCount);
  model.threads.run(
    advectFaces,
    topology.faceCount,
    GRAIN,
    ...flowArgs(flow),
    dt,
    mesh.position,
    topology.faceVertex,
    geometry.areaVector,
    geometry.area,
    out,
  );
  return out;
}

/** u** = u* + dt g, eq. (4). */
export function addBodyForce(gravity: Vec3, parts: MeshParts, dt: Seconds, outFaceVelocity: Float64Array): void {
  const { areaVector, area } = parts.geometry;
  for (let f = 0; f < area.length; f++) {
    outFaceVelocity[f] +=
      (dt *
        (gravity[0] * areaVector[3 * f] + gravity[1] * areaVector[3 * f + 1] + gravity[2] * areaVector[3 * f + 2])) /
      area[f];
  }
}

/** What gravity and pressure made of the advected velocity, m/s^2. */
export function computeAcceleration(
  before: Float64Array,
  after: Float64Array,
  dt: Seconds,
  scope: HeapScope,
): Float64Array {
  const out = scope.f64(after.length);
  for (let f = 0; f < out.length; f++) out[f] = (after[f] - before[f]) / dt;
  return out;
}
