/** Parts of the tet mesh that hang together by faces. Cost: linear. */
import { NONE } from '../../core/types.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';

export interface MeshPieces {
  readonly count: number;
  readonly tetPiece: Int32Array;
  /** (vertexCount) NONE for vertices of no tet */
  readonly vertexPiece: Int32Array;
}

export function findMeshPieces(mesh: TetMesh, { tetToTet }: TetTopology): MeshPieces {
  const tetPiece = new Int32Array(mesh.tetCount).fill(NONE);
  const vertexPiece = new Int32Array(mesh.vertexCount).fill(NONE);
  const stack = new Int32Array(mesh.tetCount);
  let count = 0;
  for (let seed = 0; seed < mesh.tetCount; seed++) {
    if (tetPiece[seed] !== NONE) continue;
    tetPiece[seed] = count;
    stack[0] = seed;
    for (let size = 1; size > 0; ) {
      const t = stack[--size];
      for (let n = 4 * t; n < 4 * t + 4; n++) {
        vertexPiece[mesh.tet[n]] = count;
        const other = tetToTet[n];
        if (other === NONE || tetPiece[other] !== NONE) continue;
        tetPiece[other] = count;
        stack[size++] = other;
      }
    }
    count++;
  }
  return { count, tetPiece, vertexPiece };
}
