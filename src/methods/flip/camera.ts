/** What the camera of a scene sees is simulated finely ([ando-2013] 4, V of eq. (15)). */
import type { Metres, Seconds, Vec3 } from '../../core/types.ts';
import { type CameraSpec, poseCamera } from '../../scene/schema-camera.ts';

/** What a camera sees at one time: a pyramid of five planes. */
export interface Frustum {
  /**
   * (5 x 4) unit normal into the pyramid, and offset: normal . x + offset is the distance inside each plane,
   * m.
   */
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

export function buildFrustum(camera: CameraSpec, time: Seconds): Frustum {
  const { up, fieldOfView, aspect } = camera;
  const { position, target } = poseCamera(camera, time);
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
