/** What the viewer draws: frames as flat arrays in single precision, ready for the graphics card. */

export interface FieldData {
  readonly name: string;
  readonly on: 'vertex' | 'cell';
  readonly components: 1 | 3;
  readonly unit: string;
  readonly values: Float32Array;
}

export interface SurfaceData {
  /** (vertexCount x 3) m */
  readonly position: Float32Array;
  /** (vertexCount x 3) unit vectors, area weighted */
  readonly normal: Float32Array;
  /** (triangleCount x 3) vertex ids */
  readonly triangle: Uint32Array;
  /** on 'vertex' or, for triangles, on 'cell' */
  readonly fields: readonly FieldData[];
}

export interface VolumeData {
  /** (vertexCount x 3) m */
  readonly position: Float32Array;
  /** (tetCount x 4) vertex ids */
  readonly tet: Uint32Array;
  /** (tetCount x 4) tet across the face opposite each local vertex, -1 on the boundary */
  readonly neighbour: Int32Array;
  /** (tetCount x 3) m */
  readonly centroid: Float32Array;
  /** Fields of the file and, computed here, the cell fields `min dihedral` and `tet volume`. */
  readonly fields: readonly FieldData[];
}

export interface FrameData {
  readonly index: number;
  readonly surface: SurfaceData;
  readonly volume: VolumeData | null;
}

/** A record of stats.jsonl: names as in docs, everything optional. */
export interface StatsRecord {
  frame?: number;
  step?: number;
  time?: number;
  dt?: number;
  wall?: Record<string, number>;
  vertices?: number;
  triangles?: number;
  tets?: number;
  particles?: number;
  volume?: number;
  kineticEnergy?: number;
  potentialEnergy?: number;
  surfaceEnergy?: number;
  maxSpeed?: number;
  solver?: Record<string, { iterations: number; residual: number }>;
  [name: string]: unknown;
}

export type Vec3 = readonly [number, number, number];

export interface RunInfo {
  readonly name: string;
  readonly method: string;
  readonly status: string;
  /** Frames on disk (or in memory) now. */
  readonly frameCount: number;
  /** Frames the run will have when it ends, if it says so. */
  readonly framesPlanned: number;
  readonly fps: number;
  readonly domain: { readonly min: Vec3; readonly max: Vec3 } | null;
  /** Solids as the scene file spells them. */
  readonly solids: readonly unknown[];
  readonly gravity: Vec3;
}
