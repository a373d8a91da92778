/** Semi-Lagrangian contouring of the liquid's surface ([chentanez-2007] 3.2). */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask } from '../../core/threads/task.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { type Contour, ContourBuilder } from '../../tracking/contouring/contour.ts';
import { type SignGrid, SignSampler } from '../../tracking/contouring/signs.ts';
import type { ContourSpace } from '../../tracking/contouring/space.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { levelRecords, SurfaceLevel } from '../../tracking/contouring/surface-level.ts';
import { findNozzles, type Nozzle, poseNozzle } from '../boundary/nozzles.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import type { LiquidState } from '../liquid/state.ts';
import { advectPoints } from '../velocity/advect-points.ts';
import {
  type MeshVelocity,
  VelocitySampler,
  velocityRecord,
  velocityValues,
} from '../velocity/mesh-velocity.ts';

/** Rings of contouring cells searched around a path's end; farther off only the sign matters. */
const SEARCH_RINGS = 5;
/**
 * Distance, in contouring cells, at which the end of a path on a wall lies on a surface that is there too.
 */
const AT_WALL = 1e-3;
/**
 * Contouring cells by which a surface leaves its signs at least: its volume is shifted right, and corners are
 * cut.
 */
const SHIFTED = 0.2;
/** Contouring cells by which a path that began in a solid must end in it still, to have brought no liquid. */
const FROM_SOLID = 1;
const GRAIN = 512;

/** f+(p): the signed distance at the end of the path traced back from p. */
const advectedDistance = defineTask(
  'flow/compute-advected-distance',
  { ...levelRecords, flow: velocityRecord, dt: 'number', point: 'f64', out: 'f64' },
  (begin, end, values) => {
    const { dt, spacing, point, out } = values;
    const flow = new VelocitySampler(values.flow);
    const level = new SurfaceLevel(values);
    const { surface } = level;
    for (let n = begin; n < end; n++) {
      flow.trace(point[3 * n], point[3 * n + 1], point[3 * n + 2], -dt);
      // Where a solid was and the flow has not been, there is air: under a gate that rises, for one.
      const beyond = Math.hypot(flow.beyondX, flow.beyondY, flow.beyondZ);
      if (beyond > FROM_SOLID * spacing && flow.isInSolid(point[3 * n], point[3 * n + 1], point[3 * n + 2])) {
        out[n] = -beyond;
        continue;
      }
      out[n] = level.value(flow.endX, flow.endY, flow.endZ);
      // Where the surface is at the wall and faces it, the liquid is leaving: behind it the path comes from air.
      if (!level.isNear || surface.distance >= AT_WALL * spacing) continue;
      const behind =
        flow.beyondX * surface.normalX + flow.beyondY * surface.normalY + flow.beyondZ * surface.normalZ;
      if (behind > 0) out[n] -= behind;
    }
  },
);

/** What a method unites the advected liquid with: thin parts that it carries by itself. */
export interface ContourUnion {
  /** Adds the boxes that its surface lies in. */
  seed(builder: ContourBuilder): void;
  /**
   * The larger of its function and `outValue` at `count` points (count x 3, m), in place; arrays on the heap.
   */
  unite(point: Float64Array, count: number, outValue: Float64Array): void;
}

/** What some methods know besides. */
export interface ContourExtras {
  readonly thin?: ContourUnion | undefined;
  /** Contouring cells by which vertices have moved since the surface was contoured. */
  readonly drift?: number;
}

/**
 * The surface after dt: contour of f+, united with the thickened thin parts, with emitters full again,
 * clipped by the solids where they are then.
 */
export function contourAdvected(
  model: LiquidModel,
  surroundings: Surroundings,
  state: LiquidState,
  flow: MeshVelocity,
  dt: Seconds,
  scope: HeapScope,
  scratch: HeapScope,
  { thin, drift = 0 }: ContourExtras = {},
): Contour {
  const { surface, derived } = state;
  const { threads } = model;
  const { signs } = state;
  const values = {
    flow: velocityValues(flow),
    surface: derived.surfaceIndex,
    signs,
    dt,
    spacing: model.contour.walls.spacing,
    rings: SEARCH_RINGS,
    moved: drift + SHIFTED,
  };
  const nozzles = findNozzles(model, state.time, state.time + dt);
  const builder = new ContourBuilder(
    surroundings.space,
    (point, count, out) => {
      threads.run(advectedDistance, count, GRAIN, { ...values, point, out });
      thin?.unite(point, count, out);
      fillNozzles(nozzles, point, count, out);
    },
    scratch,
  );
  for (const { shape } of nozzles) seedShapes(builder, shape);
  thin?.seed(builder);

  seedMovedSurface(builder, model, surface, flow, dt, scratch);
  if (surroundings.scope) seedOpenedSpace(builder, surroundings.space, signs);
  const former = new SignSampler(signs);
  return builder.build(scope, (x, y, z) => former.isInside(x, y, z));
}

/**
 * The new surface lies where the flow takes the old free triangles, or hangs together with cells that it
 * takes them to.
 */
function seedMovedSurface(
  builder: ContourBuilder,
  model: LiquidModel,
  { position, triangle, triangleCount, vertexCount, wall }: TrackedSurface,
  flow: MeshVelocity,
  dt: Seconds,
  scratch: HeapScope,
): void {
  const place = new Int32Array(vertexCount).fill(NONE);
  const free = scratch.f64(Math.max(1, 3 * vertexCount));
  let count = 0;
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 1) continue;
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      const v = triangle[n];
      if (place[v] !== NONE) continue;
      for (let a = 0; a < 3; a++) free[3 * count + a] = position[3 * v + a];
      place[v] = count++;
    }
  }
  const moved = scratch.f64(Math.max(1, 3 * count));
  advectPoints(model, flow, dt, free, count, moved);
  for (let f = 0; f < triangleCount; f++) {
    if (wall[f] === 1) continue;
    const a = 3 * place[triangle[3 * f]];
    const b = 3 * place[triangle[3 * f + 1]];
    const c = 3 * place[triangle[3 * f + 2]];
    builder.addTriangle(moved, a, b, c);
  }
}

/**
 * Where a solid has given way, liquid and air may meet that had it between them, with no surface of the
 * liquid near: the cells around every node that was in a solid and is not any more.
 */
function seedOpenedSpace(builder: ContourBuilder, { walls, clearance }: ContourSpace, signs: SignGrid): void {
  const former = new SignSampler(signs);
  const node = new Int32Array(3);
  for (let slot = 0; slot < walls.slotCount; slot++) {
    if (clearance[slot] < 0) continue;
    walls.nodeOfSlot(slot, node);
    const [i, j, k] = node;
    if (!former.isSolid(i, j, k)) continue;
    for (let n = 0; n < 8; n++) builder.addCell(i - (n & 1), j - ((n >> 1) & 1), k - (n >> 2));
  }
}

/** Emitters are primed nozzles: their regions are full until they are shut for good. */
function fillNozzles(
  nozzles: readonly Nozzle[],
  point: Float64Array,
  count: number,
  outValue: Float64Array,
): void {
  for (const { shape } of nozzles) {
    for (let n = 0; n < count; n++) {
      const full = shape.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
      if (full > outValue[n]) outValue[n] = full;
    }
  }
}

/** The surface at the start: the contour of the liquids' shapes. */
export function contourInitial(
  model: LiquidModel,
  surroundings: Surroundings,
  scope: HeapScope,
  scratch: HeapScope,
): Contour {
  const nozzles = model.emitters.map((emitter) => poseNozzle(emitter, 0));
  const shapes = [...model.liquids, ...nozzles].map((l) => l.shape);
  const value = (x: number, y: number, z: number) => {
    let most = Number.NEGATIVE_INFINITY;
    for (const shape of shapes) most = Math.max(most, shape.value(x, y, z));
    return most;
  };
  const builder = new ContourBuilder(
    surroundings.space,
    (point, count, out) => {
      for (let n = 0; n < count; n++) out[n] = value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
    },
    scratch,
  );
  seedShapes(builder, { value });
  return builder.build(scope, (x, y, z) => value(x, y, z) > 0);
}

/** Adds the cells near the zero set of a 1-Lipschitz function, found by descent through boxes of cells. */
function seedShapes(builder: ContourBuilder, shape: Pick<Implicit, 'value'>): void {
  const { grid } = builder;
  const { origin, spacing } = grid;
  const descend = (i: number, j: number, k: number, size: number): void => {
    if (i >= grid.nodesX - 1 || j >= grid.nodesY - 1 || k >= grid.nodesZ - 1) return;
    const half = 0.5 * size * spacing;
    const centre = shape.value(
      origin[0] + i * spacing + half,
      origin[1] + j * spacing + half,
      origin[2] + k * spacing + half,
    );
    if (Math.abs(centre) > Math.sqrt(3) * half) return;
    if (size === 1) {
      builder.addCell(i, j, k);
      return;
    }
    const s = size / 2;
    for (let n = 0; n < 8; n++) descend(i + (n & 1) * s, j + ((n >> 1) & 1) * s, k + (n >> 2) * s, s);
  };
  let size = 1;
  while (size < Math.max(grid.nodesX, grid.nodesY, grid.nodesZ)) size *= 2;
  descend(0, 0, 0, size);
}
