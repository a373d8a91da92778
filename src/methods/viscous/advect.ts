/**
 * Semi-Lagrangian advection of what vertices carry: velocity, pressure as a first guess, materials. The field
 * between vertices is linear, and so is a rigid motion: it passes from mesh to mesh unchanged, which
 * velocities on faces would not.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
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

/**
 * What the vertices of the new mesh get from the old flow: its velocity where the path that ends at them
 * began, and others.
 */
const advectedRecord = defineRecord('advected vertices', {
  velocity: { type: 'f64', per: 'vertex', stride: 3, unit: 'm/s', meaning: 'u*: where the path began' },
  expected: { type: 'f64', per: 'vertex', stride: 3, unit: 'm/s', meaning: 'as if it went on changing' },
  former: { type: 'f64', per: 'vertex', stride: 3, unit: 'm/s', meaning: 'at the vertex itself' },
  pressure: { type: 'f64', per: 'vertex', unit: 'Pa', meaning: 'the old one there' },
  share: { type: 'f64', meaning: '(vertices x materials) empty where there is one material' },
});
export type AdvectedVertices = ValuesOf<typeof advectedRecord>;

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
    out: advectedRecord,
  },
  (begin, end, { flow: values, dt, materials, position, acceleration, pressure, share, out }) => {
    const { velocity: outVelocity, former: outFormer, expected: outExpected } = out;
    const flow = new VelocitySampler(values);
    for (let v = begin; v < end; v++) {
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      flow.returnToStart();
      flow.smooth(x, y, z);
      outFormer[3 * v] = flow.x;
      outFormer[3 * v + 1] = flow.y;
      outFormer[3 * v + 2] = flow.z;
      flow.blendCorners(pressure, 1, out.pressure, v);
      flow.trace(x, y, z, -dt);
      flow.smooth(flow.endX, flow.endY, flow.endZ);
      outVelocity[3 * v] = flow.x;
      outVelocity[3 * v + 1] = flow.y;
      outVelocity[3 * v + 2] = flow.z;
      flow.blendCorners(acceleration, 3, outExpected, 3 * v);
      for (let n = 3 * v; n < 3 * v + 3; n++) outExpected[n] = outVelocity[n] + dt * outExpected[n];
      if (materials > 1 && !flow.blendCorners(share, materials, out.share, materials * v))
        out.share[materials * v] = -1; // nowhere near the old mesh
    }
  },
);

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
    out,
  });
  return out;
}
