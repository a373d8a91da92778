/**
 * What a run of the lattice method will need, from the shapes of its scene: volume and boundary of the
 * liquids by sampling, then the shape they settle into, the speeds they reach on the way, and from those
 * elements, steps, bytes and seconds. All constants were measured on runs of the bundled scenes
 * (tools/try-estimates.js).
 */
import type { Box, Metres, Seconds, Vec3 } from '../../core/types.ts';
import { estimateRoom } from '../../flow/liquid/estimate-room.ts';
import { LOOKS, measureNozzle, measureSolidSpeed, type Nozzle } from '../../flow/liquid/estimate-speeds.ts';
import { chooseSamples, measureLiquids, measurePlugs } from '../../flow/liquid/measure-liquids.ts';
import { box, complement, measureRegion } from '../../geometry/shapes.ts';
import { type Body, estimateTets } from '../../mesh/lattice/estimate.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Emitter, Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { type LatticeOptions, latticeOptions } from './options.ts';

/** Triangles in a contouring cell that a face of the boundary's steps passes. */
const TRIANGLES_PER_STEP = 2;
/**
 * Thinnest layer that liquid on a floor keeps, cells; where the surface is thickened, a share of what counts
 * as thin.
 */
const THINNEST = 0.3;
const THICKENED = 0.7;
/** How much larger than its settled boundary splashing liquid has it, and how much more of it lies askew. */
const SPLASHING = { area: 0.3, askew: 0.5 };

/** Heap at the peak of a step, bytes: for every run, tet and triangle. */
const HEAP = { run: 4e6, tet: 1300, triangle: 550 };
/** Plain arrays beside it. */
const PLAIN = { run: 30e6, tet: 500, triangle: 300 };
/** A step on one thread, seconds. */
const STEP = { run: 0.02, tet: 9e-6, triangle: 12e-6 };
/** What viscosity adds: bytes of a tet at the peak, seconds of a tet in a step. */
const VISCOSITY = { tet: 1300, seconds: 1.2e-5 };
/** A step with solids that move, over one without: the surroundings are new each time. */
const MOVING = 1.4;
/** A step of liquid that lies still, over one that flows: the last pressure is the next one's. */
const STILL = 0.75;
/** By how much of its height liquid may lie higher than on an empty floor, and lie still: solids stand in it. */
const LEVEL = 0.1;
/** Building the start, in steps. */
const START_STEPS = 2;

const SETTLING = {
  /**
   * Speed of liquid that falls from rest on a floor, in its front, over that of free fall; and how fast it
   * gets there, in g.
   */
  front: 1.6,
  push: 2,
  /** Time in which it slows down to half, s. */
  slowing: 1,
};
/** Largest time step in sqrt(h/g), as in lattice.ts. */
const WAVE_STEP = 1;

interface Liquid extends Body {
  /** As in RegionSize. */
  readonly steps: number;
}

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = latticeOptions.parse(scene.options);
  const h = scene.resolution;
  const start = measureStart(scene);
  const vessel = measureVessel(scene);
  const later = settle(scene, vessel, start, until);
  const countTets = (body: Body) => estimateTets(body, h, options.interiorLevels);
  const peak = {
    tets: Math.max(countTets(start), countTets(later)),
    triangles: Math.max(countTriangles(start, h, options), countTriangles(later, h, options)),
  };
  const mean = {
    tets: (countTets(start) + peak.tets) / 2,
    triangles: (countTriangles(start, h, options) + peak.triangles) / 2,
  };
  const room = estimateRoom(scene, options.surfaceRefinement);
  const moves = scene.solids.some((solid) => solid.motion);
  const stepSeconds =
    (moves ? MOVING : liesStill(start, vessel.floor) ? STILL : 1) *
    (STEP.run +
      (STEP.tet + (options.viscosity ? VISCOSITY.seconds : 0)) * mean.tets +
      STEP.triangle * mean.triangles);
  const tetBytes = HEAP.tet + (options.viscosity ? VISCOSITY.tet : 0);
  return {
    elements: { tets: Math.round(peak.tets), triangles: Math.round(peak.triangles) },
    heapBytes: HEAP.run + tetBytes * peak.tets + HEAP.triangle * peak.triangles + room.heapBytes,
    plainBytes: PLAIN.run + PLAIN.tet * peak.tets + PLAIN.triangle * peak.triangles + room.plainBytes,
    timeStep: estimateTimeStep(scene, options, start, start.volume / vessel.floor, until),
    stepSeconds,
    startSeconds: START_STEPS * stepSeconds + room.seconds,
  };
}

/** Liquid that sets out: heights against gravity from the domain's lowest point, m, and its speed, m/s. */
interface Fall {
  readonly bottom: number;
  readonly top: number;
  readonly speed: number;
}

interface Start extends Liquid {
  readonly falls: readonly Fall[];
  readonly jets: readonly Jet[];
  /** Height of the centre of mass, m */
  readonly height: number;
}

function measureStart(scene: Scene): Start {
  let volume = 0;
  let area = 0;
  let steps = 0;
  let moment = 0;
  const falls: Fall[] = [];
  measureLiquids(scene).forEach((size, i) => {
    const { velocity } = scene.liquids[i];
    volume += size.volume;
    area += size.area;
    steps += size.steps;
    moment += size.volume * heightOf(scene, size.centroid);
    if (size.bounds) falls.push({ ...measureHeights(scene, size.bounds), speed: Math.hypot(...velocity) });
  });
  for (const size of measurePlugs(scene)) {
    volume += size.volume;
    area += size.area;
    steps += size.steps;
    moment += size.volume * heightOf(scene, size.centroid);
  }
  const jets = scene.emitters.map((emitter) => measureJet(scene, emitter));
  return { volume, area, steps, falls, jets, height: volume > 0 ? moment / volume : 0 };
}

function measureHeights(scene: Scene, { min, max }: Box): { bottom: number; top: number } {
  const heights = [0, 1, 2, 3, 4, 5, 6, 7].map((n) =>
    heightOf(scene, [(n & 1 ? max : min)[0], (n & 2 ? max : min)[1], (n & 4 ? max : min)[2]]),
  );
  return { bottom: Math.max(0, Math.min(...heights)), top: Math.max(0, ...heights) };
}

/** Liquid that lies as low as it can, without a speed. */
const liesStill = ({ volume, height, falls, jets }: Start, floor: number): boolean =>
  jets.length === 0 &&
  falls.every(({ speed }) => speed === 0) &&
  height < (1 + LEVEL) * 0.5 * (volume / floor);

/** What an emitter sends out. */
interface Jet extends Nozzle {
  readonly bottom: number;
  readonly top: number;
}

const measureJet = (scene: Scene, emitter: Emitter): Jet => ({
  ...measureHeights(scene, clip(emitter.shape.bounds, scene.domain)),
  ...measureNozzle(emitter, scene),
});

const clip = (a: Box, b: Box): Box => ({
  min: a.min.map((x, k) => Math.max(x, b.min[k])) as unknown as Vec3,
  max: a.max.map((x, k) => Math.min(x, b.max[k])) as unknown as Vec3,
});

/** Above the domain's lowest corner, against gravity. */
function heightOf({ gravity, domain }: Scene, x: readonly number[]): number {
  const g = Math.hypot(...gravity);
  if (g === 0) return 0;
  return gravity.reduce((sum, c, a) => sum + (-c / g) * (x[a] - (c > 0 ? domain.max[a] : domain.min[a])), 0);
}

/**
 * What solids leave of the domain: its volume, its mean section across gravity, and how far one can go in it.
 */
function measureVessel({ gravity, domain, solids }: Scene): Vessel {
  const g = Math.hypot(...gravity);
  const extent = domain.max.map((x, a) => x - domain.min[a]);
  const standing = poseSolids(solids, 0).map(complement);
  const room = measureRegion(box(domain.min, domain.max), domain, chooseSamples(standing), standing).volume;
  const rise =
    g > 0 ? extent.reduce((sum, x, a) => sum + (Math.abs(gravity[a]) / g) * x, 0) : Math.cbrt(room);
  return { room, floor: room / rise, length: Math.max(...extent) };
}

interface Vessel {
  readonly room: number;
  readonly floor: number;
  readonly length: Metres;
}

/** Where the liquid lies in the end: a layer over the floor, as far as there is time to get there. */
function settle(scene: Scene, { room, floor, length }: Vessel, start: Start, until: Seconds): Liquid {
  const brought = scene.emitters.reduce((sum, e) => sum + e.emittedUntil(until), 0);
  const taken = scene.drains.reduce((sum, d) => sum + d.drainedUntil(until), 0);
  const volume = Math.min(room, Math.max(start.volume, start.volume + brought - taken));
  const depth = Math.max(volume / floor, findThinnest(scene));
  const base = volume / depth;
  const settled = 2 * base + 4 * Math.sqrt(base) * depth;
  // Standing liquid does not splash; liquid that falls by its own depth does.
  const fall = start.volume > 0 ? (start.height - depth / 2) / depth : 1;
  const splash = brought > 0 ? 1 : Math.min(1, Math.max(0, fall));
  const area = settled * (1 + SPLASHING.area * splash);
  const done = measureProgress(scene, start, until, length);
  const mix = (a: number, b: number) => a + (b - a) * done;
  return {
    volume,
    area: mix(start.area, area),
    steps: mix(start.steps, area * (1 + SPLASHING.askew * splash)),
  };
}

function findThinnest({ options, resolution }: Scene): Metres {
  const { thickening, surfaceRefinement } = latticeOptions.parse(options);
  const kept = thickening.surface ? (THICKENED * thickening.thinness) / surfaceRefinement : 0;
  return Math.max(THINNEST, kept) * resolution;
}

/** Share of the way to the settled layer that there is time for: to fall, then to run over the floor. */
function measureProgress(scene: Scene, { falls, jets }: Start, until: Seconds, length: Metres): number {
  const g = Math.hypot(...scene.gravity);
  const moving = [...falls, ...jets.map((jet) => ({ ...jet, speed: jet.speedAt(until / 2) }))];
  const bottom = Math.min(...moving.map((m) => m.bottom));
  const top = Math.max(...moving.map((m) => m.top));
  const speed = Math.max(0, ...moving.map((m) => m.speed));
  if (g === 0 || moving.length === 0) return speed > 0 ? 1 : 0;
  // speed t + g t^2 / 2 = bottom
  const fallTime = (2 * bottom) / (speed + Math.sqrt(speed ** 2 + 2 * g * bottom) || Infinity);
  const runTime = length / (Math.max(2 * Math.sqrt(g * top), speed) || Number.MIN_VALUE);
  return Math.min(1, Math.max(0, (until - fallTime) / runTime));
}

const countTriangles = ({ steps }: Liquid, h: number, { surfaceRefinement }: LatticeOptions): number =>
  TRIANGLES_PER_STEP * steps * (surfaceRefinement / h) ** 2;

/** The mean over the run of what stableTimeStep will say. `level`: of the liquid when it lies still. */
function estimateTimeStep(
  scene: Scene,
  options: LatticeOptions,
  start: Start,
  level: Metres,
  until: Seconds,
): Seconds {
  const g = Math.hypot(...scene.gravity);
  const h = scene.resolution;
  const first = Math.max(0, ...start.falls.map(({ speed }) => speed));
  // What stands on a floor is pushed out by what lies on it; what falls freely is not.
  const stands = ({ bottom }: Fall) => bottom < h;
  const fallSpeed = (fall: Fall) =>
    Math.hypot(
      fall.speed,
      (stands(fall) ? SETTLING.front : 1) * Math.sqrt(2 * g * Math.max(0, fall.top - level)),
    );
  const top = Math.max(first, ...start.falls.map(fallSpeed));
  const pull = (start.falls.some((fall) => stands(fall) && fall.top > level + h) ? SETTLING.push : 1) * g;
  const emitted = start.jets.map((jet) => (t: Seconds) => {
    const speed = jet.speedAt(t);
    return speed > 0 ? Math.hypot(speed, Math.sqrt(2 * g * jet.top)) : 0;
  });
  const moved = measureSolidSpeed(scene, until);
  const reach = options.cfl * h;
  const wave = WAVE_STEP * Math.sqrt(h / g);
  let steps = 0;
  for (let n = 0; n < LOOKS; n++) {
    const t = ((n + 0.5) / LOOKS) * until;
    const rest = g > 0 ? Math.max(0, t - (top - first) / pull) : 0;
    const own = Math.min(top, first + pull * t) / (1 + rest / SETTLING.slowing);
    const speed = Math.max(own, moved, ...emitted.map((at) => at(t)));
    const crossing = (2 * reach) / (speed + Math.sqrt(speed * speed + 2 * g * reach));
    // The runner takes a whole number of steps in a frame.
    const wanted = Math.min(crossing || Infinity, wave, 1 / scene.fps);
    steps += Math.ceil(1 / scene.fps / wanted - 1e-9) * scene.fps;
  }
  return LOOKS / steps;
}
