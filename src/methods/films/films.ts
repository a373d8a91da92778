/** The films method as the runner sees it. [da-2017] part II: soap films, bubbles and foams as vortex sheets on the multimaterial tracker. */
import { createStageClock } from '../../core/stages.ts';
import { NONE } from '../../core/types.ts';
import { measureRegions } from '../../tracking/multimaterial/measure.ts';
import type { Diagnostics, Estimate, Method, SurfaceFrame, Work } from '../method.ts';
import { buildModel, type FilmsModel } from './model.ts';
import { filmsOptions } from './options.ts';
import { burst, findFilm } from './stages.ts';
import { type FilmsState, releaseState, restoreState, saveState, startState } from './state.ts';
import { step } from './step.ts';
import { computeStableStep } from './time-step.ts';

/** Above this many regions a step's record leaves their volumes out: they would fill the disk. */
const MOST_LISTED_REGIONS = 1000;
/** Heap bytes per face at the peak of a step, measured on the bundled scenes. */
const BYTES_PER_FACE = 700;

export const films: Method<FilmsModel, FilmsState, Work> = {
  name: 'films',
  options: filmsOptions,
  refuses: ['liquids', 'solids'],
  build: buildModel,
  start: startState,
  createWork: () => ({ clock: createStageClock() }),
  stableTimeStep: computeStableStep,
  step,
  surface,
  measure,
  poke: (model, state, { point }) => {
    const film = findFilm(model, state, point);
    if (film) burst(model, state, Math.max(...film), Math.min(...film));
  },
  save: saveState,
  restore: restoreState,
  release: releaseState,
  estimate,
};

/** Films alone: faces of openings are not seen. */
function surface({ isOpening }: FilmsModel, { tracker, velocity }: FilmsState): SurfaceFrame {
  const { mesh } = tracker;
  const faces: number[] = [];
  for (let f = 0; f < mesh.faceFill; f++)
    if (mesh.isFace(f) && !isOpening(mesh.label[2 * f]) && !isOpening(mesh.label[2 * f + 1])) faces.push(f);
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

function measure({ isOpening, options }: FilmsModel, state: FilmsState): Diagnostics {
  const { mesh } = state.tracker;
  const regions = measureRegions(mesh)
    .filter(({ label }) => label !== 0 && !isOpening(label))
    .map(({ label, volume }) => ({ label, volume }));
  const area = measureFilmArea(state, isOpening);
  return {
    vertices: mesh.vertexCount,
    triangles: mesh.faceCount,
    volume: regions.reduce((sum, { volume }) => sum + volume, 0),
    ...(regions.length <= MOST_LISTED_REGIONS && { regions }),
    surfaceArea: area,
    surfaceEnergy: options.tension * area,
    kineticEnergy: state.kineticEnergy,
    momentum: [...state.momentum],
    maxSpeed: state.maxSpeed,
  };
}

function measureFilmArea({ tracker }: FilmsState, isOpening: (label: number) => boolean): number {
  const { mesh } = tracker;
  const { position: p, face, label } = mesh;
  let area = 0;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f) || isOpening(label[2 * f]) || isOpening(label[2 * f + 1])) continue;
    const [a, b, c] = [3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [wx, wy, wz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    area += 0.5 * Math.hypot(uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx);
  }
  return area;
}

function estimate(model: FilmsModel): Estimate {
  const { position, triangle } = model.startSurface;
  const state = startState(model);
  const timeStep = computeStableStep(model, state);
  releaseState(state);
  return {
    heapBytes: (BYTES_PER_FACE * triangle.length) / 3,
    elements: { vertices: position.length / 3, triangles: triangle.length / 3 },
    timeStep,
    notes: ['films weigh nothing and the air is of one density: gravity has no part in it'],
  };
}
