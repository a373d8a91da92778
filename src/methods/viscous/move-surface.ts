/**
 * The surface where it creeps. A contour follows cells, so that a surface which moves by a hair is cut anew
 * by the same lattice in every step: it flickers, and what is thin drifts. Where nothing has moved by more
 * than a fraction of a cell since the last contour, its vertices move with the flow instead ("moveUpTo"). A
 * contour is made anew after enough motion, and at once where the liquid meets a wall or itself, or leaves a
 * nozzle.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
import { findNozzles, hasMovingNozzle, type Nozzle } from '../../flow/boundary/nozzles.ts';
import type { Surroundings } from '../../flow/boundary/surroundings.ts';
import {
  type MeshVelocity,
  VelocitySampler,
  velocityRecord,
  velocityValues,
} from '../../flow/velocity/mesh-velocity.ts';
import { BlockGrid } from '../../tracking/contouring/block-grid.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import { SignField } from '../../tracking/contouring/signs.ts';
import { buildFreeBoundary, type TrackedSurface } from '../../tracking/contouring/surface.ts';
import { surfaceIndexRecord } from '../../tracking/contouring/surface-index.ts';
import type { ViscousModel } from './model.ts';
import type { ViscousState } from './state.ts';

/**
 * Where the liquid is about to meet itself: height over the surface, in contouring cells, at which the air is
 * looked for, and the least distance from the surface there, relative to that height.
 */
const AIR = { height: 0.7, open: 0.5 };
/**
 * Clearances in contouring cells: under which a vertex that was not at the wall has met it, and by which a
 * wall may leave its triangles.
 */
const CLEARANCE = { met: 0.02, off: 0.02 };
const GRAIN = 512;

/** How a vertex may not go on being moved. */
const moveTask = defineTask(
  'viscous/move-surface',
  {
    flow: velocityRecord,
    surface: surfaceIndexRecord,
    dt: 'number',
    spacing: 'number',
    position: 'f64',
    normal: 'f64',
    contact: 'u8',
    outPosition: 'f64',
    outMove: 'f64',
  },
  (begin, end, values) => {
    const { dt, spacing, position, normal, contact, outPosition, outMove } = values;
    const flow = new VelocitySampler(values.flow);
    const distance = new SurfaceDistance(values.surface);
    for (let v = begin; v < end; v++) {
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      const nx = normal[3 * v];
      const ny = normal[3 * v + 1];
      const nz = normal[3 * v + 2];
      outMove[v] = 0;
      if (nx === 0 && ny === 0 && nz === 0) {
        for (let a = 0; a < 3; a++) outPosition[3 * v + a] = position[3 * v + a];
        continue;
      }
      flow.trace(x, y, z, dt);
      outPosition[3 * v] = flow.endX;
      outPosition[3 * v + 1] = flow.endY;
      outPosition[3 * v + 2] = flow.endZ;
      outMove[v] = Math.hypot(flow.endX - x, flow.endY - y, flow.endZ - z) / spacing;
      if (contact[v] === 1) continue;
      const look = AIR.height * spacing;
      const over = distance.signedDistance(x + look * nx, y + look * ny, z + look * nz, 2);
      if (distance.found && over > -AIR.open * look) outMove[v] += NEAR_ITSELF;
    }
  },
);

/** Added to the motion of vertices over which another surface is near. */
const NEAR_ITSELF = 1e6;

export interface SurfaceMove {
  readonly contour: Contour;
  /** Contouring cells that the surface has moved since it was contoured. */
  readonly drift: number;
}

/** The surface with its vertices moved by dt; undefined where it must be contoured. */
export function moveSurface(
  model: ViscousModel,
  surroundings: Surroundings,
  state: ViscousState,
  flow: MeshVelocity,
  dt: Seconds,
  scope: HeapScope,
  scratch: HeapScope,
): SurfaceMove | undefined {
  const { surface, derived, signs } = state;
  const { spacing } = model.contour.walls;
  const most = model.options.moveUpTo * model.options.surfaceRefinement;
  if (most === 0 || state.drift >= most || surface.vertexCount === 0) return undefined;
  if (hasMovingNozzle(model, state.time)) return undefined;
  const { normal, contact } = buildFreeBoundary(surface, scratch);
  const moved = scratch.f64(3 * surface.vertexCount);
  const move = scratch.f64(surface.vertexCount);
  model.threads.run(moveTask, surface.vertexCount, GRAIN, {
    flow: velocityValues(flow),
    surface: derived.surfaceIndex,
    dt,
    spacing,
    position: surface.position,
    normal,
    contact,
    outPosition: moved,
    outMove: move,
  });
  holdNozzles(findNozzles(model, state.time), spacing, surface, moved, move);
  let largest = 0;
  let isNearItself = false;
  for (let v = 0; v < surface.vertexCount; v++) {
    if (move[v] >= NEAR_ITSELF) isNearItself = true;
    else largest = Math.max(largest, move[v]);
  }
  const drift = state.drift + largest;
  if (drift > most) return undefined;
  // Liquid beside itself may stand still for ever; only where it moves must it be looked at anew.
  if (isNearItself && state.drift + largest > NEAR_SHARE * most) return undefined;
  if (!keepsToWalls(surroundings, derived.surroundings, { surface, moved, normal, contact }, spacing))
    return undefined;
  const position = scope.f64(3 * surface.vertexCount);
  position.set(moved);
  const triangle = scope.i32(3 * surface.triangleCount);
  triangle.set(surface.triangle.subarray(0, 3 * surface.triangleCount));
  const wall = scope.u8(Math.max(1, surface.triangleCount));
  wall.set(surface.wall.subarray(0, surface.triangleCount));
  const { vertexCount, triangleCount } = surface;
  const field = new SignField(
    BlockGrid.at(signs.place, signs.directory),
    new Int8Array(signs.slotSign.buffer, signs.slotSign.byteOffset, signs.slotSign.length),
    new Int8Array(signs.blockSign.buffer, signs.blockSign.byteOffset, signs.blockSign.length),
  );
  return {
    contour: {
      surface: { vertexCount, triangleCount, position, triangle, wall },
      signs: field,
      evaluations: 0,
    },
    drift,
  };
}

/** Part of the motion that liquid beside itself may make before it is contoured. */
const NEAR_SHARE = 0.25;

/** The back and the sides of nozzles stand still; only what has left them moves. */
function holdNozzles(
  nozzles: readonly Nozzle[],
  spacing: number,
  { position, vertexCount }: TrackedSurface,
  outPosition: Float64Array,
  outMove: Float64Array,
): void {
  const near = AT_NOZZLE * spacing;
  for (const { shape, direction } of nozzles) {
    const { min, max } = shape.bounds;
    let mouth = 0;
    for (let a = 0; a < 3; a++)
      mouth += (direction[a] * (min[a] + max[a])) / 2 + (Math.abs(direction[a]) * (max[a] - min[a])) / 2;
    for (let v = 0; v < vertexCount; v++) {
      const x = position[3 * v];
      const y = position[3 * v + 1];
      const z = position[3 * v + 2];
      if (shape.value(x, y, z) < -near) continue;
      if (direction[0] * x + direction[1] * y + direction[2] * z > mouth - near) continue;
      for (let a = 3 * v; a < 3 * v + 3; a++) outPosition[a] = position[a];
      outMove[v] = 0;
    }
  }
}

/** Contouring cells within which a vertex belongs to a nozzle. */
const AT_NOZZLE = 0.1;

/** Whether what lies on walls still does, and nothing else has come to one. */
function keepsToWalls(
  now: Surroundings,
  former: Surroundings,
  {
    surface: { position, vertexCount },
    moved,
    normal,
    contact,
  }: {
    readonly surface: TrackedSurface;
    readonly moved: Float64Array;
    readonly normal: Float64Array;
    readonly contact: Uint8Array;
  },
  spacing: number,
): boolean {
  for (let v = 0; v < 3 * vertexCount; v += 3) {
    const isFree = normal[v] !== 0 || normal[v + 1] !== 0 || normal[v + 2] !== 0;
    const clearance = now.clearanceAt(moved[v], moved[v + 1], moved[v + 2]);
    const hasMet = isFree && contact[v / 3] === 0;
    if (hasMet ? clearance > CLEARANCE.met * spacing : Math.abs(clearance) <= CLEARANCE.off * spacing)
      continue;
    // What was so before may stay so: triangles cut the corners of sharp edges.
    const before = former.clearanceAt(position[v], position[v + 1], position[v + 2]);
    if (hasMet ? before > CLEARANCE.met * spacing : Math.abs(clearance - before) > CLEARANCE.off * spacing)
      return false;
  }
  return true;
}
