/** The camera of a scene: what it sees is simulated finely, the rest as coarsely as the surface may be ([ando-2013] 4, V of eq. (15)). */
import { z } from 'zod';
import type { Metres, Seconds, Vec3 } from '../../core/types.ts';

const triple = (what: string) => z.tuple([z.number(), z.number(), z.number()]).describe(what);

const pose = z.strictObject({
  time: z.number().default(0).describe('when the camera is there, seconds'),
  position: triple('where the camera is, metres'),
  target: triple('the point it looks at, metres'),
});

export const cameraSchema = z
  .strictObject({
    poses: z
      .array(pose)
      .min(1)
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
  .describe('the camera: what it sees is simulated finely');

export type CameraSpec = z.infer<typeof cameraSchema>;

/** What a camera sees at one time: a pyramid of five planes. */
export interface Frustum {
  /** (5 x 4) unit normal into the pyramid, and offset: normal . x + offset is the distance inside each plane, m. */
  readonly plane: Float64Array;
}

const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
const unit = (a: Vec3): Vec3 => scale(a, 1 / (Math.hypot(...a) || 1));
const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

export function buildFrustum({ poses, up, fieldOfView, aspect }: CameraSpec, time: Seconds): Frustum {
  let n = 0;
  while (n + 1 < poses.length && poses[n + 1].time <= time) n++;
  const from = poses[n];
  const to = poses[Math.min(n + 1, poses.length - 1)];
  const share =
    to.time > from.time ? Math.min(1, Math.max(0, (time - from.time) / (to.time - from.time))) : 0;
  const mix = (a: Vec3, b: Vec3): Vec3 => plus(scale(a, 1 - share), scale(b, share));
  const position = mix(from.position, to.position);
  const target = mix(from.target, to.target);
  const forward = unit(plus(target, scale(position, -1)));
  const right = unit(cross(forward, up));
  const above = cross(right, forward);
  const tall = Math.tan((fieldOfView * Math.PI) / 360);
  const wide = tall * aspect;
  const normals: Vec3[] = [
    forward,
    unit(plus(scale(forward, wide), right)),
    unit(plus(scale(forward, wide), scale(right, -1))),
    unit(plus(scale(forward, tall), above)),
    unit(plus(scale(forward, tall), scale(above, -1))),
  ];
  const plane = new Float64Array(20);
  normals.forEach((normal, p) => {
    plane.set(normal, 4 * p);
    plane[4 * p + 3] = -(normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2]);
  });
  return { plane };
}

/** How far inside the pyramid a point lies, m; negative outside. */
export function depthInFrustum({ plane }: Frustum, x: number, y: number, z: number): Metres {
  let least = Number.POSITIVE_INFINITY;
  for (let p = 0; p < 20; p += 4)
    least = Math.min(least, plane[p] * x + plane[p + 1] * y + plane[p + 2] * z + plane[p + 3]);
  return least;
}
