/**
 * What part of each tet is liquid, where the mesh does not follow the surface ([batty-houston-2011] 4): of
 * each corner the integral of its hat over the part where a linear level set is positive, over the tet's
 * volume. The four add up to the fraction of marching tetrahedra. With them a level set that is linear has
 * exact mass, weight and pressure forces, so that a still pool is still.
 */
import { defineTask, type Threads } from '../../core/threads/task.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import { addTetMoments, computeTetFraction } from '../nodal/fractions.ts';

const GRAIN = 4096;

const shareTask = defineTask(
  'flow/compute-liquid-shares',
  { tet: 'i32', level: 'f64', even: 'number', out: 'f64' },
  (begin, end, { tet, level, even, out }) => {
    const value = new Float64Array(4);
    out.fill(0, 4 * begin, 4 * end);
    for (let t = begin; t < end; t++) {
      let inside = 0;
      for (let i = 0; i < 4; i++) {
        value[i] = level[tet[4 * t + i]];
        if (value[i] > 0) inside++;
      }
      if (inside === 0) continue;
      if (inside === 4 || even === 1) {
        const quarter = 0.25 * computeTetFraction(value[0], value[1], value[2], value[3]);
        for (let i = 0; i < 4; i++) out[4 * t + i] = quarter;
      } else addTetMoments(value, 1, out, 4 * t);
    }
  },
);

/**
 * (tetCount x 4) shares of all tets from a level set at the vertices, positive in the liquid. 'even': the
 * fraction divided evenly among the corners, as in the paper.
 */
export function computeLiquidShares(
  threads: Threads,
  mesh: TetMesh,
  level: Float64Array,
  kind: 'exact' | 'even',
  out: Float64Array,
): void {
  const even = kind === 'even' ? 1 : 0;
  threads.run(shareTask, mesh.tetCount, GRAIN, { tet: mesh.tet, level, even, out });
}
