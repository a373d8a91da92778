/**
 * Isosurface stuffing (Labelle and Shewchuk 2007) as [chentanez-2007] 3.3 uses it: fills the positive region
 * of a field with tetrahedra whose boundary vertices all lie on its zero set and whose dihedral angles all
 * lie within [10.7, 164.8] degrees, fine at the surface and coarser inside. Deterministic; O(surface cells +
 * tets).
 */
import { InputError } from '../../core/errors.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { finishI32 } from './buffers.ts';
import { MAX_LEVEL, MeshBuilder } from './builder.ts';
import { type Crossings, findCrossings, warpPoints } from './crossings.ts';
import { CutWalker } from './cutting.ts';
import { Grid } from './grid.ts';
import {
  type Lattice,
  PADDING,
  type StuffedMesh,
  type StuffingField,
  type StuffingOptions,
  type VesselField,
} from './lattice.ts';
import { buildSignedOctree, type SignedOctree } from './octree.ts';
import { leavesLattice, markRequired, type Points, sampleSurface } from './points.ts';
import { Sampler } from './sampler.ts';
import { findSurfaceCells } from './surface-cells.ts';
import { trim, VertexNotes } from './trim.ts';

/** The mesh of {field > 0}; it has no tets where the region is thinner than the lattice can see. */
export function stuff(field: StuffingField, lattice: Lattice, options: StuffingOptions): StuffedMesh {
  const start = performance.now();
  validateOptions(options);
  const grid = new Grid(lattice);
  const sampler = new Sampler(field);
  const vessel = options.vessel && new Sampler(options.vessel);
  const points = sampleSurface(grid, sampler, findCandidates(grid, sampler, lattice, options), vessel);
  if (points.surfaceCellCount === 0) validateOutside(grid, sampler);
  markRequired(grid, points);
  const octree = buildSignedOctree(grid, points, options.maxLevel);
  const cut =
    vessel && options.vessel
      ? cutTwice(grid, octree, points, sampler, vessel, options.vessel, lattice)
      : cutOnce(grid, octree, points, sampler);
  const mesh = {
    ...cut.builder.finish(options.scope),
    index: finishIndex(grid, octree, cut.walker, options),
  };
  const seconds = (performance.now() - start) / 1000;
  const distanceSeconds = sampler.seconds + (vessel?.seconds ?? 0);
  return {
    ...mesh,
    report: {
      surfaceCells: points.surfaceCellCount,
      crossingEdges: cut.crossingEdges,
      warpedVertices: cut.warpedVertices,
      evaluations: sampler.evaluations,
      distanceSeconds,
      stuffingSeconds: seconds - distanceSeconds,
    },
  };
}

interface Cut {
  readonly builder: MeshBuilder;
  readonly walker: CutWalker;
  readonly crossingEdges: number;
  readonly warpedVertices: number;
}

/** The background lattice cut along the field's zero set. */
function cutOnce(
  grid: Grid,
  octree: SignedOctree,
  points: Points,
  sampler: Sampler,
  notes?: VertexNotes,
): Cut {
  const crossings = findCrossings(grid, points, sampler);
  const warpedVertices = warpPoints(points, crossings);
  if (notes) resampleWarped(points, crossings, notes.field);
  const builder = new MeshBuilder(1024 + 24 * points.surfaceCellCount);
  const walker = new CutWalker(grid, octree, points, crossings, builder, notes);
  walker.emitAll();
  return { builder, walker, crossingEdges: crossings.count, warpedVertices };
}

/** The lattice cut along the vessel's walls, then along the liquid's surface. */
function cutTwice(
  grid: Grid,
  octree: SignedOctree,
  points: Points,
  liquid: Sampler,
  vessel: Sampler,
  walls: VesselField,
  lattice: Lattice,
): Cut {
  const notes = new VertexNotes(liquid);
  points.value = points.vessel;
  for (let p = 0; p < points.count; p++) points.state[p] = Math.sign(points.vessel[p]);
  const first = cutOnce(grid, octree, points, vessel, notes);
  notes.complete(first.builder);
  const builder = new MeshBuilder(first.builder.tetCount);
  const middle = lattice.origin.map((o, a) => o + 0.5 * grid.h * lattice.cells[a]) as unknown as Vec3;
  const { newTet, isInside, cutEdges, warped } = trim(
    first.builder,
    notes,
    { h: grid.h, middle },
    walls,
    builder,
  );
  const { cellStart, leafStart } = first.walker;
  for (let e = 0; e < cellStart.length; e++) {
    const t = cellStart[e];
    if (t !== NONE) cellStart[e] = isInside(t) ? newTet[t] : NONE;
  }
  for (let leaf = 0; leaf < leafStart.length; leaf++)
    if (leafStart[leaf] !== NONE) leafStart[leaf] = newTet[leafStart[leaf]];
  return {
    builder,
    walker: first.walker,
    crossingEdges: first.crossingEdges + cutEdges,
    warpedVertices: first.warpedVertices + warped,
  };
}

/** The liquid's function where warping has taken points onto walls. */
function resampleWarped(points: Points, crossings: Crossings, liquid: Sampler): void {
  const moved: number[] = [];
  const seen = new Set<number>();
  for (let x = 0; x < crossings.count; x++)
    for (const p of [crossings.positive[x], crossings.negative[x]]) {
      if (points.state[p] !== 0 || seen.has(p)) continue;
      seen.add(p);
      moved.push(p);
    }
  const place = new Float64Array(3 * moved.length);
  for (let n = 0; n < moved.length; n++)
    place.set(points.position.subarray(3 * moved[n], 3 * moved[n] + 3), 3 * n);
  const value = new Float64Array(moved.length);
  liquid.sample(place, moved.length, value);
  for (let n = 0; n < moved.length; n++) points.liquid[moved[n]] = value[n];
}

function validateOptions(options: StuffingOptions): void {
  const { maxLevel } = options;
  if (!Number.isInteger(maxLevel) || maxLevel < 0 || maxLevel > MAX_LEVEL)
    throw new InputError('stuffing', `maxLevel is ${maxLevel}`, `give a whole number from 0 to ${MAX_LEVEL}`);
}

/** Candidate cells in padded numbering. */
function findCandidates(
  grid: Grid,
  sampler: Sampler,
  lattice: Lattice,
  options: StuffingOptions,
): Int32Array {
  if (!options.surfaceCells) {
    const origin: Vec3 = [grid.ox, grid.oy, grid.oz];
    return findSurfaceCells(sampler, { origin, size: grid.h, cells: [grid.nx, grid.ny, grid.nz] });
  }
  const [nx, ny, nz] = lattice.cells;
  const given = options.surfaceCells;
  const padded = new Int32Array(given.length);
  for (let c = 0; c < given.length; c++) {
    const cell = given[c];
    if (cell < 0 || cell >= nx * ny * nz)
      throw new InputError(
        'stuffing',
        `surface cell ${cell} is not in the lattice`,
        `give cells below ${nx * ny * nz}`,
      );
    const i = (cell % nx) + PADDING;
    const j = (Math.floor(cell / nx) % ny) + PADDING;
    padded[c] = i + grid.nx * (j + grid.ny * (Math.floor(cell / (nx * ny)) + PADDING));
  }
  return padded;
}

/** With no surface in sight the whole box is on one side, which must be the outside. */
function validateOutside(grid: Grid, sampler: Sampler): void {
  const { ox, oy, oz, h, nx, ny, nz } = grid;
  const value = new Float64Array(1);
  sampler.sample(Float64Array.of(ox + 0.5 * h * nx, oy + 0.5 * h * ny, oz + 0.5 * h * nz), 1, value);
  if (value[0] > 0) throw leavesLattice(grid);
}

/** Reuses the slot table as the index for point location: blocks in coarser leaves give way to these. */
function finishIndex(
  grid: Grid,
  { octree }: SignedOctree,
  walker: CutWalker,
  options: StuffingOptions,
): StuffedMesh['index'] {
  const { leafCorner, leafLevel } = octree;
  for (let leaf = 0; leaf < octree.leafCount; leaf++) {
    if (leafLevel[leaf] === 0) continue;
    const start = walker.leafStart[leaf];
    const x = leafCorner[3 * leaf] >> 1;
    const y = leafCorner[3 * leaf + 1] >> 1;
    const z = leafCorner[3 * leaf + 2] >> 1;
    grid.slots.fill(x, y, z, 1 << (leafLevel[leaf] - 1), start === NONE ? NONE : -2 - start);
  }
  const cellStart = new Int32Array(8 * grid.slotCount).fill(NONE);
  cellStart.set(walker.cellStart.subarray(0, cellStart.length));
  return {
    origin: [grid.ox, grid.oy, grid.oz] as Vec3,
    size: grid.h,
    blocks: [grid.bx, grid.by, grid.bz] as const,
    ...grid.slots.finish(options.scope),
    cellStart: options.scope ? finishI32(cellStart, cellStart.length, options.scope) : cellStart,
  };
}
