import { describe, expect, it } from 'vitest';
import { findMeshPieces, findTetPieces } from '../../../src/flow/mesh/mesh-pieces.ts';
import { buildTopology } from '../../../src/mesh/topology.ts';

describe('pieces of a mesh', () => {
  // Tets 0 and 2 share a face, tet 1 touches them at vertex 3 alone; vertex 8 is nobody's.
  const tet = Int32Array.of(0, 1, 2, 3, 3, 5, 6, 7, 0, 2, 1, 4);
  const mesh = { vertexCount: 9, tetCount: 3, position: new Float64Array(27), tet };
  const topology = buildTopology(mesh);

  it('hang together by faces, numbered by their first tets', () => {
    const { count, tetPiece, vertexPiece } = findMeshPieces(mesh, topology);
    expect(count).toBe(2);
    expect([...tetPiece]).toEqual([0, 1, 0]);
    expect([...vertexPiece]).toEqual([0, 0, 0, 1, 0, 1, 1, 1, -1]);
  });

  it('are found once for a mesh', () => {
    expect(findTetPieces(topology)).toBe(findTetPieces(topology));
  });
});
