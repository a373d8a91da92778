/**
 * A body where it touches walls: which faces are wet, what each vertex may do, and the surface that is left
 * free as a body of its own over the same vertices.
 *
 *   free    moves with the liquid; its potential follows Bernoulli
 *   line    has free faces and wet ones: likewise, but along the wall; its pressure is that of the contact line
 *   wall    has wet faces alone, or is a line that is held: its potential is whatever lets nothing through
 *
 * Contact lines: the energy sigma (A_free - cos theta A_wet) has the gradient g = g_free - cos theta g_wet by
 * the place of a line vertex, and along the wall p G = sigma g, as everywhere: no strip of a width to be
 * chosen (23.13), and a drop at rest is exactly the discrete minimum of that energy at its volume.
 *
 * Hysteresis: the cosine with which a line vertex would have the pressure of its free neighbours is that of
 * its angle. Between those of the receding and the advancing angle the vertex is held.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Threads } from '../../../core/threads/task.ts';
import { NONE, type Seconds } from '../../../core/types.ts';
import { CORNER, COT_B, COT_C, computeTriple, setCorner, U, W } from '../../../math/triangle.ts';
import type { Body } from '../liquid/body.ts';
import { computeGradients, type Gradients } from '../liquid/gradients.ts';
import type { Triple } from '../liquid/moments.ts';
import type { Nozzle } from './nozzles.ts';
import type { SolidWall } from './solids.ts';
import type { WallVertices } from './wall-vertices.ts';

/** What a vertex is to the walls. */
export const ROLE = { free: 0, line: 1, wall: 2 } as const;

export interface Contact {
  /** (faces) wall that the face is wet on, or NONE */
  readonly wallOf: Int32Array;
  readonly isWallFace: Uint8Array;
  /** (vertices) one of ROLE */
  readonly role: Uint8Array;
  /**
   * (vertices) 1 where the potential is unknown: at walls, held lines, and lines that lie flat over the wall
   */
  readonly isWallVertex: Uint8Array;
  /** (vertices) 1 where a line goes where its wall goes */
  readonly isPinned: Uint8Array;
  /** (vertices) unit normals of the walls that it is on, at right angles to each other */
  readonly normals: readonly (readonly number[][])[];
  /** (vertices x 3) m/s, of the walls */
  readonly wallVelocity: Float64Array;
  /** (faces) m/s through wet faces, outward */
  readonly through: Float64Array;
  /** The free faces as a body, and which of the body's they are. */
  readonly free: Body;
  readonly freeFaces: readonly number[];
  /** Do all its walls rest, and is no nozzle among them? */
  readonly isStill: boolean;
}

export interface ContactSetting {
  readonly walls: WallVertices;
  readonly nozzles: readonly Nozzle[];
}

/** With the velocities that walls have at a time; undefined for a body that touches nothing. */
export function buildContact(
  { walls, nozzles }: ContactSetting,
  body: Body,
  scope: HeapScope,
  time: Seconds,
): Contact | undefined {
  const { faceCount, vertexCount, faceId, vertexId, triangle, position } = body;
  const wallOf = new Int32Array(faceCount);
  let wet = 0;
  for (let f = 0; f < faceCount; f++) {
    wallOf[f] = walls.wallOfFace(faceId[f]);
    if (wallOf[f] !== NONE) wet++;
  }
  if (wet === 0) return undefined;
  const role = new Uint8Array(vertexCount);
  const hasFree = new Uint8Array(vertexCount);
  const isWallFace = new Uint8Array(faceCount);
  const through = scope.f64(faceCount);
  const freeFaces: number[] = [];
  let isStill = true;
  for (let f = 0; f < faceCount; f++) {
    const n = wallOf[f];
    if (n === NONE) {
      freeFaces.push(f);
      for (let c = 3 * f; c < 3 * f + 3; c++) hasFree[triangle[c]] = 1;
      continue;
    }
    isWallFace[f] = 1;
    for (let c = 3 * f; c < 3 * f + 3; c++) role[triangle[c]] = ROLE.line;
    const nozzle = nozzles.find(({ wall }) => wall === n);
    if (nozzle) through[f] = -nozzle.speedAt(time);
    else if (walls.walls[n].velocity) through[f] = computeThrough(body, walls.walls[n], f, time);
    if (through[f] !== 0) isStill = false;
  }
  const wallVelocity = new Float64Array(3 * vertexCount);
  const normals: number[][][] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (role[v] === ROLE.free) {
      normals.push([]);
      continue;
    }
    const id = vertexId[v];
    if (!hasFree[v] || walls.isHeld(id)) role[v] = ROLE.wall;
    normals.push(walls.findNormals(id));
    const moving = walls.list(walls.bitsOf(id)).find(({ velocity }) => velocity);
    if (!moving) continue;
    const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
    wallVelocity.set(moving.velocity!([x, y, z], time), 3 * v);
  }
  return {
    wallOf,
    isWallFace,
    role,
    isWallVertex: role.map((r) => (r === ROLE.wall ? 1 : 0)),
    isPinned: new Uint8Array(vertexCount),
    normals,
    wallVelocity,
    through,
    free: selectFaces(body, freeFaces, scope),
    freeFaces,
    isStill,
  };
}

/** Velocity of the wall along the outward normal of a wet face. */
function computeThrough({ position: p, triangle }: Body, wall: SolidWall, f: number, time: Seconds): number {
  const centre = [0, 1, 2].map(
    (k) => (p[3 * triangle[3 * f] + k] + p[3 * triangle[3 * f + 1] + k] + p[3 * triangle[3 * f + 2] + k]) / 3,
  ) as [number, number, number];
  const [x, y, z] = wall.normal(...centre, time);
  const [u, v, w] = wall.velocity!(centre, time);
  return -(x * u + y * v + z * w);
}

/** The body with some of its faces alone, over the same vertices. */
function selectFaces(body: Body, faces: readonly number[], scope: HeapScope): Body {
  const { vertexCount, triangle } = body;
  const selected = {
    ...body,
    faceCount: faces.length,
    faceId: scope.i32(faces.length),
    triangle: scope.i32(3 * faces.length),
    cornerStart: scope.i32(vertexCount + 1),
    vertexCorner: scope.i32(3 * faces.length),
  };
  const { cornerStart } = selected;
  faces.forEach((f, n) => {
    selected.faceId[n] = body.faceId[f];
    for (let k = 0; k < 3; k++) {
      selected.triangle[3 * n + k] = triangle[3 * f + k];
      cornerStart[triangle[3 * f + k] + 1]++;
    }
  });
  for (let v = 0; v < vertexCount; v++) cornerStart[v + 1] += cornerStart[v];
  const next = cornerStart.slice(0, vertexCount);
  for (let c = 0; c < selected.triangle.length; c++) selected.vertexCorner[next[selected.triangle[c]]++] = c;
  return selected;
}

/** G^2 of a line vertex counts as no less than this share of what it would be with the surface upright. */
const FLOOR = 0.05;
/**
 * Sine squared of the angle between a free surface that hangs over the wall, as that of a drop that just
 * lands, and the wall, below which its line counts as wall: it is pressed down, not drawn along. 168 degrees.
 */
const FLAT = 0.043;
/** Largest curvature, in inverse roots of the vertex's free area. */
const SHARPEST = 4;

/**
 * Gradients of the free surface; those of line vertices along their walls, with the contact angle's share.
 * Says which lines are held: role and isWallVertex are set anew.
 */
export function computeContactGradients(
  body: Body,
  { walls: { walls } }: ContactSetting,
  contact: Contact,
  threads: Threads,
  out: Gradients,
): void {
  const { free, role, isWallVertex, isPinned, normals, wallOf } = contact;
  computeGradients(free, threads, out);
  const { volumeGradient: G, areaGradient: g, area, curvature } = out;
  const { position: p, triangle, cornerStart, vertexCorner } = body;
  const seen = new Float64Array(CORNER);
  const wet = [0, 0, 0];
  for (let v = 0; v < body.vertexCount; v++) {
    if (role[v] === ROLE.free) continue;
    if (role[v] === ROLE.wall && area[v] === 0) continue;
    const [first] = normals[v];
    const isOverhang = first[0] * G[3 * v] + first[1] * G[3 * v + 1] + first[2] * G[3 * v + 2] < 0;
    for (const normal of normals[v]) {
      removeAlong(normal, G, 3 * v);
      removeAlong(normal, g, 3 * v);
    }
    const square = G[3 * v] ** 2 + G[3 * v + 1] ** 2 + G[3 * v + 2] ** 2;
    const most = SHARPEST / Math.sqrt(area[v]);
    const enough = Math.max(square, FLOOR * area[v] ** 2);
    const bendWith = (choose: (wall: number) => number) => {
      wet.fill(0);
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const f = (c / 3) | 0;
        if (wallOf[f] === NONE) continue;
        const b = 3 * triangle[3 * f + ((c - 3 * f + 1) % 3)];
        const d = 3 * triangle[3 * f + ((c - 3 * f + 2) % 3)];
        if (setCorner(p, 3 * v, b, d, seen) === 0) continue;
        const cosine = 0.5 * choose(wallOf[f]);
        for (let k = 0; k < 3; k++)
          wet[k] -= cosine * (seen[COT_C] * seen[U + k] + seen[COT_B] * seen[W + k]);
      }
      let dot = 0;
      for (let k = 0; k < 3; k++) dot += (g[3 * v + k] - wet[k]) * G[3 * v + k];
      return Math.max(-most, Math.min(most, dot / enough));
    };
    const advancing = bendWith((n) => walls[n].angles.advancing);
    const receding = bendWith((n) => walls[n].angles.receding);
    curvature[v] = advancing;
    if (role[v] === ROLE.wall) continue;
    // The smaller cosine of the advancing angle makes the larger pressure.
    const around = meanAround(free, role, curvature, v);
    const isFlat = isOverhang && square < FLAT * area[v] ** 2;
    if (isFlat) curvature[v] = around;
    else if (advancing !== receding) curvature[v] = Math.max(receding, Math.min(advancing, around));
    isPinned[v] = !isFlat && advancing !== receding && curvature[v] === around ? 1 : 0;
    isWallVertex[v] = isFlat || isPinned[v] ? 1 : 0;
  }
  // What is held has no pressure of its own; that around stands for it where pressures are smoothed.
  for (let v = 0; v < body.vertexCount; v++)
    if (role[v] === ROLE.wall && area[v] > 0) curvature[v] = meanAround(free, role, curvature, v);
}

/** Mean of a value over the free neighbours of v; its own where there is none. */
export function meanAround(
  { cornerStart, vertexCorner, triangle }: Body,
  role: Uint8Array,
  value: Float64Array,
  v: number,
): number {
  let sum = 0;
  let count = 0;
  for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
    const c = vertexCorner[n];
    const f = c - (c % 3);
    for (let i = 1; i <= 2; i++) {
      const w = triangle[f + ((c - f + i) % 3)];
      if (role[w] !== ROLE.free) continue;
      sum += value[w];
      count++;
    }
  }
  return count > 0 ? sum / count : value[v];
}

export function removeAlong(normal: readonly number[], vector: Float64Array | number[], at: number): void {
  const dot = vector[at] * normal[0] + vector[at + 1] * normal[1] + vector[at + 2] * normal[2];
  for (let k = 0; k < 3; k++) vector[at + k] -= dot * normal[k];
}

/** Volume, m^3, and the middle of the vertices. */
export function measureClosed({ position: p, triangle, vertexCount }: Body): {
  volume: number;
  centre: Triple;
} {
  const centre: Triple = [0, 0, 0];
  for (let n = 0; n < 3 * vertexCount; n++) centre[n % 3] += p[n] / vertexCount;
  let six = 0;
  for (let c = 0; c < triangle.length; c += 3)
    six += computeTriple(p, 3 * triangle[c], 3 * triangle[c + 1], 3 * triangle[c + 2], ...centre);
  return { volume: six / 6, centre };
}
