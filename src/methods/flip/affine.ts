/**
 * APIC transfers (Jiang, Schroeder, Selle, Teran and Stomakhin 2015): particles carry the gradient of the
 * velocity beside it, and nodes gather both with the weights by which particles read them, the barycentric
 * ones of their tets. So a transfer to the nodes and back changes no velocity that is linear, and neither
 * momentum nor angular momentum of any.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { listMembers } from './density.ts';
import { type FlipMesh, type Located, meshRecord } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { FlipState } from './state.ts';
import { extendOutward, type NodeVelocity } from './transfer.ts';

const NODE_GRAIN = 1024;

const gatherAffine = defineTask(
  'flip/gather-affine',
  {
    mesh: meshRecord,
    start: 'i32',
    member: 'i32',
    barycentric: 'f64',
    position: 'f64',
    volume: 'f64',
    velocity: 'f64',
    affine: 'f64',
    outVelocity: 'f64',
    outKnown: 'u8',
  },
  (begin, end, values) => {
    const { mesh, start, member, barycentric, position, volume, velocity, affine } = values;
    const { outVelocity, outKnown } = values;
    const { node, corner, cornerStart } = mesh;
    const sum = new Float64Array(3);
    for (let v = begin; v < end; v++) {
      let weight = 0;
      sum.fill(0);
      for (let c = cornerStart[v]; c < cornerStart[v + 1]; c++) {
        const t = corner[c] >> 2;
        const i = corner[c] & 3;
        for (let m = start[t]; m < start[t + 1]; m++) {
          const p = member[m];
          const w = volume[p] * barycentric[4 * p + i];
          weight += w;
          const x = node[3 * v] - position[3 * p];
          const y = node[3 * v + 1] - position[3 * p + 1];
          const z = node[3 * v + 2] - position[3 * p + 2];
          for (let a = 0; a < 3; a++) {
            const o = 9 * p + 3 * a;
            sum[a] += w * (velocity[3 * p + a] + affine[o] * x + affine[o + 1] * y + affine[o + 2] * z);
          }
        }
      }
      outKnown[v] = weight > 0 ? 1 : 0;
      for (let a = 0; a < 3; a++) outVelocity[3 * v + a] = weight > 0 ? sum[a] / weight : 0;
    }
  },
);

/**
 * Velocities at the nodes of particles' tets, carried on by a number of layers. `free`: particles that do not
 * count.
 */
export function gatherAffineToNodes(
  { threads }: FlipModel,
  mesh: FlipMesh,
  { position, volume, velocity, affine }: Pick<FlipState, 'position' | 'volume' | 'velocity' | 'affine'>,
  { tet, barycentric }: Located,
  free: Uint8Array,
  layers: number,
  scope: HeapScope,
): NodeVelocity {
  const { vertexCount, tetCount } = mesh.background;
  const { start, member } = listMembers(tet, free, tetCount, scope);
  const outVelocity = scope.f64(3 * vertexCount);
  const outKnown = scope.u8(vertexCount);
  threads.run(gatherAffine, vertexCount, NODE_GRAIN, {
    mesh: mesh.values,
    start,
    member,
    barycentric,
    position,
    volume,
    velocity,
    affine,
    outVelocity,
    outKnown,
  });
  return extendOutward(threads, mesh, { velocity: outVelocity, known: outKnown }, layers, scope);
}
