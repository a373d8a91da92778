/**
 * Whitewater: spray, foam and bubbles, as particles that follow the liquid and do not act on it (after Ihmsen
 * et al., "Unified spray, foam and air bubbles for particle-based fluids", 2012). They come from ballistic
 * particles of the liquid and from aerated ones, those near the surface whose neighbours close in on them. A
 * place in the air makes a particle spray, one deep in the liquid a bubble, one at the surface foam:
 *
 *   spray   flies under gravity
 *   foam    is carried along, and ages: at the end of its life it is gone
 *   bubble  is carried along and rises
 *
 * A stage by itself: a method gives its particles (`Sources`), and tells the distance to the surface and the
 * velocity at points (`Surroundings`).
 */
import type { Heap } from '../core/heap.ts';
import { createRandom, type Random } from '../core/random.ts';
import { defineRecord, type ValuesOf } from '../core/records.ts';
import { defineTask, type Threads } from '../core/threads/task.ts';
import type { Seconds, Vec3 } from '../core/types.ts';
import type { ParticleFrame } from '../mesh/fields.ts';
import { buildNeighbours, NeighbourQuery, neighboursRecord } from './neighbours.ts';

export const SPRAY = 1;
export const FOAM = 2;
export const BUBBLE = 3;

export const whitewaterRecord = defineRecord('whitewater', {
  position: { type: 'f64', per: 'whitewater', stride: 3, unit: 'm', meaning: 'place' },
  velocity: { type: 'f64', per: 'whitewater', stride: 3, unit: 'm/s', meaning: 'own' },
  radius: { type: 'f64', per: 'whitewater', unit: 'm', meaning: 'size' },
  age: { type: 'f64', per: 'whitewater', unit: 's', meaning: 'time since it came' },
  life: { type: 'f64', per: 'whitewater', unit: 's', meaning: 'time as foam that is left' },
  kind: { type: 'i32', per: 'whitewater', meaning: '1 spray, 2 foam, 3 bubble' },
  random: { type: 'i32', meaning: 'of the next ones' },
});
export type Whitewater = ValuesOf<typeof whitewaterRecord>;

export interface WhitewaterOptions {
  /** Drops a second that a ballistic particle sheds, and particles that a fully aerated one makes. */
  readonly spray: number;
  readonly foam: number;
  /** m/s: closing speeds at which aeration begins and is full; the same for the speed itself. */
  readonly begins: number;
  readonly full: number;
  /** Size, share of the radius of the liquid's particle: the least and the most. */
  readonly least: number;
  readonly most: number;
  /** s: how long foam lasts, about; the larger the longer. */
  readonly lasts: Seconds;
  /**
   * Bubbles: buoyancy in units of gravity, and share of the liquid's velocity taken over in a step of 1/24 s.
   */
  readonly buoyancy: number;
  readonly drag: number;
  /** Never more than this many: what is beyond is not made, and counted. */
  readonly count: number;
}

export const WHITEWATER: WhitewaterOptions = {
  spray: 10,
  foam: 100,
  begins: 1,
  full: 5,
  least: 0.1,
  most: 0.4,
  lasts: 2,
  buoyancy: 2,
  drag: 0.8,
  count: 2_000_000,
};

/** Particles of the liquid, on the heap. */
export interface Sources {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly radius: Float64Array;
  /** (particles) m, positive inside: their distance to the surface */
  readonly phi: Float64Array;
  /** (particles) 1: flies by itself */
  readonly isBallistic: Uint8Array;
}

/**
 * What a method knows at points: distance to the surface, positive inside, and the liquid's velocity;
 * clearance beside solids, where there are any.
 */
export interface Surroundings {
  sample(point: Float64Array, count: number, outPhi: Float64Array, outVelocity: Float64Array): void;
  clearance?(x: number, y: number, z: number): number;
  readonly gravity: Vec3;
}

export interface WhitewaterStep {
  readonly dt: Seconds;
  readonly options: WhitewaterOptions;
}

export interface WhitewaterReport {
  readonly made: number;
  readonly gone: number;
  /** Not made because there were enough already. */
  readonly refused: number;
}

/** Aeration is looked for within this many radii: of the neighbours, and of the surface. */
const REACH = 4;
/** Foam lies within this many of the liquid's radii of the surface. */
const FOAM_LAYER = 1;
const FRAME = 1 / 24;
const AERATION_GRAIN = 512;
/** Walls that may meet in a corner: out of one after the other. */
const WALLS = 3;

export const createWhitewater = (seed: number): Whitewater => ({
  position: new Float64Array(0),
  velocity: new Float64Array(0),
  radius: new Float64Array(0),
  age: new Float64Array(0),
  life: new Float64Array(0),
  kind: new Int32Array(0),
  random: createRandom(seed).save(),
});

export const countWhitewater = ({ kind }: Whitewater): number => kind.length;

/**
 * Closing speeds around liquid particles, m/s: the mean over neighbours of |v| (1 - cos) with v the relative
 * velocity and cos that between it and the way to them (eq. (2) of the paper, divided by the sum of its
 * weights, so that it does not depend on how many there are). 0 far from the surface.
 */
export function measureAeration(
  { position, velocity, radius, phi, isBallistic }: Sources,
  { heap, threads }: { readonly heap: Heap; readonly threads: Threads },
  out: Float64Array,
): void {
  const scratch = heap.scope('aeration');
  const isMember = scratch.u8(radius.length);
  for (let p = 0; p < radius.length; p++)
    isMember[p] = isBallistic[p] === 0 && phi[p] < 2 * REACH * radius[p] ? 1 : 0;
  const neighbours = buildNeighbours(position, radius, isMember, scratch);
  threads.run(aerationTask, radius.length, AERATION_GRAIN, {
    neighbours,
    position,
    velocity,
    radius,
    phi,
    isMember,
    out,
  });
  scratch.free();
}

const aerationTask = defineTask(
  'particles/measure-aeration',
  {
    neighbours: neighboursRecord,
    position: 'f64',
    velocity: 'f64',
    radius: 'f64',
    phi: 'f64',
    isMember: 'u8',
    out: 'f64',
  },
  (begin, end, { neighbours, position, velocity, radius, phi, isMember, out }) => {
    const query = new NeighbourQuery(neighbours);
    for (let p = begin; p < end; p++) {
      out[p] = 0;
      if (isMember[p] === 0 || phi[p] > REACH * radius[p]) continue;
      const reach = REACH * radius[p];
      query.ask(position[3 * p], position[3 * p + 1], position[3 * p + 2], reach, 0);
      let sum = 0;
      let weights = 0;
      for (let m = 0; m < query.count; m++) {
        const q = query.found[m];
        const x = position[3 * p] - position[3 * q];
        const y = position[3 * p + 1] - position[3 * q + 1];
        const z = position[3 * p + 2] - position[3 * q + 2];
        const distance = Math.sqrt(x * x + y * y + z * z);
        if (q === p || distance >= reach || distance === 0) continue;
        const u = velocity[3 * p] - velocity[3 * q];
        const v = velocity[3 * p + 1] - velocity[3 * q + 1];
        const w = velocity[3 * p + 2] - velocity[3 * q + 2];
        const weight = 1 - distance / reach;
        weights += weight;
        sum += weight * (Math.sqrt(u * u + v * v + w * w) - (u * x + v * y + w * z) / distance);
      }
      out[p] = weights > 0 ? sum / weights : 0;
    }
  },
);

/** One step: new ones from the liquid, all moved, sorted into kinds and aged. Returns the new state. */
export function stepWhitewater(
  state: Whitewater,
  sources: Sources,
  aeration: Float64Array,
  around: Surroundings,
  step: WhitewaterStep,
): { whitewater: Whitewater; report: WhitewaterReport } {
  const list = new Draft(state);
  const { made, refused } = emit(list, sources, aeration, step);
  const gone = move(list, sources, around, step);
  return { whitewater: list.finish(), report: { made, gone, refused } };
}

/** 0 to 1 between two speeds. */
const clampShare = (value: number, { begins, full }: WhitewaterOptions): number =>
  Math.min(1, Math.max(0, (value - begins) / (full - begins)));

function emit(list: Draft, sources: Sources, aeration: Float64Array, { dt, options }: WhitewaterStep) {
  const { position, velocity, radius, isBallistic } = sources;
  const { random } = list;
  let made = 0;
  let refused = 0;
  for (let p = 0; p < radius.length; p++) {
    const speed = Math.hypot(velocity[3 * p], velocity[3 * p + 1], velocity[3 * p + 2]);
    const rate =
      isBallistic[p] === 1
        ? options.spray
        : aeration[p] > 0
          ? options.foam * clampShare(aeration[p], options) * clampShare(speed, options)
          : 0;
    if (rate === 0) continue;
    const expected = rate * dt;
    let count = Math.floor(expected);
    if (random.next() < expected - count) count++;
    for (let n = 0; n < count; n++) {
      if (list.count >= options.count) {
        refused++;
        continue;
      }
      const share = random.next();
      list.add(
        position,
        velocity,
        3 * p,
        radius[p],
        radius[p] * (options.least + share * share * (options.most - options.least)),
        options.lasts * (0.5 + share),
        isBallistic[p] === 1 ? 0.1 * speed : 0.25 * aeration[p],
      );
      made++;
    }
  }
  return { made, refused };
}

/** Moves, sorts and ages all; returns how many are gone. */
function move(
  list: Draft,
  { radius }: Sources,
  around: Surroundings,
  { dt, options }: WhitewaterStep,
): number {
  const { count } = list;
  let layer = Number.POSITIVE_INFINITY;
  for (const r of radius) layer = Math.min(layer, FOAM_LAYER * r);
  if (radius.length === 0) layer = 0;
  const phi = new Float64Array(count);
  const flow = new Float64Array(3 * count);
  around.sample(list.position, count, phi, flow);
  const { position, velocity, age, life, kind } = list;
  const [gx, gy, gz] = around.gravity;
  const gravity = [gx, gy, gz];
  const taken = 1 - (1 - options.drag) ** (dt / FRAME);
  let kept = 0;
  for (let n = 0; n < count; n++) {
    kind[n] = phi[n] > layer ? BUBBLE : phi[n] >= -layer ? FOAM : SPRAY;
    age[n] += dt;
    if (kind[n] === FOAM) life[n] -= dt;
    for (let k = 0; k < 3; k++) {
      const i = 3 * n + k;
      if (kind[n] === SPRAY) velocity[i] += gravity[k] * dt;
      else if (kind[n] === FOAM) velocity[i] = flow[i];
      else velocity[i] += taken * (flow[i] - velocity[i]) - options.buoyancy * gravity[k] * dt;
      position[i] += velocity[i] * dt;
    }
    if (around.clearance) for (let wall = 0; wall < WALLS; wall++) keepClear(list, n, around.clearance);
    if (life[n] <= 0) continue;
    list.copy(n, kept++);
  }
  list.count = kept;
  return count - kept;
}

/** Out of solids along the gradient of the clearance, and no faster towards them. */
function keepClear(
  { position, velocity, radius }: Draft,
  n: number,
  clearance: (x: number, y: number, z: number) => number,
): void {
  const x = position[3 * n];
  const y = position[3 * n + 1];
  const z = position[3 * n + 2];
  const room = clearance(x, y, z) - radius[n];
  if (room >= 0) return;
  const e = 0.5 * radius[n];
  const normal = [
    clearance(x + e, y, z) - clearance(x - e, y, z),
    clearance(x, y + e, z) - clearance(x, y - e, z),
    clearance(x, y, z + e) - clearance(x, y, z - e),
  ];
  const length = Math.hypot(normal[0], normal[1], normal[2]);
  if (!(length > 0)) return;
  let along = 0;
  for (let k = 0; k < 3; k++) {
    normal[k] /= length;
    position[3 * n + k] -= room * normal[k];
    along += velocity[3 * n + k] * normal[k];
  }
  if (along < 0) for (let k = 0; k < 3; k++) velocity[3 * n + k] -= along * normal[k];
}

/** The particles while they change: columns that grow. */
class Draft {
  count: number;
  position: Float64Array;
  velocity: Float64Array;
  radius: Float64Array;
  age: Float64Array;
  life: Float64Array;
  kind: Int32Array;
  readonly random: Random;

  constructor(state: Whitewater) {
    this.count = countWhitewater(state);
    this.position = state.position.slice();
    this.velocity = state.velocity.slice();
    this.radius = state.radius.slice();
    this.age = state.age.slice();
    this.life = state.life.slice();
    this.kind = state.kind.slice();
    this.random = createRandom(0);
    this.random.restore(state.random);
  }

  /** One within the particle at `from`, with its velocity and a little of its own. */
  add(
    position: Float64Array,
    velocity: Float64Array,
    from: number,
    within: number,
    size: number,
    life: number,
    shake: number,
  ): void {
    if (this.count === this.kind.length) this.grow();
    const { random } = this;
    const n = this.count++;
    for (let k = 0; k < 3; k++) {
      this.position[3 * n + k] = position[from + k] + within * (2 * random.next() - 1);
      this.velocity[3 * n + k] = velocity[from + k] + shake * (2 * random.next() - 1);
    }
    this.radius[n] = size;
    this.life[n] = life;
    this.age[n] = 0;
    this.kind[n] = SPRAY;
  }

  copy(n: number, to: number): void {
    if (n === to) return;
    for (let k = 0; k < 3; k++) {
      this.position[3 * to + k] = this.position[3 * n + k];
      this.velocity[3 * to + k] = this.velocity[3 * n + k];
    }
    this.radius[to] = this.radius[n];
    this.age[to] = this.age[n];
    this.life[to] = this.life[n];
    this.kind[to] = this.kind[n];
  }

  finish(): Whitewater {
    const { count } = this;
    return {
      position: this.position.slice(0, 3 * count),
      velocity: this.velocity.slice(0, 3 * count),
      radius: this.radius.slice(0, count),
      age: this.age.slice(0, count),
      life: this.life.slice(0, count),
      kind: this.kind.slice(0, count),
      random: this.random.save(),
    };
  }

  private grow(): void {
    const room = Math.max(256, 2 * this.kind.length);
    const longer = (values: Float64Array, stride: number) => {
      const copy = new Float64Array(stride * room);
      copy.set(values);
      return copy;
    };
    this.position = longer(this.position, 3);
    this.velocity = longer(this.velocity, 3);
    this.radius = longer(this.radius, 1);
    this.age = longer(this.age, 1);
    this.life = longer(this.life, 1);
    const kind = new Int32Array(room);
    kind.set(this.kind);
    this.kind = kind;
  }
}

/** As particles of a frame. */
export const showWhitewater = (state: Whitewater): ParticleFrame => ({
  count: countWhitewater(state),
  position: state.position,
  fields: {
    velocity: { components: 3, unit: 'm/s', values: state.velocity },
    radius: { components: 1, unit: 'm', values: state.radius },
    age: { components: 1, unit: 's', values: state.age },
    kind: { components: 1, unit: '', values: state.kind },
  },
});

/** Two lists of particles as one; a field that one of them lacks is 0 there. */
export function joinParticles(first: ParticleFrame, second: ParticleFrame): ParticleFrame {
  const count = first.count + second.count;
  const position = new Float64Array(3 * count);
  position.set(first.position.subarray(0, 3 * first.count));
  position.set(second.position.subarray(0, 3 * second.count), 3 * first.count);
  const fields: ParticleFrame['fields'] = {};
  for (const name of new Set([...Object.keys(first.fields), ...Object.keys(second.fields)])) {
    const known = first.fields[name] ?? second.fields[name];
    const { components, unit } = known;
    const isWhole = [first, second].every(
      ({ fields: own }) => !own[name] || own[name].values instanceof Int32Array,
    );
    const values = isWhole ? new Int32Array(components * count) : new Float64Array(components * count);
    for (const [frame, at] of [
      [first, 0],
      [second, first.count],
    ] as const)
      if (frame.fields[name])
        values.set(frame.fields[name].values.subarray(0, components * frame.count), components * at);
    fields[name] = { components, unit, values };
  }
  return { count, position, fields };
}
