/**
 * The camera of the scene: a pyramid of lines from its eye to the frame of its picture, which follows it
 * through time.
 */
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Vector3 } from 'three';
import { type CameraSpec, cameraSchema, poseCamera } from '../../../src/scene/schema-camera.ts';
import type { Backdrop } from './backdrop.ts';

/** The picture's frame is drawn where the camera looks, and no farther than this many sizes of the domain. */
const FARTHEST = 1;
/** Seen before dark and light alike. */
const COLOR = '#f08a24';
/** From the eye to the four corners, around them, and a mark over the upper side. */
const LINES = [0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 2, 3, 3, 4, 4, 1, 3, 5, 5, 4];

/** The camera in what a scene holds where its method says, or null. */
export function parseCamera(found: unknown): CameraSpec | null {
  const parsed = cameraSchema.safeParse(found);
  return parsed.success ? parsed.data : null;
}

/**
 * (6 x 3) eye, corners of the picture (lower left, lower right, upper right, upper left) and a mark above, m.
 */
export function computePyramid(spec: CameraSpec, time: number, farthest: number): Float32Array {
  const { position, target } = poseCamera(spec, time);
  const eye = new Vector3(...position);
  const forward = new Vector3(...target).sub(eye);
  const depth = Math.min(farthest, forward.length() || farthest);
  forward.normalize();
  const right = forward.clone().cross(new Vector3(...spec.up));
  if (right.lengthSq() < 1e-12) right.set(1, 0, 0).addScaledVector(forward, -forward.x);
  right.normalize();
  const up = right.clone().cross(forward);
  const tall = depth * Math.tan((spec.fieldOfView * Math.PI) / 360);
  const wide = tall * spec.aspect;
  const out = new Float32Array(18);
  eye.toArray(out, 0);
  [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [0, 1.4],
  ].forEach(([across, above], n) => {
    eye
      .clone()
      .addScaledVector(forward, depth)
      .addScaledVector(right, across * wide)
      .addScaledVector(up, above * tall)
      .toArray(out, 3 * n + 3);
  });
  return out;
}

export class SceneCamera {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private spec: CameraSpec | null = null;

  constructor(private readonly backdrop: Backdrop) {
    const geometry = new BufferGeometry();
    geometry.setIndex(LINES);
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(18), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ color: COLOR }));
    this.lines.frustumCulled = false;
    this.lines.visible = false;
    backdrop.scene.add(this.lines);
  }

  get isThere(): boolean {
    return this.spec !== null;
  }

  set(spec: CameraSpec | null): void {
    this.spec = spec;
  }

  move(time: number): void {
    if (!this.spec) return;
    const position = this.lines.geometry.getAttribute('position') as BufferAttribute;
    position.copyArray(computePyramid(this.spec, time, FARTHEST * this.backdrop.size));
    position.needsUpdate = true;
  }

  show(on: boolean): void {
    this.lines.visible = on && this.isThere;
  }
}
