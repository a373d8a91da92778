/**
 * What a run of the viscous method will need: volume and boundary of the liquids by sampling, what emitters
 * add, and the speeds that falling and pouring reach. Viscous liquid stays together, so that its boundary
 * grows by little. Constants were measured on the bundled scenes.
 */
import type { Box, Metres, MetresPerSecond, Seconds } from '../../core/types.ts';
import { estimateRoom } from '../../flow/liquid/estimate-room.ts';
import { LOOKS, measureNozzle, measureSolidSpeed } from '../../flow/liquid/estimate-speeds.ts';
import { measureCost, measureLiquids, measurePlugs } from '../../flow/liquid/measure-liquids.ts';
import { computeViscosity, type RheologyLaw } from '../../flow/viscosity/rheology.ts';
import { estimateTets } from '../../mesh/lattice/estimate.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { findLaw, findLeast, listMaterials } from './model.ts';
import { type ViscousOptions, viscousOptions } from './options.ts';

/** How much larger than at the start the boundary of a volume becomes. */
const SPREAD = 1.4;
/** Triangles in a contouring cell that the boundary's steps pass. */
const TRIANGLES_PER_STEP = 2;
/** Heap at the peak of a step, bytes. */
const HEAP = { run: 3e6, tet: 1900, triangle: 600 };
const PLAIN = { run: 3e7, tet: 300, triangle: 250 };
/** A step on one thread, s. */
const STEP = { run: 0.03, tet: 3e-5, triangle: 1.2e-5 };
/** Embedded meshes: tets over those of a stuffed one, since the surface cuts them; of a uniform cell. */
const EMBEDDED = { tets: 1.3, perCell: 12 };
const FALLING = {
  /** Part of a free fall's speed that poured liquid reaches on its way, where it is thin. */
  speed: 0.7,
  /**
   * How soon viscosity holds a thread back that hangs from its nozzle: it comes to g L^2 / (6 nu) at most.
   */
  held: 0.34,
  /**
   * Friction inside a body that collapses: its rate times the square of its radius over its kinematic
   * viscosity.
   */
  shear: 3,
  /** Time in which thin liquid slows down to half once it has landed, s. */
  slowing: 1,
};
/** Steps of a look down from a nozzle, over all solids together. */
const LOOKS_DOWN = 20_000;

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = viscousOptions.parse(scene.options);
  const h = scene.resolution;
  const g = Math.hypot(...scene.gravity);
  let volume = 0;
  let area = 0;
  let steps = 0;
  let fall = 0;
  let fastest = 0;
  const bodies: Falling[] = [];
  measureLiquids(scene).forEach((size, i) => {
    volume += size.volume;
    area += size.area;
    steps += size.steps;
    if (!size.bounds) return;
    const heights = [heightAbove(scene, size.bounds.min), heightAbove(scene, size.bounds.max)];
    bodies.push({
      speed: Math.hypot(...scene.liquids[i].velocity),
      bottom: Math.min(...heights),
      height: Math.max(h, Math.max(...heights) - Math.min(...heights)),
      radius: (3 * size.volume) / size.area,
    });
  });
  for (const size of measurePlugs(scene)) {
    volume += size.volume;
    area += size.area;
    steps += size.steps;
  }
  let poured = 0;
  for (const emitter of scene.emitters) {
    const { section, topSpeed } = measureNozzle(emitter, scene);
    const brought = emitter.emittedUntil(until);
    poured += brought;
    fall = Math.max(fall, measureFall(scene, emitter.shape.bounds));
    fastest = Math.max(fastest, topSpeed(until));
    // Of a rope or sheet as thick as its nozzle.
    area += section > 0 ? (2 * brought) / Math.sqrt(section) : 0;
    steps += section > 0 ? (4.5 * brought) / Math.sqrt(section) : 0;
  }
  fastest = Math.max(fastest, measureSolidSpeed(scene, until));
  const tets = countTets({ volume: volume + poured, area: SPREAD * area }, h, options);
  const triangles = TRIANGLES_PER_STEP * SPREAD * steps * (options.surfaceRefinement / h) ** 2;
  const mean = poured > 0 ? 0.6 : 1;
  const materials = listMaterials(scene);
  const leastOf = (viscosityOf: (law: RheologyLaw) => number) =>
    Math.min(...(options.viscosityField?.values ?? materials.map((m) => viscosityOf(findLaw(m))))) /
    materials[0].density;
  const damped = 2 * Math.cbrt(leastOf(findLeast) / (g * g));
  // As sheared as liquid that falls through the room.
  const rate = Math.sqrt((2 * g) / heightAbove(scene, findTop(scene)) || 0);
  const kinematic = leastOf((law) => computeViscosity(law, rate));
  const wave = Math.max(Math.sqrt(h / g), damped);
  const reach = options.cfl * h;
  const streaming = fastest + (scene.emitters.length > 0 ? pullThread(fall, g, kinematic) : 0);
  let taken = 0;
  for (let n = 0; n < LOOKS; n++) {
    const time = ((n + 0.5) / LOOKS) * until;
    const speed = Math.max(streaming, ...bodies.map((body) => speedAt(body, g, kinematic, time)));
    const crossing = (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * g * reach)) || Infinity;
    // The runner takes a whole number of steps in a frame.
    taken += Math.ceil(1 / scene.fps / Math.min(crossing, wave, 1 / scene.fps) - 1e-9) * scene.fps;
  }
  const room = estimateRoom(scene, options.surfaceRefinement);
  const stepSeconds = STEP.run + mean * (STEP.tet * tets + STEP.triangle * triangles);
  return {
    elements: { tets: Math.round(tets), triangles: Math.round(triangles) },
    heapBytes: HEAP.run + HEAP.tet * tets + HEAP.triangle * triangles + room.heapBytes,
    plainBytes: PLAIN.run + PLAIN.tet * tets + PLAIN.triangle * triangles + room.plainBytes,
    timeStep: LOOKS / taken,
    stepSeconds,
    startSeconds: 2 * stepSeconds + room.seconds,
  };
}

/** A body of liquid on its way down: m/s, and m above the lowest point. */
interface Falling {
  readonly speed: number;
  readonly bottom: Metres;
  readonly height: Metres;
  /** Of a ball with its volume and boundary. */
  readonly radius: Metres;
}

/**
 * Falls freely until it lands; then its own weight drives it against its viscosity, and what is left of its
 * speed goes as it slows down: v^2 / (2 height) + v / time = g.
 */
function speedAt({ speed, bottom, height, radius }: Falling, g: number, kinematic: number, time: Seconds) {
  const landing = g > 0 ? (Math.sqrt(speed * speed + 2 * g * bottom) - speed) / g : 0;
  if (g === 0 || time <= landing) return speed + g * time;
  const rate = (FALLING.shear * kinematic) / radius ** 2;
  const creep = (2 * g) / (rate + Math.sqrt(rate * rate + (2 * g) / height));
  const since = time - landing;
  return (
    creep / (1 + since / FALLING.slowing) + Math.max(0, speed + g * landing - creep) * Math.exp(-since * rate)
  );
}

/** From the middle of a box straight down to what is there, as far as looks go. */
function measureFall(scene: Scene, { min, max }: Box): Metres {
  const g = Math.hypot(...scene.gravity);
  const domain = scene.domain;
  const inside = (x: number, a: number) => Math.min(domain.max[a], Math.max(domain.min[a], x));
  const middle = min.map((x, a) => 0.5 * (inside(x, a) + inside(max[a], a)));
  const height = heightAbove(scene, middle);
  if (height === 0) return 0;
  const solids = poseSolids(scene.solids, 0);
  const steps = Math.floor(LOOKS_DOWN / measureCost(solids));
  let fallen = 0;
  for (let n = 0; n < steps && fallen < height; n++) {
    const [x, y, z] = middle.map((c, a) => c + (fallen * scene.gravity[a]) / g);
    const clearance = Math.min(...solids.map((solid) => -solid.value(x, y, z)));
    if (clearance <= 0) return fallen;
    fallen += Math.max(clearance, 0.01 * scene.resolution);
  }
  return height;
}

/** What poured liquid gains in speed on its way down. */
function pullThread(fall: Metres, g: number, kinematic: number): MetresPerSecond {
  const free = Math.sqrt(2 * g * fall);
  if (free === 0) return 0;
  const hanging = (g * fall ** 2) / (6 * kinematic);
  const thinness = FALLING.held * (hanging / free) ** 2;
  return FALLING.speed * free * (Number.isFinite(thinness) ? thinness / (1 + thinness) : 1);
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
      inFields += min.reduce(
        (room, low, a) => room * (max[a] - low),
        EMBEDDED.perCell / Math.max(h, size) ** 3,
      );
  return (
    EMBEDDED.tets * estimateTets(body, coarse, rest) +
    Math.min(inFields, (EMBEDDED.perCell * body.volume) / h ** 3)
  );
}

/** The domain's corner that is highest against gravity. */
const findTop = ({ gravity, domain }: Scene) =>
  gravity.map((c, a) => (c > 0 ? domain.min[a] : domain.max[a]));

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
