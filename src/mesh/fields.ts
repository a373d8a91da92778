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
}

/** What a frame of DIR/volume holds. */
export interface VolumeFrame {
  readonly mesh: TetMesh;
  readonly vertexFields: Record<string, Field>;
  readonly cellFields: Record<string, Field>;
}
