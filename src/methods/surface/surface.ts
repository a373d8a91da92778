/**
 * The surface method as the runner sees it. [da-2017] part III: liquids by their surface alone, as potential
 * flows on the multimaterial tracker.
 */
import { createStageClock } from '../../core/stages.ts';
import type { Diagnostics, Method, StepReport, SurfaceFrame, Work } from '../method.ts';
import { checkScene } from './check.ts';
import { type LiquidFigures, measureLiquid } from './conservation/figures.ts';
import { estimate } from './estimate.ts';
import { findBodies } from './liquid/body.ts';
import { buildModel, type SurfaceModel } from './model.ts';
import { ignores } from './notes.ts';
import { surfaceOptions } from './options.ts';
import { poke } from './poke.ts';
import { presentation } from './presentation.ts';
import { computeStableStep } from './stable-step.ts';
import { type SurfaceState, startState, surfaceStore } from './state.ts';
import { step } from './step.ts';
import { stepThesis } from './thesis/step.ts';
import { measureAreas } from './walls/energy.ts';

/** Above this many bodies a step's record leaves their volumes out: they would fill the disk. */
const MOST_LISTED_BODIES = 100;

export const surface: Method<SurfaceModel, SurfaceState, Work> = {
  name: 'surface',
  options: surfaceOptions,
  features: ['liquids', 'solids', 'moving solids', 'emitters'],
  ignores,
  presentation,
  build: buildModel,
  start: startState,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep: (model, state) => computeStableStep(model, state),
  step: (model, state, work, dt) => {
    const take = model.options.step === 'thesis' ? stepThesis : step;
    return take(model, state, work, dt);
  },
  surface: takeSurface,
  measure,
  poke: (model, state, event) => {
    state.maxSpeed = poke(model, state, event);
  },
  ...surfaceStore,
  estimate,
  check: checkScene,
};

function takeSurface(model: SurfaceModel, state: SurfaceState): SurfaceFrame {
  const { mesh } = state.tracker;
  const { vertexFill, faceFill } = mesh;
  const { velocity, curvature } = measureLiquid(model, state, true);
  const body = new Int32Array(faceFill);
  const { ofVertex } = findBodies(mesh);
  for (let f = 0; f < faceFill; f++) body[f] = ofVertex[mesh.face[3 * f]];
  return {
    mesh: {
      vertexCount: vertexFill,
      triangleCount: faceFill,
      position: mesh.position.slice(0, 3 * vertexFill),
      triangle: takeOutward(state),
    },
    vertexFields: {
      velocity: { components: 3, unit: 'm/s', values: velocity },
      potential: {
        components: 1,
        unit: 'm^2/s',
        values: Float32Array.from(state.values.potential.data.subarray(0, vertexFill)),
      },
      curvature: { components: 1, unit: '1/m', values: curvature },
    },
    faceFields: { body: { components: 1, unit: '1', values: body } },
  };
}

/** Triangles with their normals out of the liquid. */
function takeOutward({ tracker }: SurfaceState): Int32Array {
  const { mesh } = tracker;
  const triangle = mesh.face.slice(0, 3 * mesh.faceFill);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (mesh.label[2 * f] === 0) continue;
    const held = triangle[3 * f + 1];
    triangle[3 * f + 1] = triangle[3 * f + 2];
    triangle[3 * f + 2] = held;
  }
  return triangle;
}

function measure(model: SurfaceModel, state: SurfaceState, report?: StepReport): Diagnostics {
  const { mesh } = state.tracker;
  const liquid: LiquidFigures = measureLiquid(model, state, false);
  const { density, tension } = model.constants;
  const volume = liquid.volumes.reduce((sum, v) => sum + v, 0);
  const { free, effective } = measureAreas(state);
  return {
    vertices: mesh.vertexCount,
    triangles: mesh.faceCount,
    volume,
    mass: density * volume,
    ...(liquid.volumes.length <= MOST_LISTED_BODIES && {
      regions: liquid.volumes.map((own, n) => ({ label: n + 1, volume: own })),
    }),
    surfaceArea: free,
    surfaceEnergy: tension * effective,
    potentialEnergy: liquid.potentialEnergy,
    kineticEnergy: liquid.meanEnergy,
    ...report?.figures,
    momentum: liquid.momentum,
    angularMomentum: liquid.angularMomentum,
    centreOfMass: liquid.centreOfMass,
    maxSpeed: state.maxSpeed,
  };
}
