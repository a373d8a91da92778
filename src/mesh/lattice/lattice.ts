/**
 * Vocabulary of the lattice mesher: where the lattice lies, what it asks of a field, and what it returns.
 * The lattice is the body-centred cubic one of isosurface stuffing (Labelle and Shewchuk 2007), as
 * [chentanez-2007] 3.3 uses it: corners of cubic cells and their centres.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { F64View, Metres, Vec3 } from '../../core/types.ts';
import type { TetMesh } from '../tetmesh.ts';

/**
 * Finest cells of the octree: cell (i, j, k) is the cube of edge `size` whose low corner is origin + size (i,
 * j, k).
 */
export interface Lattice {
  readonly origin: Vec3;
  /** Edge h of the finest leaf octant, m. */
  readonly size: Metres;
  /** Finest cells along each axis. The region must lie inside the box they cover (touching it is fine). */
  readonly cells: readonly [number, number, number];
}

/**
 * The region to mesh: positive inside. The sign must be exact everywhere, up to two cells outside the lattice
 * box; the magnitude matters only within about a cell of the zero set.
 */
export interface StuffingField {
  value(x: number, y: number, z: number): number;
  /** Many points at once (point: count x 3). */
  sample?(point: F64View, count: number, out: Float64Array): void;
  /**
   * Parameter t in (0, 1) of the surface on the segment from a (value > 0) to b (value < 0).
   * Absent: a bracketed secant search to about 1e-10 of the segment.
   */
  crossing?(
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    valueA: number,
    valueB: number,
  ): number;
}

/** What the liquid is in: positive inside. */
export interface VesselField extends StuffingField {
  /**
   * The walls that pass through a point, or close by it, a bit each. Points of a wall move along it, those of
   * a corner along both.
   */
  walls(x: number, y: number, z: number): number;
}

/**
 * A shape beside those of the background (mesh/background/forms.ts): has a vertex on the surface, warped, cut
 * or exactly there.
 */
export const SHAPE_SURFACE = 4;

/**
 * Where a vertex of the boundary lies, bits of vertexOnSurface. Without a vessel all of them are on the one
 * surface.
 */
export const ON_LIQUID = 1;
export const ON_VESSEL = 2;

/**
 * Cells added on every side of the lattice box, so that tets whose outer vertices lie beyond a wall exist.
 */
export const PADDING = 2;

/**
 * The octree as point location needs it. Blocks are 2 x 2 x 2 finest cells; `origin` is the low corner of
 * block 0. A block's number, found by tiles of blocks (block-tiles.ts): n >= 0: block of finest cells, cell
 * child c (bits x, y, z) starts at cellStart[8 n + c]; NONE: outside; <= -2: inside a coarser leaf whose
 * first tet is -2 - n.
 */
export interface LatticeIndex {
  readonly origin: Vec3;
  readonly size: Metres;
  readonly blocks: readonly [number, number, number];
  readonly tileStart: Int32Array;
  readonly blockStart: Int32Array;
  /** First tet owned by a finest cell whose centre is inside, NONE for the others. */
  readonly cellStart: Int32Array;
}

export interface StuffingReport {
  /** Finest cells that touch the surface. */
  readonly surfaceCells: number;
  readonly crossingEdges: number;
  readonly warpedVertices: number;
  /** Points at which the field was evaluated. */
  readonly evaluations: number;
  /** Seconds inside the field, and seconds in everything else. */
  readonly distanceSeconds: number;
  readonly stuffingSeconds: number;
}

export interface StuffedMesh extends TetMesh {
  /** ON_LIQUID, ON_VESSEL or both for vertices of the boundary, 0 inside. */
  readonly vertexOnSurface: Uint8Array;
  /** SHAPE_* of every tet. */
  readonly tetShape: Uint8Array;
  /** Octree level of every tet (0 = finest): its lengths are size 2^level times those of the shape. */
  readonly tetLevel: Uint8Array;
  readonly index: LatticeIndex;
  readonly report: StuffingReport;
}

export interface StuffingOptions {
  /** Coarsest octree level in the interior; 0 fills the interior with finest cells. */
  readonly maxLevel: number;
  /**
   * Finest cells (i + nx (j + ny k)) that may touch the surface. At least one that does per connected piece:
   * the mesher follows the surface from there. Absent: found by descent, which needs a 1-Lipschitz field.
   */
  readonly surfaceCells?: Int32Array;
  /**
   * The vessel's inside, positive there. The region is then cut along it first and along the field after
   * (trim.ts), so that the mesh ends in the line where both meet.
   */
  readonly vessel?: VesselField;
  /** Where position, tet, and the per-vertex and per-tet arrays are allocated; plain arrays if absent. */
  readonly scope?: HeapScope;
}
