/** The camera of a scene, as methods that ask for one spell it, and where it is at a time. */
import { z } from 'zod';
import type { Seconds, Vec3 } from '../core/types.ts';

const triple = (what: string) => z.tuple([z.number(), z.number(), z.number()]).describe(what);

const pose = z
  .strictObject({
    time: z.number().default(0).describe('when the camera is there, seconds'),
    position: triple('where the camera is, metres'),
    target: triple('the point it looks at, metres'),
  })
  .refine(
    ({ position, target }) => position.some((x, a) => x !== target[a]),
    'a camera that looks at a point away from where it is',
  );

/** Least sine of the angle between two directions that counts as one. */
const ACROSS = 1e-6;
const isAcross = (a: readonly number[], b: readonly number[]): boolean => {
  if (b.every((x) => x === 0)) return true; // said of the pose
  const across = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return across > ACROSS * Math.hypot(...a) * Math.hypot(...b);
};

export const cameraSchema = z
  .strictObject({
    poses: z
      .array(pose)
      .min(1)
      .refine(
        (poses) => poses.every(({ time }, n) => n === 0 || time >= poses[n - 1].time),
        'poses in the order of their times',
      )
      .describe('Where the camera is and looks, in the order of time; in between it moves evenly.'),
    up: triple('the direction that is up in the picture').default([0, 0, 1]),
    fieldOfView: z
      .number()
      .positive()
      .max(170)
      .default(45)
      .describe('angle from the lower to the upper edge of the picture, degrees'),
    aspect: z.number().positive().default(1.778).describe('width of the picture over its height'),
  })
  .refine(
    ({ poses, up }) =>
      poses.every(({ position, target }) =>
        isAcross(
          up,
          [0, 1, 2].map((a) => target[a] - position[a]),
        ),
      ),
    'an `up` that is not along the way the camera looks',
  )
  .describe('the camera: what it sees is simulated finely');

export type CameraSpec = z.infer<typeof cameraSchema>;

/** Where a camera is and what it looks at. */
export function poseCamera({ poses }: CameraSpec, time: Seconds): { position: Vec3; target: Vec3 } {
  let n = 0;
  while (n + 1 < poses.length && poses[n + 1].time <= time) n++;
  const from = poses[n];
  const to = poses[Math.min(n + 1, poses.length - 1)];
  const span = to.time - from.time;
  const share = span > 0 ? Math.min(1, Math.max(0, (time - from.time) / span)) : 0;
  const mix = (a: Vec3, b: Vec3): Vec3 => [
    a[0] + share * (b[0] - a[0]),
    a[1] + share * (b[1] - a[1]),
    a[2] + share * (b[2] - a[2]),
  ];
  return { position: mix(from.position, to.position), target: mix(from.target, to.target) };
}
