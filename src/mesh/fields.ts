import type { TetMesh } from './tetmesh.ts';
import type { TriMesh } from './trimesh.ts';

/** Per-vertex or per-cell values: 1 or 3 numbers each. */
export interface Field {
  readonly components: 1 | 3;
  readonly unit: string;
  readonly values: Float32Array | Float64Array | Int32Array;
}

/** What a frame of DIR/surface holds. */
export interface SurfaceFrame {
  readonly mesh: TriMesh;
  /** Attributes on vertices; `velocity` (m/s, 3) always. */
  readonly vertexFields: Record<string, Field>;
  readonly faceFields: Record<string, Field>;
  /**
   * Where the mesh is several surfaces: their names by label. The face field `part` tells which face belongs
   * to which.
   */
  readonly parts?: readonly SurfacePart[];
}

/** One of several surfaces in a frame. */
export interface SurfacePart {
  /** 0 or more */
  readonly label: number;
  /** One word for files and lists: letters, digits, - and _. */
  readonly name: string;
}

/** What a frame of DIR/volume holds. */
export interface VolumeFrame {
  readonly mesh: TetMesh;
  readonly vertexFields: Record<string, Field>;
  readonly cellFields: Record<string, Field>;
}

/** What a frame of DIR/particles holds: spray, bubbles, the particles of a method. */
export interface ParticleFrame {
  readonly count: number;
  /** (count x 3) m */
  readonly position: Float64Array;
  /** `velocity` (m/s, 3) and `radius` (m, 1) always. */
  readonly fields: Record<string, Field>;
}
