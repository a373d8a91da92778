/**
 * The octree for the sizes that particles want, and their splitting and merging to what its cells hold
 * ([ando-2013] 4, lines 6 to 8).
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Metres, Seconds, Vec3 } from '../../core/types.ts';
import { OctreeDraft } from '../../mesh/octree/draft.ts';
import type { Octree } from '../../mesh/octree/octree.ts';
import { buildFrustum } from './camera.ts';
import type { FlipModel } from './model.ts';
import type { ParticleArrays } from './resampling.ts';
import { combineSizes } from './sizing.ts';
import { BALLISTIC, type FlipState } from './state.ts';

/** Particles this deep, in cells, want cells of their size on the other side of the surface too. */
const SHALLOW = 2;
/** Cells beyond a shallow particle that have its size. */
const PAD = 1;
/**
 * Looks ahead along the path that it will take until the next mesh, in cells of its size, and how many at
 * most.
 */
const LOOKS = { cells: 1.5, most: 8 };

/** Sizes wanted at the particles, m; with memory the old ones fade. `detail`: at particles. */
export function findWishes(
  model: FlipModel,
  { meshAge, lastStep, time }: FlipState,
  { position, depth, size }: ParticleArrays,
  detail: Float64Array,
  out: Float64Array,
): void {
  const { options, finest } = model;
  const frustum = options.camera && buildFrustum(options.camera, time);
  const growth = 2 ** Math.min(60, (meshAge * lastStep) / options.sizing.memory);
  for (let p = 0; p < depth.length; p++) {
    const at: Vec3 = [position[3 * p], position[3 * p + 1], position[3 * p + 2]];
    const wanted = combineSizes(model, frustum, detail[p], depth[p], at, 0);
    out[p] = size[p] > 0 ? Math.min(wanted, Math.max(finest, size[p] * growth)) : wanted;
  }
}

/**
 * The octree in which no particle's cell is larger than wanted there, with room to move until the next one.
 */
export function buildWantedOctree(
  { box, options, gravity }: FlipModel,
  dt: Seconds,
  { position, velocity, depth, kind, size: wish }: ParticleArrays,
  scope: HeapScope,
): Octree {
  const draft = new OctreeDraft(box);
  const ahead = options.remeshSteps * dt;
  const g = Math.hypot(...gravity);
  for (let p = 0; p < wish.length; p++) {
    if (kind[p] === BALLISTIC) continue;
    const size = wish[p];
    const o = 3 * p;
    const x = position[o];
    const y = position[o + 1];
    const z = position[o + 2];
    if (depth[p] > SHALLOW * size) {
      splitAt(draft, size, x, y, z);
      continue;
    }
    for (let n = 0; n < 8; n++)
      splitAt(
        draft,
        size,
        x + (n & 1 ? PAD : -PAD) * size,
        y + (n & 2 ? PAD : -PAD) * size,
        z + (n & 4 ? PAD : -PAD) * size,
      );
    const path = ahead * (Math.hypot(velocity[o], velocity[o + 1], velocity[o + 2]) + 0.5 * g * ahead);
    const looks = Math.min(LOOKS.most, Math.ceil(path / (LOOKS.cells * size)));
    for (let n = 1; n <= looks; n++) {
      const t = (n / looks) * ahead;
      const fall = 0.5 * t * t;
      splitAt(
        draft,
        size,
        x + t * velocity[o] + fall * gravity[0],
        y + t * velocity[o + 1] + fall * gravity[1],
        z + t * velocity[o + 2] + fall * gravity[2],
      );
    }
  }
  return draft.finish(scope);
}

/** The largest leaf at a point that is no larger than the size; points outside the box are left alone. */
function splitAt(draft: OctreeDraft, size: Metres, x: number, y: number, z: number): void {
  const { origin, size: finest, maxLevel, roots } = draft.box;
  const i = Math.floor((x - origin[0]) / finest);
  const j = Math.floor((y - origin[1]) / finest);
  const k = Math.floor((z - origin[2]) / finest);
  if (i < 0 || j < 0 || k < 0) return;
  if (i >> maxLevel >= roots[0] || j >> maxLevel >= roots[1] || k >> maxLevel >= roots[2]) return;
  let level = 0;
  while (level < maxLevel && finest * 2 ** (level + 1) <= size * (1 + 1e-9)) level++;
  if (level < maxLevel) draft.split(level + 1, i >> (level + 1), j >> (level + 1), k >> (level + 1));
}
