/**
 * What a run of the flip method will need: from the sizes that cells have at the start (eq. (15) of [ando-2013]),
 * sampled over the liquids, and from the cells of the air, as if all were the largest. Where cells at the surface
 * may be coarse, more of it asks for fine ones as it splashes.
 */
import type { Seconds, Vec3 } from '../../core/types.ts';
import { chooseSamples, measureCost } from '../../flow/liquid/measure-liquids.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Estimate } from '../method.ts';
import { buildFrustum } from './camera.ts';
import { poseObstacles } from './obstacles.ts';
import { flipOptions } from './options.ts';
import { layCells, type SizingModel, sizeOfShapes } from './sizing.ts';

/** Particles of a cell. */
const PER_CELL = 8;
/** Layers of cells below the surface that are as large as those at it, about: cells are half their depth. */
const LAYERS = 3;
/** Times by which particles become more for each level that cells at the surface may double. */
const GROWTH = 1.6;
/** Parts of a cell at the surface, and questions to the shapes about each (start.ts). */
const PARTS = 6;
const QUESTIONS = 250;
/** Of a question to a sphere, s. */
const QUESTION = 0.06e-6;
/** Tets for a particle, for a cell at the surface with what lies around it in the air, and of a largest cell. */
const TETS = { particle: 1.5, surface: 400, root: 12 };

export function estimate(scene: Scene, until: Seconds): Estimate {
  const options = flipOptions.parse(scene.options);
  const { cfl, levels, sizing } = options;
  const h = scene.resolution;
  const model = { ...scene, options, ...layCells(scene, options) };
  const demand = measureDemand(scene, model);
  // What comes later is fine while it falls, and as coarse as the surface may be where it lies.
  const later = scene.emitters.reduce((sum, e) => sum + e.emittedUntil(until), 0);
  const laterCells = later / (h * model.coarsestSurface ** 2);
  const growth = GROWTH ** Math.min(levels, sizing.surfaceLevels);
  const particles = Math.ceil(growth * (demand.particles + PER_CELL * laterCells));
  const surface = growth * (demand.surfaceCells + laterCells);
  // Asked while the mesh and the particles are made, of all shapes each time.
  const asked = 2 * demand.particles + QUESTIONS * PARTS * demand.surfaceCells;
  const cost = measureCost([...scene.liquids, ...scene.solids].map(({ shape }) => shape));
  const roots = model.box.roots[0] * model.box.roots[1] * model.box.roots[2];
  const tets = TETS.particle * particles + TETS.surface * surface + TETS.root * roots;
  const g = Math.hypot(...scene.gravity);
  const height = scene.domain.max.reduce((most, x, a) => Math.max(most, x - scene.domain.min[a]), 0);
  const speed = Math.sqrt(g * height) + Math.max(0, ...scene.liquids.map((l) => Math.hypot(...l.velocity)));
  const timeStep = Math.min(1 / scene.fps, speed > 0 ? (cfl * h) / speed : 1 / scene.fps);
  return {
    elements: { particles, tets: Math.ceil(tets) },
    heapBytes: 2e7 + 500 * particles + 400 * tets,
    plainBytes: 3e7 + 200 * particles,
    timeStep,
    stepSeconds: 0.02 + 4e-5 * particles,
    startSeconds: 0.1 + 2e-5 * demand.particles + QUESTION * cost * (asked + roots),
  };
}

/** Particles at the start, and cells at the surface. */
function measureDemand(scene: Scene, model: SizingModel & Pick<Scene, 'solids'>) {
  const { liquids, domain } = scene;
  const obstacles = poseObstacles(model, 0, 0);
  const { camera } = model.options;
  const frustum = camera && buildFrustum(camera, 0);
  const solids = poseSolids(scene.solids, 0);
  const samples = chooseSamples([...liquids.map(({ shape }) => shape), ...solids]);
  let cells = 0;
  let nearSurface = 0;
  liquids.forEach(({ shape }, i) => {
    const low = shape.bounds.min.map((x, a) => Math.max(x, domain.min[a]));
    const step = shape.bounds.max.map((x, a) => (Math.min(x, domain.max[a]) - low[a]) / samples);
    if (step.some((s) => !(s > 0))) return;
    const volume = step[0] * step[1] * step[2];
    for (let n = 0; n < samples ** 3; n++) {
      const at: Vec3 = [
        low[0] + (0.5 + (n % samples)) * step[0],
        low[1] + (0.5 + (Math.floor(n / samples) % samples)) * step[1],
        low[2] + (0.5 + Math.floor(n / samples ** 2)) * step[2],
      ];
      if (!(shape.value(...at) > 0) || obstacles.solidClearanceAt(...at) < 0) continue;
      if (liquids.slice(0, i).some((before) => before.shape.value(...at) > 0)) continue;
      const depth = Math.max(...liquids.map((l) => l.shape.value(...at)));
      const wanted = sizeOfShapes(model, obstacles, frustum, liquids, depth, at, 0);
      const size = scene.resolution * 2 ** Math.floor(Math.log2(wanted / scene.resolution) + 1e-9);
      cells += volume / size ** 3;
      if (depth < LAYERS * size) nearSurface += volume / size ** 3;
    }
  });
  return { particles: PER_CELL * cells, surfaceCells: nearSurface / LAYERS };
}
