/**
 * What holds the vertices of the mesh: walls and solids, which the liquid sticks to or slides along, and
 * nozzles, in which all moves as one. Also walls ahead: a vertex that would pass one in this step is given
 * the velocity with which it arrives, so that falling liquid does not run into the floor.
 */
import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import { AREA } from '../../flow/mesh/face-geometry.ts';
import type { MeshParts } from '../../flow/mesh/mesh-parts.ts';
import { FREE, HELD, type NodeConditions } from '../../flow/viscosity/problem.ts';
import {
  DIFFERENCE,
  findFreeFaces,
  findSlides,
  followWalls,
  holdNozzles,
} from '../../flow/viscosity/wall-vertices.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { ON_LIQUID, ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import { holdEmbeddedWalls } from './embedded-conditions.ts';
import type { ViscousModel } from './model.ts';
import { ARRIVAL, LEAST_PASS, sticksAt } from './walls.ts';

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
  const { vertexCount } = parts.mesh;
  const constraint = scope.u8(vertexCount);
  const direction = scope.f64(3 * vertexCount);
  const velocity = scope.f64(3 * vertexCount);
  const isNozzle = new Uint8Array(vertexCount);
  const isFree = findFreeFaces(surroundings, model.lattice.size, parts);
  const slides: number[] = [];
  const onLine = new Uint8Array(vertexCount);
  const friction = scope.f64(vertexCount);
  // Velocities lead the surface by half a step.
  const nozzles = { surface: time - dt / 2, velocity: time };
  const { mesh, embedding } = parts;
  if (embedding) {
    const given = { expected, viscosity, dt };
    const out = { constraint, direction, velocity, friction };
    holdEmbeddedWalls(model, surroundings, { mesh, ...embedding }, given, out);
    holdNozzles(model, parts.mesh, nozzles, { constraint, velocity, isNozzle });
    return { constraint, direction, velocity, friction, isNozzle, isFree };
  }
  followWalls(surroundings, mesh, velocity, (v, solid, x, y, z) => {
    constraint[v] = HELD;
    const sticks = sticksAt(model, surroundings, solid, x, y, z);
    if (sticks && mesh.vertexOnSurface[v] !== ON_VESSEL && model.options.lineSlip > 0) onLine[v] = 1;
    if (!sticks || onLine[v] === 1) slides.push(v);
  });
  if (slides.length > 0) findSlides(model, parts, isFree, slides, surroundings, { constraint, direction });
  findLineFriction(model, parts, isFree, onLine, viscosity, friction);
  meetWalls(model, surroundings, parts, { constraint, velocity, dt, expected });
  holdNozzles(model, parts.mesh, nozzles, { constraint, velocity, isNozzle });
  return { constraint, direction, velocity, friction, isNozzle, isFree };
}

/**
 * Contact lines slide, with friction. With no slip they would never move: the liquid would roll over them,
 * and the front would come down on the floor cell by cell. Real ones move too; the depth below the wall at
 * which the liquid is as if held is a part of a cell here, and spreading depends on it by its logarithm.
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

/**
 * Lattice cells' faces that a vertex of a contact line stands for at least: the tips of thin films would
 * shoot away.
 */
const LEAST_AREA = 0.3;

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
