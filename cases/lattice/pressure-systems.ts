/**
 * Pressure systems as the lattice method makes them, at any size: the real mesher on a column of liquid with
 * wavy free surfaces in the corner of a tank, walls where its faces lie on the tank, the free surface at its
 * true depth below the wavy one, and the velocity that a step with gravity and some shear leaves to be
 * projected.
 */
import type { HeapScope } from '../../src/core/heap.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { NONE } from '../../src/core/types.ts';
import { buildFaceGeometry, type FaceGeometry } from '../../src/flow/mesh/face-geometry.ts';
import {
  assemblePressure,
  type Conditions,
  FREE,
  type PressureSystem,
  WALL,
} from '../../src/flow/pressure/pressure.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import type { TetMesh, TetTopology } from '../../src/mesh/tetmesh.ts';
import { buildTopology } from '../../src/mesh/topology.ts';

export interface PressureProblem {
  readonly mesh: TetMesh;
  readonly topology: TetTopology;
  readonly geometry: FaceGeometry;
  readonly conditions: Conditions;
  readonly system: PressureSystem;
  /** Seconds to assemble the system. */
  readonly assemblySeconds: number;
}

/** m */
const TANK = [1.6, 0.8, 0.8];
/** Distance from a wall, in cells, that counts as on it. */
const ON_WALL = 1e-6;

const clearance = (x: number, y: number, z: number) =>
  Math.min(x, y, z, TANK[0] - x, TANK[1] - y, TANK[2] - z);

const liquid = (x: number, y: number, z: number) =>
  Math.min(
    0.5 + 0.03 * Math.sin(17 * y) + 0.04 * Math.sin(9 * z) - x,
    0.45 + 0.02 * Math.sin(23 * x + 1) + 0.02 * Math.cos(19 * y) - z,
  );

function classify(
  mesh: TetMesh,
  { faceCount, faceToTet, faceVertex }: TetTopology,
  size: number,
  scope: HeapScope,
): Conditions {
  const kind = scope.u8(faceCount);
  const depth = scope.f64(faceCount);
  const p = mesh.position;
  for (let f = 0; f < faceCount; f++) {
    if (faceToTet[2 * f + 1] !== NONE) continue;
    const [a, b, c] = [0, 1, 2].map((i) => 3 * faceVertex[3 * f + i]);
    const isWall = [a, b, c].every((v) => clearance(p[v], p[v + 1], p[v + 2]) < ON_WALL * size);
    kind[f] = isWall ? WALL : FREE;
    if (isWall) continue;
    const middle = [0, 1, 2].map((axis) => (p[a + axis] + p[b + axis] + p[c + axis]) / 3);
    depth[f] = Math.max(0, liquid(middle[0], middle[1], middle[2]));
  }
  return {
    kind,
    depth,
    lift: scope.f64(kind.length),
    former: scope.f64(kind.length),
    gap: scope.f64(kind.length),
    wallVelocity: scope.f64(faceCount),
    fixed: scope.u8(mesh.tetCount),
    source: scope.f64(mesh.tetCount),
  };
}

/** `cells` across half a metre; maxLevel as for the mesher, 0 for a uniform interior. */
export function buildPressureProblem(
  cells: number,
  maxLevel: number,
  threads: Threads,
  scope: HeapScope,
): PressureProblem {
  const size = 0.5 / cells;
  const value = (x: number, y: number, z: number) => {
    const open = clearance(x, y, z);
    return Math.min(Math.abs(open) < 1e-9 * size ? 0 : open, liquid(x, y, z));
  };
  const across = TANK.map((length) => Math.ceil(length / size - 1e-6)) as [number, number, number];
  const mesh = stuff({ value }, { origin: [0, 0, 0], size, cells: across }, { maxLevel, scope });
  const topology = buildTopology(mesh, scope);
  const geometry = buildFaceGeometry(mesh, topology, threads, scope);
  const conditions = classify(mesh, topology, size, scope);
  const cellVelocity = scope.f64(3 * mesh.tetCount);
  for (let t = 0; t < mesh.tetCount; t++) {
    const v = 3 * mesh.tet[4 * t];
    const [x, y, z] = [mesh.position[v], mesh.position[v + 1], mesh.position[v + 2]];
    cellVelocity[3 * t] = 0.2 * Math.sin(7 * x + 5 * y);
    cellVelocity[3 * t + 1] = 0.1 * Math.cos(11 * z);
    cellVelocity[3 * t + 2] = 0.05 * Math.sin(31 * x) - 9.81 * 0.005;
  }
  const start = performance.now();
  const system = assemblePressure(topology, geometry, conditions, cellVelocity, threads, scope);
  const assemblySeconds = (performance.now() - start) / 1000;
  return { mesh, topology, geometry, conditions, system, assemblySeconds };
}
