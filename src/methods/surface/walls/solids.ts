/**
 * What liquid may touch: sides of the domain and solids of the scene, at rest or in rigid motion, each with
 * its contact angles. Clearances are distances, positive in the open.
 */
import type { Box, Metres, Seconds, Vec3 } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import {
  computePointVelocity,
  type RigidMotion,
  type RigidPose,
  rotateVector,
} from '../../../geometry/rigid-motion.ts';
import { computeClearanceNormal } from '../../../geometry/sharp-edges.ts';
import type { Solid } from '../../../scene/scene.ts';

/** Cosines of the angles at which a contact line advances and recedes; between them it is held. */
export interface ContactAngles {
  readonly advancing: number;
  readonly receding: number;
}

export interface SolidWall {
  readonly name: string;
  readonly angles: ContactAngles;
  /** Distance of a point, m. */
  clearance(x: number, y: number, z: number, time: Seconds): Metres;
  /** Unit vector out of the solid. */
  normal(x: number, y: number, z: number, time: Seconds): Vec3;
  /** Of a side of the domain. */
  readonly side?: { readonly axis: number; readonly isHigh: boolean; readonly place: Metres };
  /** Velocity of the solid at a point, m/s; undefined: at rest always. */
  velocity?(x: Vec3, time: Seconds): Vec3;
}

/** Names of the domain's sides: low x, high x, low y, ... */
export const SIDES = ['-x', '+x', '-y', '+y', '-z', '+z'] as const;
export type Side = (typeof SIDES)[number];

/** One side of the domain, 2 axis + (1 at the high end). */
export function buildSide({ min, max }: Box, side: number, angles: ContactAngles): SolidWall {
  const axis = side >> 1;
  const sign = side % 2 === 0 ? 1 : -1;
  const place = (sign > 0 ? min : max)[axis];
  const unit = [0, 0, 0];
  unit[axis] = sign;
  const normal = unit as unknown as Vec3;
  return {
    name: `domain ${SIDES[side]}`,
    angles,
    side: { axis, isHigh: sign < 0, place },
    clearance: (x, y, z) => sign * ((axis === 0 ? x : axis === 1 ? y : z) - place),
    normal: () => normal,
  };
}

/** Step of the differences that give normals, in resolutions. */
const NORMAL_STEP = 1e-4;

export function buildSolid(
  { name, shape, motion }: Solid,
  resolution: Metres,
  angles: ContactAngles,
): SolidWall {
  const step = NORMAL_STEP * resolution;
  const rest = (x: number, y: number, z: number) => -shape.value(x, y, z);
  if (!motion)
    return {
      name,
      angles,
      clearance: rest,
      normal: (x, y, z) => computeClearanceNormal(rest, [x, y, z], step),
    };
  const posed = buildPosed(shape, motion);
  return {
    name,
    angles,
    clearance: posed,
    normal: (x, y, z, time) => computeClearanceNormal((a, b, c) => posed(a, b, c, time), [x, y, z], step),
    velocity: (x, time) => computePointVelocity(motion.velocityAt(time), x),
  };
}

/** Clearance of a moving solid, its last pose kept. */
function buildPosed(shape: Implicit, motion: RigidMotion) {
  let known: Seconds | undefined;
  let pose: RigidPose | undefined;
  let back: number[] = [];
  return (x: number, y: number, z: number, time: Seconds): Metres => {
    if (time !== known || !pose) {
      pose = motion.poseAt(time);
      known = time;
      const r = pose.rotation;
      back = [r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]];
    }
    const [tx, ty, tz] = pose.translation;
    const [a, b, c] = rotateVector(back, [x - tx, y - ty, z - tz]);
    return -shape.value(a, b, c);
  };
}

/** Rounds of projection: planes and distances need one or two, corners of slanted walls a few. */
const ROUNDS = 12;

/** Brings the point at `offset` onto all of the walls, the last of them exactly. */
export function projectOnto(
  walls: readonly SolidWall[],
  time: Seconds,
  point: number[] | Float64Array,
  offset: number,
): void {
  for (let round = 0; round < ROUNDS; round++) {
    let worst = 0;
    let moved = 0;
    for (const wall of walls) {
      const [x, y, z] = [point[offset], point[offset + 1], point[offset + 2]];
      const distance = wall.clearance(x, y, z, time);
      worst = Math.max(worst, Math.abs(distance));
      if (distance === 0) continue;
      const normal = wall.normal(x, y, z, time);
      for (let k = 0; k < 3; k++) point[offset + k] -= distance * normal[k];
      moved = Math.max(moved, Math.abs(x), Math.abs(y), Math.abs(z));
    }
    if (worst <= EXACT * moved) return;
  }
}

/** Of the size of coordinates. */
const EXACT = 1e-14;
