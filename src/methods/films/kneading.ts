/**
 * Kneading: for a while every bubble swells and shrinks about its own volume, each at a time of its own, and from `fade` on by less and less.
 *
 *   volume = own (1 + swing),   swing = amplitude min(1, t / period, (duration - t) / (duration - fade)) sin(2 pi t / period + phase)
 *
 * Left alone, a block of bubbles comes to rest as a rounded block, which is a minimum of its area (validation case films/jammed-block). Kneaded, its bubbles pass each
 * other and the outside draws together. Not in the thesis, whose blocks are said to become nearly spherical by themselves. The films follow as for any change of volume (volumes.ts), each piece of a bubble by its part.
 */
import { createRandom } from '../../core/random.ts';
import type { Seconds } from '../../core/types.ts';
import type { FilmsOptions } from './options.ts';

/** What a region's volume is at a time, as a share of its own. */
export type VolumeShare = (region: number, time: Seconds) => number;

/** Mixed into the scene's seed: what else is drawn from that is not to go with the phases. */
const SEED = 0x6b6e6564;
/** The step is at most this part of a swing. */
export const PART_OF_PERIOD = 1 / 40;

/** Phases are drawn for the regions in rising order; regions that come later swing with phase 0. */
export function createKneading(
  kneading: FilmsOptions['kneading'],
  labels: Iterable<number>,
  seed: number,
): VolumeShare | undefined {
  if (!kneading) return undefined;
  const { amplitude, period, start, fade, end } = kneading;
  const duration = end - start;
  const held = fade === undefined ? 0.5 : (fade - start) / duration;
  const random = createRandom(seed ^ SEED);
  const phase = new Map<number, number>();
  for (const label of [...labels].sort((a, b) => a - b)) phase.set(label, 2 * Math.PI * random.next());
  return (region, time) => {
    if (time <= start || time >= end) return 1;
    const t = time - start;
    const size = amplitude * Math.min(1, t / period, (1 - t / duration) / (1 - held));
    return 1 + size * Math.sin((2 * Math.PI * t) / period + (phase.get(region) ?? 0));
  };
}
