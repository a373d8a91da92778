/** What a run of the flip method will need: from the volume of the liquids, as if all cells were the finest. */
import type { Seconds } from '../../core/types.ts';
import { complement, measureRegion } from '../../geometry/shapes.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { flipOptions } from './options.ts';

/** Particles of a cell. */
const PER_CELL = 8;
const SAMPLES = 24;

export function estimate(scene: Scene, until: Seconds): Estimate {
  const { cfl } = flipOptions.parse(scene.options);
  const h = scene.resolution;
  const solids = poseSolids(scene.solids, 0).map(complement);
  let volume = 0;
  for (const { shape } of scene.liquids) volume += measureRegion(shape, scene.domain, SAMPLES, solids).volume;
  for (const emitter of scene.emitters) volume += emitter.emittedUntil(until);
  const particles = Math.ceil((PER_CELL * volume) / h ** 3);
  const tets = 3 * particles;
  const g = Math.hypot(...scene.gravity);
  const height = scene.domain.max.reduce((most, x, a) => Math.max(most, x - scene.domain.min[a]), 0);
  const speed = Math.sqrt(g * height) + Math.max(0, ...scene.liquids.map((l) => Math.hypot(...l.velocity)));
  const timeStep = Math.min(1 / scene.fps, speed > 0 ? (cfl * h) / speed : 1 / scene.fps);
  return {
    elements: { particles, tets },
    heapBytes: 2e7 + 500 * particles + 400 * tets,
    plainBytes: 3e7 + 200 * particles,
    timeStep,
    stepSeconds: 0.02 + 4e-5 * particles,
    startSeconds: 0.1 + 2e-5 * particles,
  };
}
