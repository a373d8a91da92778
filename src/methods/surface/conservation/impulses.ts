/**
 * Momentum and angular momentum of bodies through the edits of a step: merging, remeshing, pinching and the
 * return of volumes. They change both by a little; what bodies had together before, the bodies made of them
 * have after. Momentum comes back as a uniform velocity of all of them, angular momentum of a body that
 * stayed one by the least change of its potential (liquid/moments.ts).
 *
 * Leaves the whole potential, mean flows added, on the vertices. Cost: linear.
 */
import { NONE } from '../../../core/types.ts';
import type { Body } from '../liquid/body.ts';
import { forEachBody, type Gradients } from '../liquid/gradients.ts';
import {
  addMeanFlow,
  addTurn,
  measureImpulse,
  measureMoments,
  measureVolume,
  type Triple,
} from '../liquid/moments.ts';
import { findSwirl, giveSwirl, type Swirl } from '../liquid/swirl.ts';
import type { SurfaceModel } from '../model.ts';
import type { SurfaceState } from '../state.ts';

export interface Impulses {
  /** (bodies before the edits) impulse, m^4/s, and angular impulse about the origin, m^5/s */
  readonly impulse: readonly Triple[];
  readonly turn: readonly Triple[];
}

/** Of a body with the potential of a vertex as it stands plus its mean flow. */
interface Measured {
  readonly body: Body;
  readonly gradients: Gradients;
  /** The whole potential by vertex, without what goes around a hole. */
  readonly potential: Float64Array;
  readonly swirl: Swirl | undefined;
  /** Has its hole closed since the step began? What went around it is lost (liquid/swirl.ts). */
  readonly hasClosed: boolean;
  readonly volume: number;
  readonly centre: Triple;
  readonly owner: number;
}

function measureEach(model: SurfaceModel, state: SurfaceState, visit: (measured: Measured) => void): number {
  return forEachBody(model, state.tracker.mesh, ({ body, gradients, cavities }) => {
    const { volume, centre } = measureVolume(body, gradients);
    const owner = findOwner(state, body);
    const potential = readPotential(state, body, centre, owner);
    const circulation = state.values.circulation.data[body.vertexId[0]];
    const swirl = findSwirl(body, 1 + cavities, circulation, potential);
    const hasClosed = circulation !== 0 && !swirl;
    visit({ body, gradients, potential, swirl, hasClosed, volume, centre, owner });
  });
}

/** The body before the edits that a body is made of. */
function findOwner({ values }: SurfaceState, { vertexId }: Body): number {
  for (const id of vertexId) {
    const owner = values.findOwner(id);
    if (owner !== NONE) return owner;
  }
  return 0;
}

/**
 * What bodies are to have together whatever edits do. Impulse: mean velocity times the volume at the
 * beginning of the step, which is what the motion left; places have changed since, in collisions and with
 * volumes.
 */
export function measureImpulses(model: SurfaceModel, state: SurfaceState): Impulses {
  const { values } = state;
  const impulse: Triple[] = [];
  const turn: Triple[] = [];
  measureEach(model, state, ({ body, gradients, potential, swirl, centre, owner }) => {
    const { impulse: now, turn: about } = measureMoments(body, gradients, potential, [0, 0, 0], swirl);
    impulse[owner] = values.meanOf(owner).map((u) => u * values.volumeOf(owner)) as Triple;
    const miss = impulse[owner].map((x, k) => x - now[k]);
    const [x, y, z] = centre;
    turn[owner] = [
      about[0] + y * miss[2] - z * miss[1],
      about[1] + z * miss[0] - x * miss[2],
      about[2] + x * miss[1] - y * miss[0],
    ];
  });
  return { impulse, turn };
}

/**
 * Gives momentum back and adds mean flows to the potentials; returns what was missing, kg m/s, and how many
 * bodies came off others.
 */
export function restoreImpulses(
  model: SurfaceModel,
  state: SurfaceState,
  before: Impulses,
): { returned: Triple; pinches: number } {
  const { values } = state;
  const had = new Map<number, Group>();
  before.impulse.forEach((impulse, n) => {
    const group = findGroup(had, values.findRoot(n));
    for (let k = 0; k < 3; k++) {
      group.impulse[k] += impulse[k];
      group.turn[k] += before.turn[n][k];
    }
  });
  const count = measureEach(model, state, ({ body, gradients, potential, swirl, volume, centre, owner }) => {
    const group = findGroup(had, owner);
    const isMote = volume < model.moteVolume;
    if (isMote) calmMote(state, body, centre);
    const held = isMote ? readPotential(state, body, centre, owner) : potential;
    const { impulse } = measureMoments(body, gradients, held, centre, swirl);
    for (let k = 0; k < 3; k++) group.impulse[k] -= impulse[k];
    group.volume += volume;
    group.bodies++;
  });
  const returned: Triple = [0, 0, 0];
  measureEach(model, state, ({ body, gradients, potential, swirl, hasClosed, centre, owner }) => {
    const group = findGroup(had, owner);
    if (values.touchesWalls(owner)) {
      // Walls give and take; mean flows are added all the same.
      body.vertexId.forEach((id, v) => {
        values.potential.data[id] = potential[v];
      });
      return;
    }
    const u = group.impulse.map((missing) => missing / group.volume) as Triple;
    addMeanFlow(body, u, centre, potential);
    if (group.bodies === 1 && !hasClosed) {
      const { turn: now } = measureMoments(body, gradients, potential, [0, 0, 0], swirl);
      const missing = group.turn.map((turn, k) => turn - now[k]) as Triple;
      giveTurn(body, gradients, centre, missing, potential);
    }
    if (swirl) giveSwirl(swirl, potential);
    body.vertexId.forEach((id, v) => {
      values.potential.data[id] = potential[v];
      if (hasClosed) values.circulation.data[id] = 0;
    });
  });
  for (const [owner, { impulse }] of had)
    for (let k = 0; k < 3; k++)
      if (!values.touchesWalls(owner)) returned[k] += model.constants.density * impulse[k];
  return { returned, pinches: Math.max(0, count - had.size) };
}

/** The potential by vertex with the mean flow of its body. */
function readPotential({ values }: SurfaceState, body: Body, centre: Triple, owner: number): Float64Array {
  const potential = Float64Array.from(body.vertexId, (id) => values.potential.data[id]);
  addMeanFlow(body, values.meanOf(owner), centre, potential);
  return potential;
}

/**
 * A drop too small for a flow of its own goes as fast as its vertices went: its few potentials, over so
 * little volume, would send it anywhere. What that leaves of its momentum is its group's.
 */
function calmMote({ values }: SurfaceState, body: Body, centre: Triple): void {
  const u: Triple = [0, 0, 0];
  for (const id of body.vertexId)
    for (let k = 0; k < 3; k++) u[k] += values.velocity.data[3 * id + k] / body.vertexCount;
  body.vertexId.forEach((id, v) => {
    values.potential.data[id] = 0;
    for (let k = 0; k < 3; k++) {
      values.potential.data[id] += u[k] * (body.position[3 * v + k] - centre[k]);
      values.velocity.data[3 * id + k] = 0;
    }
  });
}

interface Group {
  readonly impulse: Triple;
  readonly turn: Triple;
  volume: number;
  bodies: number;
}

function findGroup(groups: Map<number, Group>, n: number): Group {
  const found = groups.get(n) ?? { impulse: [0, 0, 0], turn: [0, 0, 0], volume: 0, bodies: 0 };
  groups.set(n, found);
  return found;
}

/** Angular impulse about the centre without impulse: what the turning adds of that is taken out again. */
function giveTurn(
  body: Body,
  gradients: Gradients,
  centre: Triple,
  missing: Triple,
  potential: Float64Array,
): void {
  const held = measureImpulse(gradients, potential);
  addTurn(body, gradients, centre, missing, potential);
  const now = measureImpulse(gradients, potential);
  const { volume } = measureVolume(body, gradients);
  addMeanFlow(body, held.map((x, k) => (x - now[k]) / volume) as Triple, centre, potential);
}
