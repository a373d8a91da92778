/**
 * Emitters and drains. A nozzle is a region that liquid passes as a plug: particles in it move with the flow
 * over its section, in planes a particle apart, and a new plane enters at its back whenever there is room. To
 * the pressure its tets are a solid that moves so. A drain takes its flow out of what its region holds, from
 * each particle the same share, while at least half of it is covered; below that the flow falls with what is
 * left. The pressure knows it as divergence.
 */
import type { HeapScope } from '../../core/heap.ts';
import { type Metres, NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { intersectBoxes } from '../../geometry/shapes.ts';
import type { Emitter } from '../../scene/scene.ts';
import type { FlipMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import { RADIUS_OF_CELL } from './transfer.ts';

/** Share of a drain's region that must be covered for the full flow. */
const COVERED = 0.5;

export interface TetSources {
  /** (tetCount) share that neither solids nor nozzles fill */
  readonly open: Float64Array;
  /** (tetCount) the nozzle that a tet lies in, or NONE */
  readonly nozzle: Int32Array;
  /** m/s, of the plug in each nozzle */
  readonly speed: readonly number[];
  /** (vertexCount) volume that appears in the node's hat, m^3/s; drains' is negative */
  readonly divergence: Float64Array;
  /** m^3/s that each drain takes */
  readonly drainFlow: readonly number[];
}

const isInside = ({ shape }: { readonly shape: Implicit }, x: number, y: number, z: number): boolean => {
  const { min, max } = shape.bounds;
  if (x < min[0] || y < min[1] || z < min[2] || x > max[0] || y > max[1] || z > max[2]) return false;
  return shape.value(x, y, z) > 0;
};

export function findTetSources(
  model: FlipModel,
  mesh: FlipMesh,
  { position, volume }: { readonly position: Float64Array; readonly volume: Float64Array },
  time: Seconds,
  scope: HeapScope,
): TetSources {
  const { emitters, emitterSection, drains, drainRoom } = model;
  const { tetCount, vertexCount, tet, position: node } = mesh.background;
  const nozzle = scope.i32(tetCount).fill(NONE);
  const divergence = scope.f64(vertexCount);
  const speed = emitters.map((e, n) => e.flowAt(time) / emitterSection[n]);
  const drainFlow = drains.map((drain, n) => {
    let held = 0;
    for (let p = 0; p < volume.length; p++)
      if (isInside(drain, position[3 * p], position[3 * p + 1], position[3 * p + 2])) held += volume[p];
    return drain.flowAt(time) * Math.min(1, held / (COVERED * drainRoom[n]));
  });
  if (emitters.length === 0 && drains.length === 0)
    return { open: mesh.open, nozzle, speed, divergence, drainFlow };
  const open = scope.f64(tetCount);
  open.set(mesh.open);
  const element = new PressureElement();
  const room = drains.map(() => 0);
  const drained: number[][] = drains.map(() => []);
  for (let t = 0; t < tetCount; t++) {
    if (open[t] === 0) continue;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < 4; i++) {
      const v = 3 * tet[4 * t + i];
      x += 0.25 * node[v];
      y += 0.25 * node[v + 1];
      z += 0.25 * node[v + 2];
    }
    for (let n = 0; n < emitters.length; n++) if (isInside(emitters[n], x, y, z)) nozzle[t] = n;
    if (nozzle[t] !== NONE) {
      open[t] = 0;
      continue;
    }
    drains.forEach((drain, n) => {
      if (!isInside(drain, x, y, z)) return;
      element.setGradients(node, tet, t);
      room[n] += open[t] * element.volume;
      drained[n].push(t);
    });
  }
  drains.forEach((_, n) => {
    for (const t of drained[n]) {
      element.setGradients(node, tet, t);
      const part = (-0.25 * drainFlow[n] * open[t] * element.volume) / room[n];
      for (let i = 0; i < 4; i++) divergence[tet[4 * t + i]] += part;
    }
  });
  return { open, nozzle, speed, divergence, drainFlow };
}

/** Particles to add, and the nozzle that each is in. */
export interface Seeds {
  readonly position: number[];
  readonly velocity: number[];
  readonly volume: number[];
}

export const createSeeds = (): Seeds => ({ position: [], velocity: [], volume: [] });

/** The planes of particles in a nozzle. */
interface Nozzle {
  readonly direction: Vec3;
  readonly along: Metres;
  readonly length: Metres;
  readonly spacing: Metres;
  /** Points of a plane, each with its two coordinates across. */
  readonly points: readonly Vec3[];
  /** m^3, of a particle */
  readonly volume: number;
}

/** Of a nozzle that reaches out of the domain, the part inside. */
function layNozzle({ finest, domain }: FlipModel, { shape, direction }: Emitter, section: number): Nozzle {
  const spacing = 2 * RADIUS_OF_CELL * finest;
  const { min, max } = intersectBoxes(shape.bounds, domain) ?? domain;
  const axis: Vec3 = Math.abs(direction[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const first = unit(cross(direction, axis));
  const second = cross(direction, first);
  const middle = min.map((x, a) => 0.5 * (x + max[a])) as unknown as Vec3;
  const half = (d: Vec3) => 0.5 * max.reduce((sum, x, a) => sum + Math.abs(d[a]) * (x - min[a]), 0);
  const points: Vec3[] = [];
  const [m, n] = [first, second].map((d) => Math.ceil(half(d) / spacing));
  for (let i = -m; i < m; i++)
    for (let j = -n; j < n; j++) {
      const point = middle.map(
        (x, a) => x + (i + 0.5) * spacing * first[a] + (j + 0.5) * spacing * second[a],
      ) as unknown as Vec3;
      if (!point.every((x, a) => x > domain.min[a] && x < domain.max[a])) continue;
      if (shape.value(point[0], point[1], point[2]) > 0) points.push(point);
    }
  if (points.length === 0) points.push(middle);
  const length = 2 * half(direction);
  return {
    direction,
    along: -0.5 * length,
    length,
    spacing,
    points,
    volume: (section * spacing) / points.length,
  };
}

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vec3): Vec3 => {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
};

function addPlane(nozzle: Nozzle, offset: Metres, speed: number, out: Seeds): void {
  const { direction: d, points, volume } = nozzle;
  for (const point of points) {
    for (let a = 0; a < 3; a++) {
      out.position.push(point[a] + offset * d[a]);
      out.velocity.push(speed * d[a]);
    }
    out.volume.push(volume);
  }
}

/** Planes that fill the nozzles at the start. */
export function fillNozzles(model: FlipModel, out: Seeds): void {
  model.emitters.forEach((emitter, n) => {
    const nozzle = layNozzle(model, emitter, model.emitterSection[n]);
    const speed = emitter.flowAt(0) / model.emitterSection[n];
    for (let s = 0.5 * nozzle.spacing; s < nozzle.length; s += nozzle.spacing)
      addPlane(nozzle, nozzle.along + s, speed, out);
  });
}

/** Planes that enter between two times. */
export function emitPlanes(model: FlipModel, from: Seconds, to: Seconds, out: Seeds): void {
  model.emitters.forEach((emitter, n) => {
    const nozzle = layNozzle(model, emitter, model.emitterSection[n]);
    const travel = (t: Seconds) => emitter.emittedUntil(t) / model.emitterSection[n];
    const before = Math.floor(travel(from) / nozzle.spacing);
    const after = travel(to);
    const speed = emitter.flowAt(to) / model.emitterSection[n];
    for (let k = before + 1; k * nozzle.spacing <= after; k++)
      addPlane(nozzle, nozzle.along + after - (k - 0.5) * nozzle.spacing, speed, out);
  });
}

/** The nozzle of each particle that is in one; nothing where the scene has none. */
export function findNozzles({ emitters }: FlipModel, position: Float64Array, out: Int32Array): void {
  if (emitters.length === 0) return;
  for (let p = 0; p < out.length; p++)
    for (let n = 0; n < emitters.length; n++)
      if (isInside(emitters[n], position[3 * p], position[3 * p + 1], position[3 * p + 2])) out[p] = n;
}

/**
 * What drains take out of the particles in a step: volumes shrink. Kinetic and potential energy of what goes,
 * over density.
 */
export function drainParticles(
  { drains, gravity }: FlipModel,
  position: Float64Array,
  velocity: Float64Array,
  drainFlow: readonly number[],
  dt: Seconds,
  outVolume: Float64Array,
): { volume: number; kinetic: number; potential: number } {
  const sum = { volume: 0, kinetic: 0, potential: 0 };
  drains.forEach((drain, n) => {
    if (drainFlow[n] === 0) return;
    const inside: number[] = [];
    let held = 0;
    for (let p = 0; p < outVolume.length; p++)
      if (isInside(drain, position[3 * p], position[3 * p + 1], position[3 * p + 2])) {
        inside.push(p);
        held += outVolume[p];
      }
    if (held === 0) return;
    const share = Math.min(1, (drainFlow[n] * dt) / held);
    for (const p of inside) {
      const taken = share * outVolume[p];
      outVolume[p] -= taken;
      addEnergy(gravity, position, velocity, p, taken, sum);
    }
  });
  return sum;
}

export function addEnergy(
  gravity: Vec3,
  position: Float64Array,
  velocity: Float64Array,
  p: number,
  volume: number,
  out: { volume: number; kinetic: number; potential: number },
): void {
  out.volume += volume;
  for (let a = 0; a < 3; a++) {
    out.kinetic += 0.5 * volume * velocity[3 * p + a] ** 2;
    out.potential -= volume * gravity[a] * position[3 * p + a];
  }
}
