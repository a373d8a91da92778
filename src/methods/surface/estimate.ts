/**
 * What a run of the surface method will need: triangles by the area of the liquids' boxes, the step by the
 * shortest waves of even triangles, or by how fast liquids meet. Constants were measured on runs of the
 * bundled scenes (tools/try-estimates.js).
 */
import type { MetresPerSecond, Seconds } from '../../core/types.ts';
import { measureNozzle } from '../../flow/liquid/estimate-speeds.ts';
import { MOST_FULL } from '../../integrals/panels/first-kind.ts';
import type { Scene } from '../../scene/scene.ts';
import { countFaces } from '../../tracking/multimaterial/shapes/size.ts';
import type { Estimate } from '../method.ts';
import { findMaterial } from './check.ts';
import { CROSSING, computeShortestStep, TO_WALLS } from './liquid/time-step.ts';
import { surfaceOptions } from './options.ts';

/** Heap at the peak of a step, bytes: for every run, face, and pair of faces in full matrices. */
const HEAP = { run: 4e5, face: 1800, pair: 8 };
const PLAIN = { face: 1500 };
/** A step on one thread, seconds. */
const STEP = { run: 0.002, face: 30e-6, pair: 55e-9 };
/** What the mixed equation of bodies on walls takes, times the equation of free ones. */
const ON_WALLS = 5;
const START = { face: 200e-6 };
/** Of a box, what the shape in it has of its surface. */
const ROUND = 0.7;
/** Surface of jets and drops over their volume, times their width. */
const JET = 5;
/** Edges at the vertex that sets the time step, in resolutions, as a mean over a run. */
const SHORT_EDGE = 0.46;
/** Of the greatest speed of liquid that falls through the domain, as a mean over a run. */
const FALLING = 0.5;

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = surfaceOptions.parse(scene.options);
  const { density, surfaceTension } = findMaterial(scene);
  // Part of the surface has the shortest edges.
  const finest = Math.min(1, options.sizing?.least ?? 1);
  let faces = 0;
  let pairs = 0;
  for (const { shape } of scene.liquids) {
    const { min, max } = shape.bounds;
    const [x, y, z] = max.map((high, k) => high - min[k]);
    const own = countFaces(ROUND * 2 * (x * y + y * z + z * x), scene.resolution);
    faces += own;
    pairs = Math.max(pairs, Math.min(own, MOST_FULL) ** 2);
  }
  for (const { shape, emittedUntil } of scene.emitters) {
    const { min, max } = shape.bounds;
    const sizes = max.map((high, k) => high - min[k]).sort((a, b) => a - b);
    const [x, y, z] = sizes;
    // What has come out is as thick as the emitter is wide, and breaks into drops of about that size.
    const own = countFaces(
      ROUND * 2 * (x * y + y * z + z * x) + (JET * emittedUntil(until)) / x,
      scene.resolution,
    );
    faces += own;
    pairs += Math.min(own, MOST_FULL) ** 2;
  }
  faces /= finest;
  pairs = Math.min(pairs / finest ** 2, MOST_FULL ** 2);
  return {
    elements: { vertices: Math.round(faces / 2), triangles: Math.round(faces) },
    heapBytes: HEAP.run + HEAP.face * faces + HEAP.pair * pairs,
    plainBytes: PLAIN.face * faces,
    timeStep:
      options.cfl *
      Math.min(
        computeShortestStep(surfaceTension, density, SHORT_EDGE * finest * scene.resolution),
        (CROSSING * options.shortest * finest * scene.resolution) / measureSpeed(scene, options.open, until),
      ),
    stepSeconds:
      STEP.run + STEP.face * faces + STEP.pair * pairs * (touches(scene, options.open) ? ON_WALLS : 1),
    startSeconds: START.face * faces,
  };
}

/** May liquid come to walls? */
const touches = ({ solids, emitters }: Scene, open: readonly string[]) =>
  solids.length + emitters.length > 0 || open.length < 6;

/** How fast liquids come to each other and to walls, as steps count it (stable-step.ts). */
function measureSpeed(scene: Scene, open: readonly string[], until: Seconds): MetresPerSecond {
  const { liquids, emitters, gravity, domain } = scene;
  const [first] = liquids;
  const apart = liquids.map(({ velocity }) => Math.hypot(...velocity.map((u, k) => u - first.velocity[k])));
  if (!touches(scene, open)) return Math.max(0, ...apart);
  const drop = gravity.reduce((sum, g, k) => sum + Math.abs(g) * (domain.max[k] - domain.min[k]), 0);
  const fastest = Math.max(
    0,
    ...liquids.map(({ velocity }) => Math.hypot(...velocity)),
    ...emitters.map((emitter) => measureNozzle(emitter, scene).topSpeed(until)),
  );
  return Math.max(...apart, TO_WALLS * (fastest + FALLING * Math.sqrt(2 * drop)));
}
