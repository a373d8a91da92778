/**
 * What a run of the flip method will need: cells along the liquid's boundary, at the start and when it lies
 * on the floor, those inside by their depth, and those of the air as if all were the largest. Constants were
 * measured on runs of the bundled scenes (tools/try-estimates.js).
 */
import type { Metres, Seconds } from '../../core/types.ts';
import { estimateNozzles } from '../../flow/liquid/estimate-room.ts';
import { measureNozzle, measureSolidSpeed } from '../../flow/liquid/estimate-speeds.ts';
import { measureCost, measureLiquids, measurePlugs } from '../../flow/liquid/measure-liquids.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { type FlipOptions, flipOptions } from './options.ts';
import type { SizingOptions } from './sizing-options.ts';

/** Particles of a cell. */
const PER_CELL = 8;
/**
 * Parts of a cell that a side of the liquid's boundary passes, and questions to the shapes about each
 * (start.ts).
 */
const PARTS = 6;
const QUESTIONS = 250;
/** Of a question to a sphere, s. */
const QUESTION = 0.06e-6;
/**
 * Tets for a particle inside, for a cell that the surface passes with those that lead away from it, and of a
 * largest cell.
 */
const TETS = { particle: 1.5, surface: 50, root: 12 };
/** Tets that each particle of thin liquid has for itself when it sprays. */
const SPRAY = 15;
/**
 * Part of the surface that asks for the finest cells though others may be larger: rims, edges, what is
 * strained.
 */
const BENT = 0.08;
/** Until liquid lies spread over the floor, over sqrt(height / g). */
const SPREADING = 2;
/** Thinnest layer that liquid spreads to, cells. */
const THINNEST = 0.65;
const HEAP = { run: 2.5e7, tet: 900, particle: 300 };
const PLAIN = { run: 3e7, tet: 300, particle: 200 };
/** A step on one thread, s. */
const STEP = { run: 0.02, tet: 12e-6, particle: 25e-6 };

/** A body of liquid: m^3, and the shadows of its boundary along x, y and z, m^2. */
interface Body {
  readonly volume: number;
  readonly steps: number;
}

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = flipOptions.parse(scene.options);
  const h = scene.resolution;
  const extent = scene.domain.max.map((x, a) => x - scene.domain.min[a]);
  const start = [...measureLiquids(scene), ...measurePlugs(scene)].reduce(
    (sum: Body, { volume, steps }) => ({ volume: sum.volume + volume, steps: sum.steps + steps }),
    { volume: 0, steps: 0 },
  );
  let fastest = Math.max(
    measureSolidSpeed(scene, until),
    ...scene.liquids.map((l) => Math.hypot(...l.velocity)),
  );
  let volume = start.volume;
  for (const emitter of scene.emitters) {
    volume += emitter.emittedUntil(until);
    fastest = Math.max(fastest, measureNozzle(emitter, scene).topSpeed(until));
  }
  const rest = settle(scene, volume, extent);
  const roots = extent.reduce(
    (product, length) => product * Math.max(1, Math.ceil(length / (h * 2 ** options.levels) - 1e-6)),
    1,
  );
  const first = countElements(start, roots, h, options);
  const last = countElements(rest, roots, h, options);
  const g = Math.hypot(...scene.gravity);
  const height = Math.max(0, ...extent);
  // Liquid falls and then spreads: nothing of it in the first moments.
  const done = Math.min(1, g > 0 ? until / (SPREADING * Math.sqrt(height / g)) : 1);
  const most = (from: number, to: number) => Math.max(from, from + done * (to - from));
  const particles = most(first.particles, last.particles);
  const thinness = Math.min(1, h / findDepth(scene, volume, extent)) ** 3;
  const tets = most(first.tets, last.tets + SPRAY * thinness * last.particles);
  // Asked while the mesh and the particles are made, of all shapes each time.
  const asked = 2 * first.particles + (QUESTIONS * PARTS * start.steps) / h ** 2;
  const cost = measureCost([...scene.liquids, ...scene.solids, ...scene.emitters].map(({ shape }) => shape));
  const speed = Math.sqrt(g * height) + fastest;
  return {
    elements: { particles: Math.ceil(particles), tets: Math.ceil(tets) },
    heapBytes: HEAP.run + HEAP.tet * tets + HEAP.particle * particles,
    plainBytes: PLAIN.run + PLAIN.tet * tets + PLAIN.particle * particles,
    timeStep: Math.min(1 / scene.fps, Math.sqrt(h / g), (options.cfl * h) / speed),
    stepSeconds:
      STEP.run + (STEP.tet * (first.tets + tets) + STEP.particle * (first.particles + particles)) / 2,
    startSeconds:
      0.1 +
      STEP.tet * first.tets +
      2e-5 * first.particles +
      QUESTION * cost * (asked + roots) +
      estimateNozzles(scene.emitters),
  };
}

/** Of liquid that has spread over the whole floor. */
function findDepth({ gravity }: Scene, volume: number, extent: readonly number[]): Metres {
  const g = Math.hypot(...gravity);
  const rise =
    g > 0 ? extent.reduce((sum, x, a) => sum + (Math.abs(gravity[a]) / g) * x, 0) : Math.cbrt(volume);
  const room = extent.reduce((product, x) => product * x, 1);
  return (volume * rise) / room;
}

/** A layer over the floor, as thick as there is liquid for. */
function settle(scene: Scene, volume: number, extent: readonly number[]): Body {
  const depth = Math.max(THINNEST * scene.resolution, findDepth(scene, volume, extent));
  const base = volume / depth;
  return { volume, steps: 2 * base + 4 * Math.sqrt(base) * depth };
}

function countElements(
  { volume, steps }: Body,
  roots: number,
  h: Metres,
  { levels, sizing }: FlipOptions,
): { particles: number; tets: number } {
  if (!(volume > 0)) return { particles: 0, tets: TETS.root * roots };
  const coarse = 2 ** Math.min(levels, sizing.surfaceLevels);
  const largest = h * 2 ** levels;
  const body = { volume, steps };
  const bent = coarse > 1 ? BENT : 0;
  const asked = inFields(sizing, volume, h);
  // Below what is bent cells grow with depth as everywhere; what fields ask for is fine throughout.
  const cells =
    countCells(body, coarse * h, largest, sizing) +
    bent * countCells(body, h, largest, sizing) +
    asked * (volume / h ** 3);
  const particles = PER_CELL * cells;
  const passed = (steps / h ** 2) * (1 / coarse ** 2 + Math.min(1, bent + asked));
  return { particles, tets: TETS.surface * passed + TETS.particle * particles + TETS.root * roots };
}

/**
 * Cells in a body whose surface has those of an edge: larger ones where they are deep. What lies deeper than
 * d is as in a ball with the body's volume and boundary.
 */
function countCells(
  { volume, steps }: Body,
  edge: Metres,
  largest: Metres,
  { depth }: SizingOptions,
): number {
  const radius = (3 * volume) / steps;
  const deeper = (d: Metres) => volume * Math.max(0, 1 - d / radius) ** 3;
  let cells = 0;
  let above = volume;
  for (let size = edge; ; size *= 2) {
    const below = depth === false || 2 * size > largest ? 0 : deeper((2 * size) / depth);
    cells += (above - below) / size ** 3;
    above = below;
    if (below === 0) return cells;
  }
}

/** Share of a volume that sizes given by hand may make as fine as can be. */
function inFields({ fields }: SizingOptions, volume: number, h: Metres): number {
  let room = 0;
  for (const { min, max, size } of fields)
    room += min.reduce(
      (product, low, a) => product * Math.max(0, max[a] - low),
      (h / Math.max(h, size)) ** 3,
    );
  return Math.min(1, room / volume);
}
