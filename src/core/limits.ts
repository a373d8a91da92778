/**
 * Every limit of the program, in one place: what is beyond one is refused before any work is done on it. The
 * numbers are bounds of what the code can hold or finish, not of what is sensible. `run/budget.ts` holds
 * whole runs to them; readers and loaders hold their own input.
 */
import { InputError } from './errors.ts';

export const LIMITS = {
  /** The largest memory that 32-bit WebAssembly addresses, bytes: the heap of a run. */
  heapBytes: 2 ** 32,
  /** Share of the machine's memory that a run may plan for. */
  memoryShare: 0.8,
  /** Steps of a run: at a millisecond each, three hours. */
  steps: 1e7,
  /** Steps of a frame: a time step that needs more is vanishing, or the frames are too far apart. */
  stepsPerFrame: 20_000,
  /**
   * Threads of a run, the main one included. Each worker holds about 10 MB and looks for work all the time.
   */
  threads: 128,
  /**
   * Sizes of the numbers of a scene, in SI units: no quantity is larger or, but for 0, smaller, and powers of
   * these are finite.
   */
  largest: 1e30,
  smallest: 1e-30,
  /** Text of a scene, bytes. */
  sceneBytes: 16 * 2 ** 20,
  /** Objects and lists within each other in a scene: the parser, the schema and the shapes recurse. */
  nesting: 100,
  /**
   * Shapes of a scene, parts of unions and differences included, and its sizing fields: every one is asked for
   * every point.
   */
  shapes: 1000,
  /**
   * Entries of a list in a scene; longer ones are no work of a person, and every mistake in them is a line of
   * its own.
   */
  entries: 100_000,
  /**
   * Cells looked at to find out whether a shape has any room: where it is not decided by then, it counts as
   * having some.
   */
  roomCells: 200_000,
  /** Cells looked at to measure how thick a shape is. */
  thicknessCells: 1_000_000,
  /** Steps per ray, on average, to measure a shape's shadow; after that steps are coarse. */
  shadowSteps: 64,
  /** Rays for a shape's shadow, times what asking the shape costs: of a crowd some percent will do. */
  shadowQuestions: 2.6e6,
  /** Wires of a scene: each is asked for every vertex at the start. */
  wires: 400,
  /** Waves that a random flow adds up, at every vertex. */
  waves: 10_000,
  /** Mistakes in a scene that are told one by one. */
  problems: 50,
  /** A mesh file, bytes. */
  meshFileBytes: 512 * 2 ** 20,
  /** Triangles of a mesh file: checking a million for defects takes seconds and half a gigabyte. */
  meshTriangles: 2e6,
  /** Corners of one polygon of a mesh file: cutting it into triangles may take their third power. */
  polygonCorners: 1000,
  /** How much larger than the domain a mesh may be: beyond it, its unit is not the metre. */
  meshOverDomain: 10,
  /** Tetrahedra that `meniscus mesh` makes. */
  meshTets: 1e7,
  /**
   * What `meniscus check` builds to look at it, seconds as costs were measured and bytes; larger starts are
   * left to the run.
   */
  checkSeconds: 3,
  checkBytes: 500 * 2 ** 20,
} as const;

/** Refuses a count beyond its limit. */
export function refuseBeyond(
  limit: number,
  count: number,
  where: string,
  what: (count: string, limit: string) => string,
  remedy: string,
): void {
  if (count <= limit) return;
  throw new InputError(where, what(showCount(count), showCount(limit)), remedy);
}

/** 12,345 or 1.2e+12: as a person reads it. */
export function showCount(count: number): string {
  if (!Number.isFinite(count)) return String(count);
  if (count >= 1e9) return count.toPrecision(3);
  return Math.round(count).toLocaleString('en-US');
}

export function showBytes(bytes: number): string {
  if (bytes < 2 ** 30) return `${Math.round(bytes / 2 ** 20)} MiB`;
  const size = bytes / 2 ** 30;
  return `${size < 1e4 ? Number(size.toPrecision(3)) : size.toPrecision(2)} GiB`;
}
