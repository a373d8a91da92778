/**
 * What walls, solids and nozzles hold of the vertices of a stuffed mesh: those it sticks to all of the
 * velocity, those it slides along its component across them. Also which of its faces turn to the air.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Metres, Seconds, Vec3 } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { ON_VESSEL, type StuffedMesh } from '../../mesh/lattice/lattice.ts';
import { poseNozzle } from '../boundary/nozzles.ts';
import { listWalls, type Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { HELD, LINE, type NodeConditions, PLANE } from './problem.ts';

/** Lattice cells within which a wall passes through a vertex. */
const AT_WALL = 0.02;
/** Lattice cells within which a vertex belongs to a nozzle. */
const AT_NOZZLE = 0.1;
/** Lattice cells over which the way to a wall is differenced. */
export const DIFFERENCE = 1e-3;
/** Cosine from which two wall faces are of one wall. */
const SAME_WALL = 0.8;

/** Whether the liquid sticks to the solid `nearest` to a point, or in a corner to another wall there. */
export function sticksToAny(
  surroundings: Surroundings,
  h: Metres,
  nearest: number,
  x: number,
  y: number,
  z: number,
): boolean {
  if (surroundings.sticks(nearest)) return true;
  if (!surroundings.hasStickyWalls) return false;
  const walls = surroundings.findWalls(x, y, z, AT_WALL * h);
  return listWalls(walls).some((solid) => surroundings.sticks(solid));
}

/**
 * What walls hold by the scene's own word: all of the velocity where the liquid sticks, else its component
 * across them; in nozzles all moves as one. Contact lines are held as well.
 */
export function holdByScene(
  model: LiquidModel,
  surroundings: Surroundings,
  parts: MeshParts,
  time: Seconds,
  scope: HeapScope,
): NodeConditions {
  const { vertexCount } = parts.mesh;
  const h = model.lattice.size;
  const constraint = scope.u8(vertexCount);
  const direction = scope.f64(3 * vertexCount);
  const velocity = scope.f64(3 * vertexCount);
  const slides: number[] = [];
  followWalls(surroundings, parts.mesh, velocity, (v, solid, x, y, z) => {
    if (sticksToAny(surroundings, h, solid, x, y, z)) constraint[v] = HELD;
    else slides.push(v);
  });
  if (slides.length > 0)
    findSlides(model, parts, findFreeFaces(surroundings, h, parts), slides, surroundings, {
      constraint,
      direction,
    });
  holdNozzles(
    model,
    parts.mesh,
    { surface: time, velocity: time },
    { constraint, velocity, isNozzle: new Uint8Array(vertexCount) },
  );
  return { constraint, direction, velocity };
}

/** Gives the vertices on walls the velocity of the solid that is there, and visits them. */
export function followWalls(
  surroundings: Surroundings,
  { vertexCount, position, vertexOnSurface }: StuffedMesh,
  outVelocity: Float64Array,
  visit: (v: number, solid: number, x: number, y: number, z: number) => void,
): void {
  const wall = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    if ((vertexOnSurface[v] & ON_VESSEL) === 0) continue;
    const [x, y, z] = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
    const solid = surroundings.findSolid(x, y, z);
    surroundings.velocityAt(solid, x, y, z, wall);
    outVelocity.set(wall, 3 * v);
    visit(v, solid, x, y, z);
  }
}

/** Boundary faces that turn to the air: those that do not lie on a wall with all their vertices. */
export function findFreeFaces(
  surroundings: Surroundings,
  h: Metres,
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
        AT_WALL * h;
    if (!isWall) isFree[f] = 1;
  }
  return isFree;
}

/**
 * Along how many walls, and which, vertices slide: by the wall faces around them, weighted by the thrust of
 * liquid at rest. On bent walls its resultant is then across the way that is free, and pools lie still.
 */
export function findSlides(
  { lattice, gravity }: LiquidModel,
  { topology, geometry: { form, faceForm }, mesh }: MeshParts,
  isFree: Uint8Array,
  slides: readonly number[],
  surroundings: Surroundings,
  out: Pick<NodeConditions, 'constraint' | 'direction'>,
): void {
  const { faceCount, faceToTet, faceVertex } = topology;
  const walls = new Map<number, number[]>(slides.map((v) => [v, []]));
  const weight = weighByThrust(mesh.position, lattice.size, gravity);
  for (let f = 0; f < faceCount; f++) {
    if (faceToTet[2 * f + 1] !== NONE || isFree[f] === 1) continue;
    const row = faceForm[f];
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      const list = walls.get(faceVertex[n]);
      if (!list) continue;
      const share = weight(faceVertex[n], faceVertex.subarray(3 * f, 3 * f + 3));
      addWall(list, share * form[row], share * form[row + 1], share * form[row + 2]);
    }
  }
  for (const [v, list] of walls) {
    if (list.length === 0) {
      const p: Vec3 = [mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]];
      list.push(...computeClearanceNormal(surroundings.meshClearanceAt, p, DIFFERENCE * lattice.size));
    }
    setSlide(v, list, out);
  }
}

/**
 * How much a face counts at one of its vertices, where the liquid is no higher: by the weight above its other
 * two.
 */
function weighByThrust(position: Float64Array, h: Metres, [gx, gy, gz]: Vec3) {
  const g = Math.hypot(gx, gy, gz) || 1;
  return (v: number, corners: Int32Array): number => {
    let depth = LEAST_THRUST * h;
    for (const w of corners) {
      const x = position[3 * w] - position[3 * v];
      const y = position[3 * w + 1] - position[3 * v + 1];
      const z = position[3 * w + 2] - position[3 * v + 2];
      depth += Math.max(0, (gx * x + gy * y + gz * z) / g);
    }
    return depth / h;
  };
}

/** Lattice cells of depth that every face counts for: walls without thrust are walls too. */
const LEAST_THRUST = 1e-6;

/**
 * A vertex slides along walls of these normals (three numbers each, of any length): along a plane, a line, or
 * not at all.
 */
export function setSlide(
  v: number,
  list: readonly number[],
  out: Pick<NodeConditions, 'constraint' | 'direction'>,
): void {
  out.constraint[v] = list.length > 6 ? HELD : list.length > 3 ? LINE : PLANE;
  if (list.length > 6) return;
  const [ax, ay, az, bx = 0, by = 0, bz = 0] = list;
  const way = list.length === 3 ? list : [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const length = Math.hypot(way[0], way[1], way[2]);
  for (let a = 0; a < 3; a++) out.direction[3 * v + a] = way[a] / length;
}

/**
 * Adds a wall's normal to a list: to that of the same wall, if it is in it. By their areas: so a pressure
 * which is the same on all faces around a vertex pushes it nowhere that it could slide.
 */
export function addWall(list: number[], x: number, y: number, z: number): void {
  for (let w = 0; w < list.length; w += 3) {
    const along = list[w] * x + list[w + 1] * y + list[w + 2] * z;
    const lengths = Math.hypot(x, y, z) * Math.hypot(list[w], list[w + 1], list[w + 2]);
    if (Math.abs(along) <= SAME_WALL * lengths) continue;
    const sign = Math.sign(along);
    list[w] += sign * x;
    list[w + 1] += sign * y;
    list[w + 2] += sign * z;
    return;
  }
  if (list.length < 9) list.push(x, y, z);
}

/** When nozzles are asked for: velocities may hold later than the surface does. */
export interface NozzleTime {
  readonly surface: Seconds;
  readonly velocity: Seconds;
}

/**
 * In nozzles the liquid moves as one, as fast as flow and cross-section make it, and with its nozzle. A
 * nozzle that moves along the wall which it comes through carries what is at the wall within a cell of it:
 * stuck there, a beard of liquid would hang behind it.
 */
export function holdNozzles(
  { emitters, emitterSection, lattice }: LiquidModel,
  { position, vertexCount, vertexOnSurface }: MeshParts['mesh'],
  time: NozzleTime,
  out: Pick<NodeConditions, 'constraint' | 'velocity'> & { readonly isNozzle: Uint8Array },
): void {
  emitters.forEach((emitter, n) => {
    if (time.velocity >= emitter.shutFrom) return;
    const { shape } = poseNozzle(emitter, time.surface);
    const { direction, carryAt } = poseNozzle(emitter, time.velocity);
    const speed = emitter.flowAt(time.velocity) / emitterSection[n];
    const { min, max } = shape.bounds;
    const near = AT_NOZZLE * lattice.size;
    const reach = emitter.motion ? lattice.size : near;
    for (let v = 0; v < vertexCount; v++) {
      const [x, y, z] = [position[3 * v], position[3 * v + 1], position[3 * v + 2]];
      if (x < min[0] - reach || y < min[1] - reach || z < min[2] - reach) continue;
      if (x > max[0] + reach || y > max[1] + reach || z > max[2] + reach) continue;
      const depth = shape.value(x, y, z);
      const isIn = depth >= -near;
      if (!isIn && (depth < -reach || (vertexOnSurface[v] & ON_VESSEL) === 0)) continue;
      out.constraint[v] = HELD;
      out.isNozzle[v] = 1;
      const carry = carryAt(x, y, z);
      for (let a = 0; a < 3; a++) out.velocity[3 * v + a] = (isIn ? speed * direction[a] : 0) + carry[a];
    }
  });
}
