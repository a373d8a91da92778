/**
 * The mesh of [batty-houston-2011] 3 and 4: graded body-centred tets of an octree that is fine where a sizing
 * function asks for it, whatever the surface does. It extends beyond the liquid by what its surface cuts;
 * tets without liquid are left out. The surface goes on straight into walls, so that tets at walls are as
 * full as the liquid there: pressure pushes against vertices that are held, and not against a cut that
 * nothing holds, and still pools stay still.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Vec3 } from '../../core/types.ts';
import { computeClearanceNormal } from '../../geometry/sharp-edges.ts';
import { buildBackground, type FilledLeaves } from '../../mesh/background/mesh.ts';
import { markBoundary, takePart } from '../../mesh/background/part.ts';
import { ON_LIQUID, ON_VESSEL } from '../../mesh/lattice/lattice.ts';
import { createGrownSizing, type SizeField } from '../../mesh/octree/grown-sizing.ts';
import type { Octree, OctreeBox } from '../../mesh/octree/octree.ts';
import { buildOctree } from '../../mesh/octree/sizing.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { LEAST_LIQUID } from '../viscosity/domain.ts';
import { buildEmbedding } from './embedded.ts';
import { buildMeshParts, type MeshParts } from './mesh-parts.ts';
import { findSurfaceCells, LiquidField, SEARCH_RINGS } from './stuff-liquid.ts';

/** Finest cells from a wall at which a vertex counts as on it. */
export const AT_WALL = 0.02;
/** Finest cells below which a level is none: a vertex exactly on the surface cuts off nothing. */
const LEAST_LEVEL = 1e-6;
/** Finest cells from the wall to the places in the open by which the level of a point in it is found. */
const APART = 0.5;
/** Finest cells over which the way to a wall is differenced. */
const DIFFERENCE = 1e-3;
/**
 * Edges of a leaf from its middle within which it may hold some of the surface: half a diagonal, and half a
 * leaf beside it.
 */
const LEAF_REACH = 1.4;

/** How fine cells are: the parts of the sizing function. */
export interface SizingOptions {
  /** How often cells at the surface double where no field asks for finer ones. */
  readonly surfaceLevels: number;
  /** By how much cells grow away from the surface, m/m */
  readonly growth: number;
  readonly fields: readonly SizeField[];
}

export function embedLiquid(
  model: LiquidModel,
  surroundings: Surroundings,
  contour: Contour,
  index: SurfaceIndex,
  sizing: SizingOptions,
  scope: HeapScope,
  scratch: HeapScope,
): MeshParts {
  const octree = buildLiquidOctree(model, contour, sizing);
  const levels = new LevelSampler(model, surroundings, contour, index, sizing, scratch);
  const background = buildBackground(octree, scratch, findLeaves(levels, surroundings, octree));
  const { position, vertexCount, tet, tetCount } = background;
  const level = scratch.f64(vertexCount);
  const { clearance, wallLevel } = levels.sample(position, vertexCount, level);
  const { fraction } = buildEmbedding(model.threads, background, level, scratch);
  const keep = new Uint8Array(tetCount);
  const least = AT_WALL * octree.size;
  for (let t = 0; t < tetCount; t++) {
    if (!(fraction[t] > LEAST_LIQUID)) continue;
    for (let n = 4 * t; n < 4 * t + 4; n++) if (clearance[tet[n]] > least) keep[t] = 1;
    if (keep[t] === 0 && reachesOpen(surroundings, position, tet, 4 * t, least)) keep[t] = 1;
  }
  const { mesh, toWhole } = takePart(background, keep, scope);
  const parts = buildMeshParts(model, mesh, scope);
  markBoundary(mesh, parts.topology);
  const ownLevel = scope.f64(mesh.vertexCount);
  const ownWallLevel = scope.f64(mesh.vertexCount);
  const { vertexOnSurface } = mesh;
  for (let v = 0; v < mesh.vertexCount; v++) {
    ownLevel[v] = level[toWhole[v]];
    ownWallLevel[v] = wallLevel[toWhole[v]];
    if (clearance[toWhole[v]] > least) continue;
    vertexOnSurface[v] = ownWallLevel[v] > 0 ? ON_VESSEL : ON_VESSEL | ON_LIQUID;
  }
  const embedding = buildEmbedding(model.threads, mesh, ownLevel, scope);
  return { ...parts, embedding: { ...embedding, wallLevel: ownWallLevel } };
}

/**
 * Whether a tet with all its corners in walls reaches out of them between those: where walls meet at an edge.
 */
function reachesOpen(
  surroundings: Surroundings,
  position: Float64Array,
  tet: Int32Array,
  at: number,
  least: number,
): boolean {
  for (let i = at; i < at + 3; i++)
    for (let j = i + 1; j < at + 4; j++) {
      const [p, q] = [3 * tet[i], 3 * tet[j]];
      const [x, y, z] = [0, 1, 2].map((a) => 0.5 * (position[p + a] + position[q + a]));
      if (surroundings.meshClearanceAt(x, y, z) > least) return true;
    }
  return false;
}

/** The domain with a block of the coarsest cells around it, so that no liquid reaches the side of the box. */
function buildLiquidOctree(model: LiquidModel, { surface }: Contour, sizing: SizingOptions): Octree {
  const { origin, size, cells } = model.lattice;
  const maxLevel = Math.max(1, model.options.interiorLevels);
  const across = 2 ** maxLevel;
  const box: OctreeBox = {
    origin: origin.map((o) => o - across * size) as unknown as Vec3,
    size,
    roots: cells.map((n) => Math.ceil(n / across) + 2) as unknown as Vec3,
    maxLevel,
  };
  const marked = findSurfaceCells(model, surface);
  const cell = new Int32Array(3 * marked.length);
  for (let n = 0; n < marked.length; n++) {
    const i = marked[n] % cells[0];
    const j = Math.floor(marked[n] / cells[0]) % cells[1];
    const k = Math.floor(marked[n] / (cells[0] * cells[1]));
    cell.set([i + across, j + across, k + across], 3 * n);
  }
  // Without levels all cells are of one size: they are asked for everywhere.
  if (model.options.interiorLevels === 0)
    return buildOctree(box, { sizing: { leastIn: (_, n, out) => void out.fill(size, 0, n) } });
  const grown = {
    cell,
    size: size * 2 ** Math.min(maxLevel, sizing.surfaceLevels),
    growth: sizing.growth,
    fields: sizing.fields,
  };
  return buildOctree(box, { sizing: createGrownSizing(box, grown) });
}

/** The liquid's level anywhere, walls and solids included. */
class LevelSampler {
  private readonly field: LiquidField;
  private readonly h: number;
  /** m: levels of this size say no more than their sign */
  private readonly farthest: number;

  constructor(
    model: LiquidModel,
    private readonly surroundings: Surroundings,
    contour: Contour,
    index: SurfaceIndex,
    { surfaceLevels }: SizingOptions,
    private readonly scratch: HeapScope,
  ) {
    this.field = new LiquidField(model, contour, index, scratch, undefined, SEARCH_RINGS << surfaceLevels);
    this.h = model.lattice.size;
    this.farthest = (1 - 1e-9) * (SEARCH_RINGS << surfaceLevels) * model.contour.walls.spacing;
  }

  /**
   * Levels at points (count x 3). Those in walls and solids are the straight continuation of the level in the
   * open beside them; `wallLevel` is that at the wall itself. clearance: m.
   */
  sample(point: Float64Array, count: number, outLevel: Float64Array) {
    const { surroundings, h, field } = this;
    const clearance = new Float64Array(count);
    const wallLevel = new Float64Array(count);
    const place = this.scratch.f64(3 * count);
    place.set(point.subarray(0, 3 * count));
    const inWall: number[] = [];
    const beside: number[] = [];
    const way: number[] = [];
    for (let n = 0; n < count; n++) {
      const at: [number, number, number] = [place[3 * n], place[3 * n + 1], place[3 * n + 2]];
      clearance[n] = surroundings.meshClearanceAt(...at);
      if (clearance[n] >= -AT_WALL * h) continue;
      // Out of one wall may be into another: up to three meet at a corner.
      for (let c = clearance[n], wall = 0; c < 0 && wall < 3; wall++) {
        const away = computeClearanceNormal(surroundings.meshClearanceAt, at, DIFFERENCE * h);
        for (let a = 0; a < 3; a++) at[a] -= c * away[a];
        c = surroundings.meshClearanceAt(...at);
      }
      const out = [0, 1, 2].map((a) => at[a] - place[3 * n + a]);
      place.set(at, 3 * n);
      way.push(Math.hypot(...out));
      inWall.push(n);
      for (const far of [1, 2])
        for (let a = 0; a < 3; a++) beside.push(at[a] + (far * APART * h * out[a]) / way[way.length - 1]);
    }
    field.sample(place, count, outLevel);
    wallLevel.set(outLevel.subarray(0, count));
    const open = new Float64Array(2 * inWall.length);
    field.sample(Float64Array.from(beside), open.length, open);
    inWall.forEach((n, k) => {
      const [near, far] = [open[2 * k], open[2 * k + 1]];
      // The sheet may end a part of a cell before the wall: nothing is known at the wall itself then.
      if (Math.abs(wallLevel[n]) >= this.farthest && Math.abs(near) < this.farthest)
        wallLevel[n] = outLevel[n] = 2 * near - far;
      const slope = Math.min(1, Math.max(-1, (wallLevel[n] - near) / (APART * h)));
      outLevel[n] += slope * way[k];
    });
    for (let n = 0; n < count; n++) if (Math.abs(outLevel[n]) < LEAST_LEVEL * h) outLevel[n] = 0;
    return { clearance, wallLevel };
  }
}

/**
 * Leaves that may hold liquid, or have it half a leaf away, and those beyond walls that pass between leaves.
 */
function findLeaves(
  levels: LevelSampler,
  surroundings: Surroundings,
  { origin, size, leafCount, leafCorner, leafLevel }: Octree,
): FilledLeaves {
  const middle = new Float64Array(3 * leafCount);
  const edge = (leaf: number) => size * 2 ** leafLevel[leaf];
  for (let n = 0; n < 3 * leafCount; n++)
    middle[n] = origin[n % 3] + size * leafCorner[n] + 0.5 * edge(Math.floor(n / 3));
  const level = new Float64Array(leafCount);
  const { clearance } = levels.sample(middle, leafCount, level);
  const wanted = new Uint8Array(leafCount);
  const beyond = new Uint8Array(leafCount);
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const isOut = clearance[leaf] < 0;
    if (isOut && isBeyond(surroundings, middle.subarray(3 * leaf, 3 * leaf + 3), edge(leaf), size))
      beyond[leaf] = 1;
    else if (level[leaf] > -LEAF_REACH * edge(leaf)) wanted[leaf] = 1;
  }
  return { wanted, beyond };
}

/** Whether no corner of a leaf is out of the walls. */
function isBeyond(surroundings: Surroundings, [x, y, z]: Float64Array, edge: number, h: number): boolean {
  const half = edge / 2;
  for (let n = 0; n < 8; n++) {
    const at: Vec3 = [x + (n & 1 ? half : -half), y + (n & 2 ? half : -half), z + (n & 4 ? half : -half)];
    if (surroundings.meshClearanceAt(...at) > AT_WALL * h) return false;
  }
  return true;
}
