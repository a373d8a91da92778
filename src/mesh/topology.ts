/**
 * Faces and neighbours of a tetrahedral mesh. Each face hangs in a list at its smallest vertex; a tetrahedron
 * looks its four faces up there. Lists hold about a dozen faces, so the cost is linear in the number of tets.
 * Faces are numbered as they are first met, hence faceToTet[2f] < faceToTet[2f + 1].
 */
import { RunError } from '../core/errors.ts';
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';
import type { TetMesh, TetTopology } from './tetmesh.ts';

/**
 * Vertices of local face i (opposite vertex i), counter-clockwise seen from outside a positive tetrahedron.
 */
export const FACE_OF_TET = Uint8Array.of(1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1);

/** Throws if three tetrahedra share a face. */
export function buildTopology(mesh: TetMesh, scope?: HeapScope): TetTopology {
  const { tetCount, tet } = mesh;
  const tetToFace = scope ? scope.i32(4 * tetCount) : new Int32Array(4 * tetCount);
  const tetToTet = scope ? scope.i32(4 * tetCount) : new Int32Array(4 * tetCount);
  const faceCount = matchFaces(mesh, tetToFace, tetToTet);
  const faceToTet = scope ? scope.i32(2 * faceCount) : new Int32Array(2 * faceCount);
  const faceVertex = scope ? scope.i32(3 * faceCount) : new Int32Array(3 * faceCount);
  faceToTet.fill(NONE);
  for (let half = 0; half < 4 * tetCount; half++) {
    const f = tetToFace[half];
    if (faceToTet[2 * f] !== NONE) {
      faceToTet[2 * f + 1] = half >> 2;
      continue;
    }
    const t4 = half & ~3;
    const corner = 3 * (half & 3);
    faceToTet[2 * f] = half >> 2;
    faceVertex[3 * f] = tet[t4 + FACE_OF_TET[corner]];
    faceVertex[3 * f + 1] = tet[t4 + FACE_OF_TET[corner + 1]];
    faceVertex[3 * f + 2] = tet[t4 + FACE_OF_TET[corner + 2]];
  }
  return { faceCount, tetToFace, tetToTet, faceToTet, faceVertex };
}

/** Numbers the faces and links the tets across them. Returns the number of faces. */
function matchFaces(mesh: TetMesh, tetToFace: Int32Array, tetToTet: Int32Array): number {
  const { tetCount, vertexCount, tet } = mesh;
  tetToTet.fill(NONE);
  const head = new Int32Array(vertexCount).fill(NONE);
  // Per face: next in its list, the two larger vertices, and half-face 4 t + i of its first tet (its
  // complement once the second is found). One record, so that a step along a list touches one cache line.
  const record = new Int32Array(16 * tetCount);
  // Vertices of the tet in rising order, and where each stands in the tet.
  const vertex = new Int32Array(4);
  const local = new Int32Array(4);
  let faceCount = 0;
  for (let t = 0; t < tetCount; t++) {
    for (let i = 0; i < 4; i++) {
      const v = tet[4 * t + i];
      let j = i;
      for (; j > 0 && vertex[j - 1] > v; j--) {
        vertex[j] = vertex[j - 1];
        local[j] = local[j - 1];
      }
      vertex[j] = v;
      local[j] = i;
    }
    for (let skip = 0; skip < 4; skip++) {
      const a = skip === 0 ? vertex[1] : vertex[0];
      const b = skip <= 1 ? vertex[2] : vertex[1];
      const c = skip <= 2 ? vertex[3] : vertex[2];
      const half = 4 * t + local[skip];
      let f = head[a];
      while (f !== NONE && (record[4 * f + 1] !== b || record[4 * f + 2] !== c)) f = record[4 * f];
      if (f === NONE) {
        f = faceCount++;
        record[4 * f] = head[a];
        record[4 * f + 1] = b;
        record[4 * f + 2] = c;
        record[4 * f + 3] = half;
        head[a] = f;
      } else {
        const first = record[4 * f + 3];
        if (first < 0) throw sharedByThree(t, a, b, c);
        record[4 * f + 3] = ~first;
        tetToTet[first] = t;
        tetToTet[half] = first >> 2;
      }
      tetToFace[half] = f;
    }
  }
  return faceCount;
}

function sharedByThree(t: number, a: number, b: number, c: number): RunError {
  return new RunError(
    'tet topology',
    `the face (${a}, ${b}, ${c}) of tet ${t} belongs to three tets`,
    'the mesh is not conforming: check where it came from',
  );
}
