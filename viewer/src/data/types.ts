/** What the viewer draws: frames as flat arrays in single precision, ready for the graphics card. */
import type { Presentation } from '../../../src/methods/presentation.ts';

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
  /**
   * Where faces carry the labels `front` and `back` (regions.ts); vertices are then split along the curves.
   */
  readonly regions?: RegionData;
}

/** What is on the two sides of each triangle, and the curves along which sheets meet. */
export interface RegionData {
  /** (triangleCount) label of the region the triangle's normal points into: the lower one */
  readonly front: Int32Array;
  /** (triangleCount) label of the region behind */
  readonly back: Int32Array;
  /** Labels that occur, ascending, the outside 0 always among them */
  readonly labels: Int32Array;
  /** Vertices in the file; the surface has more, split ones. */
  readonly vertexCount: number;
  /** (drawn vertices) vertex of the file */
  readonly vertexOf: Uint32Array;
  /** (segments x 2 x 3) m, ends of the edges that are not between two faces of one sheet */
  readonly curve: Float32Array;
  /** CSR: triangles around each segment */
  readonly curveFaceStart: Uint32Array;
  readonly curveFace: Uint32Array;
  /**
   * Triangles at the rim of a sheet, with an edge that no other shares: there the regions on both sides lie
   * open
   */
  readonly rimFace: Uint32Array;
  /** (junctions x 3) m, where other than two segments meet */
  readonly junction: Float32Array;
  /** (segments x 2) junction at each end, or -1 */
  readonly curveToJunction: Int32Array;
  /** What regions are called, by label, where the frame says it. */
  readonly names?: Readonly<Record<number, string>>;
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

export interface ParticleData {
  /** (count x 3) m */
  readonly position: Float32Array;
  /** (count) m */
  readonly radius: Float32Array;
  readonly fields: readonly FieldData[];
}

export interface FrameData {
  readonly index: number;
  readonly surface: SurfaceData;
  readonly volume: VolumeData | null;
  /** Null where the run kept none of this frame. */
  readonly particles: ParticleData | null;
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
  regions?: { label: number; volume: number }[];
  kineticEnergy?: number;
  potentialEnergy?: number;
  surfaceEnergy?: number;
  maxSpeed?: number;
  /** Volume and energy by cause (src/run/books.ts). */
  ledger?: {
    total: { volume?: Record<string, number>; energy?: Record<string, number> };
    volumeMeant?: number;
  };
  solver?: Record<string, { iterations: number; residual: number }>;
  [name: string]: unknown;
}

export type Vec3 = readonly [number, number, number];

export interface RunInfo {
  readonly name: string;
  readonly method: string;
  readonly status: string;
  /** Volume or energy went beyond its bound (src/run/balance.ts). */
  readonly outOfBounds: boolean;
  /** Frames on disk (or in memory) now. */
  readonly frameCount: number;
  /** Frames the run will have when it ends, if it says so. */
  readonly framesPlanned: number;
  readonly fps: number;
  readonly domain: { readonly min: Vec3; readonly max: Vec3 } | null;
  /** Solids as the scene file spells them. */
  readonly solids: readonly unknown[];
  /** How the method wants it shown. */
  readonly presentation: Presentation;
  /** Wires, likewise. */
  readonly wires: readonly unknown[];
  /** The scene's camera, likewise; absent where it has none. */
  readonly camera?: unknown;
  readonly gravity: Vec3;
  /** Particles are kept of every n-th frame; 0: of none. */
  readonly particlesEvery: number;
}
