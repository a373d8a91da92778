/**
 * Measures and checks of tetrahedral meshes: dihedral angles, volumes, conformity, and the boundary as triangles.
 * Angles in degrees, volumes in m^3.
 */
import { RunError } from '../core/errors.ts';
import { NONE } from '../core/types.ts';
import type { TetMesh, TetTopology } from './tetmesh.ts';
import { buildTopology } from './topology.ts';
import type { TriMesh } from './trimesh.ts';

export interface MeshQuality {
  readonly minDihedral: number;
  readonly maxDihedral: number;
  /** Dihedral angles counted in bins of 180 / histogram.length degrees. */
  readonly histogram: Float64Array;
  readonly volume: number;
  readonly minVolume: number;
  readonly maxVolume: number;
}

const HISTOGRAM_BINS = 36;
const DEGREES = 180 / Math.PI;

/** Signed volume of tet t: positive for a b c d with det(b - a, c - a, d - a) > 0. */
export function computeTetVolume(mesh: TetMesh, t: number): number {
  const { position, tet } = mesh;
  const a = 3 * tet[4 * t];
  const b = 3 * tet[4 * t + 1];
  const c = 3 * tet[4 * t + 2];
  const d = 3 * tet[4 * t + 3];
  const bx = position[b] - position[a];
  const by = position[b + 1] - position[a + 1];
  const bz = position[b + 2] - position[a + 2];
  const cx = position[c] - position[a];
  const cy = position[c + 1] - position[a + 1];
  const cz = position[c + 2] - position[a + 2];
  const dx = position[d] - position[a];
  const dy = position[d + 1] - position[a + 1];
  const dz = position[d + 2] - position[a + 2];
  return (bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx)) / 6;
}

/** Six dihedral angles of tet t, degrees, one per pair of faces in the order 01 02 03 12 13 23. */
export function computeDihedrals(mesh: TetMesh, t: number, out: Float64Array): void {
  const { position, tet } = mesh;
  // Gradient of each barycentric coordinate up to a common factor: inward face normals weighted by area.
  const normal = normalScratch;
  for (let i = 0; i < 4; i++) {
    const p = 3 * tet[4 * t + ((i + 1) & 3)];
    const q = 3 * tet[4 * t + ((i + 2) & 3)];
    const r = 3 * tet[4 * t + ((i + 3) & 3)];
    const ux = position[q] - position[p];
    const uy = position[q + 1] - position[p + 1];
    const uz = position[q + 2] - position[p + 2];
    const vx = position[r] - position[p];
    const vy = position[r + 1] - position[p + 1];
    const vz = position[r + 2] - position[p + 2];
    const sign = i & 1 ? 1 : -1;
    const x = sign * (uy * vz - uz * vy);
    const y = sign * (uz * vx - ux * vz);
    const z = sign * (ux * vy - uy * vx);
    const scale = 1 / Math.sqrt(x * x + y * y + z * z);
    normal[3 * i] = x * scale;
    normal[3 * i + 1] = y * scale;
    normal[3 * i + 2] = z * scale;
  }
  let pair = 0;
  for (let i = 0; i < 3; i++)
    for (let j = i + 1; j < 4; j++) {
      const dot =
        normal[3 * i] * normal[3 * j] +
        normal[3 * i + 1] * normal[3 * j + 1] +
        normal[3 * i + 2] * normal[3 * j + 2];
      out[pair++] = DEGREES * Math.acos(Math.max(-1, Math.min(1, -dot)));
    }
}
const normalScratch = new Float64Array(12);

export function measureQuality(mesh: TetMesh): MeshQuality {
  const angle = new Float64Array(6);
  const histogram = new Float64Array(HISTOGRAM_BINS);
  let minDihedral = 180;
  let maxDihedral = 0;
  let volume = 0;
  let minVolume = Number.POSITIVE_INFINITY;
  let maxVolume = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < mesh.tetCount; t++) {
    computeDihedrals(mesh, t, angle);
    for (let e = 0; e < 6; e++) {
      minDihedral = Math.min(minDihedral, angle[e]);
      maxDihedral = Math.max(maxDihedral, angle[e]);
      histogram[Math.min(HISTOGRAM_BINS - 1, Math.floor((angle[e] * HISTOGRAM_BINS) / 180))]++;
    }
    const v = computeTetVolume(mesh, t);
    volume += v;
    minVolume = Math.min(minVolume, v);
    maxVolume = Math.max(maxVolume, v);
  }
  return { minDihedral, maxDihedral, histogram, volume, minVolume, maxVolume };
}

/**
 * Throws unless every tet has positive volume and valid vertices, every vertex is used, no face belongs to three
 * tets, tets that share a face lie on opposite sides of it, and the boundary is closed with matching orientation.
 */
export function validateTetMesh(mesh: TetMesh, topology: TetTopology = buildTopology(mesh)): void {
  const fail = (what: string) =>
    new RunError('tet mesh', what, 'the mesher or an edit of the mesh is at fault');
  const used = new Uint8Array(mesh.vertexCount);
  for (let i = 0; i < 4 * mesh.tetCount; i++) {
    const v = mesh.tet[i];
    if (!(v >= 0 && v < mesh.vertexCount))
      throw fail(`tet ${i >> 2} names vertex ${v} of ${mesh.vertexCount}`);
    used[v] = 1;
  }
  for (let v = 0; v < mesh.vertexCount; v++) if (!used[v]) throw fail(`vertex ${v} belongs to no tet`);
  for (let t = 0; t < mesh.tetCount; t++) {
    const volume = computeTetVolume(mesh, t);
    if (!(volume > 0)) throw fail(`tet ${t} has volume ${volume} m^3`);
  }
  validateFaceSides(mesh, topology, fail);
  validateClosed(extractBoundary(mesh, topology), fail);
}

function validateFaceSides(mesh: TetMesh, topology: TetTopology, fail: (what: string) => Error): void {
  const { position } = mesh;
  for (let f = 0; f < topology.faceCount; f++) {
    const t = topology.faceToTet[2 * f + 1];
    if (t === NONE) continue;
    const i = topology.tetToFace.indexOf(f, 4 * t) - 4 * t;
    const [a, b, c] = topology.faceVertex.subarray(3 * f, 3 * f + 3);
    const d = mesh.tet[4 * t + i];
    const u = [0, 1, 2].map((k) => position[3 * b + k] - position[3 * a + k]);
    const v = [0, 1, 2].map((k) => position[3 * c + k] - position[3 * a + k]);
    const w = [0, 1, 2].map((k) => position[3 * d + k] - position[3 * a + k]);
    const side =
      w[0] * (u[1] * v[2] - u[2] * v[1]) +
      w[1] * (u[2] * v[0] - u[0] * v[2]) +
      w[2] * (u[0] * v[1] - u[1] * v[0]);
    if (!(side > 0))
      throw fail(`tets ${topology.faceToTet[2 * f]} and ${t} lie on the same side of face ${f}`);
  }
}

/** Every edge of a closed oriented surface is run through as often in one direction as in the other. */
function validateClosed(surface: TriMesh, fail: (what: string) => Error): void {
  const { triangle, triangleCount, vertexCount } = surface;
  const balance = new Map<number, number>();
  for (let i = 0; i < 3 * triangleCount; i++) {
    const v = triangle[i];
    const w = triangle[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(v, w) * vertexCount + Math.max(v, w);
    balance.set(key, (balance.get(key) ?? 0) + (v < w ? 1 : -1));
  }
  for (const [key, sum] of balance)
    if (sum !== 0)
      throw fail(`the boundary is open at edge (${Math.floor(key / vertexCount)}, ${key % vertexCount})`);
}

/** Boundary faces as a triangle mesh facing outwards, with its own numbering; newToOld gives the mesh's vertices. */
export function extractBoundary(
  mesh: TetMesh,
  topology: TetTopology,
): TriMesh & { readonly newToOld: Int32Array } {
  const oldToNew = new Int32Array(mesh.vertexCount).fill(NONE);
  let triangleCount = 0;
  for (let f = 0; f < topology.faceCount; f++) if (topology.faceToTet[2 * f + 1] === NONE) triangleCount++;
  const triangle = new Int32Array(3 * triangleCount);
  const order = new Int32Array(mesh.vertexCount);
  let vertexCount = 0;
  let n = 0;
  for (let f = 0; f < topology.faceCount; f++) {
    if (topology.faceToTet[2 * f + 1] !== NONE) continue;
    for (let c = 0; c < 3; c++) {
      const v = topology.faceVertex[3 * f + c];
      if (oldToNew[v] === NONE) {
        oldToNew[v] = vertexCount;
        order[vertexCount++] = v;
      }
      triangle[n++] = oldToNew[v];
    }
  }
  const newToOld = order.slice(0, vertexCount);
  const position = new Float64Array(3 * vertexCount);
  for (let v = 0; v < vertexCount; v++)
    for (let a = 0; a < 3; a++) position[3 * v + a] = mesh.position[3 * newToOld[v] + a];
  return { vertexCount, triangleCount, position, triangle, newToOld };
}
