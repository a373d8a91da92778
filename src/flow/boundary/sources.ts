/**
 * Emitters and drains. The paper pours liquid into its scenes (figures 1 and 4) without saying how; this is
 * our way.
 *
 * An emitter is a primed nozzle: a region that is always full. Its tets form a plug that moves with one
 * velocity along the nozzle's direction, and its back is closed. In air the jet moves as a whole, so its
 * speed is the flow over the region's true cross-section; under water the flux through the front half of the
 * plug's hull of tets counts, and the speed is the flow over their section, a few percent smaller or larger.
 * What leaves is made up by filling the region again (contour/advected-contour.ts). A drain takes its flow
 * out of the tets in its region, in proportion to their volume, while at least half of it is covered; below
 * that the flow falls with what is left. An emitter that is shut for good is no nozzle any more: what stands
 * in its region is let go. Both flows are exact in the fluxes, and the volume the liquid should have follows
 * their integrals.
 */

import type { HeapScope } from '../../core/heap.ts';
import { NONE, type Seconds, type Vec3 } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { measureShadow } from '../../geometry/shapes.ts';
import type { Drain, Emitter, Scene } from '../../scene/scene.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { AREA } from '../mesh/face-geometry.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import { type Conditions, FIXED, WALL } from '../pressure/pressure.ts';

/** Share of a drain's region that must be covered for the full flow. */
const COVERED = 0.5;

/** What a scene pours in and lets out. */
export interface Sources {
  readonly emitters: readonly Emitter[];
  /** Cross-section of each emitter, m^2 */
  readonly emitterSection: readonly number[];
  readonly drains: readonly Drain[];
  /** What each drain's region can hold, m^3 */
  readonly drainRoom: readonly number[];
}

export function measureSources(
  { emitters, drains, domain }: Scene,
  clearanceAt: (x: number, y: number, z: number) => number,
): Sources {
  return {
    emitters,
    emitterSection: emitters.map((e) => measureShadow(e.shape, e.direction, domain)),
    drains,
    drainRoom: drains.map((d) => measureRoom(d.shape, clearanceAt)),
  };
}

/** Emitters and drains as conditions of the pressure; returns the drains' flow, m^3/s. */
export function addSources(
  model: LiquidModel,
  time: Seconds,
  mesh: MeshParts,
  outConditions: Conditions,
  outFaceVelocity: Float64Array,
): number {
  model.emitters.forEach((emitter, n) => {
    if (time >= emitter.shutFrom) return;
    addEmitter(emitter, model.emitterSection[n], time, mesh, outConditions, outFaceVelocity);
  });
  return addDrains(model, time, mesh, outConditions.fixed, outConditions.source);
}

/**
 * The divergence of the tets in drains, 1/s of their liquid; returns their flow, m^3/s. Tets that are `fixed`
 * give nothing.
 */
export function addDrains(
  model: LiquidModel,
  time: Seconds,
  mesh: MeshParts,
  fixed: Uint8Array,
  outSource: Float64Array,
): number {
  let flow = 0;
  model.drains.forEach((drain, n) => {
    flow += addDrain(drain.shape, drain.flowAt(time), model.drainRoom[n], mesh, fixed, outSource);
  });
  return flow;
}

/** Tets whose barycentre is in a shape. */
function forEachTetInside(shape: Implicit, { mesh }: MeshParts, visit: (t: number) => void): void {
  const { position, tet } = mesh;
  const { min, max } = shape.bounds;
  for (let t = 0; t < mesh.tetCount; t++) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < 4; i++) {
      const v = 3 * tet[4 * t + i];
      x += position[v];
      y += position[v + 1];
      z += position[v + 2];
    }
    x /= 4;
    y /= 4;
    z /= 4;
    if (x < min[0] || y < min[1] || z < min[2] || x > max[0] || y > max[1] || z > max[2]) continue;
    if (shape.value(x, y, z) > 0) visit(t);
  }
}

/**
 * Fixes the tets of an emitter: sets their faces' velocities and conditions so that the wanted flow leaves
 * through the front.
 */
function addEmitter(
  emitter: Emitter,
  section: number,
  time: Seconds,
  parts: MeshParts,
  outConditions: Conditions,
  outFaceVelocity: Float64Array,
): void {
  const { topology, geometry, mesh } = parts;
  const { tetToFace, faceToTet, faceVertex } = topology;
  const { kind, wallVelocity, fixed } = outConditions;
  const d = emitter.direction;
  const plug: number[] = [];
  let moment = 0;
  let volume = 0;
  forEachTetInside(emitter.shape, parts, (t) => {
    if (fixed[t] === 1) return;
    fixed[t] = 1;
    plug.push(t);
    volume += geometry.volume[t];
    let along = 0;
    for (let i = 0; i < 4; i++) along += 0.25 * dotAt(mesh.position, 3 * mesh.tet[4 * t + i], d);
    moment += along * geometry.volume[t];
  });
  if (plug.length === 0) return;
  const middle = moment / volume;
  const isFront = (f: number) =>
    (dotAt(mesh.position, 3 * faceVertex[3 * f], d) +
      dotAt(mesh.position, 3 * faceVertex[3 * f + 1], d) +
      dotAt(mesh.position, 3 * faceVertex[3 * f + 2], d)) /
      3 >
    middle;
  let front = 0;
  let sides = 0;
  let wet = 0;
  for (const t of plug) {
    for (let i = 0; i < 4; i++) {
      const f = tetToFace[4 * t + i];
      if (!isHull(f, faceToTet, fixed)) continue;
      if (isFront(f))
        front += (faceToTet[2 * f] === t ? 1 : -1) * dotAt(geometry.form, geometry.faceForm[f], d);
      else sides += geometry.form[geometry.faceForm[f] + AREA];
      if (!isFront(f) && faceToTet[2 * f + 1] !== NONE) wet += geometry.form[geometry.faceForm[f] + AREA];
    }
  }
  const under = sides > 0 ? wet / sides : 0;
  const speed = front > 0 ? emitter.flowAt(time) / (under * front + (1 - under) * section) : 0;
  for (const t of plug) {
    for (let i = 0; i < 4; i++) {
      const f = tetToFace[4 * t + i];
      const through =
        (speed * dotAt(geometry.form, geometry.faceForm[f], d)) / geometry.form[geometry.faceForm[f] + AREA];
      const towardsLiquid = isHull(f, faceToTet, fixed) && faceToTet[2 * f + 1] !== NONE;
      kind[f] = towardsLiquid ? WALL : FIXED;
      wallVelocity[f] = towardsLiquid && !isFront(f) ? 0 : through;
      outFaceVelocity[f] = wallVelocity[f];
    }
  }
}

/** A face of the plug with no fixed tet on its other side. */
function isHull(f: number, faceToTet: Int32Array, fixed: Uint8Array): boolean {
  const s = faceToTet[2 * f];
  const t = faceToTet[2 * f + 1];
  return t === NONE || fixed[s] !== fixed[t];
}

function dotAt(vectors: Float64Array, at: number, d: Vec3): number {
  return vectors[at] * d[0] + vectors[at + 1] * d[1] + vectors[at + 2] * d[2];
}

/** Gives the tets of a drain their divergence; returns the flow it takes, m^3/s. */
function addDrain(
  shape: Implicit,
  wanted: number,
  room: number,
  parts: MeshParts,
  fixed: Uint8Array,
  outSource: Float64Array,
): number {
  if (wanted === 0) return 0;
  const { geometry, embedding } = parts;
  const tets: number[] = [];
  let volume = 0;
  forEachTetInside(shape, parts, (t) => {
    if (fixed[t] === 1) return;
    tets.push(t);
    volume += geometry.volume[t] * (embedding ? embedding.fraction[t] : 1);
  });
  if (volume === 0) return 0;
  const flow = wanted * Math.min(1, volume / (COVERED * room));
  for (const t of tets) outSource[t] -= flow / volume;
  return flow;
}

/** Volume of a shape's part in open space, m^3, by sampling: how much liquid a drain's region can hold. */
export function measureRoom(
  shape: Implicit,
  clearanceAt: (x: number, y: number, z: number) => number,
  samplesPerEdge = 40,
): number {
  const { min, max } = shape.bounds;
  const step = [0, 1, 2].map((a) => (max[a] - min[a]) / samplesPerEdge);
  let inside = 0;
  for (let k = 0; k < samplesPerEdge; k++) {
    for (let j = 0; j < samplesPerEdge; j++) {
      for (let i = 0; i < samplesPerEdge; i++) {
        const x = min[0] + (i + 0.5) * step[0];
        const y = min[1] + (j + 0.5) * step[1];
        const z = min[2] + (k + 0.5) * step[2];
        if (shape.value(x, y, z) > 0 && clearanceAt(x, y, z) > 0) inside++;
      }
    }
  }
  return inside * step[0] * step[1] * step[2];
}

/** Empty conditions over a mesh's tets: nothing fixed, no divergence. */
export function createConditions(faceCount: number, tetCount: number, scope: HeapScope): Conditions {
  return {
    kind: scope.u8(faceCount),
    depth: scope.f64(faceCount),
    lift: scope.f64(faceCount),
    former: scope.f64(faceCount),
    gap: scope.f64(faceCount).fill(Number.POSITIVE_INFINITY),
    wallVelocity: scope.f64(faceCount),
    fixed: scope.u8(Math.max(1, tetCount)),
    source: scope.f64(Math.max(1, tetCount)),
  };
}

/** The same conditions with everything standing still: what accelerations are projected under. */
export function atRest(conditions: Conditions, scope: HeapScope): Conditions {
  const gap = scope.f64(conditions.gap.length);
  // No wall is met in an instant, but the liquid may leave one.
  for (let f = 0; f < gap.length; f++)
    gap[f] = conditions.kind[f] === WALL ? conditions.gap[f] : Number.POSITIVE_INFINITY;
  return {
    ...conditions,
    gap,
    wallVelocity: scope.f64(conditions.wallVelocity.length),
    source: scope.f64(conditions.source.length),
  };
}
