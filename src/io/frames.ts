/** Surfaces at their times, and the solids beside them: what the writers of whole sequences take. */
import { InputError } from '../core/errors.ts';
import type { Seconds, Vec3 } from '../core/types.ts';
import type { RigidMotion } from '../geometry/rigid-motion.ts';
import type { ParticleFrame, SurfaceFrame } from '../mesh/fields.ts';
import type { TriMesh } from '../mesh/trimesh.ts';

export interface TimedFrame {
  readonly time: Seconds;
  readonly frame: SurfaceFrame;
  /** Absent where the run kept none of this frame. */
  readonly particles?: ParticleFrame | undefined;
}

/** A surface of several, and its triangles. */
export interface FacesOfPart {
  readonly label: number;
  readonly name: string;
  readonly face: Int32Array;
}

/** The surfaces that a frame consists of, in the order of their labels; none where it is one. */
export function listPartFaces({ faceFields, parts = [] }: SurfaceFrame): FacesOfPart[] {
  const of = faceFields['part']?.values;
  if (!of) return [];
  const faces = new Map<number, number[]>(parts.map(({ label }) => [label, []]));
  for (let t = 0; t < of.length; t++) faces.get(of[t])?.push(t);
  return [...parts]
    .sort((a, b) => a.label - b.label)
    .map(({ label, name }) => ({ label, name, face: Int32Array.from(faces.get(label)!) }));
}

/** A rigid body beside the liquid: its surface at rest, and where it is at any time if it moves. */
export interface SolidTrack {
  readonly name: string;
  readonly mesh: TriMesh;
  readonly motion?: RigidMotion;
}

/** Sequences need at least one frame and rising times. */
export function checkFrames(where: string, frames: readonly TimedFrame[]): void {
  if (frames.length === 0) throw new InputError(where, '0 frames', 'give at least one frame');
  for (let i = 0; i < frames.length; i++) {
    const { time } = frames[i];
    if (Number.isFinite(time) && (i === 0 || time > frames[i - 1].time)) continue;
    throw new InputError(
      where,
      `frame ${i} is at time ${time} s${i > 0 ? `, after one at ${frames[i - 1].time} s` : ''}`,
      'give frames in order of time',
    );
  }
}

/** Where a solid is at a time: turned by the unit quaternion, then moved. */
export interface TimedPose {
  readonly time: Seconds;
  readonly rotation: readonly [x: number, y: number, z: number, w: number];
  readonly translation: Vec3;
}

/** Poses between two frames: readers turn from one to the next the shortest way and blur motion by them. */
const POSES_PER_FRAME = 4;

/** Poses of a moving solid at and between the frames; neighbouring quaternions have the same sign. */
export function listPoses(motion: RigidMotion, frames: readonly TimedFrame[]): TimedPose[] {
  const times = frames.flatMap(({ time }, i) => {
    const next = frames[i + 1]?.time;
    const count = next === undefined ? 1 : POSES_PER_FRAME;
    return Array.from({ length: count }, (_, k) => time + (k * ((next ?? time) - time)) / count);
  });
  const poses: TimedPose[] = [];
  for (const time of times) {
    const { rotation, translation } = motion.poseAt(time);
    const q = computeQuaternion(rotation);
    const before = poses.at(-1)?.rotation;
    const isTurned = before !== undefined && q.reduce((sum, c, k) => sum + c * before[k], 0) < 0;
    poses.push({
      time,
      rotation: isTurned ? [-q[0], -q[1], -q[2], -q[3]] : q,
      translation,
    });
  }
  return poses;
}

/** Of a row-major rotation matrix; found from its largest component, so that nothing cancels. */
export function computeQuaternion(m: readonly number[]): readonly [number, number, number, number] {
  const squares = [
    1 + m[0] - m[4] - m[8],
    1 - m[0] + m[4] - m[8],
    1 - m[0] - m[4] + m[8],
    1 + m[0] + m[4] + m[8],
  ];
  const largest = squares.lastIndexOf(Math.max(...squares));
  const twice = Math.sqrt(squares[largest]);
  const k = 0.5 / twice;
  const sums = [m[7] - m[5], m[2] - m[6], m[3] - m[1]];
  const mixed = [m[1] + m[3], m[2] + m[6], m[5] + m[7]]; // xy, xz, yz
  switch (largest) {
    case 0:
      return [twice / 2, k * mixed[0], k * mixed[1], k * sums[0]];
    case 1:
      return [k * mixed[0], twice / 2, k * mixed[2], k * sums[1]];
    case 2:
      return [k * mixed[1], k * mixed[2], twice / 2, k * sums[2]];
    default:
      return [k * sums[0], k * sums[1], k * sums[2], twice / 2];
  }
}
