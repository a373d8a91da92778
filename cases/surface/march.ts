/**
 * Liquids made of triangles, and steps of the surface method without a runner: for tests, referees and
 * benchmarks.
 */
import { createStageClock } from '../../src/core/stages.ts';
import type { Vec3 } from '../../src/core/types.ts';
import type { Resources, StepReport } from '../../src/methods/method.ts';
import {
  computeBounds,
  computeConstants,
  computeSizingOptions,
  type SurfaceModel,
} from '../../src/methods/surface/model.ts';
import { type SurfaceOptions, surfaceOptions } from '../../src/methods/surface/options.ts';
import { type SurfaceState, startState } from '../../src/methods/surface/state.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { SolidWall } from '../../src/methods/surface/walls/solids.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';

export interface Setup {
  readonly surface: LabelledTriangles;
  /** Mean edge, m */
  readonly resolution: number;
  readonly options?: Partial<SurfaceOptions>;
  /** Defaults: unit density and tension, no viscosity */
  readonly density?: number;
  readonly viscosity?: number;
  readonly tension?: number;
  readonly gravity?: Vec3;
  /** (vertices x 3) m/s; default rest */
  readonly velocity?: Float64Array;
  /** Default: none */
  readonly walls?: readonly SolidWall[];
  /** (vertices) walls that each is on at the start, as bits */
  readonly onWalls?: Int32Array;
}

export function buildLiquid(
  resources: Resources,
  setup: Setup,
): { model: SurfaceModel; state: SurfaceState } {
  const { density = 1, viscosity = 0, tension = 1, gravity = [0, 0, 0], resolution } = setup;
  const options = surfaceOptions.parse({ ...setup.options });
  const material = { name: 'liquid', density, viscosity, surfaceTension: tension };
  const model: SurfaceModel = {
    ...resources,
    options,
    resolution,
    domain: { min: [-1, -1, -1], max: [1, 1, 1] },
    gravity,
    bounds: computeBounds(options, resolution),
    sizing: computeSizingOptions(material, options, resolution),
    constants: computeConstants(material, options, gravity),
    moteVolume: options.mote * resolution ** 3,
    walls: setup.walls ?? [],
    nozzles: [],
    openSides: [],
    startWalls: setup.onWalls ?? new Int32Array(setup.surface.position.length / 3),
    startSurface: setup.surface,
    startVelocity: setup.velocity ?? new Float64Array(setup.surface.position.length),
  };
  return { model, state: startState(model) };
}

/** Steps of even length, as long as stability allows, until the time; returns the reports. */
export function march(
  model: SurfaceModel,
  state: SurfaceState,
  until: number,
  onStep: (report: StepReport) => void = () => {},
): number {
  const work = { clock: createStageClock() };
  let steps = 0;
  while (state.time < until * (1 - 1e-12)) {
    const left = until - state.time;
    const dt = left / Math.max(1, Math.ceil(left / surface.stableTimeStep(model, state)));
    onStep(surface.step(model, state, work, dt));
    steps++;
  }
  return steps;
}
