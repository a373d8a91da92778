/**
 * What a run of the flip method will need: from the volume of the liquids, as if all their cells were the
 * finest, and from the cells of the air, as if all were the largest.
 */
import type { Seconds } from '../../core/types.ts';
import { measureCost, measureLiquids } from '../../flow/liquid/measure-liquids.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { flipOptions } from './options.ts';

/** Particles of a cell. */
const PER_CELL = 8;
/**
 * Parts of a cell that a side of the liquid's boundary passes, and questions to the shapes about each
 * (start.ts).
 */
const PARTS = 6;
const QUESTIONS = 250;
/** Of a question to a sphere, s. */
const QUESTION = 0.06e-6;
/** Tets for a particle, those of the finest cells around its liquid included, and of a largest cell. */
const TETS = { particle: 3, root: 12 };

export function estimate(scene: Scene, until: Seconds): Estimate {
  const { cfl, levels } = flipOptions.parse(scene.options);
  const h = scene.resolution;
  let volume = 0;
  let boundary = 0;
  for (const size of measureLiquids(scene)) {
    volume += size.volume;
    boundary += size.steps;
  }
  for (const emitter of scene.emitters) volume += emitter.emittedUntil(until);
  const particles = Math.ceil((PER_CELL * volume) / h ** 3);
  // Asked while the mesh and the particles are made, of all shapes each time.
  const asked = 2 * particles + (QUESTIONS * PARTS * boundary) / h ** 2;
  const cost = measureCost([...scene.liquids, ...scene.solids].map(({ shape }) => shape));
  const roots = [0, 1, 2].reduce(
    (product, a) =>
      product *
      Math.max(1, Math.ceil((scene.domain.max[a] - scene.domain.min[a]) / (h * 2 ** levels) - 1e-6)),
    1,
  );
  const tets = TETS.particle * particles + TETS.root * roots;
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
    startSeconds: 0.1 + 2e-5 * particles + QUESTION * cost * (asked + roots),
  };
}
