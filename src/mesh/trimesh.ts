/** Triangle meshes as flat arrays. Triangles are counter-clockwise seen from outside. */
export interface TriMesh {
  readonly vertexCount: number;
  readonly triangleCount: number;
  /** (vertexCount x 3) m */
  readonly position: Float64Array;
  /** (triangleCount x 3) vertex ids */
  readonly triangle: Int32Array;
}
