/**
 * Kneading: for a while every bubble swells and shrinks about its own volume, each at a time of its own, by less and less.
 *
 *   volume = own (1 + swing),   swing = amplitude rise(t) (1 - t / duration) sin(2 pi t / period + phase)
 *
 * A dry foam is a solid below its yield stress, of the order of tension over bubble size, and the tension of a cluster's outside over the cluster's size is less: a block of
 * bubbles comes to rest with its corners hardly rounded. Kneaded, its bubbles pass each other and the outside draws together. Not in the thesis; foams are annealed by
 * straining them to and fro for the same reason (Kraynik, Reinelt and van Swol 2003). The films follow as for any change of volume (volumes.ts).
 */
import { createRandom } from '../../core/random.ts';
import { NONE, type Seconds } from '../../core/types.ts';
import type { MultiMesh } from '../../tracking/multimaterial/mesh.ts';
import type { FilmsOptions } from './options.ts';

/** What a region's volume is at a time, as a share of its own. */
export type VolumeShare = (region: number, time: Seconds) => number;

/** Phases are drawn for the regions in rising order; regions that come later swing with phase 0. */
export function createKneading(
  kneading: FilmsOptions['kneading'],
  labels: Iterable<number>,
  seed: number,
): VolumeShare | undefined {
  if (!kneading) return undefined;
  const { amplitude, period, start, end } = kneading;
  const random = createRandom(seed);
  const phase = new Map<number, number>();
  for (const label of [...labels].sort((a, b) => a - b)) phase.set(label, 2 * Math.PI * random.next());
  return (region, time) => {
    if (time <= start || time >= end) return 1;
    const t = time - start;
    const size = amplitude * Math.min(1, t / period) * (1 - t / (end - start));
    return 1 + size * Math.sin((2 * Math.PI * t) / period + (phase.get(region) ?? 0));
  };
}

/** Books what kneading gives each region in a step as owed to it, on one half-face each, so that the motion of the step brings it. */
export function bookKneading(
  mesh: MultiMesh,
  share: VolumeShare,
  own: ReadonlyMap<number, number>,
  time: Seconds,
  dt: Seconds,
): void {
  const inside = new Map<number, number>();
  for (let h = 0; h < 2 * mesh.faceFill; h++)
    if (mesh.isFace(h >> 1) && !inside.has(mesh.label[h])) inside.set(mesh.label[h], h);
  for (const [region, volume] of own) {
    const h = inside.get(region) ?? NONE;
    const gain = volume * (share(region, time + dt) - share(region, time));
    if (h !== NONE && gain !== 0) mesh.setDebt(h, mesh.debt[h] - gain);
  }
}
