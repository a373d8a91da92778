/**
 * Which material is where, and how viscous it is there. Vertices carry the share of each material; a nozzle's
 * own is always full of its own. A tet has the mean of its corners: between Newtonian liquids the logarithms
 * of viscosities mix (Arrhenius), the law of the others is that of the material the tet holds most of.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Seconds, Vec3 } from '../../core/types.ts';
import { poseNozzle } from '../../flow/boundary/nozzles.ts';
import type { RheologyLaw } from '../../flow/viscosity/rheology.ts';
import type { TetMesh } from '../../mesh/tetmesh.ts';
import type { LiquidOrigin, ViscousModel } from './model.ts';
import type { ViscousOptions } from './options.ts';

/**
 * Viscosity below which logarithms do not mix, relative to the largest: a liquid of none would take it all.
 */
const LEAST_RATIO = 1e-6;

/** What the viscous solve is told of the materials. */
export interface TetMaterials {
  /** (tetCount) Pa s; where laws are given, a first guess */
  readonly viscosity: Float64Array;
  /** (tetCount) kg/m^3 */
  readonly density: Float64Array;
  /** Absent where all liquids are Newtonian. */
  readonly laws?: { readonly laws: readonly RheologyLaw[]; readonly tetLaw: Uint8Array };
}

/** Shares at the start: of the liquid whose shape a vertex is deepest in. */
export function shareAtStart(model: ViscousModel, mesh: TetMesh, scope: HeapScope): Float64Array {
  const count = model.laws.length;
  const share = scope.f64(count > 1 ? count * mesh.vertexCount : 0);
  const nozzles = poseOrigins(model, 0);
  if (count > 1)
    for (let v = 0; v < mesh.vertexCount; v++)
      share[count * v + findDeepest([...model.liquidOrigins, ...nozzles], mesh.position, v)] = 1;
  return share;
}

/** The nozzles that are open at a time. */
const poseOrigins = ({ emitters, emitterMaterial }: ViscousModel, time: Seconds): LiquidOrigin[] =>
  emitters
    .map((emitter, n) => ({ emitter, material: emitterMaterial[n] }))
    .filter(({ emitter }) => time < emitter.shutFrom)
    .map(({ emitter, material }) => ({ shape: poseNozzle(emitter, time).shape, material }));

function findDeepest(origins: readonly LiquidOrigin[], position: Float64Array, v: number): number {
  let deepest = Number.NEGATIVE_INFINITY;
  let found = 0;
  for (const { shape, material } of origins) {
    const depth = shape.value(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    if (depth <= deepest) continue;
    deepest = depth;
    found = material;
  }
  return found;
}

/**
 * Nozzles hold their own material; vertices that no path led to (-1) take that of the nearest nozzle or
 * start.
 */
export function refillShares(
  model: ViscousModel,
  time: Seconds,
  { position, vertexCount }: TetMesh,
  outShare: Float64Array,
): void {
  const count = model.laws.length;
  if (count === 1) return;
  const nozzles = poseOrigins(model, time);
  for (let v = 0; v < vertexCount; v++) {
    const at = count * v;
    let own = outShare[at] < 0 ? findDeepest(model.liquidOrigins, position, v) : -1;
    for (const { shape, material } of nozzles)
      if (shape.value(position[3 * v], position[3 * v + 1], position[3 * v + 2]) >= 0) own = material;
    if (own < 0) continue;
    outShare.fill(0, at, at + count);
    outShare[at + own] = 1;
  }
}

/** (tetCount) viscosities, densities and laws of a mesh's tets, from the shares at its vertices. */
export function findTetMaterials(
  model: ViscousModel,
  mesh: TetMesh,
  share: Float64Array,
  scope: HeapScope,
): TetMaterials {
  const { tetCount, tet } = mesh;
  const count = model.laws.length;
  const viscosity = scope.f64(tetCount);
  const density = scope.f64(tetCount).fill(model.density);
  const field = model.options.viscosityField;
  if (field) {
    fillField(field, mesh, viscosity);
    return { viscosity, density };
  }
  const own = model.laws.map(guessViscosity);
  const least = LEAST_RATIO * Math.max(...own);
  const tetLaw = scope.u8(tetCount);
  const part = new Float64Array(count);
  for (let t = 0; t < tetCount; t++) {
    if (count === 1) {
      viscosity[t] = own[0];
      continue;
    }
    part.fill(0);
    for (let n = 4 * t; n < 4 * t + 4; n++)
      for (let m = 0; m < count; m++) part[m] += share[count * tet[n] + m] / 4;
    let log = 0;
    for (let m = 0; m < count; m++) {
      log += part[m] * Math.log(Math.max(own[m], least) || 1);
      if (part[m] > part[tetLaw[t]]) tetLaw[t] = m;
    }
    viscosity[t] = part[tetLaw[t]] === 1 ? own[tetLaw[t]] : least > 0 ? Math.exp(log) : 0;
  }
  return model.isNewtonian
    ? { viscosity, density }
    : { viscosity, density, laws: { laws: model.laws, tetLaw } };
}

/** A first guess of a law's viscosity, Pa s. */
function guessViscosity(law: RheologyLaw): number {
  switch (law.type) {
    case 'newtonian':
    case 'bingham':
      return law.viscosity;
    case 'carreau':
      return law.zero;
    case 'power-law':
    case 'herschel-bulkley':
      return law.consistency;
  }
}

/** Viscosity by place, at the tets' centres. */
function fillField(
  { from, to, values }: NonNullable<ViscousOptions['viscosityField']>,
  { tetCount, tet, position }: TetMesh,
  outViscosity: Float64Array,
): void {
  const way = [0, 1, 2].map((a) => to[a] - from[a]) as unknown as Vec3;
  const squared = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
  const last = values.length - 1;
  for (let t = 0; t < tetCount; t++) {
    let along = 0;
    for (let n = 4 * t; n < 4 * t + 4; n++)
      for (let a = 0; a < 3; a++) along += (way[a] * (position[3 * tet[n] + a] - from[a])) / 4;
    const place = last * Math.min(1, Math.max(0, along / squared));
    const n = Math.min(last - 1, Math.floor(place));
    outViscosity[t] = values[n] + (place - n) * (values[n + 1] - values[n]);
  }
}
