/**
 * Model systems of blocks for referees and tests: stress in a unit cube of tetrahedra, clamped or free, with
 * or without inertia.
 */
import type { HeapScope } from '../../src/core/heap.ts';
import { createRandom } from '../../src/core/random.ts';
import type { Threads } from '../../src/core/threads/task.ts';
import { NONE } from '../../src/core/types.ts';
import { assembleBlocks, buildBlocks } from '../../src/linalg/block/block-build.ts';
import type { BlockCsrMatrix } from '../../src/linalg/block/block-csr.ts';
import { computeStrainMatrix } from '../../src/mesh/strain-matrix.ts';
import { buildKuhnTets } from './matrices.ts';

export interface ElasticCube {
  readonly matrix: BlockCsrMatrix;
  /** (rowCount x 3) places of the unknown vertices */
  readonly position: Float64Array;
}

export interface CubeOptions {
  /** Holds the vertices of the floor. */
  readonly clamped: boolean;
  /** Poisson's ratio. */
  readonly poisson: number;
  /** Young's modulus at a place; 1 otherwise. */
  readonly young?: (x: number, y: number, z: number) => number;
  /** Density: a lumped mass on the diagonal. 0 otherwise. */
  readonly density?: number;
}

/** Vertices inside move by up to this part of an edge: no right angles, and no two elements alike. */
const JITTER = 0.2;

/** Lame's parameters of Young's modulus and Poisson's ratio. */
const computeLame = (young: number, poisson: number) => ({
  mu: young / (2 * (1 + poisson)),
  lambda: (young * poisson) / ((1 + poisson) * (1 - 2 * poisson)),
});

/** n^3 cubes of six tetrahedra each, with the pieces' own stiffness. */
export function buildElasticCube(
  threads: Threads,
  scope: HeapScope,
  n: number,
  { clamped, poisson, young = () => 1, density = 0 }: CubeOptions,
): ElasticCube {
  const { vertexCount, tet, position } = buildKuhnTets(n);
  const random = createRandom(7);
  for (let k = 0; k < position.length; k++)
    if (position[k] > 0 && position[k] < 1) position[k] += ((random.next() - 0.5) * 2 * JITTER) / n;
  const rowOf = new Int32Array(vertexCount).fill(NONE);
  let rowCount = 0;
  for (let v = 0; v < vertexCount; v++) if (!clamped || position[3 * v + 2] > 0) rowOf[v] = rowCount++;
  const unknown = scope.i32(tet.length);
  for (let k = 0; k < tet.length; k++) unknown[k] = rowOf[tet[k]];
  const { matrix, assembly } = buildBlocks(threads, scope, 3, rowCount, unknown, 4);
  const corner = new Float64Array(12);
  assembleBlocks(
    threads,
    scope,
    assembly,
    (first, end, out) => {
      for (let t = first; t < end; t++) {
        const centre = [0, 0, 0];
        for (let k = 0; k < 12; k++) {
          corner[k] = position[3 * tet[4 * t + Math.floor(k / 3)] + (k % 3)];
          centre[k % 3] += corner[k] / 4;
        }
        const { mu, lambda } = computeLame(young(centre[0], centre[1], centre[2]), poisson);
        const at = 144 * (t - first);
        const volume = computeStrainMatrix(corner, mu, lambda, at, out);
        for (let k = 0; k < 12; k++) out[at + 13 * k] += (density * volume) / 4;
      }
    },
    matrix,
  );
  const place = scope.f64(3 * rowCount);
  for (let v = 0; v < vertexCount; v++)
    if (rowOf[v] !== NONE) for (let k = 0; k < 3; k++) place[3 * rowOf[v] + k] = position[3 * v + k];
  return { matrix, position: place };
}
