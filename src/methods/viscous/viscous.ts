/**
 * The viscous method as the runner sees it. [batty-houston-2011]: A Simple Finite Volume Method for Adaptive
 * Viscous Liquids.
 */

import { createStageClock } from '../../core/stages.ts';
import { buildParticleFrame } from '../../flow/volume/droplet-frame.ts';
import type { Method, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { estimate } from './estimate.ts';
import { buildSurfaceFrame, buildVolumeFrame, measureViscous } from './frames.ts';
import { buildModel, type ViscousModel } from './model.ts';
import { ignores } from './notes.ts';
import { rheologyField, viscousOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { start } from './start.ts';
import { type ViscousState, viscousStore } from './state.ts';
import { step } from './step.ts';
import { stableTimeStep } from './time-step.ts';

export const viscous: Method<ViscousModel, ViscousState, Work> = {
  name: 'viscous',
  options: viscousOptions,
  features: ['liquids', 'solids', 'moving solids', 'no-slip walls', 'emitters', 'moving emitters', 'drains'],
  materialFields: { rheology: rheologyField },
  ignores,
  presentation,
  build: buildModel,
  start,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep,
  step,
  surface: buildSurfaceFrame,
  volume: buildVolumeFrame,
  particles: buildParticleFrame,
  measure: measureViscous,
  ...viscousStore,
  estimate,
  check: checkScene,
};
