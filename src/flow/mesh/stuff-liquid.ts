/**
 * The tet mesh of the liquid: isosurface stuffing of the vessel, then of the liquid, and snapping
 * ([chentanez-2007] 3.3).
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type TaskValues } from '../../core/threads/task.ts';
import { type F64View, NONE } from '../../core/types.ts';
import type { StuffedMesh, StuffingField, VesselField } from '../../mesh/lattice/lattice.ts';
import { stuff } from '../../mesh/lattice/stuff.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { SurfaceDistance } from '../../tracking/contouring/distance.ts';
import { buildSignGrid, SignSampler, SURE, signRecord } from '../../tracking/contouring/signs.ts';
import type { TrackedSurface } from '../../tracking/contouring/surface.ts';
import { type SurfaceIndex, surfaceIndexRecord } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { snapToObstacles, snapToSharpEdges } from './snapping.ts';

/** Rings of contouring cells within which the mesher sees exact distances: a lattice cell and a half. */
export const SEARCH_RINGS = 4;
/**
 * Clearance, in lattice cells, below which the middle of a face between vertices on walls is itself on one.
 */
export const SAME_WALL = 0.02;
const GRAIN = 1024;

/** What a method adds to the liquid's function before it is meshed, so that thin parts have tets. */
export interface MeshThickening {
  /** What is added at a point, m. */
  value(x: number, y: number, z: number): number;
  /** The same for `count` points at once (count x 3, m), added to `outValue`; arrays on the heap. */
  addTo(point: Float64Array, count: number, outValue: Float64Array): void;
  /** Adds the lattice cells that the thickened surface may lie in. */
  addCells(outCells: Set<number>): void;
}

/**
 * Signed distance to the free surface near it; farther off only the sign counts, and comes from the contour.
 */
const liquidRecords = {
  surface: surfaceIndexRecord,
  signs: signRecord,
  spacing: 'number',
  rings: 'number',
} as const;

const liquidDistance = defineTask(
  'flow/compute-liquid-distance',
  { ...liquidRecords, point: 'f64', out: 'f64' },
  (begin, end, values) => {
    const { point, out } = values;
    const sampler = new LiquidSampler(values);
    for (let n = begin; n < end; n++)
      out[n] = sampler.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
  },
);

type LiquidValues = TaskValues<typeof liquidRecords>;

class LiquidSampler {
  private readonly surface: SurfaceDistance;
  private readonly signs: SignSampler;
  private readonly spacing: number;
  private readonly rings: number;

  constructor({ surface, signs, spacing, rings }: LiquidValues) {
    this.surface = new SurfaceDistance(surface);
    this.signs = new SignSampler(signs);
    this.spacing = spacing;
    this.rings = rings;
  }

  value(x: number, y: number, z: number): number {
    const { surface, rings } = this;
    const value = surface.signedDistance(x, y, z, rings);
    const sure = SURE * this.spacing;
    if (surface.found && surface.distance < sure) return value;
    const size = surface.found ? Math.max(Math.abs(value), sure) : rings * this.spacing;
    return this.signs.isInside(x, y, z) ? size : -size;
  }
}

/** liquid + thickening: exact near the free surface, of the right sign elsewhere. */
export class LiquidField implements StuffingField {
  private readonly values: LiquidValues;
  private readonly liquid: LiquidSampler;

  constructor(
    private readonly model: LiquidModel,
    contour: Contour,
    index: SurfaceIndex,
    private readonly scratch: HeapScope,
    private readonly thickening?: MeshThickening,
    rings = SEARCH_RINGS,
  ) {
    const signs = buildSignGrid(contour.signs, scratch);
    this.values = { surface: index, signs, spacing: model.contour.walls.spacing, rings };
    this.liquid = new LiquidSampler(this.values);
  }

  value(x: number, y: number, z: number): number {
    return this.liquid.value(x, y, z) + (this.thickening?.value(x, y, z) ?? 0);
  }

  sample(point: F64View, count: number, out: Float64Array): void {
    const { threads } = this.model;
    const scratch = this.scratch;
    const points = scratch.f64(Math.max(1, 3 * count));
    for (let n = 0; n < 3 * count; n++) points[n] = point[n];
    const values = scratch.f64(Math.max(1, count));
    threads.run(liquidDistance, count, GRAIN, { ...this.values, point: points, out: values });
    this.thickening?.addTo(points, count, values);
    out.set(values.subarray(0, count));
  }
}

/** The room that walls and solids leave. Walls that fall on lattice planes count as exactly there. */
function createVesselField({ lattice }: LiquidModel, surroundings: Surroundings): VesselField {
  const least = 1e-9 * lattice.size;
  return {
    walls: (x, y, z) => surroundings.findWalls(x, y, z, SAME_WALL * lattice.size),
    value: (x, y, z) => {
      const clearance = surroundings.meshClearanceAt(x, y, z);
      return Math.abs(clearance) < least ? 0 : clearance;
    },
  };
}

/** Fills the contoured liquid with tetrahedra and snaps vertices near obstacles onto them. */
export function stuffLiquid(
  model: LiquidModel,
  surroundings: Surroundings,
  contour: Contour,
  index: SurfaceIndex,
  scope: HeapScope,
  scratch: HeapScope,
  thickening: MeshThickening | undefined,
): StuffedMesh {
  const field = new LiquidField(model, contour, index, scratch, thickening);
  const mesh = stuff(field, model.lattice, {
    maxLevel: model.options.interiorLevels,
    surfaceCells: findSurfaceCells(model, contour.surface, thickening),
    vessel: createVesselField(model, surroundings),
    scope,
  });
  snapToObstacles(model, surroundings, mesh, index);
  snapToSharpEdges(model, surroundings, mesh, index);
  return mesh;
}

/** Lattice cells that triangles of the surface lie in, and those around thickened parts. */
export function findSurfaceCells(
  model: LiquidModel,
  surface: TrackedSurface,
  thickening?: MeshThickening,
): Int32Array {
  const { origin, size, cells } = model.lattice;
  const [nx, ny, nz] = cells;
  const { position, triangle } = surface;
  const marked = new Set<number>();
  let last = NONE;
  for (let f = 0; f < surface.triangleCount; f++) {
    const a = 3 * triangle[3 * f];
    const b = 3 * triangle[3 * f + 1];
    const c = 3 * triangle[3 * f + 2];
    const i = Math.floor(((position[a] + position[b] + position[c]) / 3 - origin[0]) / size);
    const j = Math.floor(((position[a + 1] + position[b + 1] + position[c + 1]) / 3 - origin[1]) / size);
    const k = Math.floor(((position[a + 2] + position[b + 2] + position[c + 2]) / 3 - origin[2]) / size);
    const cell =
      Math.min(nx - 1, Math.max(0, i)) +
      nx * (Math.min(ny - 1, Math.max(0, j)) + ny * Math.min(nz - 1, Math.max(0, k)));
    if (cell !== last) marked.add(cell);
    last = cell;
  }
  thickening?.addCells(marked);
  return Int32Array.from(marked);
}
