/**
 * Light smoothing of a surface that keeps the volume of every piece ([ando-2013] 5): each vertex moves
 * half-way to the middle of its neighbours and most of the way back (Taubin, "A signal processing approach to
 * fair surface design", 1995), then all vertices of a piece move along their normals by one distance until it
 * holds what it held.
 */
import { setNormal } from '../../math/triangle.ts';
import type { TriMesh } from '../../mesh/trimesh.ts';

const FORWARD = 0.5;
const BACKWARD = -0.53;
/** Volumes are met by steps of Newton's method: off by less than 1e-6 after two. */
const VOLUME_STEPS = 2;

/** Who is next to whom: a row for each vertex. */
export interface Ring {
  readonly start: Int32Array;
  readonly other: Int32Array;
}

/** Of a closed mesh, in which every edge comes once in each direction. */
export function buildRing({ vertexCount, triangleCount, triangle }: TriMesh): Ring {
  const start = new Int32Array(vertexCount + 1);
  for (let n = 0; n < 3 * triangleCount; n++) start[triangle[n] + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const fill = start.slice(0, vertexCount);
  const other = new Int32Array(3 * triangleCount);
  for (let n = 0; n < 3 * triangleCount; n++) {
    const next = n % 3 === 2 ? n - 2 : n + 1;
    other[fill[triangle[n]]++] = triangle[next];
  }
  return { start, other };
}

/** The mean of the neighbours' rows of `stride` numbers, `share` of the way, for all at once. */
export function relax(values: Float64Array, stride: number, { start, other }: Ring, share: number): void {
  const former = values.slice();
  const count = start.length - 1;
  for (let v = 0; v < count; v++) {
    const neighbours = start[v + 1] - start[v];
    if (neighbours === 0) continue;
    for (let k = 0; k < stride; k++) {
      let sum = 0;
      for (let m = start[v]; m < start[v + 1]; m++) sum += former[stride * other[m] + k];
      values[stride * v + k] += share * (sum / neighbours - former[stride * v + k]);
    }
  }
}

/** Which piece each vertex belongs to, and how many pieces there are. */
export function findPieces({ start, other }: Ring): { piece: Int32Array; count: number } {
  const vertices = start.length - 1;
  const piece = new Int32Array(vertices).fill(-1);
  const waiting = new Int32Array(vertices);
  let count = 0;
  for (let seed = 0; seed < vertices; seed++) {
    if (piece[seed] !== -1) continue;
    piece[seed] = count;
    waiting[0] = seed;
    for (let top = 1; top > 0; ) {
      const v = waiting[--top];
      for (let m = start[v]; m < start[v + 1]; m++) {
        if (piece[other[m]] !== -1) continue;
        piece[other[m]] = count;
        waiting[top++] = other[m];
      }
    }
    count++;
  }
  return { piece, count };
}

/** What pieces of a surface are to hold. */
export interface Holding {
  /** (vertexCount) piece of each vertex: one body of liquid may have several surfaces, with voids inside */
  readonly piece: Int32Array;
  /** (pieces) m^3 */
  readonly volume: Float64Array;
  /** (pieces) m, farthest that vertices of a piece move */
  readonly farthest: Float64Array;
  /** (vertexCount) how freely each vertex moves, 0 to 1: not at all at walls */
  readonly freedom: Float64Array;
}

/** Smooths in place, `rounds` times forward and back; pieces hold what they held. */
export function smoothSurface(mesh: TriMesh, ring: Ring, rounds: number): void {
  const { piece, count } = findPieces(ring);
  const volume = measurePieces(mesh, piece, count, null);
  for (let n = 0; n < rounds; n++) {
    relax(mesh.position, 3, ring, FORWARD);
    relax(mesh.position, 3, ring, BACKWARD);
  }
  const farthest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const freedom = new Float64Array(mesh.vertexCount).fill(1);
  holdVolumes(mesh, { piece, volume, farthest, freedom }, VOLUME_STEPS);
}

/**
 * Moves vertices along their normals until pieces hold what they should, in some steps of Newton's method.
 */
export function holdVolumes(
  mesh: TriMesh,
  { piece, volume, farthest, freedom }: Holding,
  steps: number,
): void {
  const count = volume.length;
  const normal = new Float64Array(3 * mesh.vertexCount);
  const moved = new Float64Array(count);
  for (let n = 0; n < steps; n++) {
    const held = measurePieces(mesh, piece, count, normal);
    const gain = new Float64Array(count);
    normalize(normal, piece, freedom, gain);
    const away = new Float64Array(count);
    for (let p = 0; p < count; p++) {
      if (!(gain[p] > 0)) continue;
      const wanted = moved[p] + (volume[p] - held[p]) / gain[p];
      away[p] = Math.min(farthest[p], Math.max(-farthest[p], wanted)) - moved[p];
      moved[p] += away[p];
    }
    for (let v = 0; v < mesh.vertexCount; v++)
      for (let k = 0; k < 3; k++) mesh.position[3 * v + k] += away[piece[v]] * freedom[v] * normal[3 * v + k];
  }
}

/**
 * Volumes of pieces, and where asked the gradient of volume at each vertex: a third of the area vectors
 * around it.
 */
function measurePieces(
  { position, triangle, triangleCount }: TriMesh,
  piece: Int32Array,
  count: number,
  normal: Float64Array | null,
): Float64Array {
  const volume = new Float64Array(count);
  const origin = new Float64Array(3 * count).fill(Number.NaN);
  /** Gradient of a triangle's share of the volume, by a shift of the triangle. */
  const sixth = new Float64Array(3);
  normal?.fill(0);
  for (let t = 0; t < triangleCount; t++) {
    const a = 3 * triangle[3 * t];
    const b = 3 * triangle[3 * t + 1];
    const c = 3 * triangle[3 * t + 2];
    const p = piece[a / 3];
    // From a corner of the piece itself: small pieces far from the origin keep their digits.
    if (Number.isNaN(origin[3 * p])) for (let k = 0; k < 3; k++) origin[3 * p + k] = position[a + k];
    setNormal(position, a, b, c, sixth);
    for (let k = 0; k < 3; k++) sixth[k] /= 6;
    const { 0: nx, 1: ny, 2: nz } = sixth;
    volume[p] +=
      nx * (position[a] - origin[3 * p]) +
      ny * (position[a + 1] - origin[3 * p + 1]) +
      nz * (position[a + 2] - origin[3 * p + 2]);
    if (!normal) continue;
    for (const v of [a, b, c]) {
      normal[v] += nx;
      normal[v + 1] += ny;
      normal[v + 2] += nz;
    }
  }
  return volume;
}

/**
 * Unit normals of the gradients; gain: how much volume of each piece one metre along all of them, times their
 * freedom, adds.
 */
function normalize(normal: Float64Array, piece: Int32Array, freedom: Float64Array, gain: Float64Array): void {
  for (let v = 0; v < piece.length; v++) {
    const length = Math.hypot(normal[3 * v], normal[3 * v + 1], normal[3 * v + 2]);
    if (!(length > 0)) continue;
    gain[piece[v]] += freedom[v] * length;
    for (let k = 0; k < 3; k++) normal[3 * v + k] /= length;
  }
}
