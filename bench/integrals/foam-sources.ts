/**
 * The points that a real foam has to sum over: the scene films/foam-125, not kneaded, some steps into its
 * motion, with the circulation it then has. Finer ones by quartering its faces: the circulation is linear on
 * a face, so each quarter has a quarter of its strength.
 */
import { quarterFaces } from '../../cases/films/least-area.ts';
import { computeStrength } from '../../src/methods/films/air/velocity.ts';
import { buildSheet } from '../../src/methods/films/circulation/sheet.ts';
import { loadPotentials } from '../../src/methods/films/circulation/transfer.ts';
import { films } from '../../src/methods/films/films.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeContext } from '../../src/run/referee.ts';

const FOAM = {
  /** Resolution (m) at which two quarterings give about 40 thousand vertices. */
  resolution: 0.0101,
  /** T1s are under way and films have bent by then, s. */
  duration: 0.005,
};

export interface FoamSources {
  readonly position: Float64Array;
  readonly triangle: Int32Array;
  /** Area times sheet strength (faces x 3), m^3/s */
  readonly strength: Float64Array;
}

export async function runFoam(context: RefereeContext, resources: Resources): Promise<FoamSources> {
  const loaded = await context.loadScene('films/foam-125', {
    sets: [
      `resolution=${FOAM.resolution}`,
      `duration=${FOAM.duration}`,
      `fps=${1 / FOAM.duration}`,
      'films.kneading={"amplitude":0.7,"period":0.03,"start":1,"end":2}',
    ],
  });
  const run = context.createRun(loaded, resources);
  for (const event of run.events())
    if (event.type === 'step' && event.record.step % 10 === 0)
      context.note(`foam: ${event.record.time.toFixed(4)} s, ${event.record.vertices} vertices`);
  const model = films.build(loaded.scene, resources);
  const state = films.restore(model, run.snapshot().record);
  const scope = resources.heap.scope('foam sources');
  const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
  loadPotentials(sheet, state.rows);
  const strength = scope.f64(3 * sheet.faceCount);
  computeStrength(resources.threads, { sheet, potential: sheet.potential, strength });
  const sources = {
    position: sheet.position.slice(),
    triangle: sheet.corner.slice(),
    strength: strength.slice(),
  };
  scope.free();
  films.release?.(state);
  return sources;
}

export function quarterSources({ position, triangle, strength }: FoamSources, times: number): FoamSources {
  if (times === 0) return { position, triangle, strength };
  const fine = quarterFaces({ position, triangle, label: new Int32Array((2 * triangle.length) / 3) });
  const quarters = new Float64Array(fine.triangle.length);
  // The quarters of a face follow each other.
  for (let n = 0; n < quarters.length; n++) quarters[n] = strength[3 * Math.floor(n / 12) + (n % 3)] / 4;
  return quarterSources({ position: fine.position, triangle: fine.triangle, strength: quarters }, times - 1);
}
