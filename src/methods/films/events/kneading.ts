/**
 * Kneading: for a while every bubble swells and shrinks about its own volume, each at a time of its own, and
 * from `fade` on by less and less.
 *
 *   volume = own (1 + size swing),   size = amplitude min(1, t / period, (duration - t) / (duration - fade))
 *   swing = s - P s,   s = sin(2 pi t / period + phase)
 *
 * P s is the linear function of place nearest to s, by volume: the cluster as a whole then neither breathes
 * nor is it pushed along by bubbles that happen to swell on one side.
 *
 * Left alone, a block of bubbles comes to rest as a rounded block, which is a minimum of its area (validation
 * case films/jammed-block). Not in the thesis, whose blocks are said to become nearly spherical by
 * themselves. The films follow as for any change of volume (tracking/multimaterial/conservation/volumes.ts),
 * each piece of a bubble by its part. Cost: linear.
 */
import { createRandom } from '../../../core/random.ts';
import type { Seconds, Vec3 } from '../../../core/types.ts';
import type { VolumeShare } from '../../../tracking/multimaterial/conservation/volumes.ts';
import { measureRegions } from '../../../tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { FilmsOptions } from '../options.ts';

/**
 * Shares at a time for bubbles where they are now, of the volumes `own` by label; undefined where nothing is
 * kneaded.
 */
export type Kneading = (
  mesh: MultiMesh,
  own: ReadonlyMap<number, number>,
  time: Seconds,
) => VolumeShare | undefined;

/** Mixed into the scene's seed: what else is drawn from that is not to go with the phases. */
const SEED = 0x6b6e6564;
/** The step is at most this part of a swing. */
export const PART_OF_PERIOD = 1 / 40;
/** Coordinates that the others give but for so much of the cluster's extent are none. */
const DEPENDENT = 1e-6;

/** Phases are drawn for the regions in rising order; regions that come later swing with phase 0. */
export function createKneading(
  kneading: FilmsOptions['kneading'],
  labels: Iterable<number>,
  seed: number,
): Kneading | undefined {
  if (!kneading) return undefined;
  const { period, start, end } = kneading;
  const random = createRandom(seed ^ SEED);
  const phase = new Map<number, number>();
  for (const label of [...labels].sort((a, b) => a - b)) phase.set(label, 2 * Math.PI * random.next());
  return (mesh, own, time) => {
    if (time <= start || time >= end) return undefined;
    const bubbles = measureRegions(mesh).filter(({ label }) => own.has(label));
    const turn = (2 * Math.PI * (time - start)) / period;
    const swing = Float64Array.from(bubbles, ({ label }) => Math.sin(turn + (phase.get(label) ?? 0)));
    removeLinearPart(
      swing,
      bubbles.map(({ middle }) => middle),
      bubbles.map(({ label }) => own.get(label)!),
    );
    const size = computeSize(kneading, time) / swing.reduce((most, s) => Math.max(most, Math.abs(s)), 1);
    const share = new Map(bubbles.map(({ label }, n) => [label, 1 + size * swing[n]]));
    return (region) => share.get(region) ?? 1;
  };
}

/** Greatest swing at a time. */
export function computeSize(
  { amplitude, period, start, fade, end }: NonNullable<FilmsOptions['kneading']>,
  time: Seconds,
): number {
  if (time <= start || time >= end) return 0;
  const held = fade ?? (start + end) / 2;
  return amplitude * Math.min(1, (time - start) / period, (end - time) / (end - held));
}

/**
 * Takes from values at places the linear function nearest to them by weight: afterwards they have no sum and
 * no first moment.
 */
export function removeLinearPart(
  value: Float64Array,
  place: readonly Vec3[],
  weight: readonly number[],
): void {
  const total = weight.reduce((sum, w) => sum + w, 0);
  const dot = (a: Float64Array, b: Float64Array) =>
    weight.reduce((sum, w, n) => sum + w * a[n] * b[n], 0) / total;
  const removeAlong = (from: Float64Array, unit: Float64Array) => {
    const along = dot(from, unit);
    for (let n = 0; n < from.length; n++) from[n] -= along * unit[n];
  };
  // Gram and Schmidt: one, and the coordinates about the middle.
  const one = new Float64Array(value.length).fill(1);
  const coordinates = [0, 1, 2].map((k) => Float64Array.from(place, (x) => x[k]));
  for (const x of coordinates) removeAlong(x, one);
  const extent = Math.sqrt(coordinates.reduce((sum, x) => sum + dot(x, x), 0));
  const basis = [one];
  for (const x of coordinates) {
    for (const other of basis) removeAlong(x, other);
    const size = Math.sqrt(dot(x, x));
    if (size > DEPENDENT * extent) basis.push(x.map((t) => t / size));
  }
  for (const term of basis) removeAlong(value, term);
}
