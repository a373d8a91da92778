/**
 * What a run of the films method will need: faces of the start by the areas of its shapes, the time step by
 * the shortest waves of even triangles. Constants were measured on runs of the bundled scenes
 * (tools/try-estimates.js).
 */
import type { Metres, Seconds } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import { countDivisions } from '../../tracking/multimaterial/shapes/geodesic.ts';
import {
  countDoubleSphereFaces,
  countFaces,
  countVoronoiFaces,
  VORONOI_FACETS,
} from '../../tracking/multimaterial/shapes/size.ts';
import { estimateByFaces, type FaceCosts } from '../face-costs.ts';
import type { Estimate } from '../method.ts';
import { computeShortestStep } from './air/time-step.ts';
import { PART_OF_PERIOD } from './events/kneading.ts';
import { type FilmsOptions, filmsOptions } from './options.ts';
import type { StartSpec } from './start/options.ts';

const COSTS: FaceCosts = {
  heap: { run: 2e5, face: 2100 },
  plain: 1000,
  step: { run: 0.002, face: 9e-6 },
  start: 100e-6,
};
/** What a face of an opening costs, over one of a film: the tracker moves it, the air does not know it. */
const OPENING = 0.3;
/**
 * Edges at the vertex that sets the time step, in resolutions: what remeshing and T1 leave of them on films
 * of revolution, on bubbles, and in foams.
 */
const SHORT_EDGE = { revolution: 0.85, bubble: 0.6, foam: 0.45 };
/** Films of fewer faces than this crowd a foam with junctions, */
const CROWDED = 10;
/**
 * where the shortest edges are shorter yet, faces come to be more, and each has more pairs in its near field:
 * all for a foam that is crowded throughout.
 */
const SHORTER = 0.25;
const MORE_FACES = 0.4;
const MORE_BYTES = 0.9;
const MORE_TIME = 1;
/** Films of a frame, and the roofs that close it, over its squared radius. */
const FRAME_AREA = { tetrahedron: [2.83, 4.9], octahedron: [6, 7.3], cube: [5.66, 8.6] };

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = filmsOptions.parse(scene.options);
  const kneadedUntil = Math.min(until, options.kneading?.end ?? 0);
  const kneaded = measureFilms(options, options.kneading?.resolution ?? scene.resolution);
  const own = measureFilms(options, scene.resolution);
  const swing = options.kneading ? PART_OF_PERIOD * options.kneading.period : Infinity;
  const phases = [
    { ...kneaded, duration: kneadedUntil, timeStep: Math.min(swing, kneaded.timeStep) },
    { ...own, duration: until - kneadedUntil },
  ].filter(({ duration }) => duration > 0);
  const most = (of: (films: Films) => number) => Math.max(...phases.map(of));
  const steps = phases.reduce((sum, { duration, timeStep }) => sum + duration / timeStep, 0);
  const seconds = phases.reduce((sum, p) => sum + (p.duration / p.timeStep) * p.stepSeconds, 0);
  return estimateByFaces(COSTS, {
    faces: most((films) => films.faces),
    heapFaces: most((films) => films.heapFaces),
    startFaces: phases[0].faces,
    timeStep: until / steps,
    stepSeconds: seconds / steps,
  });
}

/** Films at a resolution, and what a step of them costs. */
interface Films {
  readonly faces: number;
  /** By what they take of the heap. */
  readonly heapFaces: number;
  readonly timeStep: Seconds;
  readonly stepSeconds: number;
}

function measureFilms(options: FilmsOptions, edge: Metres): Films {
  const parts = options.start.map((spec) => countShape(spec, edge, options.openings));
  const films = parts.reduce((sum, part) => sum + part.films, 0);
  const openings = parts.reduce((sum, part) => sum + part.openings, 0);
  const crowd = Math.max(
    0,
    ...parts.map(({ films, facets }) => Math.min(1, (CROWDED * facets) / films || 0)),
  );
  const shortest = Math.min(
    ...parts.map(({ facets }, n) => {
      if (facets > 0) return SHORT_EDGE.foam - SHORTER * crowd;
      return options.start[n].type === 'revolution' ? SHORT_EDGE.revolution : SHORT_EDGE.bubble;
    }),
  );
  const evaluations = options.integrator === 'runge-kutta' ? 4 : 1;
  const faces = (1 + MORE_FACES * crowd) * films + openings;
  const costly = (1 + MORE_FACES * crowd) * films + OPENING * openings;
  return {
    faces,
    heapFaces: (1 + MORE_BYTES * crowd ** 2) * costly,
    timeStep: options.cfl * computeShortestStep(options.tension, options.airDensity, shortest * edge),
    stepSeconds: COSTS.step.run + evaluations * (1 + MORE_TIME * crowd) * COSTS.step.face * costly,
  };
}

interface ShapeFaces {
  readonly films: number;
  readonly openings: number;
  /** Films between junctions, where there are many; 0: junctions are few. */
  readonly facets: number;
}

function countShape(spec: StartSpec, edge: Metres, open: readonly number[]): ShapeFaces {
  switch (spec.type) {
    case 'bubble':
      return alone(20 * (spec.divisions ?? countDivisions(spec.radius, edge)) ** 2);
    case 'double-bubble':
      return alone(countDoubleSphereFaces(spec.radius, spec.distance, edge));
    case 'boxes': {
      const { count } = spec;
      const side = spec.max.map((x, k) => (x - spec.min[k]) / count[k]);
      const parts = side.map((length) => Math.max(1, Math.round(length / edge)));
      // Walls across each axis, shared ones once.
      const walls = [0, 1, 2].map((k) => (count[k] + 1) * count[(k + 1) % 3] * count[(k + 2) % 3]);
      const films = walls.reduce((sum, wallCount, k) => {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        return sum + wallCount * Math.max(2 * parts[i] * parts[j], countFaces(side[i] * side[j], edge));
      }, 0);
      const facets = count[0] * count[1] * count[2] > 1 ? walls[0] + walls[1] + walls[2] : 0;
      return { films, openings: 0, facets };
    }
    case 'voronoi': {
      const cells = typeof spec.cells === 'number' ? spec.cells : spec.cells.length;
      return {
        films: countVoronoiFaces(spec.min, spec.max, cells, edge),
        openings: 0,
        facets: VORONOI_FACETS * cells,
      };
    }
    case 'frame': {
      const [films, roofs] = FRAME_AREA[spec.solid].map((area) => countFaces(area * spec.radius ** 2, edge));
      return { films, openings: roofs, facets: 1 };
    }
    case 'revolution': {
      let films = 0;
      let openings = 0;
      for (const { profile, left, right } of spec.sheets) {
        const faces = countRevolution(profile, edge);
        if (open.includes(left) || open.includes(right)) openings += faces;
        else films += faces;
      }
      return { films, openings, facets: 0 };
    }
  }
}

const alone = (films: number): ShapeFaces => ({ films, openings: 0, facets: 0 });

function countRevolution(profile: readonly (readonly [number, number])[], edge: Metres): number {
  let faces = 0;
  for (let n = 1; n < profile.length; n++) {
    const [[r0, z0], [r1, z1]] = [profile[n - 1], profile[n]];
    faces += countFaces(Math.PI * (r0 + r1) * Math.hypot(r1 - r0, z1 - z0), edge) + 6;
  }
  return faces;
}
