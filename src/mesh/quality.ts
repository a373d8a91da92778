/**
 * Measures and checks of tetrahedral meshes: dihedral angles, volumes, conformity, and the boundary as
 * triangles. Angles in degrees, volumes in m^3.
 */
import { RunError } from '../core/errors.ts';
import { NONE } from '../core/types.ts';
import { computeTetVolume as computeTetVolumeAt, setNormal } from '../math/triangle.ts';
import type { TetMesh, TetTopology } from './tetmesh.ts';
import { buildTopology, FACE_OF_TET } from './topology.ts';
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
  return computeTetVolumeAt(position, a, b, c, d);
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
    setNormal(position, p, q, r, faceScratch);
    const sign = i & 1 ? 1 : -1;
    const x = sign * faceScratch[0];
    const y = sign * faceScratch[1];
    const z = sign * faceScratch[2];
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
const faceScratch = new Float64Array(3);

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
 * Throws unless every tet has positive volume and valid vertices, every vertex is used, no face belongs to
 * three tets, tets that share a face lie on opposite sides of it, and the boundary is closed with matching
 * orientation.
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
  const { tetToFace, faceToTet, faceVertex } = topology;
  for (let half = 0; half < 4 * mesh.tetCount; half++) {
    const f = tetToFace[half];
    if (faceToTet[2 * f + 1] !== half >> 2) continue;
    // Seen from the second tet the face must run the other way round; both tets are positive, so order
    // decides.
    const t4 = half & ~3;
    const corner = 3 * (half & 3);
    const a = mesh.tet[t4 + FACE_OF_TET[corner]];
    const b = mesh.tet[t4 + FACE_OF_TET[corner + 1]];
    const start = faceVertex[3 * f] === a ? 0 : faceVertex[3 * f + 1] === a ? 1 : 2;
    if (faceVertex[3 * f + ((start + 1) % 3)] === b)
      throw fail(`tets ${faceToTet[2 * f]} and ${half >> 2} lie on the same side of face ${f}`);
  }
}

/** Every edge of a closed oriented surface is run through as often in one direction as in the other. */
function validateClosed(surface: TriMesh, fail: (what: string) => Error): void {
  const { triangle, triangleCount, vertexCount } = surface;
  // Edges sorted by (low end, high end), the direction in the last bit.
  const edge = new Float64Array(3 * triangleCount);
  for (let i = 0; i < 3 * triangleCount; i++) {
    const v = triangle[i];
    const w = triangle[i % 3 === 2 ? i - 2 : i + 1];
    edge[i] = 2 * (Math.min(v, w) * vertexCount + Math.max(v, w)) + (v < w ? 1 : 0);
  }
  edge.sort();
  for (let i = 0, j = 0; i < edge.length; i = j) {
    const key = Math.floor(edge[i] / 2);
    let balance = 0;
    for (; j < edge.length && Math.floor(edge[j] / 2) === key; j++) balance += edge[j] % 2 === 1 ? 1 : -1;
    if (balance !== 0)
      throw fail(`the boundary is open at edge (${Math.floor(key / vertexCount)}, ${key % vertexCount})`);
  }
}

/**
 * Boundary faces as a triangle mesh facing outwards, with its own numbering; newToOld gives the mesh's
 * vertices.
 */
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
