/** Vocabulary shared by every module: units on signatures, read-only views, and the id that means "none". */

export type Seconds = number;
export type Metres = number;
export type MetresPerSecond = number;
export type Pascals = number;
export type PascalSeconds = number;
export type KilogramsPerCubicMetre = number;

export type Vec3 = readonly [number, number, number];

/** An axis-aligned box in metres. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** Read-only view of numbers: what a function takes when it only reads. */
export interface F64View {
  readonly length: number;
  readonly [index: number]: number;
}
export interface I32View {
  readonly length: number;
  readonly [index: number]: number;
}

/** The index that refers to nothing: no neighbour, no vertex, no tetrahedron. */
export const NONE = -1;
