/** What a scene fixes for the tracking method: starting surface, flows, bounds. */
import { InputError } from '../../core/errors.ts';
import type { Heap } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Box, Metres, Seconds } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import type { LabelledTriangles } from '../../tracking/multimaterial/build.ts';
import { resolveOptions, type TrackerOptions } from '../../tracking/multimaterial/options.ts';
import type { StrengthMeasure } from '../../tracking/multimaterial/separate.ts';
import { type SizingOptions, sizingDefaults } from '../../tracking/multimaterial/sizing.ts';
import type { Resources } from '../method.ts';
import { buildFlowSum, type FlowSum } from './flow-sum.ts';
import { type TrackingOptions, trackingOptions } from './options.ts';
import { buildStart } from './start.ts';

export interface TrackingModel {
  readonly heap: Heap;
  readonly threads: Threads;
  /** Bounds of the tracker, lengths in metres. */
  readonly bounds: TrackerOptions;
  readonly flows: FlowSum;
  readonly timeStep: Seconds;
  readonly strength: StrengthMeasure;
  readonly volume: 'none' | 'remeshing' | 'all';
  readonly merging: boolean;
  readonly separations: boolean;
  /** Target edge lengths that vary; undefined: the same everywhere. */
  readonly sizing: SizingOptions | undefined;
  /** The box on whose sides vertices slide; undefined: none. */
  readonly walls: Box | undefined;
  /** The surface at time 0. */
  readonly startSurface: LabelledTriangles;
}

export function buildModel(scene: Scene, { heap, threads }: Resources): TrackingModel {
  const options = trackingOptions.parse(scene.options);
  const flows = buildFlowSum(options.flows, scene);
  const { sizing } = options;
  return {
    heap,
    threads,
    bounds: buildBounds(options, scene.resolution),
    flows,
    timeStep: options.timeStep,
    strength: options.separationBy ?? (flows.isField ? 'velocity' : 'area'),
    volume: options.volume ?? (flows.isField ? 'all' : 'none'),
    merging: options.merging && options.topology,
    separations: options.separations && options.topology,
    sizing: sizing && { ...sizingDefaults, ...sizing },
    walls: options.walls,
    startSurface: buildStart(options.start, scene),
  };
}

function buildBounds(options: TrackingOptions, resolution: Metres): TrackerOptions {
  const { shortest, longest, ...bounds } = options.bounds;
  const { topology, butterfly, flips, smoothing } = options;
  if (bounds.minAngle >= bounds.maxAngle)
    throw new InputError(
      'tracking.bounds',
      `minAngle ${bounds.minAngle} is not below maxAngle ${bounds.maxAngle}`,
      'leave a range for the angles',
    );
  return resolveOptions({
    minEdge: shortest * resolution,
    maxEdge: longest * resolution,
    ...bounds,
    topology,
    butterfly,
    flips,
    smoothing,
  });
}
