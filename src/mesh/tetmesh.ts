/** Tetrahedral meshes as flat arrays, and the connectivity every solver needs. Orientation: docs/glossary.md. */

export interface TetMesh {
  readonly vertexCount: number;
  readonly tetCount: number;
  /** (vertexCount x 3) m */
  readonly position: Float64Array;
  /** (tetCount x 4) vertex ids a b c d with det(b-a, c-a, d-a) > 0 */
  readonly tet: Int32Array;
}

/**
 * Faces and neighbours. Local face i of a tetrahedron is the one opposite its local vertex i.
 * Faces are numbered once; faceToTet[2f] < faceToTet[2f+1] where both exist, and the face's normal points
 * out of faceToTet[2f]. faceVertex lists the three vertices counter-clockwise seen from outside faceToTet[2f].
 */
export interface TetTopology {
  readonly faceCount: number;
  /** (tetCount x 4) face id opposite each local vertex */
  readonly tetToFace: Int32Array;
  /** (tetCount x 4) neighbour across each local face, NONE on the boundary */
  readonly tetToTet: Int32Array;
  /** (faceCount x 2) tets on the two sides, second NONE on the boundary */
  readonly faceToTet: Int32Array;
  /** (faceCount x 3) */
  readonly faceVertex: Int32Array;
}
