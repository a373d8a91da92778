/**
 * Velocity vectors at mesh vertices from the face-normal velocities: what paths are traced through
 * ([chentanez-2007] 3.1, "velocity vectors at the primal mesh vertices").
 *
 * Deviation: the paper averages cell vectors with generalised barycentric weights, which is first order at
 * the free surface, where the dual cell is cut open, and carries the cell vectors' error (a shear flow's cell
 * vectors alternate by O(h) between neighbouring tets). We fit v + G (x - x_v) to the normal velocities of
 * all faces around the vertex by least squares: second order up to the boundary. The acceleration of the last
 * step is fitted along: see mesh-velocity.ts. Cost: linear; a few microseconds a vertex, about half of it in
 * the sums of vertex-fit.ts.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { TetTopology } from '../../mesh/tetmesh.ts';
import { AREA, type FaceGeometry } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { findMeshPieces, type MeshPieces } from '../mesh/mesh-pieces.ts';
import { computeCellVelocity, FREE } from '../pressure/pressure.ts';
import { FIT_SCRATCH, RECORD_LENGTH, VertexFit } from './vertex-fit.ts';
import { buildVertexToTet, VertexRing } from './vertex-ring.ts';
import { WallSlip } from './wall-slip.ts';

/**
 * Parts the vertices are divided into, each with scratch of its own: far more than threads, so that none
 * waits for long.
 */
const PARTS = 64;
/** Faces of a ring for which a part has room: a few hundred are usual. */
const MOST_FACES = 8192;
const GRAIN = 4096;
/**
 * Part of what the free faces around a vertex miss that it makes up for. With less, waves lose more (1.2 % a
 * period with 0.6, 3.5 % with 0); with all of it, or in several rounds, waves as short as the lattice grow by
 * some percent a step.
 */
const FLUX_SHARE = 0.8;
/**
 * Length of the summed area vectors, relative to the area, below which the faces around a vertex have no
 * common normal.
 */
const LEAST_AGREEMENT = 0.8;

/** What the fits read of each face, in one cache line: unit normal, centre, velocity, acceleration. */
const recordTask = defineTask(
  'flow/gather-face-records',
  {
    position: 'f64',
    faceVertex: 'i32',
    faceForm: 'i32',
    form: 'f64',
    faceVelocity: 'f64',
    faceAcceleration: 'f64',
    out: 'f64',
  },
  (begin, end, { position, faceVertex, faceForm, form, faceVelocity, faceAcceleration, out }) => {
    for (let f = begin; f < end; f++) {
      const a = 3 * faceVertex[3 * f];
      const b = 3 * faceVertex[3 * f + 1];
      const c = 3 * faceVertex[3 * f + 2];
      const row = faceForm[f];
      const toUnit = 1 / form[row + AREA];
      const r = RECORD_LENGTH * f;
      out[r] = form[row] * toUnit;
      out[r + 1] = form[row + 1] * toUnit;
      out[r + 2] = form[row + 2] * toUnit;
      out[r + 3] = (position[a] + position[b] + position[c]) / 3;
      out[r + 4] = (position[a + 1] + position[b + 1] + position[c + 1]) / 3;
      out[r + 5] = (position[a + 2] + position[b + 2] + position[c + 2]) / 3;
      out[r + 6] = faceVelocity[f];
      out[r + 7] = faceAcceleration[f];
    }
  },
);

const fitTask = defineTask(
  'flow/fit-vertex-velocity',
  {
    vertexCount: 'number',
    scratch: 'f64',
    ringFace: 'i32',
    ringShare: 'f64',
    record: 'f64',
    position: 'f64',
    tet: 'i32',
    tetToFace: 'i32',
    tetToTet: 'i32',
    cellVelocity: 'f64',
    cellAcceleration: 'f64',
    start: 'i32',
    around: 'i32',
    outVelocity: 'f64',
    outAcceleration: 'f64',
  },
  (begin, end, values) => {
    const { vertexCount, scratch, ringFace, ringShare, record, position, tet, tetToFace, tetToTet } = values;
    const { cellVelocity, cellAcceleration, start, around, outVelocity, outAcceleration } = values;
    const fit = new VertexFit(scratch.subarray(begin * FIT_SCRATCH, (begin + 1) * FIT_SCRATCH), record);
    const face = ringFace.subarray(begin * MOST_FACES, (begin + 1) * MOST_FACES);
    const share = ringShare.subarray(begin * MOST_FACES, (begin + 1) * MOST_FACES);
    const ring = new VertexRing(tet, tetToFace, tetToTet, start, around, face, share);
    const first = Math.floor((begin * vertexCount) / PARTS);
    const last = Math.floor((end * vertexCount) / PARTS);
    for (let v = first; v < last; v++) {
      if (start[v] === start[v + 1]) continue;
      const px = position[3 * v];
      const py = position[3 * v + 1];
      const pz = position[3 * v + 2];
      let edges = 0;
      for (let n = start[v]; n < start[v + 1]; n++) {
        // All its edges, whatever their order: mirrored meshes must give mirrored vectors. That to v itself
        // has no length.
        for (let m = 4 * around[n]; m < 4 * around[n] + 4; m++) {
          const w = 3 * tet[m];
          const ex = position[w] - px;
          const ey = position[w + 1] - py;
          const ez = position[w + 2] - pz;
          edges += Math.sqrt(ex * ex + ey * ey + ez * ez);
        }
      }
      ring.gather(v);
      fit.solve(ring.faceCount, face, share, px, py, pz, (3 * (start[v + 1] - start[v])) / edges);
      limit(fit.velocity, cellVelocity, ring, outVelocity, v);
      limit(fit.acceleration, cellAcceleration, ring, outAcceleration, v);
    }
  },
);

/**
 * Writes the fitted vector, each component within those of the cells around: a vertex at the edge of a thin
 * sheet has too few faces for a trustworthy gradient, and its error would feed on itself. (Held only to the
 * cells' spread about their mean, films sped up to 30 m/s.)
 */
function limit(
  fitted: Float64Array,
  cell: Float64Array,
  ring: VertexRing,
  out: Float64Array,
  v: number,
): void {
  const { tets, tetCount } = ring;
  let lowX = Number.POSITIVE_INFINITY;
  let lowY = Number.POSITIVE_INFINITY;
  let lowZ = Number.POSITIVE_INFINITY;
  let highX = Number.NEGATIVE_INFINITY;
  let highY = Number.NEGATIVE_INFINITY;
  let highZ = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < tetCount; n++) {
    const c = 3 * tets[n];
    const x = cell[c];
    const y = cell[c + 1];
    const z = cell[c + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  out[3 * v] = Math.max(lowX, Math.min(highX, fitted[0]));
  out[3 * v + 1] = Math.max(lowY, Math.min(highY, fitted[4]));
  out[3 * v + 2] = Math.max(lowZ, Math.min(highZ, fitted[8]));
}

/** Vectors at the vertices. */
export interface VertexRates {
  /** (vertexCount x 3) m/s */
  readonly velocity: Float64Array;
  /** (vertexCount x 3) m/s^2 */
  readonly acceleration: Float64Array;
}

export function computeVertexRates(
  { mesh, topology, geometry }: MeshParts,
  faceVelocity: Float64Array,
  faceAcceleration: Float64Array,
  faceKind: Uint8Array,
  threads: Threads,
  scope: HeapScope,
  scratch: HeapScope,
): VertexRates {
  const { start, tet: around } = buildVertexToTet(mesh, scratch);
  const velocity = scope.f64(3 * mesh.vertexCount);
  const acceleration = scope.f64(3 * mesh.vertexCount);
  const cellVelocity = scratch.f64(Math.max(1, 3 * mesh.tetCount));
  const cellAcceleration = scratch.f64(Math.max(1, 3 * mesh.tetCount));
  computeCellVelocity(mesh, topology, geometry, faceVelocity, threads, cellVelocity);
  computeCellVelocity(mesh, topology, geometry, faceAcceleration, threads, cellAcceleration);
  const record = scratch.f64(RECORD_LENGTH * topology.faceCount);
  threads.run(recordTask, topology.faceCount, GRAIN, {
    position: mesh.position,
    faceVertex: topology.faceVertex,
    faceForm: geometry.faceForm,
    form: geometry.form,
    faceVelocity,
    faceAcceleration,
    out: record,
  });
  threads.run(fitTask, PARTS, 1, {
    vertexCount: mesh.vertexCount,
    scratch: scratch.f64(PARTS * FIT_SCRATCH),
    ringFace: scratch.i32(PARTS * MOST_FACES),
    ringShare: scratch.f64(PARTS * MOST_FACES),
    record,
    position: mesh.position,
    tet: mesh.tet,
    tetToFace: topology.tetToFace,
    tetToTet: topology.tetToTet,
    cellVelocity,
    cellAcceleration,
    start,
    around,
    outVelocity: velocity,
    outAcceleration: acceleration,
  });
  const free = listFreeFaces(faceKind);
  const walls = new WallSlip(mesh, topology, geometry, faceKind);
  const pieces = findMeshPieces(mesh, topology);
  for (const [value, vector] of [
    [faceVelocity, velocity],
    [faceAcceleration, acceleration],
  ]) {
    walls.bind(value, vector);
    matchFreeFluxes(topology, geometry, free, walls, pieces, value, vector);
  }
  return { velocity, acceleration };
}

function listFreeFaces(faceKind: Uint8Array): Int32Array {
  let count = 0;
  for (let f = 0; f < faceKind.length; f++) if (faceKind[f] === FREE) count++;
  const free = new Int32Array(count);
  for (let f = 0, n = 0; f < faceKind.length; f++) if (faceKind[f] === FREE) free[n++] = f;
  return free;
}

/**
 * Shifts the vectors of free-surface vertices along the surface's normal so that the flux they carry through
 * the free faces is nearly the stored one. The stored fluxes of a divergence-free field add up to nothing;
 * those of fitted vectors do not quite, and the surface that follows them would gain or lose volume (about 1
 * % over a dam break). At a contact line they shift along the wall.
 */
function matchFreeFluxes(
  topology: TetTopology,
  geometry: FaceGeometry,
  free: Int32Array,
  walls: WallSlip,
  piece: MeshPieces,
  faceValue: Float64Array,
  vector: Float64Array,
): void {
  const { faceVertex } = topology;
  const { faceForm, form } = geometry;
  const vertexCount = vector.length / 3;
  const normal = new Float64Array(3 * vertexCount);
  const around = new Float64Array(vertexCount);
  const missing = new Float64Array(vertexCount);
  for (const f of free) {
    for (let i = 0; i < 3; i++) {
      const v = faceVertex[3 * f + i];
      around[v] += form[faceForm[f] + AREA];
      for (let a = 0; a < 3; a++) normal[3 * v + a] += form[faceForm[f] + a];
    }
  }
  const direction = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    if (around[v] === 0) continue;
    const length = Math.hypot(normal[3 * v], normal[3 * v + 1], normal[3 * v + 2]);
    for (let a = 0; a < 3; a++) direction[a] = normal[3 * v + a] / length;
    if (length < LEAST_AGREEMENT * around[v] || !walls.slide(v, direction)) around[v] = 0;
    else normal.set(direction, 3 * v);
  }
  for (const f of free) {
    let flux = 0;
    for (let i = 0; i < 3; i++) {
      const v = 3 * faceVertex[3 * f + i];
      for (let a = 0; a < 3; a++) flux += vector[v + a] * form[faceForm[f] + a];
    }
    const lack = form[faceForm[f] + AREA] * faceValue[f] - flux / 3;
    for (let i = 0; i < 3; i++) missing[faceVertex[3 * f + i]] += lack;
  }
  for (let v = 0; v < vertexCount; v++) {
    if (around[v] === 0) {
      normal.fill(0, 3 * v, 3 * v + 3);
      continue;
    }
    const shift = (FLUX_SHARE * missing[v]) / around[v];
    for (let a = 0; a < 3; a++) vector[3 * v + a] += shift * normal[3 * v + a];
  }
  matchWholePieces(topology, geometry, free, piece, normal, faceValue, vector);
}

/**
 * What is left over in the sum over each piece of the mesh is spread over its free surface: no wave sees it,
 * and no volume is lost.
 */
function matchWholePieces(
  { faceVertex, faceToTet }: TetTopology,
  { faceForm, form }: FaceGeometry,
  free: Int32Array,
  { count, tetPiece, vertexPiece }: MeshPieces,
  way: Float64Array,
  faceValue: Float64Array,
  outVector: Float64Array,
): void {
  const lack = new Float64Array(count);
  const gain = new Float64Array(count);
  for (const f of free) {
    const p = tetPiece[faceToTet[2 * f]];
    lack[p] += form[faceForm[f] + AREA] * faceValue[f];
    for (let i = 0; i < 3; i++) {
      const v = 3 * faceVertex[3 * f + i];
      for (let a = 0; a < 3; a++) {
        lack[p] -= (outVector[v + a] * form[faceForm[f] + a]) / 3;
        gain[p] += (way[v + a] * form[faceForm[f] + a]) / 3;
      }
    }
  }
  for (let v = 0; v < vertexPiece.length; v++) {
    const p = vertexPiece[v];
    if (p === NONE || !(gain[p] > 0)) continue;
    for (let a = 0; a < 3; a++) outVector[3 * v + a] += (lack[p] / gain[p]) * way[3 * v + a];
  }
}
