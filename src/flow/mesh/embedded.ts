/**
 * What a mesh that does not follow the liquid's surface knows of it ([batty-houston-2011] 4): which part of
 * each tet is liquid.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { computeLiquidShares } from '../viscosity/liquid-shares.ts';

export interface Embedding {
  /**
   * (vertexCount) m, positive in the liquid, which goes on into walls: how deep below the surface, near it
   */
  readonly level: Float64Array;
  /** (tetCount x 4) of each corner the integral of its hat over the liquid, over the tet's volume */
  readonly share: Float64Array;
  /** (tetCount) the part of each tet that is liquid */
  readonly fraction: Float64Array;
}

export function buildEmbedding(
  threads: Threads,
  mesh: TetMesh,
  level: Float64Array,
  scope: HeapScope,
): Embedding {
  const { tetCount } = mesh;
  const share = scope.f64(4 * tetCount);
  computeLiquidShares(threads, mesh, level, 'exact', share);
  const fraction = scope.f64(tetCount);
  for (let t = 0; t < tetCount; t++)
    fraction[t] = share[4 * t] + share[4 * t + 1] + share[4 * t + 2] + share[4 * t + 3];
  return { level, share, fraction };
}
