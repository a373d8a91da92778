/**
 * Particles take up the new velocities and move with them ([ando-2013] 3 and 4, lines 12 and 13).
 *
 * Velocities are half a step behind positions (leapfrog): the step's impulse is that of half the last step
 * and half this one, and free fall is exact. Inside a tet the velocity is linear in the four tets between its
 * corners and its barycentre, which has a sample of its own. Where the pressure does not act particles fly
 * freely.
 */
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask } from '../../core/threads/task.ts';
import type { Seconds } from '../../core/types.ts';
import { PressureElement } from '../../flow/nodal/element.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import { type MeshValues, meshRecord, PARTICLE_GRAIN } from './mesh.ts';
import type { FlipModel } from './model.ts';

/** A velocity over the mesh: at nodes and at barycentres. */
export const fieldRecord = defineRecord('flip field', { node: 'f64', nodeKnown: 'u8', tet: 'f64' });
export type FieldValues = ValuesOf<typeof fieldRecord>;

/**
 * Adds the field in tet t at barycentric coordinates (4 from b on) to out at o; false where a corner is not
 * known.
 */
function addField(
  mesh: MeshValues,
  field: FieldValues,
  t: number,
  barycentric: Float64Array,
  b: number,
  out: Float64Array,
  o: number,
): boolean {
  const { tet } = mesh;
  const least = Math.min(barycentric[b], barycentric[b + 1], barycentric[b + 2], barycentric[b + 3]);
  for (let i = 0; i < 4; i++) {
    const w = barycentric[b + i] - least;
    const v = tet[4 * t + i];
    if (field.nodeKnown[v] === 0) return false;
    out[o] += w * field.node[3 * v];
    out[o + 1] += w * field.node[3 * v + 1];
    out[o + 2] += w * field.node[3 * v + 2];
  }
  out[o] += 4 * least * field.tet[3 * t];
  out[o + 1] += 4 * least * field.tet[3 * t + 1];
  out[o + 2] += 4 * least * field.tet[3 * t + 2];
  return true;
}

const takeUp = defineTask(
  'flip/take-up-velocity',
  {
    mesh: meshRecord,
    tet: 'i32',
    barycentric: 'f64',
    wet: 'u8',
    free: 'u8',
    volume: 'f64',
    change: fieldRecord,
    mean: fieldRecord,
    gravityX: 'number',
    gravityY: 'number',
    gravityZ: 'number',
    kick: 'number',
    dt: 'number',
    picShare: 'number',
    viscosity: 'number',
    isAffine: 'number',
    velocity: 'f64',
    rate: 'f64',
    affine: 'f64',
  },
  (begin, end, values) => {
    const { mesh, tet, barycentric, wet, free, volume, change, mean, kick, dt, picShare, viscosity } = values;
    const { velocity, rate, affine, isAffine } = values;
    const { gravityX, gravityY, gravityZ } = values;
    const element = new PressureElement();
    const { gradient: g } = element;
    const sum = new Float64Array(3);
    for (let p = begin; p < end; p++) {
      const o = 3 * p;
      const t = tet[p];
      sum[0] = kick * gravityX;
      sum[1] = kick * gravityY;
      sum[2] = kick * gravityZ;
      const isWet = t >= 0 && wet[t] === 1 && free[p] === 0;
      if (isWet) addField(mesh, change, t, barycentric, 4 * p, sum, 0);
      for (let a = 0; a < 3; a++) {
        rate[o + a] = sum[a] / kick;
        velocity[o + a] += sum[a];
      }
      if (!isWet) continue;
      const r = radiusOfVolume(volume[p]);
      const share = isAffine === 1 ? 1 : Math.min(1, Math.max(picShare, (viscosity * dt) / (r * r))); // eq. (14)
      sum.fill(0);
      if (share === 0 || !addField(mesh, mean, t, barycentric, 4 * p, sum, 0)) continue;
      for (let a = 0; a < 3; a++) velocity[o + a] += share * (sum[a] - velocity[o + a]);
      if (isAffine === 0) continue;
      element.setGradients(mesh.node, mesh.tet, t);
      for (let n = 0; n < 9; n++) affine[9 * p + n] = 0;
      for (let i = 0; i < 4; i++) {
        const v = 3 * mesh.tet[4 * t + i];
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) affine[9 * p + 3 * a + b] += mean.node[v + a] * g[3 * i + b];
      }
    }
  },
);

export interface TakeUp {
  /** m^2/s that eq. (14) stands for: none where the mesh has it */
  readonly viscosity: number;
  readonly mesh: MeshValues;
  readonly tet: Int32Array;
  readonly barycentric: Float64Array;
  readonly wet: Uint8Array;
  /** Particles that no pressure acts on: ballistic ones and those in nozzles */
  readonly free: Uint8Array;
  readonly volume: Float64Array;
  readonly change: FieldValues;
  readonly mean: FieldValues;
  readonly kick: Seconds;
  readonly dt: Seconds;
  readonly velocity: Float64Array;
  readonly rate: Float64Array;
  readonly affine: Float64Array;
}

/** New velocities, in place; `rate` is the acceleration they came by. */
export function takeUpVelocity({ threads, options, gravity }: FlipModel, values: TakeUp): void {
  threads.run(takeUp, values.volume.length, PARTICLE_GRAIN, {
    ...values,
    gravityX: gravity[0],
    gravityY: gravity[1],
    gravityZ: gravity[2],
    picShare: options.picShare,
    isAffine: options.transfer === 'apic' ? 1 : 0,
  });
}

/**
 * Positions a step on, in place. The velocity is that of the middle of the step: a straight way is exact to
 * second order, as in free fall, and what spins keeps its spin. Following the mesh velocity round the bend
 * would turn ways and leave velocities behind. Particles outside the mesh, or where the pressure does not
 * act, go by their own.
 */
const advect = defineTask(
  'flip/advect-particles',
  {
    mesh: meshRecord,
    field: fieldRecord,
    tet: 'i32',
    barycentric: 'f64',
    wet: 'u8',
    free: 'u8',
    velocity: 'f64',
    dt: 'number',
    position: 'f64',
  },
  (begin, end, { mesh, field, tet, barycentric, wet, free, velocity, dt, position }) => {
    const u = new Float64Array(3);
    for (let p = begin; p < end; p++) {
      const t = tet[p];
      u.fill(0);
      const isFree = free[p] !== 0 || t < 0 || wet[t] === 0;
      if (isFree || !addField(mesh, field, t, barycentric, 4 * p, u, 0))
        for (let a = 0; a < 3; a++) u[a] = velocity[3 * p + a];
      for (let a = 0; a < 3; a++) position[3 * p + a] += dt * u[a];
    }
  },
);

export interface Advection {
  readonly mesh: MeshValues;
  readonly field: FieldValues;
  readonly tet: Int32Array;
  readonly barycentric: Float64Array;
  readonly wet: Uint8Array;
  /** Particles that no pressure acts on: ballistic ones and those in nozzles */
  readonly free: Uint8Array;
  readonly velocity: Float64Array;
  readonly dt: Seconds;
  readonly position: Float64Array;
}

export function advectParticles({ threads }: FlipModel, values: Advection): void {
  threads.run(advect, values.free.length, PARTICLE_GRAIN, values);
}
