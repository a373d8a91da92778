/**
 * The tracking method as the runner sees it. [da-2017] part I: multimaterial surface tracking under
 * prescribed and geometric flows.
 */
import { createStageClock } from '../../core/stages.ts';
import { measureArea, measureRegions } from '../../tracking/multimaterial/measure.ts';
import type { Diagnostics, Method, SurfaceFrame, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { estimate } from './estimate.ts';
import { buildModel, type TrackingModel } from './model.ts';
import { trackingOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { buildState, type TrackingState, trackingStore } from './state.ts';
import { step } from './step.ts';

/**
 * Above this many regions a step's record names only their number (events.regions): volumes of thousands
 * would fill the disk.
 */
const MOST_LISTED_REGIONS = 100;

export const tracking: Method<TrackingModel, TrackingState, Work> = {
  name: 'tracking',
  options: trackingOptions,
  features: [],
  ignores: [
    {
      parts: ['gravity', 'materials'],
      notes:
        'the tracking method moves surfaces by prescribed flows: gravity and materials have no part in it',
    },
  ],
  presentation,
  build: buildModel,
  start: (model) => buildState(model, model.startSurface, 0),
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep,
  step,
  surface,
  measure,
  ...trackingStore,
  estimate,
  check: checkScene,
};

/** The scene's own, but never across a time at which a flow changes. */
function stableTimeStep({ timeStep, flows }: TrackingModel, { time }: TrackingState): number {
  return Math.min(timeStep, flows.nextChange(time) - time);
}

function surface(_model: TrackingModel, { tracker, velocity }: TrackingState): SurfaceFrame {
  const { mesh } = tracker;
  const { vertexFill, faceFill } = mesh;
  const labels = (side: number) => {
    const out = new Int32Array(faceFill);
    for (let f = 0; f < faceFill; f++) out[f] = mesh.label[2 * f + side];
    return out;
  };
  return {
    mesh: {
      vertexCount: vertexFill,
      triangleCount: faceFill,
      position: mesh.position.slice(0, 3 * vertexFill),
      triangle: mesh.face.slice(0, 3 * faceFill),
    },
    vertexFields: { velocity: { components: 3, unit: 'm/s', values: Float32Array.from(velocity) } },
    faceFields: {
      front: { components: 1, unit: '1', values: labels(0) },
      back: { components: 1, unit: '1', values: labels(1) },
    },
  };
}

function measure(_model: TrackingModel, { tracker, maxSpeed }: TrackingState): Diagnostics {
  const { mesh } = tracker;
  const regions = measureRegions(mesh)
    .filter(({ label }) => label !== 0)
    .map(({ label, volume }) => ({ label, volume }));
  return {
    vertices: mesh.vertexCount,
    triangles: mesh.faceCount,
    volume: regions.reduce((sum, region) => sum + region.volume, 0),
    ...(regions.length <= MOST_LISTED_REGIONS && { regions }),
    surfaceArea: measureArea(mesh),
    maxSpeed,
  };
}
