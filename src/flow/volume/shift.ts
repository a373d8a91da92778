/**
 * The repair of a piece's volume: its free surface is shifted along its normals until the piece holds what it
 * should.
 *
 * The vertices move, the contour is not made anew: the volume is then met to rounding, at the cost of a few
 * passes over the triangles. Vertices on contact lines move along their walls. A film is thinned by half at
 * most. What a shift of LIMITS.shift does not mend is left to the next step.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE } from '../../core/types.ts';
import { setNormal } from '../../math/triangle.ts';
import { type Pieces, triangleVolume } from '../../tracking/contouring/pieces.ts';
import type { ClearanceFunction } from '../../tracking/contouring/space.ts';
import { buildFreeBoundary, type TrackedSurface } from '../../tracking/contouring/surface.ts';

const areaVector = new Float64Array(3);

/**
 * Newton's method for the shift: the volume is a cubic function of it, and nearly linear until vertices are
 * held back. Part of a piece's volume that may be missing after the last round.
 */
const NEWTON = { rounds: 6, tolerance: 1e-12 };
/** How far a shift may go in a step. */
const LIMITS = {
  /** In contouring cells. */
  shift: 0.1,
  /** Part of its volume that a piece keeps: turned inside out, it would be no piece any more. */
  left: 0.1,
  /** Cosine between a vertex's way and its normal below which it does not move: a wall is in the way. */
  cosine: 0.3,
  /** Part of the clearance that a film keeps when it is thinned, and a gap when liquid grows into it. */
  kept: 0.5,
};

export interface Shift {
  /** (pieces) m^3 that the shift has added */
  readonly added: Float64Array;
  /** Largest shift of a piece, in contouring cells. */
  readonly largest: number;
}

/** What a shift goes by. */
export interface ShiftGoal {
  /** (pieces) what each should hold, m^3 */
  readonly target: Float64Array;
  /**
   * (vertexCount) how much of a piece's shift each vertex takes, so that volume returns to where it was lost
   * (shift-weights.ts); positive
   */
  readonly weight: Float64Array;
}

/** Moves the surface's vertices so that each piece has its target volume, as far as LIMITS.shift goes. */
export function shiftToTargets(
  surface: TrackedSurface,
  pieces: Pieces,
  { target, weight }: ShiftGoal,
  clearanceAt: ClearanceFunction,
  spacing: number,
  scratch: HeapScope,
): Shift {
  const { vertexCount, triangleCount, triangle, position } = surface;
  const way = findWays(surface, pieces, scratch);
  let least = Number.POSITIVE_INFINITY;
  for (let v = 0; v < vertexCount; v++) least = Math.min(least, weight[v]);
  const before = position.slice();
  const volume = pieces.volume.slice();
  const shift = new Float64Array(pieces.count);
  const most = LIMITS.shift * spacing;
  const gain = new Float64Array(pieces.count);
  const inward = findRoom(surface, pieces, way, clearanceAt, -most);
  const outward = findRoom(surface, pieces, way, clearanceAt, most);
  const place = (): number => {
    let largest = 0;
    for (let v = 0; v < vertexCount; v++) {
      const p = pieces.vertexPiece[v];
      if (p === NONE) continue;
      const whole = Math.max(-most, Math.min(most, weight[v] * shift[p]));
      const by = Math.max(-inward[v], Math.min(outward[v], whole));
      if (Math.abs(by) > largest && pieces.inCavity[v] === 0) largest = Math.abs(by);
      for (let a = 0; a < 3; a++) position[3 * v + a] = before[3 * v + a] + by * way[3 * v + a];
    }
    volume.fill(0);
    for (let f = 0; f < triangleCount; f++) {
      const p = pieces.vertexPiece[triangle[3 * f]];
      if (p !== NONE) volume[p] += triangleVolume(surface, f);
    }
    return largest;
  };
  let largest = 0;
  for (let round = 0; round < NEWTON.rounds; round++) {
    gain.fill(0);
    addGain(surface, pieces, way, weight, gain);
    let open = false;
    for (let p = 0; p < pieces.count; p++) {
      const missing = Math.max(target[p], LIMITS.left * pieces.volume[p]) - volume[p];
      if (Math.abs(missing) <= NEWTON.tolerance * Math.abs(target[p]) || !(gain[p] > 0)) continue;
      // There every vertex has moved as far as it may.
      const limit = most / least;
      const next = Math.max(-limit, Math.min(limit, shift[p] + missing / gain[p]));
      if (next === shift[p]) continue;
      shift[p] = next;
      open = true;
    }
    if (!open) break;
    largest = place();
  }
  keepRightWayOut(surface, pieces, before, volume, shift);
  for (let p = 0; p < pieces.count; p++) volume[p] -= pieces.volume[p];
  return { added: volume, largest: largest / spacing };
}

/** Takes the shift of a scrap back that it would turn inside out. */
function keepRightWayOut(
  { position, vertexCount }: TrackedSurface,
  { vertexPiece, volume }: Pieces,
  before: Float64Array,
  outVolume: Float64Array,
  outShift: Float64Array,
): void {
  for (let v = 0; v < vertexCount; v++) {
    const p = vertexPiece[v];
    if (p !== NONE && outVolume[p] <= 0) for (let a = 3 * v; a < 3 * v + 3; a++) position[a] = before[a];
  }
  for (let p = 0; p < volume.length; p++) {
    if (outVolume[p] > 0) continue;
    outVolume[p] = volume[p];
    outShift[p] = 0;
  }
}

/**
 * The way each vertex goes in a shift of 1: along the normal, or along the wall with the same part along the
 * normal; 0 for cavities.
 */
function findWays(surface: TrackedSurface, pieces: Pieces, scratch: HeapScope): Float64Array {
  const { normal, contact } = buildFreeBoundary(surface, scratch);
  const way = Float64Array.from(normal);
  const wallNormals = findWallNormals(surface, contact);
  for (let v = 0; v < surface.vertexCount; v++) {
    if (pieces.inCavity[v] === 1) way.fill(0, 3 * v, 3 * v + 3);
    if (contact[v] === 0) continue;
    const walls = wallNormals.get(v) ?? [];
    for (let round = 0; round < (walls.length > 3 ? 8 : 1); round++)
      for (let w = 0; w < walls.length; w += 3) {
        const across = way[3 * v] * walls[w] + way[3 * v + 1] * walls[w + 1] + way[3 * v + 2] * walls[w + 2];
        for (let a = 0; a < 3; a++) way[3 * v + a] -= across * walls[w + a];
      }
    let along = 0;
    for (let a = 0; a < 3; a++) along += way[3 * v + a] * normal[3 * v + a];
    const scale = along < LIMITS.cosine ** 2 ? 0 : 1 / along;
    for (let a = 0; a < 3; a++) way[3 * v + a] *= scale;
  }
  return way;
}

/** Up to three distinct unit normals of the wall triangles at each vertex of a contact line. */
function findWallNormals(surface: TrackedSurface, contact: Uint8Array): Map<number, number[]> {
  const { position, triangle, wall, triangleCount } = surface;
  const normals = new Map<number, number[]>();
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 0) continue;
    const a = triangle[3 * f];
    const b = triangle[3 * f + 1];
    const c = triangle[3 * f + 2];
    if (contact[a] + contact[b] + contact[c] === 0) continue;
    setNormal(position, 3 * a, 3 * b, 3 * c, areaVector);
    let { 0: x, 1: y, 2: z } = areaVector;
    const length = Math.hypot(x, y, z);
    if (length === 0) continue;
    x /= length;
    y /= length;
    z /= length;
    for (const v of [a, b, c]) {
      if (contact[v] === 0) continue;
      const list = normals.get(v) ?? [];
      if (list.length === 0) normals.set(v, list);
      let known = list.length >= 9;
      for (let w = 0; w < list.length; w += 3)
        if (list[w] * x + list[w + 1] * y + list[w + 2] * z > SAME_WALL) known = true;
      if (!known) list.push(x, y, z);
    }
  }
  return normals;
}

/** Cosine from which two wall triangles are of one wall. */
const SAME_WALL = 0.95;

/**
 * How far each vertex may be shifted by `most` or less towards a wall close by, m: inwards (most < 0) where
 * its film is thinned, outwards where it faces the wall across a gap.
 */
function findRoom(
  { position, vertexCount }: TrackedSurface,
  { vertexPiece }: Pieces,
  way: Float64Array,
  clearanceAt: ClearanceFunction,
  most: number,
): Float64Array {
  const room = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY);
  const size = Math.abs(most);
  for (let v = 0; v < vertexCount; v++) {
    if (vertexPiece[v] === NONE) continue;
    const x = position[3 * v];
    const y = position[3 * v + 1];
    const z = position[3 * v + 2];
    const here = clearanceAt(x, y, z);
    if (here > size / LIMITS.kept || here <= 0) continue;
    const there = clearanceAt(x + most * way[3 * v], y + most * way[3 * v + 1], z + most * way[3 * v + 2]);
    if (there < here) room[v] = Math.min(size, (LIMITS.kept * here * size) / (here - there));
  }
  return room;
}

/** Adds the volume that each piece gains per shift: dV = 1/3 sum of (vertex's area vector) . way. */
function addGain(
  surface: TrackedSurface,
  pieces: Pieces,
  way: Float64Array,
  weight: Float64Array,
  outGain: Float64Array,
): void {
  const { position, triangle, triangleCount } = surface;
  for (let f = 0; f < triangleCount; f++) {
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    const p = pieces.vertexPiece[triangle[3 * f]];
    if (p === NONE) continue;
    setNormal(position, a, b, c, areaVector);
    const wa = weight[a / 3];
    const wb = weight[b / 3];
    const wc = weight[c / 3];
    const wx = wa * way[a] + wb * way[b] + wc * way[c];
    const wy = wa * way[a + 1] + wb * way[b + 1] + wc * way[c + 1];
    const wz = wa * way[a + 2] + wb * way[b + 2] + wc * way[c + 2];
    outGain[p] += (areaVector[0] * wx + areaVector[1] * wy + areaVector[2] * wz) / 6;
  }
}
