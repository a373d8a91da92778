import { type PerspectiveCamera, Vector3 } from 'three';
import type { Vec3 } from '../data/types.ts';

/**
 * Named views and "azimuth,elevation" in degrees: azimuth 0 looks from -y (the front), 90 from +x. z is up.
 */
const NAMED_VIEWS: Record<string, readonly [number, number]> = {
  iso: [35, 24],
  front: [0, 4],
  side: [90, 4],
  top: [0, 89.9],
};

export type ViewDirection = readonly [azimuth: number, elevation: number];

/** Null when the text is neither a name nor two numbers. */
export function parseView(text: string): ViewDirection | null {
  const named = NAMED_VIEWS[text];
  if (named) return named;
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2 || !parts.every(Number.isFinite)) return null;
  return [parts[0], Math.max(-89.9, Math.min(89.9, parts[1]))];
}

/**
 * Places the camera so that the whole box is in sight from the given direction. Returns the point it looks
 * at. `share` is the part of width and height, about the middle, that nothing covers.
 */
export function fitCamera(
  camera: PerspectiveCamera,
  min: Vec3,
  max: Vec3,
  view: ViewDirection,
  share: readonly [number, number],
): Vector3 {
  const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
  const azimuth = (view[0] * Math.PI) / 180;
  const elevation = (view[1] * Math.PI) / 180;
  const back = new Vector3(
    Math.cos(elevation) * Math.sin(azimuth),
    -Math.cos(elevation) * Math.cos(azimuth),
    Math.sin(elevation),
  );
  const right = new Vector3(Math.cos(azimuth), Math.sin(azimuth), 0);
  const up = new Vector3().crossVectors(back, right);
  const tanHalf = Math.tan((camera.fov * Math.PI) / 360);
  const tanV = tanHalf * share[1];
  const tanH = tanHalf * camera.aspect * share[0];
  // Each corner must fall inside both pairs of frustum planes; the farthest demand wins.
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const p = new Vector3(
      corner & 1 ? max[0] : min[0],
      corner & 2 ? max[1] : min[1],
      corner & 4 ? max[2] : min[2],
    ).sub(centre);
    const toward = p.dot(back);
    distance = Math.max(
      distance,
      toward + Math.abs(p.dot(right)) / tanH,
      toward + Math.abs(p.dot(up)) / tanV,
    );
  }
  distance *= 1.06;
  const size = centre.distanceTo(new Vector3(...max));
  camera.position.copy(centre).addScaledVector(back, distance);
  // The backdrop sets a nearer plane to fit for every picture; this one holds for any.
  camera.near = 0.02 * size;
  camera.far = distance + 30 * size;
  camera.updateProjectionMatrix();
  camera.lookAt(centre);
  return centre;
}
