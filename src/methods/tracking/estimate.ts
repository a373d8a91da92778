/**
 * What a run of the tracking method will need: faces of the start by the areas of its shapes, then what flows
 * make of them. Constants were measured on runs of the bundled scenes (tools/try-estimates.js).
 */
import type { Metres, Seconds } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import {
  countDoubleSphereFaces,
  countFaces,
  countQuarteredFaces,
  countSphereFaces,
  countVoronoiFaces,
} from '../../tracking/multimaterial/shapes/size.ts';
import { estimateByFaces, type FaceCosts } from '../face-costs.ts';
import type { Estimate } from '../method.ts';
import { factorAt } from './factor.ts';
import { type TrackingOptions, trackingOptions } from './options.ts';
import type { StartSpec } from './options-start.ts';

const COSTS: FaceCosts = {
  heap: { run: 2e5, face: 560 },
  plain: 1500,
  step: { run: 0.002, face: 3.5e-6 },
  start: 20e-6,
};
/** Faces that remeshing adds to those of the start. */
const REMESHED = 1.1;
/** How much the Enright flow stretches a ball at half its period. */
const ENRIGHT_STRETCH = 5;
/** Times at which growth is looked at. */
const TIMES = 50;

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = trackingOptions.parse(scene.options);
  const start = options.start.reduce((sum, spec) => sum + countStart(spec, scene.resolution), 0);
  const growth = measureGrowth(options, until);
  const faces = REMESHED * start * growth.most;
  const mean = REMESHED * start * growth.mean;
  return estimateByFaces(COSTS, {
    faces,
    heapFaces: faces,
    startFaces: start,
    timeStep: until / (until / options.timeStep + countChanges(options, until)),
    stepSeconds: COSTS.step.run + COSTS.step.face * mean,
  });
}

/**
 * What flows make of the area: those along normals let spheres grow, the Enright flow stretches, others do
 * little.
 */
function measureGrowth({ flows, start }: TrackingOptions, until: Seconds): { most: number; mean: number } {
  const sizes = start.map(measureRadius).filter((r) => r !== undefined);
  const radius = sizes.reduce((sum, r) => sum + r / sizes.length, 0);
  let most = 1;
  let sum = 0;
  let grown = 0;
  for (let n = 0; n < TIMES; n++) {
    const time = ((n + 0.5) / TIMES) * until;
    let stretch = 1;
    for (const flow of flows) {
      const factor = factorAt(flow.factor, time);
      if (flow.type === 'enright' && factor !== 0)
        stretch += ENRIGHT_STRETCH * Math.sin((Math.PI * time) / flow.period) ** 2;
      if (flow.type === 'normal' || flow.type === 'cycle') grown += (factor * flow.speed * until) / TIMES;
    }
    const share = stretch * (radius > 0 ? Math.max(0, 1 + grown / radius) ** 2 : 1);
    most = Math.max(most, share);
    sum += share / TIMES;
  }
  return { most, mean: sum };
}

/** Of the spheres of a start, the mean one; undefined for other shapes. */
function measureRadius(spec: StartSpec): Metres | undefined {
  if ('radius' in spec) return spec.radius;
  return spec.type === 'sphere-packing' ? (spec.radii[0] + spec.radii[1]) / 2 : undefined;
}

/** Times at which a flow changes: each cuts a step short. */
function countChanges({ flows }: TrackingOptions, until: Seconds): number {
  return flows.reduce(
    (sum, { factor }) =>
      sum + (typeof factor === 'number' ? 0 : factor.filter(([time]) => time > 0 && time < until).length),
    0,
  );
}

/** Faces of a start with edges of a length. */
export function countStart(spec: StartSpec, edge: Metres): number {
  switch (spec.type) {
    case 'sphere':
      return countSphereFaces(spec.radius, edge, spec.levels);
    case 'quartered-sphere':
      return countQuarteredFaces(spec.radius, edge, spec.levels);
    case 'notched-sphere': {
      const walls =
        2 * spec.depth * 2 * spec.radius + (spec.materials === 2 ? Math.PI * spec.radius ** 2 : 0);
      return countSphereFaces(spec.radius, edge) + countFaces(walls, edge);
    }
    case 'double-sphere':
      return countDoubleSphereFaces(spec.radius, spec.distance, edge);
    case 'sphere-grid':
      return spec.count[0] * spec.count[1] * spec.count[2] * countSphereFaces(spec.radius, edge);
    case 'sphere-packing':
      return (
        (spec.count / 8) *
        [0, 1, 2, 3, 4, 5, 6, 7].reduce(
          (sum, n) =>
            sum + countSphereFaces(spec.radii[0] + ((n + 0.5) / 8) * (spec.radii[1] - spec.radii[0]), edge),
          0,
        )
      );
    case 'voronoi':
      return countVoronoiFaces(
        spec.min,
        spec.max,
        typeof spec.cells === 'number' ? spec.cells : spec.cells.length,
        edge,
      );
    case 'cells': {
      const { min, max, count } = spec;
      const side = Math.min(...max.map((x, k) => x - min[k])) / count;
      const levels = spec.levels ?? Math.max(0, Math.round(Math.log2(side / edge)));
      return 2 * 3 * count ** 2 * (count + 1) * 4 ** levels;
    }
  }
}
