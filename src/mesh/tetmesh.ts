/**
 * Tetrahedral meshes as flat arrays, and the connectivity every solver needs. Orientation: docs/glossary.md.
 */
import { defineRecord, type ValuesOf } from '../core/records.ts';

export const tetRecord = defineRecord('tets', {
  vertexCount: 'number',
  tetCount: 'number',
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'of vertices' },
  tet: { type: 'i32', per: 'tet', stride: 4, meaning: 'vertex ids a b c d with det(b-a, c-a, d-a) > 0' },
});
export type TetMesh = ValuesOf<typeof tetRecord>;

/**
 * Faces and neighbours. Local face i of a tetrahedron is the one opposite its local vertex i.
 * Faces are numbered once; faceToTet[2f] < faceToTet[2f+1] where both exist, and the face's normal points
 * out of faceToTet[2f]. faceVertex lists the three vertices counter-clockwise seen from outside
 * faceToTet[2f].
 */
export const topologyRecord = defineRecord('topology', {
  faceCount: 'number',
  tetToFace: { type: 'i32', per: 'tet', stride: 4, meaning: 'face id opposite each local vertex' },
  tetToTet: {
    type: 'i32',
    per: 'tet',
    stride: 4,
    meaning: 'neighbour across each local face, NONE on the boundary',
  },
  faceToTet: {
    type: 'i32',
    per: 'face',
    stride: 2,
    meaning: 'tets on the two sides, second NONE on the boundary',
  },
  faceVertex: { type: 'i32', per: 'face', stride: 3, meaning: 'vertices' },
});
export type TetTopology = ValuesOf<typeof topologyRecord>;
