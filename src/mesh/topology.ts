/**
 * Faces and neighbours of a tetrahedral mesh. Each face hangs in a list at its smallest vertex; a tetrahedron looks
 * its four faces up there. Lists hold about a dozen faces, so the cost is linear in the number of tets.
 * Faces are numbered as they are first met, hence faceToTet[2f] < faceToTet[2f + 1].
 */
import { RunError } from '../core/errors.ts';
import type { HeapScope } from '../core/heap.ts';
import { NONE } from '../core/types.ts';
import type { TetMesh, TetTopology } from './tetmesh.ts';

/** Vertices of local face i (opposite vertex i), counter-clockwise seen from outside a positive tetrahedron. */
export const FACE_OF_TET = Uint8Array.of(1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1);

/** Throws if three tetrahedra share a face. */
export function buildTopology(mesh: TetMesh, scope?: HeapScope): TetTopology {
  const { tetCount, vertexCount, tet } = mesh;
  const tetToFace = scope ? scope.i32(4 * tetCount) : new Int32Array(4 * tetCount);
  const tetToTet = scope ? scope.i32(4 * tetCount) : new Int32Array(4 * tetCount);
  tetToTet.fill(NONE);
  const head = new Int32Array(vertexCount).fill(NONE);
  // Per face: next in list, the two larger vertices, and half-face (4 t + i) of its first and second tet.
  const capacity = 4 * tetCount;
  const next = new Int32Array(capacity);
  const middle = new Int32Array(capacity);
  const largest = new Int32Array(capacity);
  const firstHalf = new Int32Array(capacity);
  const secondHalf = new Int32Array(capacity);
  let faceCount = 0;
  for (let half = 0; half < 4 * tetCount; half++) {
    const t4 = half & ~3;
    const corner = 3 * (half & 3);
    let a = tet[t4 + FACE_OF_TET[corner]];
    let b = tet[t4 + FACE_OF_TET[corner + 1]];
    let c = tet[t4 + FACE_OF_TET[corner + 2]];
    let swap: number;
    if (a > b) {
      swap = a;
      a = b;
      b = swap;
    }
    if (b > c) {
      swap = b;
      b = c;
      c = swap;
      if (a > b) {
        swap = a;
        a = b;
        b = swap;
      }
    }
    let f = head[a];
    while (f !== NONE && (middle[f] !== b || largest[f] !== c)) f = next[f];
    if (f === NONE) {
      f = faceCount++;
      next[f] = head[a];
      head[a] = f;
      middle[f] = b;
      largest[f] = c;
      firstHalf[f] = half;
      secondHalf[f] = NONE;
    } else {
      if (secondHalf[f] !== NONE) throw sharedByThree(half >> 2, a, b, c);
      secondHalf[f] = half;
      tetToTet[firstHalf[f]] = half >> 2;
      tetToTet[half] = firstHalf[f] >> 2;
    }
    tetToFace[half] = f;
  }
  const faceToTet = scope ? scope.i32(2 * faceCount) : new Int32Array(2 * faceCount);
  const faceVertex = scope ? scope.i32(3 * faceCount) : new Int32Array(3 * faceCount);
  for (let f = 0; f < faceCount; f++) {
    const half = firstHalf[f];
    const t4 = half & ~3;
    const corner = 3 * (half & 3);
    faceToTet[2 * f] = half >> 2;
    faceToTet[2 * f + 1] = secondHalf[f] === NONE ? NONE : secondHalf[f] >> 2;
    faceVertex[3 * f] = tet[t4 + FACE_OF_TET[corner]];
    faceVertex[3 * f + 1] = tet[t4 + FACE_OF_TET[corner + 1]];
    faceVertex[3 * f + 2] = tet[t4 + FACE_OF_TET[corner + 2]];
  }
  return { faceCount, tetToFace, tetToTet, faceToTet, faceVertex };
}

function sharedByThree(t: number, a: number, b: number, c: number): RunError {
  return new RunError(
    'tet topology',
    `the face (${a}, ${b}, ${c}) of tet ${t} belongs to three tets`,
    'the mesh is not conforming: check where it came from',
  );
}
