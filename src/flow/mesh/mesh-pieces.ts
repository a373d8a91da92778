/** Parts of the tet mesh that hang together by faces. Cost: linear, once a mesh. */
import { createSets, unite } from '../../core/disjoint-sets.ts';
import { NONE } from '../../core/types.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';

export interface TetPieces {
  readonly count: number;
  /** (tetCount) numbered by their first tets */
  readonly tetPiece: Int32Array;
}

export interface MeshPieces extends TetPieces {
  /** (vertexCount) NONE for vertices of no tet; the last one where several touch */
  readonly vertexPiece: Int32Array;
}

/** Several stages of a step ask for the pieces of one mesh. */
const known = new WeakMap<TetTopology, TetPieces>();

/** The pieces of a mesh, found once. */
export function findTetPieces(topology: TetTopology): TetPieces {
  let pieces = known.get(topology);
  if (pieces === undefined) {
    pieces = joinTets(topology);
    known.set(topology, pieces);
  }
  return pieces;
}

function joinTets({ faceCount, faceToTet, tetToTet }: TetTopology): TetPieces {
  const tetCount = tetToTet.length / 4;
  const tetPiece = createSets(tetCount);
  for (let f = 0; f < faceCount; f++)
    if (faceToTet[2 * f + 1] !== NONE) unite(tetPiece, faceToTet[2 * f], faceToTet[2 * f + 1]);
  // Roots are the lowest of their sets: each is met before the others.
  let count = 0;
  for (let t = 0; t < tetCount; t++) tetPiece[t] = tetPiece[t] === t ? count++ : tetPiece[tetPiece[t]];
  return { count, tetPiece };
}

export function findMeshPieces(mesh: TetMesh, topology: TetTopology): MeshPieces {
  const { count, tetPiece } = findTetPieces(topology);
  const vertexPiece = new Int32Array(mesh.vertexCount).fill(NONE);
  for (let n = 0; n < 4 * mesh.tetCount; n++)
    vertexPiece[mesh.tet[n]] = Math.max(vertexPiece[mesh.tet[n]], tetPiece[n >> 2]);
  return { count, tetPiece, vertexPiece };
}
