/**
 * Momentum of the air, rho sum potential G (its impulse). Films without mass in air without walls cannot
 * change it, but remeshing, T1s, stopped collisions and volumes given back take a little of it each time.
 * What they took is given back before the next step, as volumes are: by a uniform impulse on the air of all
 * bubbles, potential_i += c . x in every region but the outside. Since sum x G_i^T over the vertices of a
 * closed region is its volume times the identity, c is what is missing over rho and the volume of all
 * bubbles.
 *
 * Wires, openings and sources do change momentum; then it is what it is. Not in the thesis. Cost: linear.
 */
import type { Seconds } from '../../../core/types.ts';
import { type Air, createAir, updateGradients } from '../air/air.ts';
import { buildSheet } from '../circulation/sheet.ts';
import { loadPotentials } from '../circulation/transfer.ts';
import { type FilmsModel, findFineness } from '../model.ts';
import type { FilmsState } from '../state.ts';

export type Momentum = [number, number, number];

/** kg m/s: after `updateGradients`. */
export function measureMomentum({ sheet, gradients, constants }: Air): Momentum {
  const { potential } = sheet;
  const g = gradients.volumeGradient;
  const sum: Momentum = [0, 0, 0];
  for (let n = 0; n < potential.length; n++)
    for (let k = 0; k < 3; k++) sum[k] += constants.density * potential[n] * g[3 * n + k];
  return sum;
}

/**
 * About the origin, kg m^2/s: what rotations of the whole keep, rho sum potential x cross G; after
 * `updateGradients`. It is measured, and not looked after.
 */
export function measureAngularMomentum({ sheet, gradients, constants }: Air): Momentum {
  const { position: x, potential, entryStart, vertexCount } = sheet;
  const g = gradients.volumeGradient;
  const sum: Momentum = [0, 0, 0];
  for (let v = 0; v < 3 * vertexCount; v += 3)
    for (let n = entryStart[v / 3]; n < entryStart[v / 3 + 1]; n++) {
      const impulse = constants.density * potential[n];
      sum[0] += impulse * (x[v + 1] * g[3 * n + 2] - x[v + 2] * g[3 * n + 1]);
      sum[1] += impulse * (x[v + 2] * g[3 * n] - x[v] * g[3 * n + 2]);
      sum[2] += impulse * (x[v] * g[3 * n + 1] - x[v + 1] * g[3 * n]);
    }
  return sum;
}

/** May nothing but drag change the momentum of the air in this step? */
export function isFree({ wires, options }: FilmsModel, time: Seconds, dt: Seconds): boolean {
  const isBlown = options.sources.some(({ start, end = Infinity }) => start < time + dt && end > time);
  return wires.length === 0 && options.openings.length === 0 && !isBlown;
}

/** Gives the air the momentum that it is meant to have; returns what was missing. */
export function restoreMomentum(air: Air, meant: Momentum): Momentum {
  updateGradients(air);
  const { sheet, gradients, constants } = air;
  const { position, potential, entryRegion, entryStart, vertexCount } = sheet;
  const g = gradients.volumeGradient;
  // About the films' own middle: a constant on a closed region does nothing, but would cost digits.
  const middle = [0, 1, 2].map((k) => {
    let sum = 0;
    for (let v = 0; v < vertexCount; v++) sum += position[3 * v + k];
    return sum / vertexCount;
  });
  let volume = 0;
  for (let v = 0; v < vertexCount; v++)
    for (let n = entryStart[v]; n < entryStart[v + 1]; n++)
      if (entryRegion[n] !== 0)
        for (let k = 0; k < 3; k++) volume += ((position[3 * v + k] - middle[k]) * g[3 * n + k]) / 3;
  if (!(volume > 0)) return [0, 0, 0];
  const has = measureMomentum(air);
  const missing: Momentum = [meant[0] - has[0], meant[1] - has[1], meant[2] - has[2]];
  const c = missing.map((p) => p / (constants.density * volume));
  for (let v = 0; v < vertexCount; v++) {
    let impulse = 0;
    for (let k = 0; k < 3; k++) impulse += c[k] * (position[3 * v + k] - middle[k]);
    for (let n = entryStart[v]; n < entryStart[v + 1]; n++) if (entryRegion[n] !== 0) potential[n] += impulse;
  }
  return missing;
}

/** Of the films as they are between two steps, where a burst has taken some. */
export function measureMomentumNow(model: FilmsModel, state: FilmsState): Momentum {
  const scope = model.heap.scope('films momentum');
  try {
    const sheet = buildSheet(state.tracker.mesh, model.isOpening, scope);
    loadPotentials(sheet, state.rows);
    const { constants } = findFineness(model, state.time);
    const air = createAir(sheet, constants, model.sums, model.threads, scope);
    updateGradients(air);
    return measureMomentum(air);
  } finally {
    scope.free();
  }
}
