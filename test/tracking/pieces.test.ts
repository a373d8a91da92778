import { describe, expect, it } from 'vitest';
import { findPieces } from '../../src/tracking/contouring/pieces.ts';
import type { TrackedSurface } from '../../src/tracking/contouring/surface.ts';
import { toMesh } from '../geometry/meshes.ts';

const LOW = [0, 2, 1, 0, 3, 2];
const HIGH = [4, 5, 6, 4, 6, 7];
const SIDES = [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7];
const CUBE = [...LOW, ...HIGH, ...SIDES];

/** Cubes by their low corner, edge, and whether they are turned inside out. */
function cubes(list: [x: number, y: number, z: number, edge: number, cavity?: boolean][]): TrackedSurface {
  const position: number[] = [];
  const triangle: number[] = [];
  for (const [x, y, z, edge, cavity] of list) {
    const first = position.length / 3;
    for (let c = 0; c < 8; c++) {
      const i = c & 3;
      position.push(x + (i === 1 || i === 2 ? edge : 0), y + (i >= 2 ? edge : 0), z + (c >= 4 ? edge : 0));
    }
    for (let n = 0; n < CUBE.length; n += 3) {
      const [a, b, c] = CUBE.slice(n, n + 3).map((v) => first + v);
      triangle.push(a, cavity ? c : b, cavity ? b : c);
    }
  }
  return { ...toMesh(position, triangle), wall: new Uint8Array(triangle.length / 3) };
}

describe('pieces of a surface', () => {
  it('have their own volumes, in the order of their lowest vertices', () => {
    const surface = cubes([
      [0, 0, 0, 2],
      [5, 0, 0, 1],
      [8, 1, 1, 3],
    ]);
    const { count, volume, vertexPiece } = findPieces(surface);
    expect(count).toBe(3);
    [8, 1, 27].forEach((v, p) => {
      expect(volume[p]).toBeCloseTo(v, 12);
    });
    expect([vertexPiece[0], vertexPiece[8], vertexPiece[16]]).toEqual([0, 1, 2]);
  });

  it('give up what the cavities in them take', () => {
    const surface = cubes([
      [1, 1, 1, 1, true],
      [0, 0, 0, 3],
      [10, 0, 0, 1],
    ]);
    const { count, volume, inCavity, vertexPiece } = findPieces(surface);
    expect(count).toBe(2);
    expect(volume[0]).toBeCloseTo(26, 12);
    expect(volume[1]).toBeCloseTo(1, 12);
    expect(inCavity[0]).toBe(1);
    expect(vertexPiece[0]).toBe(0);
  });
});
