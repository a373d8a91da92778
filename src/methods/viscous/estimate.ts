/**
 * What a run of the viscous method will need: volume and boundary of the liquids by sampling, what emitters add, and the speeds that falling and pouring
 * reach. Viscous liquid stays together, so that its boundary grows by little. Constants were measured on the bundled scenes.
 */
import type { Seconds } from '../../core/types.ts';
import { estimateRoom } from '../../flow/liquid/estimate-room.ts';
import { measureLiquids } from '../../flow/liquid/measure-liquids.ts';
import { measureMotion } from '../../geometry/motions.ts';
import { measureShadow } from '../../geometry/shapes.ts';
import { estimateTets } from '../../mesh/lattice/estimate.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { findLaw, findLeast, listMaterials } from './model.ts';
import { type ViscousOptions, viscousOptions } from './options.ts';

const RAYS = 24;
/** Looks at flows and motions over the run. */
const TIMES = 200;
/** How much larger than at the start the boundary of a volume becomes. */
const SPREAD = 1.4;
/** Triangles in a contouring cell that the boundary's steps pass. */
const TRIANGLES_PER_STEP = 2;
/** Heap at the peak of a step, bytes. */
const HEAP = { run: 6e6, tet: 2600, triangle: 600 };
const PLAIN = { run: 3e7, tet: 300, triangle: 250 };
/** A step on one thread, s. */
const STEP = { run: 0.03, tet: 3e-5, triangle: 1.2e-5 };
/** Embedded meshes: tets over those of a stuffed one, since the surface cuts them; of a uniform cell. */
const EMBEDDED = 1.3;
const TETS_PER_CELL = 12;
/** Part of a free fall's speed that thick liquid reaches on its way. */
const FALL = 0.7;

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = viscousOptions.parse(scene.options);
  const h = scene.resolution;
  const g = Math.hypot(...scene.gravity);
  let volume = 0;
  let area = 0;
  let steps = 0;
  let fall = 0;
  let fastest = 0;
  for (const { velocity } of scene.liquids) fastest = Math.max(fastest, Math.hypot(...velocity));
  for (const size of measureLiquids(scene)) {
    volume += size.volume;
    area += size.area;
    steps += size.steps;
    if (size.bounds)
      fall = Math.max(fall, heightAbove(scene, size.bounds.max), heightAbove(scene, size.bounds.min));
  }
  let poured = 0;
  for (const emitter of scene.emitters) {
    const section = measureShadow(emitter.shape, emitter.direction, scene.domain, RAYS);
    const brought = emitter.emittedUntil(until);
    poured += brought;
    fall = Math.max(fall, heightAbove(scene, emitter.shape.bounds.max));
    for (let n = 0; n < TIMES; n++)
      fastest = Math.max(fastest, section > 0 ? emitter.flowAt(((n + 0.5) / TIMES) * until) / section : 0);
    if (emitter.motion)
      fastest += measureMotion(emitter.motion, emitter.shape.bounds, until, TIMES, scene.domain).topSpeed;
    // Of a rope or sheet as thick as its nozzle.
    area += section > 0 ? (2 * brought) / Math.sqrt(section) : 0;
    steps += section > 0 ? (3 * brought) / Math.sqrt(section) : 0;
  }
  for (const { shape, motion } of scene.solids)
    if (motion && [...shape.bounds.min, ...shape.bounds.max].every(Number.isFinite))
      fastest = Math.max(fastest, measureMotion(motion, shape.bounds, until, TIMES, scene.domain).topSpeed);
  const tets = countTets({ volume: volume + poured, area: SPREAD * area }, h, options);
  const triangles = TRIANGLES_PER_STEP * SPREAD * steps * (options.surfaceRefinement / h) ** 2;
  const mean = poured > 0 ? 0.6 : 1;
  const speed = fastest + FALL * Math.sqrt(2 * g * fall);
  const reach = options.cfl * h;
  const crossing =
    (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * g * reach)) || Number.POSITIVE_INFINITY;
  const materials = listMaterials(scene);
  const least = Math.min(...(options.viscosityField?.values ?? materials.map((m) => findLeast(findLaw(m)))));
  const damped = 2 * Math.cbrt(least / materials[0].density / (g * g));
  const wanted = Math.min(crossing, Math.max(Math.sqrt(h / g), damped), 1 / scene.fps);
  const room = estimateRoom(scene, options.surfaceRefinement);
  const stepSeconds = STEP.run + mean * (STEP.tet * tets + STEP.triangle * triangles);
  return {
    elements: { tets: Math.round(tets), triangles: Math.round(triangles) },
    heapBytes: HEAP.run + HEAP.tet * tets + HEAP.triangle * triangles + room.heapBytes,
    plainBytes: PLAIN.run + PLAIN.tet * tets + PLAIN.triangle * triangles + room.plainBytes,
    timeStep: 1 / scene.fps / Math.ceil(1 / scene.fps / wanted - 1e-9),
    stepSeconds,
    startSeconds: 2 * stepSeconds + room.seconds,
  };
}

/** Coarser cells at the surface: as many tets as if all were so coarse, and those of the fields. */
function countTets(
  body: { readonly volume: number; readonly area: number },
  h: number,
  { mesh, sizing, interiorLevels }: ViscousOptions,
): number {
  if (mesh === 'stuffed') return estimateTets(body, h, interiorLevels);
  const coarse = h * 2 ** Math.min(interiorLevels, sizing.surfaceLevels);
  const rest = Math.max(0, interiorLevels - sizing.surfaceLevels);
  let inFields = 0;
  if (coarse > h)
    for (const { min, max, size } of sizing.fields)
      inFields += min.reduce((room, low, a) => room * (max[a] - low), TETS_PER_CELL / Math.max(h, size) ** 3);
  return (
    EMBEDDED * estimateTets(body, coarse, rest) + Math.min(inFields, (TETS_PER_CELL * body.volume) / h ** 3)
  );
}

/** Above the domain's lowest corner, against gravity, m. */
function heightAbove({ gravity, domain }: Scene, x: readonly number[]): number {
  const g = Math.hypot(...gravity);
  if (g === 0) return 0;
  const height = gravity.reduce(
    (sum, c, a) => sum - (c / g) * (x[a] - (c > 0 ? domain.max[a] : domain.min[a])),
    0,
  );
  return Number.isFinite(height) ? Math.max(0, height) : 0;
}
