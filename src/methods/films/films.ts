/**
 * The films method as the runner sees it. [da-2017] part II: soap films, bubbles and foams as vortex sheets
 * on the multimaterial tracker.
 */
import { createStageClock } from '../../core/stages.ts';
import { NONE } from '../../core/types.ts';
import { computeFaceArea, measureRegions } from '../../tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../tracking/multimaterial/mesh.ts';
import type { Diagnostics, Method, StepReport, SurfaceFrame, Work } from '../method.ts';
import { computeStableStep } from './air/time-step.ts';
import { estimate } from './estimate.ts';
import { buildModel, type FilmsModel } from './model.ts';
import { ignores } from './notes.ts';
import { filmsOptions } from './options.ts';
import { presentation } from './presentation.ts';
import { AT_REST, burst } from './stages.ts';
import { type FilmsState, filmsStore, startState } from './state.ts';
import { step } from './step.ts';

/** Above this many regions a step's record leaves their volumes out: they would fill the disk. */
const MOST_LISTED_REGIONS = 1000;

export const films: Method<FilmsModel, FilmsState, Work> = {
  name: 'films',
  options: filmsOptions,
  features: [],
  ignores,
  presentation,
  build: buildModel,
  start: startState,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep: computeStableStep,
  step,
  surface,
  measure,
  poke: (model, state, { face }) => {
    const { mesh } = state.tracker;
    const f = listFilmFaces(model, mesh)[face];
    const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
    burst(model, state, Math.max(front, back), Math.min(front, back));
  },
  ...filmsStore,
  estimate,
};

/** Films alone: faces of openings are not seen. */
function listFilmFaces({ isOpening }: FilmsModel, mesh: MultiMesh): number[] {
  const faces: number[] = [];
  for (let f = 0; f < mesh.faceFill; f++)
    if (mesh.isFace(f) && !isOpening(mesh.label[2 * f]) && !isOpening(mesh.label[2 * f + 1])) faces.push(f);
  return faces;
}

function surface(model: FilmsModel, { tracker, velocity }: FilmsState): SurfaceFrame {
  const { mesh } = tracker;
  const faces = listFilmFaces(model, mesh);
  const number = new Int32Array(mesh.vertexFill).fill(NONE);
  const vertices: number[] = [];
  const triangle = new Int32Array(3 * faces.length);
  faces.forEach((f, n) => {
    for (let i = 0; i < 3; i++) {
      const v = mesh.face[3 * f + i];
      if (number[v] === NONE) number[v] = vertices.push(v) - 1;
      triangle[3 * n + i] = number[v];
    }
  });
  const gather = (from: Float64Array, to: Float64Array | Float32Array) => {
    vertices.forEach((v, n) => {
      for (let k = 0; k < 3; k++) to[3 * n + k] = from[3 * v + k];
    });
    return to;
  };
  const label = (side: number) => Int32Array.from(faces, (f) => mesh.label[2 * f + side]);
  return {
    mesh: {
      vertexCount: vertices.length,
      triangleCount: faces.length,
      position: gather(mesh.position, new Float64Array(3 * vertices.length)) as Float64Array,
      triangle,
    },
    vertexFields: {
      velocity: {
        components: 3,
        unit: 'm/s',
        values: gather(velocity.data, new Float32Array(3 * vertices.length)) as Float32Array,
      },
    },
    faceFields: {
      front: { components: 1, unit: '1', values: label(0) },
      back: { components: 1, unit: '1', values: label(1) },
    },
  };
}

function measure(model: FilmsModel, state: FilmsState, report?: StepReport): Diagnostics {
  const { isOpening, options } = model;
  const { mesh } = state.tracker;
  const regions = measureRegions(mesh)
    .filter(({ label }) => label !== 0 && !isOpening(label))
    .map(({ label, volume }) => ({ label, volume }));
  const area = listFilmFaces(model, mesh).reduce((sum, f) => sum + computeFaceArea(mesh, f), 0);
  return {
    vertices: mesh.vertexCount,
    triangles: mesh.faceCount,
    volume: regions.reduce((sum, { volume }) => sum + volume, 0),
    ...(regions.length <= MOST_LISTED_REGIONS && { regions }),
    surfaceArea: area,
    surfaceEnergy: options.tension * area,
    ...(report?.figures ?? AT_REST),
    maxSpeed: state.maxSpeed,
  };
}
