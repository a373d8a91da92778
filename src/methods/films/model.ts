/** What a scene fixes for the films method: starting films, constants of film and air, wires, events. */

import { InputError } from '../../core/errors.ts';
import type { Heap } from '../../core/heap.ts';
import { LIMITS, refuseBeyond } from '../../core/limits.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Metres, Seconds } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import type { LabelledTriangles } from '../../tracking/multimaterial/build.ts';
import type { MultiMesh } from '../../tracking/multimaterial/mesh.ts';
import { resolveOptions, type TrackerOptions } from '../../tracking/multimaterial/options.ts';
import type { Resources } from '../method.ts';
import type { AirConstants } from './air/air.ts';
import { createFilmSums, type FilmSums } from './air/sums.ts';
import { createKneading, type Kneading } from './events/kneading.ts';
import { type FilmsOptions, filmsOptions } from './options.ts';
import { checkModel } from './start/check.ts';
import { checkAttached, checkStart } from './start/check-start.ts';
import { buildStart } from './start/start.ts';
import { attachWires } from './wires/attach.ts';
import { buildWire, type Wire } from './wires/wires.ts';

/** How fine the films are meshed, and what follows from it. */
export interface Fineness {
  readonly resolution: Metres;
  readonly bounds: TrackerOptions;
  readonly constants: AirConstants;
}

/** Fineness: the scene's own. */
export interface FilmsModel extends Fineness {
  readonly heap: Heap;
  readonly threads: Threads;
  readonly options: FilmsOptions;
  readonly seed: number;
  /** Until kneading ends; the scene's own where it says nothing else. */
  readonly kneaded: Fineness;
  readonly sums: FilmSums;
  readonly wires: readonly Wire[];
  isOpening(label: number): boolean;
  /** Where the scene kneads its foam. */
  readonly kneading: Kneading | undefined;
  /** Labels from here on are in no use at the start: those of bubbles that pinch off. */
  readonly firstFreeLabel: number;
  /** The films at time 0. */
  readonly startSurface: LabelledTriangles;
}

export function buildModel(scene: Scene, resources: Resources): FilmsModel {
  const options = filmsOptions.parse(scene.options);
  const fineness = computeFineness(options, scene.resolution);
  const coarse = options.kneading?.resolution;
  const kneaded = coarse === undefined ? fineness : computeFineness(options, coarse);
  refuseBeyond(
    LIMITS.wires,
    options.wires.length,
    'films.wires',
    (count, limit) => `${count} wires are more than the limit of ${limit}`,
    'join rings and lines into fewer polylines',
  );
  const wires = options.wires.map(buildWire);
  const openings = new Set(options.openings);
  const isOpening = (label: number) => openings.has(label);
  const described = buildStart(options.start, kneaded.resolution, scene.seed);
  checkStart(options.start, described);
  const start = attachWires(described, wires, isOpening, kneaded.resolution, (attached, n) =>
    checkAttached(options.start, attached, n),
  );
  checkModel(options, start, wires, scene.domain, kneaded.resolution);
  refuseWhileKneading(options);
  const labels = new Set<number>(start.surface.label as Int32Array);
  return {
    ...resources,
    ...fineness,
    options,
    seed: scene.seed,
    kneaded,
    sums: createFilmSums(resources, options.accuracy),
    wires,
    isOpening,
    kneading: createKneading(options.kneading, labels, scene.seed),
    firstFreeLabel: 1 + Math.max(0, ...labels),
    startSurface: start.surface,
  };
}

function computeFineness(options: FilmsOptions, resolution: Metres): Fineness {
  return {
    resolution,
    bounds: resolveOptions({
      minEdge: options.shortest * resolution,
      maxEdge: options.longest * resolution,
      separation: options.separation,
      contacts: true,
      flips: options.flips,
      smoothing: options.smoothing,
    }),
    constants: {
      tension: options.tension,
      density: options.airDensity,
      damping: options.damping,
      drag: options.drag,
      blur: options.regularisation * resolution,
    },
  };
}

/** How fine the films are to be at a time. */
export function findFineness(model: FilmsModel, time: Seconds): Fineness {
  const { kneading } = model.options;
  return kneading && time < kneading.end ? model.kneaded : model;
}

/** Tells faces on openings; undefined where the scene has none. */
export function findGhosts(
  { options, isOpening }: FilmsModel,
  mesh: MultiMesh,
): ((f: number) => boolean) | undefined {
  if (options.openings.length === 0) return undefined;
  return (f) => isOpening(mesh.label[2 * f]) || isOpening(mesh.label[2 * f + 1]);
}

/** What changes a region's own volume is refused while kneading gives it a share of that. */
function refuseWhileKneading({ kneading, pops, randomPops, sources }: FilmsOptions): void {
  if (!kneading) return;
  const refuse = (where: string) => {
    throw new InputError(
      where,
      `comes before the end of films.kneading at ${kneading.end} s`,
      'let it begin later, or end the kneading earlier',
    );
  };
  pops.forEach(({ time }, n) => {
    if (time < kneading.end) refuse(`films.pops[${n}].time`);
  });
  sources.forEach(({ start, end = Infinity }, n) => {
    if (start < kneading.end && end > kneading.start) refuse(`films.sources[${n}].start`);
  });
  if (randomPops && randomPops.start < kneading.end) refuse('films.randomPops.start');
}
