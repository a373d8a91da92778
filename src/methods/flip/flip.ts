/**
 * The flip method as the runner sees it. [ando-2013]: Highly Adaptive Liquid Simulations on Tetrahedral
 * Meshes.
 */
import { createStageClock } from '../../core/stages.ts';
import type { Method, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { estimate } from './estimate.ts';
import { buildParticleFrame, buildSurfaceFrame, buildVolumeFrame, measure } from './measure.ts';
import { buildModel, type FlipModel } from './model.ts';
import { ignores } from './notes.ts';
import { poseObstacles } from './obstacles.ts';
import { flipOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { start } from './start.ts';
import { type FlipState, flipStore } from './state.ts';
import { step } from './step.ts';
import { RADIUS_OF_CELL } from './transfer.ts';

/** Largest time step in sqrt(h/g). */
const WAVE_STEP = 1;

export const flip: Method<FlipModel, FlipState, Work> = {
  name: 'flip',
  options: flipOptions,
  features: ['liquids', 'solids', 'moving solids', 'no-slip walls', 'emitters', 'drains'],
  ignores,
  presentation,
  build: buildModel,
  check: checkScene,
  start,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep,
  step,
  surface: buildSurfaceFrame,
  volume: buildVolumeFrame,
  particles: buildParticleFrame,
  measure,
  ...flipStore,
  estimate,
};

/**
 * Liquid may cross `cfl` cells of its own size per step, at the speed it will have reached by falling through
 * them.
 */
function stableTimeStep(model: FlipModel, state: FlipState): number {
  const { velocity, volume, kind } = state;
  const g = Math.hypot(...model.gravity);
  const crossing = (edge: number, speed: number) => {
    const reach = model.options.cfl * edge;
    return (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * g * reach));
  };
  let least = WAVE_STEP * Math.sqrt(model.finest / g);
  for (let p = 0; p < volume.length; p++) {
    if (kind[p] !== 0) continue;
    const edge = Math.max(model.finest, (0.5 * Math.cbrt(volume[p])) / RADIUS_OF_CELL);
    const o = 3 * p;
    const square = velocity[o] ** 2 + velocity[o + 1] ** 2 + velocity[o + 2] ** 2;
    least = Math.min(least, crossing(edge, Math.sqrt(square)) || Number.POSITIVE_INFINITY);
  }
  if (model.moves) {
    const { topSpeed } = poseObstacles(model, state.time, 0);
    least = Math.min(least, crossing(model.finest, topSpeed) || Number.POSITIVE_INFINITY);
  }
  return least;
}
