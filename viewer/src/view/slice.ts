/**
 * The plane that takes one half of a picture away, as the shaders of materials, films and curves share it.
 */
import { Plane, Vector3, Vector4 } from 'three';
import type { Backdrop } from './backdrop.ts';

export interface SlicePlane {
  readonly axis: 0 | 1 | 2;
  /** metres along the axis */
  readonly offset: number;
  /** +1 keeps the side below the offset, -1 the side above */
  readonly side: 1 | -1;
}

/** GLSL: `isSlicedAway(world)`; xyz points to the half that is gone, w is its distance from the origin. */
export const SLICE = /* glsl */ `
uniform bool sliced;
uniform vec4 slicePlane;
bool isSlicedAway(vec3 world) { return sliced && dot(slicePlane.xyz, world) > slicePlane.w; }
`;

/** GLSL of a vertex that may be sliced away: where it is seen, and where it lies in the world. */
export const PLACE_VERTEX = /* glsl */ `  vec4 view = modelViewMatrix * vec4(position, 1.0);
  vView = view.xyz;
  vWorld = position;
  vNormalView = normalMatrix * normal;
`;

export interface SliceUniforms {
  readonly sliced: { value: boolean };
  readonly slicePlane: { value: Vector4 };
}

export const createSliceUniforms = (): SliceUniforms => ({
  sliced: { value: false },
  slicePlane: { value: new Vector4() },
});

export function setSlice(uniforms: SliceUniforms, plane: SlicePlane | null): void {
  uniforms.sliced.value = plane !== null;
  if (!plane) return;
  const normal = new Vector3().setComponent(plane.axis, plane.side);
  uniforms.slicePlane.value.set(normal.x, normal.y, normal.z, plane.side * plane.offset);
}

/** Whether the eye looks onto the cut: it is on the half that is gone. */
export function facesSlice({ sliced, slicePlane }: SliceUniforms, { camera }: Backdrop): boolean {
  const { x, y, z, w } = slicePlane.value;
  const eye = camera.position;
  return sliced.value && x * eye.x + y * eye.y + z * eye.z > w;
}

/** The same plane as three writes it: positive on the side that stays. */
export function toClippingPlane({ axis, offset, side }: SlicePlane): Plane {
  return new Plane(new Vector3().setComponent(axis, -side), side * offset);
}
