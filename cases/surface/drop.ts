/**
 * Drops with modes, and what they do: shared by tests and referees of the surface method. Units: density,
 * tension and radius about 1.
 */
import { computeLegendre } from '../../src/methods/films/start/start.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { SurfaceModel } from '../../src/methods/surface/model.ts';
import { relaxSurface } from '../../src/methods/surface/start/relax.ts';
import type { SurfaceState } from '../../src/methods/surface/state.ts';
import { surface } from '../../src/methods/surface/surface.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';
import { buildLiquid, march, type Setup } from './march.ts';

/** Mean edge of a sphere of radius 1 with 20 x 4^levels faces. */
export const edgeOf = (levels: number) => Math.sqrt((16 * Math.PI) / (20 * Math.sqrt(3))) / 2 ** levels;

/** A relaxed sphere of radius 1, with mode n of this amplitude. */
export function buildDrop(levels: number, n = 0, amplitude = 0): LabelledTriangles {
  const sphere = relaxSurface(buildSpheres([{ levels }]));
  const position = Float64Array.from(sphere.position);
  for (let v = 0; v < position.length; v += 3) {
    const r = Math.hypot(position[v], position[v + 1], position[v + 2]);
    const factor = 1 + amplitude * computeLegendre(n, position[v + 2] / r);
    for (let k = 0; k < 3; k++) position[v + k] *= factor;
  }
  return { ...sphere, position };
}

export const createDrop = (
  resources: Resources,
  levels: number,
  setup: Partial<Setup> & { readonly n?: number; readonly amplitude?: number } = {},
) =>
  buildLiquid(resources, {
    surface: buildDrop(levels, setup.n, setup.amplitude),
    resolution: edgeOf(levels),
    ...setup,
  });

/**
 * A drop thrown at (3, -1, 2) that falls at 2: where it should be after the time, and how far the worst of
 * its vertices is from there. Without tension nothing but the mean flow acts.
 */
export function throwDrop(resources: Resources, drop: LabelledTriangles, levels: number, time: number) {
  const velocity = Float64Array.from(drop.position, (_, c) => [3, -1, 2][c % 3]);
  const { model, state } = buildLiquid(resources, {
    surface: drop,
    resolution: edgeOf(levels),
    velocity,
    gravity: [0, 0, -2],
    tension: 1e-12,
  });
  const p = state.tracker.mesh.position;
  const begin = p.slice();
  march(model, state, time);
  const fall = [3 * time, -time, 2 * time - time ** 2];
  let worst = 0;
  for (let c = 0; c < 3 * state.tracker.mesh.vertexFill; c++)
    worst = Math.max(worst, Math.abs(p[c] - begin[c] - fall[c % 3]));
  return { model, state, fall, worst };
}

/** Radius of the sphere of the liquid's volume. */
export function measureRadius(model: SurfaceModel, state: SurfaceState): number {
  return Math.cbrt((3 * surface.measure(model, state).volume!) / (4 * Math.PI));
}

/** Amplitude of mode n about the radius. */
export function measureMode({ tracker: { mesh } }: SurfaceState, n: number, radius: number): number {
  let above = 0;
  let below = 0;
  const p = mesh.position;
  for (let v = 0; v < 3 * mesh.vertexFill; v += 3) {
    const r = Math.hypot(p[v], p[v + 1], p[v + 2]);
    const legendre = computeLegendre(n, p[v + 2] / r);
    above += (r - radius) * legendre;
    below += legendre * legendre;
  }
  return above / below;
}

export interface Swing {
  readonly vertices: number;
  /** Angular frequency over that of the formula, less 1 */
  readonly error: number;
  /**
   * Amplitude at the turn half a period after the start, and at the peak after a whole one, over the first
   */
  readonly turn: number;
  readonly peak: number;
  /** Largest relative change of energy, volume */
  readonly energy: number;
  readonly volume: number;
  readonly secondsPerStep: number;
  readonly periods: number;
}

/** Runs mode n for so many periods of the formula. */
export function swing(
  resources: Resources,
  levels: number,
  n: number,
  {
    periods = 1.04,
    amplitude = 0.01,
    ...setup
  }: Partial<Setup> & { periods?: number; amplitude?: number } = {},
): Swing {
  const { model, state } = createDrop(resources, levels, { ...setup, n, amplitude });
  const radius = measureRadius(model, state);
  const truth = Math.sqrt((n * (n - 1) * (n + 2)) / radius ** 3);
  const period = (2 * Math.PI) / truth;
  const time = [0];
  const value = [measureMode(state, n, radius)];
  const first = surface.measure(model, state);
  let [least, most] = [Infinity, -Infinity];
  const begin = performance.now();
  const steps = march(model, state, periods * period, (report) => {
    const now = surface.measure(model, state, report);
    const energy = now.kineticEnergy! + now.surfaceEnergy!;
    least = Math.min(least, energy);
    most = Math.max(most, energy);
    time.push(state.time);
    value.push(measureMode(state, n, radius));
  });
  const turn = findTurn(time, value, 0.5 * period, -1);
  const peak = periods >= 1 ? findTurn(time, value, period, 1) : turn;
  // What the wave itself has: its surface energy at the start over that of the sphere.
  const wave = first.surfaceEnergy! - 4 * Math.PI * radius ** 2;
  return {
    vertices: state.tracker.mesh.vertexCount,
    error: (periods >= 1 ? period / peak.time : period / 2 / turn.time) - 1,
    turn: turn.value / value[0],
    peak: peak.value / value[0],
    energy: (most - least) / Math.abs(wave),
    volume: surface.measure(model, state).volume! / first.volume! - 1,
    secondsPerStep: (performance.now() - begin) / 1000 / steps,
    periods,
  };
}

/** Place of the extremum of that sign nearest to a time: a parabola through three samples. */
function findTurn(time: readonly number[], value: readonly number[], near: number, sign: number) {
  let best = 0;
  for (let i = 1; i + 1 < time.length; i++)
    if (Math.abs(time[i] - near) < 0.25 * near && (best === 0 || sign * value[i] > sign * value[best]))
      best = i;
  const [x0, x2] = [time[best - 1] - time[best], time[best + 1] - time[best]];
  const [y0, y1, y2] = [value[best - 1], value[best], value[best + 1]];
  const bend = ((y2 - y1) / x2 - (y0 - y1) / x0) / (x2 - x0);
  const slope = (y0 - y1) / x0 - bend * x0;
  return { time: time[best] - slope / (2 * bend), value: y1 - slope ** 2 / (4 * bend) };
}
