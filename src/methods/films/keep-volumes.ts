/**
 * The air in a bubble cannot leave it: at the end of a step every closed region has the volume it began with, and what sources gave it.
 *
 * What is owed stands in the mesh's books: every edit and every motion enters what it took (edit.ts, return-volume.ts). The motion by the air's own fluxes keeps
 * volumes but for the flatness of faces in a finite step, and that is settled with the motion. What remeshing, T1 and stopped collisions take comes after it; here
 * it is given back before the step is over, by the least displacement of the vertices that does it, safe from collisions as all motion. A T1 or a run of stopped
 * contacts can ask for more than one round.
 *
 * Not in the thesis. The displacement is along area-weighted normals, constant pressures over whole bubbles, so that it makes no circulation and moves the cluster's middle by
 * the product of two small numbers only. Cost: linear; nothing but a sum over faces where all is settled.
 */
import { advanceVertices } from '../../tracking/multimaterial/advance.ts';
import { addVolumeReturn, bookMotion } from '../../tracking/multimaterial/return-volume.ts';
import type { Tracker } from '../../tracking/multimaterial/tracker.ts';

/** Owed volume that is left to the next step's motion, as a share of the region's volume (of L^3 for regions smaller than that). */
const TOLERANCE = 1e-4;
/** Rounds in a step; what then is left is settled in the next. */
const MOST_ROUNDS = 4;

/** Settles the books; returns the number of rounds it took. */
export function keepVolumes(tracker: Tracker, isGhost: ((f: number) => boolean) | undefined): number {
  const { mesh } = tracker;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (measureOwed(tracker, isGhost) <= TOLERANCE) return round;
    const from = mesh.position.slice();
    const proposed = mesh.position.slice(0, 3 * mesh.vertexFill);
    addVolumeReturn(tracker, proposed, true, isGhost);
    advanceVertices(tracker, proposed);
    bookMotion(tracker, from);
  }
  return MOST_ROUNDS;
}

/** The largest debt of a closed region, as a share of its volume. Regions with ghost faces owe nothing: air comes and goes through them. */
function measureOwed({ mesh, length }: Tracker, isGhost: ((f: number) => boolean) | undefined): number {
  const { position: p, face, label } = mesh;
  let regions = 0;
  for (let h = 0; h < 2 * mesh.faceFill; h++)
    if (mesh.isFace(h >> 1)) regions = Math.max(regions, label[h] + 1);
  const owed = new Float64Array(regions);
  const volume = new Float64Array(regions);
  const isOpen = new Uint8Array(regions);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [front, back] = [label[2 * f], label[2 * f + 1]];
    if (isGhost?.(f)) isOpen[front] = isOpen[back] = 1;
    owed[front] += mesh.debt[2 * f];
    owed[back] += mesh.debt[2 * f + 1];
    const a = 3 * face[3 * f];
    const b = 3 * face[3 * f + 1];
    const c = 3 * face[3 * f + 2];
    const tet =
      (p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
        p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
        p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c])) /
      6;
    volume[back] += tet;
    volume[front] -= tet;
  }
  let worst = 0;
  for (let r = 0; r < regions; r++)
    if (!isOpen[r]) worst = Math.max(worst, Math.abs(owed[r]) / Math.max(Math.abs(volume[r]), length ** 3));
  return worst;
}
