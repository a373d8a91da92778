/**
 * What holds the vertices of the mesh: walls and solids, which the liquid sticks to or slides along, and nozzles, in which all moves as one. Also
 * walls ahead: a vertex that would pass one in this step is given the velocity with which it arrives, so that falling liquid does not run into the floor.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import { AREA } from '../../flow/mesh/face-geometry.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { FREE, HELD, LINE, type NodeConditions, PLANE } from '../../flow/viscosity/problem.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { ON_LIQUID, ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import type { ViscousModel } from './model.ts';

/** Lattice cells within which a wall passes through a vertex. */
const AT_WALL = 0.02;
/** Lattice cells within which a vertex belongs to a nozzle. */
const AT_NOZZLE = 0.1;
/** Lattice cells by which a vertex that meets a wall goes too far, so that it arrives. */
const ARRIVAL = 0.02;
/** Lattice cells by which it must pass the wall otherwise. */
const LEAST_PASS = 0.05;
/** Lattice cells over which the way to a wall is differenced. */
const DIFFERENCE = 1e-3;
/** Cosine from which two wall faces are of one wall. */
const SAME_WALL = 0.8;

export interface VertexConditions extends NodeConditions {
  /** (vertexCount) 1 in nozzles */
  readonly isNozzle: Uint8Array;
  /** (vertexCount) kg/s, of walls on contact lines that slide along them */
  readonly friction: Float64Array;
  /** (faceCount) 1 on faces that the liquid turns to the air */
  readonly isFree: Uint8Array;
}

/** Where and when the conditions hold, in a step or at the start. */
interface Place {
  readonly model: ViscousModel;
  readonly surroundings: Surroundings;
  readonly time: Seconds;
  readonly dt: Seconds;
}

export function findVertexConditions(
  { model, surroundings, time, dt }: Place,
  parts: MeshParts,
  { expected, viscosity }: { readonly expected: Float64Array; readonly viscosity: Float64Array },
  scope: HeapScope,
): VertexConditions {
  const { vertexCount, position, vertexOnSurface } = parts.mesh;
  const constraint = scope.u8(vertexCount);
  const direction = scope.f64(3 * vertexCount);
  const velocity = scope.f64(3 * vertexCount);
  const isNozzle = new Uint8Array(vertexCount);
  const isFree = findFreeFaces(model, surroundings, parts);
  const wall = new Float64Array(3);
  const slides: number[] = [];
  const onLine = new Uint8Array(vertexCount);
  const friction = scope.f64(vertexCount);
  for (let v = 0; v < vertexCount; v++) {
    if ((vertexOnSurface[v] & ON_VESSEL) === 0) continue;
    const [x, y, z] = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
    const solid = surroundings.findSolid(x, y, z);
    surroundings.velocityAt(solid, x, y, z, wall);
    velocity.set(wall, 3 * v);
    constraint[v] = HELD;
    const sticks = sticksAt(model, surroundings, solid, x, y, z);
    if (sticks && vertexOnSurface[v] !== ON_VESSEL && model.options.lineSlip > 0) onLine[v] = 1;
    if (!sticks || onLine[v] === 1) slides.push(v);
  }
  if (slides.length > 0) findSlides(parts, isFree, slides, surroundings, model, constraint, direction);
  findLineFriction(model, parts, isFree, onLine, viscosity, friction);
  meetWalls(model, surroundings, parts, { constraint, velocity, dt, expected });
  holdNozzles(model, parts, time, constraint, velocity, isNozzle);
  return { constraint, direction, velocity, friction, isNozzle, isFree };
}

/**
 * Contact lines slide, with friction. With no slip they would never move: the liquid would roll over them, and the front would come down on the floor
 * cell by cell. Real ones move too; the depth below the wall at which the liquid is as if held is a part of a cell here, and
 * spreading depends on it by its logarithm.
 */
function findLineFriction(
  { lattice, options }: ViscousModel,
  { mesh: { tet, tetCount, vertexCount }, topology, geometry }: MeshParts,
  isFree: Uint8Array,
  onLine: Uint8Array,
  viscosity: Float64Array,
  outFriction: Float64Array,
): void {
  const { faceCount, faceToTet, faceVertex } = topology;
  const { form, faceForm } = geometry;
  const h = lattice.size;
  const area = new Float64Array(vertexCount);
  for (let f = 0; f < faceCount; f++)
    if (faceToTet[2 * f + 1] === NONE && isFree[f] === 0)
      for (let n = 3 * f; n < 3 * f + 3; n++) area[faceVertex[n]] += form[faceForm[f] + AREA] / 3;
  // The thickest liquid around a vertex holds it.
  for (let n = 0; n < 4 * tetCount; n++) {
    const v = tet[n];
    if (onLine[v] === 0) continue;
    const friction = (viscosity[n >> 2] * Math.max(area[v], LEAST_AREA * h * h)) / (options.lineSlip * h);
    outFriction[v] = Math.max(outFriction[v], friction);
  }
}

/** Lattice cells' faces that a vertex of a contact line stands for at least: the tips of thin films would shoot away. */
const LEAST_AREA = 0.3;

/** Whether the liquid sticks to any wall at a point of the solid `nearest`. */
function sticksAt(
  { options, lattice }: ViscousModel,
  surroundings: Surroundings,
  nearest: number,
  x: number,
  y: number,
  z: number,
): boolean {
  if (options.friction === 'no-slip' || surroundings.sticks(nearest)) return true;
  if (!surroundings.hasStickyWalls) return false;
  // In a corner, another wall than the nearest one may hold it.
  const walls = surroundings.findWalls(x, y, z, AT_WALL * lattice.size);
  if ((walls & DOMAIN_WALLS) !== 0 && surroundings.sticks(NONE)) return true;
  for (let s = 0; s < LISTED_SOLIDS; s++)
    if ((walls & (1 << (FIRST_SOLID + s))) !== 0 && surroundings.sticks(s)) return true;
  return false;
}

/** Bits of Surroundings.findWalls. */
const DOMAIN_WALLS = 63;
const FIRST_SOLID = 6;
const LISTED_SOLIDS = 25;

/** Boundary faces that turn to the air: those that do not lie on a wall with all their vertices. */
function findFreeFaces(
  model: ViscousModel,
  surroundings: Surroundings,
  { mesh: { position, vertexOnSurface }, topology: { faceCount, faceToTet, faceVertex } }: MeshParts,
): Uint8Array {
  const isFree = new Uint8Array(faceCount);
  for (let f = 0; f < faceCount; f++) {
    if (faceToTet[2 * f + 1] !== NONE) continue;
    const a = faceVertex[3 * f];
    const b = faceVertex[3 * f + 1];
    const c = faceVertex[3 * f + 2];
    const on = vertexOnSurface[a] & vertexOnSurface[b] & vertexOnSurface[c];
    if (on === ON_VESSEL) continue;
    const isWall =
      (on & ON_VESSEL) !== 0 &&
      surroundings.meshClearanceAt(
        (position[3 * a] + position[3 * b] + position[3 * c]) / 3,
        (position[3 * a + 1] + position[3 * b + 1] + position[3 * c + 1]) / 3,
        (position[3 * a + 2] + position[3 * b + 2] + position[3 * c + 2]) / 3,
      ) <
        AT_WALL * model.lattice.size;
    if (!isWall) isFree[f] = 1;
  }
  return isFree;
}

/** Along how many walls, and which, vertices slide: by the wall faces around them. */
function findSlides(
  { topology, geometry: { form, faceForm }, mesh }: MeshParts,
  isFree: Uint8Array,
  slides: readonly number[],
  surroundings: Surroundings,
  model: ViscousModel,
  outConstraint: Uint8Array,
  outDirection: Float64Array,
): void {
  const { faceCount, faceToTet, faceVertex } = topology;
  const walls = new Map<number, number[]>(slides.map((v) => [v, []]));
  for (let f = 0; f < faceCount; f++) {
    if (faceToTet[2 * f + 1] !== NONE || isFree[f] === 1) continue;
    const row = faceForm[f];
    const area = form[row + AREA];
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      const list = walls.get(faceVertex[n]);
      if (list) addWall(list, form[row] / area, form[row + 1] / area, form[row + 2] / area);
    }
  }
  for (const [v, list] of walls) {
    if (list.length === 0) {
      const p: Vec3 = [mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]];
      list.push(...computeClearanceNormal(surroundings.meshClearanceAt, p, DIFFERENCE * model.lattice.size));
    }
    outConstraint[v] = list.length > 6 ? HELD : list.length > 3 ? LINE : PLANE;
    if (list.length === 3) outDirection.set(list, 3 * v);
    if (list.length !== 6) continue;
    const [ax, ay, az, bx, by, bz] = list;
    const along = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const length = Math.hypot(along[0], along[1], along[2]);
    for (let a = 0; a < 3; a++) outDirection[3 * v + a] = along[a] / length;
  }
}

/** Adds a wall's unit normal to a list, or leaves it where it has one like it. */
function addWall(list: number[], x: number, y: number, z: number): void {
  for (let w = 0; w < list.length; w += 3)
    if (Math.abs(list[w] * x + list[w + 1] * y + list[w + 2] * z) > SAME_WALL) return;
  if (list.length < 9) list.push(x, y, z);
}

interface Meeting {
  readonly constraint: Uint8Array;
  readonly velocity: Float64Array;
  readonly dt: Seconds;
  /** (vertexCount x 3) m/s, as if nothing held it */
  readonly expected: Float64Array;
}

/** Vertices of the free surface that would pass a wall in the step arrive there, and no farther. */
function meetWalls(
  { lattice, options }: ViscousModel,
  surroundings: Surroundings,
  { mesh: { position, vertexCount, vertexOnSurface } }: MeshParts,
  { constraint, velocity, dt, expected }: Meeting,
): void {
  if (!(dt > 0)) return;
  const h = lattice.size;
  const reach = (options.cfl + 1) * h;
  const wall = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    if (vertexOnSurface[v] !== ON_LIQUID || constraint[v] !== FREE) continue;
    const p: Vec3 = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
    const clearance = surroundings.meshClearanceAt(...p);
    if (clearance > reach) continue;
    const away = computeClearanceNormal(surroundings.meshClearanceAt, p, DIFFERENCE * h);
    surroundings.velocityAt(surroundings.findSolid(...p), ...p, wall);
    let nears = 0;
    for (let a = 0; a < 3; a++) nears -= (expected[3 * v + a] - wall[a]) * away[a];
    if (nears * dt <= clearance + LEAST_PASS * h) continue;
    constraint[v] = HELD;
    const arrive = (Math.max(0, clearance) + ARRIVAL * h) / dt;
    for (let a = 0; a < 3; a++) velocity[3 * v + a] = wall[a] - arrive * away[a];
  }
}

/** In nozzles the liquid moves as one, as fast as flow and cross-section make it. */
function holdNozzles(
  { emitters, emitterSection, lattice }: ViscousModel,
  { mesh: { position, vertexCount } }: MeshParts,
  time: Seconds,
  outConstraint: Uint8Array,
  outVelocity: Float64Array,
  outIsNozzle: Uint8Array,
): void {
  emitters.forEach(({ shape, direction, flowAt, shutFrom }, n) => {
    if (time >= shutFrom) return;
    const speed = flowAt(time) / emitterSection[n];
    const { min, max } = shape.bounds;
    const near = AT_NOZZLE * lattice.size;
    for (let v = 0; v < vertexCount; v++) {
      const [x, y, z] = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
      if (x < min[0] - near || y < min[1] - near || z < min[2] - near) continue;
      if (x > max[0] + near || y > max[1] + near || z > max[2] + near) continue;
      if (shape.value(x, y, z) < -near) continue;
      outConstraint[v] = HELD;
      outIsNozzle[v] = 1;
      for (let a = 0; a < 3; a++) outVelocity[3 * v + a] = speed * direction[a];
    }
  });
}
