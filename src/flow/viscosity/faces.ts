/**
 * Between normal velocities on faces and vectors at vertices ([batty-houston-2011] 5). H, eq. (9), fits to
 * each vertex the vector whose components along the normals of the faces around it are closest to the faces'
 * own; only faces of tets with liquid count. H^T hands a force at a vertex back to those faces: what it does
 * in work at the faces is what it does at the vertex.
 *
 * The matrix is never formed: N^T N at the vertices and the normals are enough.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { invertBlock } from '../../linalg/block/invert-block.ts';
import { setNormal } from '../../math/triangle.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';
import { LEAST_LIQUID } from './domain.ts';

export interface FaceMap {
  readonly mesh: TetMesh;
  readonly topology: TetTopology;
  /** (faceCount x 3) unit, out of faceToTet[2f] */
  readonly normal: Float64Array;
  /** (faceCount) 1 where a tet beside the face has liquid */
  readonly isLiquid: Uint8Array;
  /** (vertexCount x 9) (N^T N)^-1; 0 where the faces do not fix a vector */
  readonly inverse: Float64Array;
  /** (vertexCount + 1) first face of each vertex, and the faces, ascending */
  readonly faceStart: Int32Array;
  readonly face: Int32Array;
}

const GRAIN = 4096;

const normalTask = defineTask(
  'flow/compute-face-normals',
  { position: 'f64', faceVertex: 'i32', normal: 'f64' },
  (begin, end, { position, faceVertex, normal }) => {
    const cross = new Float64Array(3);
    for (let f = begin; f < end; f++) {
      setNormal(position, 3 * faceVertex[3 * f], 3 * faceVertex[3 * f + 1], 3 * faceVertex[3 * f + 2], cross);
      const { 0: nx, 1: ny, 2: nz } = cross;
      const inverse = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
      normal[3 * f] = nx * inverse;
      normal[3 * f + 1] = ny * inverse;
      normal[3 * f + 2] = nz * inverse;
    }
  },
);

const inverseTask = defineTask(
  'flow/invert-face-fits',
  { faceStart: 'i32', face: 'i32', normal: 'f64', inverse: 'f64' },
  (begin, end, { faceStart, face, normal, inverse }) => {
    const square = new Float64Array(9);
    const work = new Float64Array(24);
    for (let v = begin; v < end; v++) {
      square.fill(0);
      for (let n = faceStart[v]; n < faceStart[v + 1]; n++)
        for (let r = 0; r < 3; r++)
          for (let s = 0; s < 3; s++) square[3 * r + s] += normal[3 * face[n] + r] * normal[3 * face[n] + s];
      if (faceStart[v + 1] - faceStart[v] < 3 || !invertBlock(3, square, 0, work, 9 * v, inverse))
        inverse.fill(0, 9 * v, 9 * v + 9);
    }
  },
);

/** H. `liquid`: shares as in ViscousProblem; absent where all tets are liquid. */
export function buildFaceMap(
  threads: Threads,
  scope: HeapScope,
  mesh: TetMesh,
  topology: TetTopology,
  liquid?: Float64Array,
): FaceMap {
  const { faceCount, faceVertex, faceToTet } = topology;
  const { vertexCount, position } = mesh;
  const normal = scope.f64(3 * faceCount);
  threads.run(normalTask, faceCount, GRAIN, { position, faceVertex, normal });
  const isLiquid = scope.u8(faceCount);
  const faceStart = scope.i32(vertexCount + 1);
  const hasLiquid = (t: number) =>
    t !== NONE &&
    (!liquid || liquid[4 * t] + liquid[4 * t + 1] + liquid[4 * t + 2] + liquid[4 * t + 3] > LEAST_LIQUID);
  for (let f = 0; f < faceCount; f++) {
    if (!hasLiquid(faceToTet[2 * f]) && !hasLiquid(faceToTet[2 * f + 1])) continue;
    isLiquid[f] = 1;
    for (let k = 0; k < 3; k++) faceStart[faceVertex[3 * f + k] + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) faceStart[v + 1] += faceStart[v];
  const face = scope.i32(faceStart[vertexCount]);
  const next = Int32Array.from(faceStart);
  for (let f = 0; f < faceCount; f++)
    if (isLiquid[f] === 1) for (let k = 0; k < 3; k++) face[next[faceVertex[3 * f + k]]++] = f;
  const inverse = scope.f64(9 * vertexCount);
  threads.run(inverseTask, vertexCount, GRAIN, { faceStart, face, normal, inverse });
  return { mesh, topology, normal, isLiquid, inverse, faceStart, face };
}

const toNodesTask = defineTask(
  'flow/fit-nodes-to-faces',
  { faceStart: 'i32', face: 'i32', normal: 'f64', inverse: 'f64', faceVelocity: 'f64', out: 'f64' },
  (begin, end, { faceStart, face, normal, inverse, faceVelocity, out }) => {
    for (let v = begin; v < end; v++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let n = faceStart[v]; n < faceStart[v + 1]; n++) {
        const f = face[n];
        const u = faceVelocity[f];
        x += normal[3 * f] * u;
        y += normal[3 * f + 1] * u;
        z += normal[3 * f + 2] * u;
      }
      const o = 9 * v;
      for (let r = 0; r < 3; r++)
        out[3 * v + r] = inverse[o + 3 * r] * x + inverse[o + 3 * r + 1] * y + inverse[o + 3 * r + 2] * z;
    }
  },
);

/** v = H u, eq. (9); 0 where the faces do not fix a vector */
export function toNodes(threads: Threads, map: FaceMap, faceVelocity: Float64Array, out: Float64Array): void {
  const { faceStart, face, normal, inverse } = map;
  const values = { faceStart, face, normal, inverse, faceVelocity, out };
  threads.run(toNodesTask, map.mesh.vertexCount, GRAIN, values);
}

const toForcesTask = defineTask(
  'flow/spread-forces-to-faces',
  { faceVertex: 'i32', isLiquid: 'u8', normal: 'f64', inverse: 'f64', force: 'f64', out: 'f64' },
  (begin, end, { faceVertex, isLiquid, normal, inverse, force, out }) => {
    for (let f = begin; f < end; f++) {
      out[f] = 0;
      if (isLiquid[f] === 0) continue;
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const v = faceVertex[3 * f + k];
        for (let r = 0; r < 3; r++) {
          const o = 9 * v + 3 * r;
          const fitted =
            inverse[o] * force[3 * v] + inverse[o + 1] * force[3 * v + 1] + inverse[o + 2] * force[3 * v + 2];
          sum += normal[3 * f + r] * fitted;
        }
      }
      out[f] = sum;
    }
  },
);

/** H^T f: forces at vertices, as forces on faces */
export function toFaceForces(threads: Threads, map: FaceMap, force: Float64Array, out: Float64Array): void {
  const { topology, isLiquid, normal, inverse } = map;
  const values = { faceVertex: topology.faceVertex, isLiquid, normal, inverse, force, out };
  threads.run(toForcesTask, topology.faceCount, GRAIN, values);
}

const toFacesTask = defineTask(
  'flow/average-nodes-to-faces',
  { faceVertex: 'i32', isLiquid: 'u8', normal: 'f64', node: 'f64', keep: 'number', out: 'f64' },
  (begin, end, { faceVertex, isLiquid, normal, node, keep, out }) => {
    for (let f = begin; f < end; f++) {
      if (isLiquid[f] === 0) continue;
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const v = 3 * faceVertex[3 * f + k];
        sum += normal[3 * f] * node[v] + normal[3 * f + 1] * node[v + 1] + normal[3 * f + 2] * node[v + 2];
      }
      out[f] = keep * out[f] + sum / 3;
    }
  },
);

/** Adds what a change at vertices is along the faces' normals: the FLIP-like transfer of 5.2. */
export function addToFaces(threads: Threads, map: FaceMap, change: Float64Array, out: Float64Array): void {
  const { topology, isLiquid, normal } = map;
  const values = { faceVertex: topology.faceVertex, isLiquid, normal, node: change, keep: 1, out };
  threads.run(toFacesTask, topology.faceCount, GRAIN, values);
}

/** Sets faces from vertices: the PIC transfer of 5.2. */
export function setFaces(threads: Threads, map: FaceMap, node: Float64Array, out: Float64Array): void {
  const { topology, isLiquid, normal } = map;
  const values = { faceVertex: topology.faceVertex, isLiquid, normal, node, keep: 0, out };
  threads.run(toFacesTask, topology.faceCount, GRAIN, values);
}
