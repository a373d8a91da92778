/**
 * Areas, normals and volumes of the finite-volume mesh ([chentanez-2007] 3.1, eq. (8)), on all threads.
 * A face's area vector points out of faceToTet[2f].
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';

export interface FaceGeometry {
  /** (faceCount x 3) area times unit normal, m^2 */
  readonly areaVector: Float64Array;
  /** (faceCount) m^2 */
  readonly area: Float64Array;
  /** (tetCount) m^3 */
  readonly volume: Float64Array;
}

const GRAIN = 4096;

const faceTask = defineTask(
  'lattice.faceAreas',
  (
    begin: number,
    end: number,
    position: Float64Array,
    faceVertex: Int32Array,
    areaVector: Float64Array,
    area: Float64Array,
  ) => {
    for (let f = begin; f < end; f++) {
      const a = 3 * faceVertex[3 * f];
      const b = 3 * faceVertex[3 * f + 1];
      const c = 3 * faceVertex[3 * f + 2];
      const ux = position[b] - position[a];
      const uy = position[b + 1] - position[a + 1];
      const uz = position[b + 2] - position[a + 2];
      const vx = position[c] - position[a];
      const vy = position[c + 1] - position[a + 1];
      const vz = position[c + 2] - position[a + 2];
      const x = 0.5 * (uy * vz - uz * vy);
      const y = 0.5 * (uz * vx - ux * vz);
      const z = 0.5 * (ux * vy - uy * vx);
      areaVector[3 * f] = x;
      areaVector[3 * f + 1] = y;
      areaVector[3 * f + 2] = z;
      area[f] = Math.sqrt(x * x + y * y + z * z);
    }
  },
);

const volumeTask = defineTask(
  'lattice.tetVolumes',
  (begin: number, end: number, position: Float64Array, tet: Int32Array, volume: Float64Array) => {
    for (let t = begin; t < end; t++) {
      const a = 3 * tet[4 * t];
      const b = 3 * tet[4 * t + 1];
      const c = 3 * tet[4 * t + 2];
      const d = 3 * tet[4 * t + 3];
      const ux = position[b] - position[a];
      const uy = position[b + 1] - position[a + 1];
      const uz = position[b + 2] - position[a + 2];
      const vx = position[c] - position[a];
      const vy = position[c + 1] - position[a + 1];
      const vz = position[c + 2] - position[a + 2];
      const wx = position[d] - position[a];
      const wy = position[d + 1] - position[a + 1];
      const wz = position[d + 2] - position[a + 2];
      volume[t] = (ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx)) / 6;
    }
  },
);

export function buildFaceGeometry(
  mesh: TetMesh,
  topology: TetTopology,
  threads: Threads,
  scope: HeapScope,
): FaceGeometry {
  const areaVector = scope.f64(3 * topology.faceCount);
  const area = scope.f64(topology.faceCount);
  const volume = scope.f64(mesh.tetCount);
  threads.run(faceTask, topology.faceCount, GRAIN, mesh.position, topology.faceVertex, areaVector, area);
  threads.run(volumeTask, mesh.tetCount, GRAIN, mesh.position, mesh.tet, volume);
  return { areaVector, area, volume };
}
