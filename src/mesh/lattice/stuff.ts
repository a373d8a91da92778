/**
 * Isosurface stuffing (Labelle and Shewchuk 2007) as [chentanez-2007] 3.3 uses it: fills the positive region of a
 * field with tetrahedra whose boundary vertices all lie on its zero set and whose dihedral angles all lie within
 * [10.7, 164.8] degrees, fine at the surface and coarser inside. Deterministic; O(surface cells + tets).
 */
import { InputError } from '../../core/errors.ts';
import { NONE, type Vec3 } from '../../core/types.ts';
import { BackgroundWalker } from './background.ts';
import { finishI32 } from './buffers.ts';
import { MAX_LEVEL, MeshBuilder } from './builder.ts';
import { findCrossings, warpPoints } from './crossings.ts';
import { Grid } from './grid.ts';
import {
  type Lattice,
  PADDING,
  type StuffedMesh,
  type StuffingField,
  type StuffingOptions,
} from './lattice.ts';
import { buildOctree, type Octree } from './octree.ts';
import { leavesLattice, markRequired, sampleSurface } from './points.ts';
import { Sampler } from './sampler.ts';
import { findSurfaceCells } from './surface-cells.ts';

/** The mesh of {field > 0}; it has no tets where the region is thinner than the lattice can see. */
export function stuff(field: StuffingField, lattice: Lattice, options: StuffingOptions): StuffedMesh {
  const start = performance.now();
  validateOptions(options);
  const grid = new Grid(lattice);
  const sampler = new Sampler(field);
  const points = sampleSurface(grid, sampler, findCandidates(grid, sampler, lattice, options));
  if (points.surfaceCellCount === 0) validateOutside(grid, sampler);
  markRequired(grid, points);
  const octree = buildOctree(grid, points, options.maxLevel);
  const crossings = findCrossings(grid, points, sampler);
  const warpedVertices = warpPoints(points, crossings);
  const builder = new MeshBuilder(1024 + 24 * points.surfaceCellCount);
  const walker = new BackgroundWalker(grid, octree, points, crossings, builder);
  walker.emitAll();
  const mesh = {
    ...builder.finish(options.scope),
    index: finishIndex(grid, octree, walker, options),
  };
  const seconds = (performance.now() - start) / 1000;
  return {
    ...mesh,
    report: {
      surfaceCells: points.surfaceCellCount,
      crossingEdges: crossings.count,
      warpedVertices,
      evaluations: sampler.evaluations,
      distanceSeconds: sampler.seconds,
      stuffingSeconds: seconds - sampler.seconds,
    },
  };
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

/** Reuses the slot table as the index for point location. */
function finishIndex(grid: Grid, octree: Octree, walker: BackgroundWalker, options: StuffingOptions) {
  const blockStart = grid.slotOf;
  const { refined } = octree.level[1];
  for (let b = 0; b < grid.blockCount; b++) {
    if (refined[b]) continue;
    blockStart[b] = walker.coarseStart[b] === NONE ? NONE : -2 - walker.coarseStart[b];
  }
  const cellStart = new Int32Array(8 * grid.slotCount).fill(NONE);
  cellStart.set(walker.cellStart.subarray(0, cellStart.length));
  return {
    origin: [grid.ox, grid.oy, grid.oz] as Vec3,
    size: grid.h,
    blocks: [grid.bx, grid.by, grid.bz] as const,
    blockStart: options.scope ? finishI32(blockStart, blockStart.length, options.scope) : blockStart,
    cellStart: options.scope ? finishI32(cellStart, cellStart.length, options.scope) : cellStart,
  };
}
