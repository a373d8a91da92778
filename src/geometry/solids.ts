/** Corners and faces of simple solids. Faces are counter-clockwise seen from outside. */
import type { Vec3 } from '../core/types.ts';

interface Solid {
  readonly corner: readonly Vec3[];
  readonly face: readonly (readonly number[])[];
}

/**
 * Faces of a box whose corner n lies at the high end of axis k where bit k of n is set: low x, high x, low y,
 * high y, low z, high z.
 */
export const BOX_FACES: readonly (readonly number[])[] = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

/** About the origin. */
export const SOLIDS: Record<'tetrahedron' | 'octahedron' | 'cube', Solid> = {
  tetrahedron: {
    corner: [
      [1, 1, 1],
      [1, -1, -1],
      [-1, 1, -1],
      [-1, -1, 1],
    ],
    face: [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 1],
      [1, 3, 2],
    ],
  },
  octahedron: {
    corner: [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ],
    face: [
      [0, 2, 4],
      [2, 1, 4],
      [1, 3, 4],
      [3, 0, 4],
      [2, 0, 5],
      [1, 2, 5],
      [3, 1, 5],
      [0, 3, 5],
    ],
  },
  cube: {
    corner: [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n & 1 ? 1 : -1, n & 2 ? 1 : -1, n & 4 ? 1 : -1]),
    face: [4, 5, 2, 3, 0, 1].map((n) => BOX_FACES[n]),
  },
};
