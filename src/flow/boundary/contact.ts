/**
 * Walls that the liquid may leave and meet, but not pass: for every face at or near a wall
 *     q >= 0,   gap - u dt >= 0,   one of them zero,
 * where q is its pressure, u the speed at which it nears the wall and gap the way still to go (0 on the wall
 * itself). A closed face has u = gap / dt and the pressure that this takes; an open one has the air's
 * pressure. Liquid under a ceiling falls, a jet leaves a sharp edge, and falling liquid does not run into the
 * floor within the step in which it meets it. [chentanez-2007] holds on to walls; the condition is that of
 * Batty et al. 2007 and Chentanez and Mueller 2011.
 *
 * Solved by an active set: project, open the closed faces that pull, close the open ones that pass, project
 * again. Faces change by their own figures alone, so neither threads nor order show. Each round costs a
 * solve; still water needs one.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Seconds, Vec3 } from '../../core/types.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { AREA } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { type Conditions, FREE, WALL } from '../pressure/pressure.ts';
import { type Projection, project } from '../pressure/projection.ts';

/** Rounds at most; splashes take 2 to 4. What is left then is mended in the next step. */
const MAX_ROUNDS = 4;
/** How often a face that was opened may close again in a step: then it stays closed. */
const MOST_CLOSINGS = 2;
/**
 * Pull, in g h dt and in the largest pressure, below which a wall face stays closed: rounding of still water.
 */
const LEAST_PULL = 0.05;
const LEAST_PULL_OF_ALL = 1e-4;
/**
 * Pull, in g h dt, that a floor must have beyond that to let go; an upright wall half of it, a ceiling none.
 */
const FLOOR_PULL = 1;
/**
 * Cells by which a face must pass the wall within the step to be stopped at it: contact lines slide along
 * walls freely.
 */
const LEAST_PASS = 0.1;
/** Cells by which a stopped face goes too far, so that it arrives. */
const ARRIVAL = 0.02;
/** Speed, in g dt, at which an opened face must return to be closed again. */
const LEAST_RETURN = 1e-3;

export interface ContactProjection extends Projection {
  /**
   * (faceCount) FREE, WALL, ... as vertices see them: faces opened at walls and those on their way to one are
   * free
   */
  readonly faceKind: Uint8Array;
  /** Faces on walls that the liquid leaves. */
  readonly opened: Int32Array;
  readonly rounds: number;
}

/**
 * Projects faceVelocity in place under `conditions`, which change with the contact. `guess`: face pressures
 * to start the search from.
 */
export function projectWithContact(
  model: LiquidModel,
  parts: MeshParts,
  conditions: Conditions,
  dt: Seconds,
  faceVelocity: Float64Array,
  scope: HeapScope,
  scratch: HeapScope,
  guess?: Float64Array,
): ContactProjection {
  const { kind, gap, wallVelocity, depth, lift } = conditions;
  const { faceCount } = parts.topology;
  const given = faceVelocity.slice();
  const geometric = kind.slice();
  const wallOwn = wallVelocity.slice();
  const closings = new Uint8Array(faceCount);
  const near = listContactFaces(kind, gap);
  const g = Math.hypot(...model.gravity);
  const h = model.lattice.size;
  let round = 1;
  let result = project(model, parts, conditions, faceVelocity, scope, scratch, guess);
  let iterations = result.report.iterations;
  for (; round < MAX_ROUNDS && near.length > 0; round++) {
    let largest = 0;
    for (const f of near) largest = Math.max(largest, Math.abs(result.facePressure[f]));
    const rounding = LEAST_PULL_OF_ALL * largest;
    let changes = 0;
    const airy = markAiryVertices(parts, kind);
    for (const f of near) {
      if (kind[f] === WALL) {
        if (geometric[f] === WALL && !letsAirIn(model, parts, airy, f)) continue;
        // Floors, and walls half as much, pull by chance under thin films: gravity brings those back at once.
        const pressed = 0.5 * (g + dotFace(parts, f, model.gravity));
        const pull = (LEAST_PULL * g + FLOOR_PULL * pressed) * h * dt + rounding;
        if (result.facePressure[f] >= -pull || closings[f] > MOST_CLOSINGS) continue;
        kind[f] = FREE;
        if (geometric[f] === WALL) depth[f] = lift[f] = 0;
      } else {
        const nears = (faceVelocity[f] - wallOwn[f]) * dt;
        const isOnWall = geometric[f] === WALL;
        if (nears <= gap[f] + (isOnWall ? LEAST_RETURN * g * dt * dt : LEAST_PASS * h)) continue;
        kind[f] = WALL;
        wallVelocity[f] = wallOwn[f] + (isOnWall ? 0 : (gap[f] + ARRIVAL * h) / dt);
        closings[f]++;
      }
      changes++;
    }
    if (changes === 0) break;
    faceVelocity.set(given);
    const own = model.heap.scope('flow contact');
    try {
      result = project(model, parts, conditions, faceVelocity, scope, own, result.facePressure);
    } finally {
      own.free();
    }
    iterations += result.report.iterations;
  }
  const faceKind = scope.u8(faceCount);
  const opened: number[] = [];
  for (let f = 0; f < faceCount; f++) {
    faceKind[f] = geometric[f] === FREE ? FREE : kind[f];
    if (geometric[f] === WALL && kind[f] === FREE) opened.push(f);
  }
  return {
    ...result,
    report: { ...result.report, iterations },
    faceKind,
    opened: Int32Array.from(opened),
    rounds: round,
  };
}

/** Vertices of free faces, those opened in earlier rounds among them. */
function markAiryVertices({ mesh, topology: { faceVertex } }: MeshParts, kind: Uint8Array): Uint8Array {
  const airy = new Uint8Array(mesh.vertexCount);
  for (let f = 0; f < kind.length; f++)
    if (kind[f] === FREE) for (let n = 3 * f; n < 3 * f + 3; n++) airy[faceVertex[n]] = 1;
  return airy;
}

/**
 * Whether air can come in at a wall face: from a free face beside it, or under a ceiling, where gravity draws
 * the liquid off.
 */
function letsAirIn(model: LiquidModel, parts: MeshParts, airy: Uint8Array, f: number): boolean {
  const { faceVertex } = parts.topology;
  if (airy[faceVertex[3 * f]] + airy[faceVertex[3 * f + 1]] + airy[faceVertex[3 * f + 2]] > 0) return true;
  return dotFace(parts, f, model.gravity) < 0;
}

/** A vector's part along the outward unit normal of a face. */
function dotFace({ geometry: { form, faceForm } }: MeshParts, f: number, vector: Vec3): number {
  const row = faceForm[f];
  return (form[row] * vector[0] + form[row + 1] * vector[1] + form[row + 2] * vector[2]) / form[row + AREA];
}

/** Faces on walls or within reach of one; none where no face is free: a full vessel has no air to let in. */
function listContactFaces(kind: Uint8Array, gap: Float64Array): Int32Array {
  const near: number[] = [];
  let isOpen = false;
  for (let f = 0; f < kind.length; f++) {
    if (kind[f] === FREE) isOpen = true;
    if ((kind[f] === FREE || kind[f] === WALL) && gap[f] < Number.POSITIVE_INFINITY) near.push(f);
  }
  return isOpen ? Int32Array.from(near) : new Int32Array(0);
}
