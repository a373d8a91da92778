/**
 * The liquids of a scene as they start, and those in its nozzles, for estimates: each with what it adds to
 * those before it. The more shapes there are to be asked, the fewer samples each gets, so that a crowd takes
 * no longer than a few.
 */
import { costOf, type Implicit } from '../../geometry/implicit.ts';
import { complement, measureRegion, type RegionSize } from '../../geometry/shapes.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Scene } from '../../scene/scene.ts';

/** Samples along each axis of a liquid's box. */
const MOST_SAMPLES = 32;
const FEWEST_SAMPLES = 4;
/** Questions to a sphere that all samples together may cost. */
const MOST_QUESTIONS = 3e6;

/** Of asking all these shapes once, in questions to a sphere. */
export const measureCost = (shapes: readonly Implicit[]): number =>
  shapes.reduce((sum, shape) => sum + costOf(shape), 1);

/** Samples along an axis at which all these shapes may be asked. */
export function chooseSamples(asked: readonly Implicit[]): number {
  const most = Math.floor(Math.cbrt(MOST_QUESTIONS / measureCost(asked)));
  return Math.max(FEWEST_SAMPLES, Math.min(MOST_SAMPLES, most));
}

/** Each liquid without solids and without the liquids before it. */
export const measureLiquids = (scene: Scene): RegionSize[] => measureShapes(scene, scene.liquids);

/** What stands in each nozzle at the start. */
export const measurePlugs = (scene: Scene): RegionSize[] => measureShapes(scene, scene.emitters);

function measureShapes(scene: Scene, filled: readonly { readonly shape: Implicit }[]): RegionSize[] {
  const solids = poseSolids(scene.solids, 0);
  const all = filled.map(({ shape }, i) =>
    [...filled.slice(0, i).map((l) => l.shape), ...solids].filter((other) => overlap(other, shape)),
  );
  // Of very many that lie in each other, each is measured for itself: too much is better than too long.
  const isCrowded = measureCost(all.flat()) * FEWEST_SAMPLES ** 3 > MOST_QUESTIONS;
  const others = isCrowded ? filled.map((): Implicit[] => []) : all;
  const samples = chooseSamples(others.flatMap((list, i) => [filled[i].shape, ...list]));
  return filled.map(({ shape }, i) => measureRegion(shape, scene.domain, samples, others[i].map(complement)));
}

const overlap = (a: Implicit, b: Implicit): boolean =>
  [0, 1, 2].every((k) => a.bounds.min[k] < b.bounds.max[k] && a.bounds.max[k] > b.bounds.min[k]);
