/**
 * Semi-Lagrangian advection of what vertices carry: velocity, pressure as a first guess, materials. The field between vertices is linear, and so
 * is a rigid motion: it passes from mesh to mesh unchanged, which velocities on faces would not.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import {
  type MeshVelocity,
  VelocitySampler,
  velocityRecord,
  velocityValues,
} from '../../flow/velocity/mesh-velocity.ts';
import type { ViscousModel } from './model.ts';
import type { ViscousState } from './state.ts';

const GRAIN = 512;

const advectTask = defineTask(
  'viscous/advect-vertices',
  {
    flow: velocityRecord,
    dt: 'number',
    materials: 'number',
    position: 'f64',
    acceleration: 'f64',
    pressure: 'f64',
    share: 'f64',
    outVelocity: 'f64',
    outFormer: 'f64',
    outExpected: 'f64',
    outPressure: 'f64',
    outShare: 'f64',
  },
  (begin, end, values) => {
    const { dt, materials, position, acceleration, pressure, share } = values;
    const { outVelocity, outFormer, outExpected, outPressure, outShare } = values;
    const flow = new VelocitySampler(values.flow);
    for (let v = begin; v < end; v++) {
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      flow.returnToStart();
      flow.smooth(x, y, z);
      outFormer[3 * v] = flow.x;
      outFormer[3 * v + 1] = flow.y;
      outFormer[3 * v + 2] = flow.z;
      flow.blendCorners(pressure, 1, outPressure, v);
      flow.trace(x, y, z, -dt);
      flow.smooth(flow.endX, flow.endY, flow.endZ);
      outVelocity[3 * v] = flow.x;
      outVelocity[3 * v + 1] = flow.y;
      outVelocity[3 * v + 2] = flow.z;
      flow.blendCorners(acceleration, 3, outExpected, 3 * v);
      for (let n = 3 * v; n < 3 * v + 3; n++) outExpected[n] = outVelocity[n] + dt * outExpected[n];
      if (materials > 1 && !flow.blendCorners(share, materials, outShare, materials * v))
        outShare[materials * v] = -1; // nowhere near the old mesh
    }
  },
);

/** What the vertices of the new mesh get from the old flow. */
export interface AdvectedVertices {
  /** (vertexCount x 3) u*, m/s: the old velocity where the path that ends at the vertex began */
  readonly velocity: Float64Array;
  /** (vertexCount x 3) what the velocity would be if it went on changing as before, m/s */
  readonly expected: Float64Array;
  /** (vertexCount x 3) the old velocity at the vertex itself, m/s */
  readonly former: Float64Array;
  /** (vertexCount) the old pressure there, Pa */
  readonly pressure: Float64Array;
  /** (vertexCount x materials) empty where there is one material */
  readonly share: Float64Array;
}

export function advectVertices(
  model: ViscousModel,
  state: ViscousState,
  flow: MeshVelocity,
  { mesh }: MeshParts,
  dt: Seconds,
  scope: HeapScope,
): AdvectedVertices {
  const { vertexCount, position } = mesh;
  const materials = model.laws.length;
  const out = {
    velocity: scope.f64(3 * vertexCount),
    former: scope.f64(3 * vertexCount),
    expected: scope.f64(3 * vertexCount),
    pressure: scope.f64(vertexCount),
    share: scope.f64(materials > 1 ? materials * vertexCount : 0),
  };
  model.threads.run(advectTask, vertexCount, GRAIN, {
    flow: velocityValues(flow),
    dt,
    materials,
    position,
    acceleration: state.derived.rates.acceleration,
    pressure: state.vertexPressure,
    share: state.share,
    outVelocity: out.velocity,
    outFormer: out.former,
    outExpected: out.expected,
    outPressure: out.pressure,
    outShare: out.share,
  });
  return out;
}
