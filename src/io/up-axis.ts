/**
 * Which way is up, and turning meshes so that it is another one. Scenes may have any axis up (the one against
 * gravity); formats and programs expect y or z. Turns are by right angles, so coordinates are only swapped
 * and negated, without rounding.
 */
import type { Vec3 } from '../core/types.ts';
import { composeMotions, type RigidMotion, rotateVector } from '../geometry/rigid-motion.ts';
import { cross } from '../math/vectors.ts';
import type { Field, ParticleFrame, SurfaceFrame, VolumeFrame } from '../mesh/fields.ts';
import type { SolidTrack } from './frames.ts';

export type UpAxis = 'x' | '-x' | 'y' | '-y' | 'z' | '-z';

/** A rotation by right angles, row-major. */
export type Turn = readonly number[];

/** The axis nearest to the direction against gravity; z where there is none. */
export function findUpAxis(gravity: Vec3): UpAxis {
  const size = gravity.map(Math.abs);
  const most = Math.max(...size);
  if (!(most > 0)) return 'z';
  const axis = size.lastIndexOf(most);
  return `${gravity[axis] > 0 ? '-' : ''}${'xyz'[axis]}` as UpAxis;
}

/**
 * Turns `from` into `to` about the third axis; from z to y (x, y, z) becomes (x, z, -y), as Blender and glTF
 * have it.
 */
export function computeTurn(from: UpAxis, to: UpAxis): Turn {
  const a = toVector(from);
  const b = toVector(to);
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  if (cosine === 1) return [1, 0, 0, 0, 1, 0, 0, 0, 1];
  // About x where both lie across it; upside down about an axis across both.
  const across = cosine === 0 ? cross(a, b) : toVector(a[0] === 0 ? 'x' : 'y');
  const third = cross(across, a);
  const image = cosine === 0 ? cross(across, b) : negate(third);
  // Columns of a, third and across go to b, image and across.
  return [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => b[i] * a[j] + image[i] * third[j] + across[i] * across[j] + 0),
  );
}

export function turnSurface(frame: SurfaceFrame, turn: Turn): SurfaceFrame {
  return {
    mesh: { ...frame.mesh, position: turnVectors(frame.mesh.position, turn) },
    vertexFields: turnFields(frame.vertexFields, turn),
    faceFields: turnFields(frame.faceFields, turn),
    ...(frame.parts && { parts: frame.parts }),
  };
}

export function turnParticles(frame: ParticleFrame, turn: Turn): ParticleFrame {
  return {
    count: frame.count,
    position: turnVectors(frame.position, turn),
    fields: turnFields(frame.fields, turn),
  };
}

export function turnVolume(frame: VolumeFrame, turn: Turn): VolumeFrame {
  return {
    mesh: { ...frame.mesh, position: turnVectors(frame.mesh.position, turn) },
    vertexFields: turnFields(frame.vertexFields, turn),
    cellFields: turnFields(frame.cellFields, turn),
  };
}

/**
 * The solid at rest stands turned, and what carried it carries the turned one: turned back, moved, turned
 * again.
 */
export function turnSolid({ name, mesh, motion }: SolidTrack, turn: Turn): SolidTrack {
  const turned = { name, mesh: { ...mesh, position: turnVectors(mesh.position, turn) } };
  if (!motion) return turned;
  return {
    ...turned,
    motion: composeMotions(standStill(turn), composeMotions(motion, standStill(transpose(turn)))),
  };
}

/** Turned once and for all. */
function standStill(rotation: Turn): RigidMotion {
  return {
    poseAt: () => ({ rotation, translation: [0, 0, 0] }),
    velocityAt: () => ({ linear: [0, 0, 0], angular: [0, 0, 0] }),
  };
}

/** Every field of three components is a vector in space. */
function turnFields(fields: Record<string, Field>, turn: Turn): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.components === 3 ? { ...field, values: turnVectors(field.values, turn) } : field,
    ]),
  );
}

function turnVectors<T extends Field['values']>(values: T, turn: Turn): T {
  const out = values.slice() as T;
  for (let i = 0; i + 2 < values.length; i += 3) {
    out.set(rotateVector(turn, [values[i], values[i + 1], values[i + 2]]), i);
  }
  return out;
}

function toVector(axis: UpAxis): Vec3 {
  const sign = axis.startsWith('-') ? -1 : 1;
  const k = 'xyz'.indexOf(axis.at(-1)!);
  return [k === 0 ? sign : 0, k === 1 ? sign : 0, k === 2 ? sign : 0];
}

const negate = (a: Vec3): Vec3 => [-a[0], -a[1], -a[2]];
const transpose = (m: readonly number[]): number[] => [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]];
