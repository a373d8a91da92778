/**
 * Closed triangle surfaces of the simple shapes, exact in their corners and edges; round ones are surfaces of
 * revolution. For showing and exporting solids: the solver works with their distance fields
 * (geometry/shapes.ts). Triangles face outward.
 */
import type { Metres, Vec3 } from '../core/types.ts';
import { BOX_FACES } from '../geometry/solids.ts';
import { computeDistance, cross, normalise, subtract } from '../math/vectors.ts';
import type { TriMesh } from './trimesh.ts';

/** Segments around an axis, and along half a circle. */
const SEGMENTS = 64;
const ARC = 32;

/** A point of a profile: distance from the axis and height along it, m. */
type ProfilePoint = readonly [r: number, h: number];

export function tessellateBox(min: Vec3, max: Vec3): TriMesh {
  const position: number[] = [];
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) position.push((i >> k) & 1 ? max[k] : min[k]);
  return toMesh(
    position,
    BOX_FACES.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  );
}

export function tessellateEllipsoid(centre: Vec3, radii: Vec3): TriMesh {
  const unit = revolve(computeArc(1, 0, -90, 90, ARC), [0, 0, 0], [0, 0, 1]);
  return mapPoints(unit, ([x, y, z]) => [
    centre[0] + radii[0] * x,
    centre[1] + radii[1] * y,
    centre[2] + radii[2] * z,
  ]);
}

export function tessellateCylinder(from: Vec3, to: Vec3, radius: Metres): TriMesh {
  const length = computeDistance(from, to);
  const profile: ProfilePoint[] = [
    [0, 0],
    [radius, 0],
    [radius, length],
    [0, length],
  ];
  return revolve(profile, from, subtract(to, from));
}

export function tessellateCapsule(from: Vec3, to: Vec3, radius: Metres): TriMesh {
  const length = computeDistance(from, to);
  const profile = [
    ...computeArc(radius, 0, -90, 0, ARC / 2),
    ...computeArc(radius, 0, 0, 90, ARC / 2).map(([r, h]): ProfilePoint => [r, h + length]),
  ];
  return revolve(profile, from, subtract(to, from));
}

export function tessellateTorus(centre: Vec3, axis: Vec3, major: Metres, minor: Metres): TriMesh {
  return revolve(computeArc(minor, major, -180, 180, ARC).slice(1), centre, axis, true);
}

/** All triangles of several meshes; parts that overlap stay whole. */
export function joinMeshes(meshes: readonly TriMesh[]): TriMesh {
  const position: number[] = [];
  const triangle: number[] = [];
  for (const mesh of meshes) {
    const first = position.length / 3;
    for (let i = 0; i < 3 * mesh.vertexCount; i++) position.push(mesh.position[i]);
    for (let i = 0; i < 3 * mesh.triangleCount; i++) triangle.push(first + mesh.triangle[i]);
  }
  return toMesh(position, triangle);
}

/** The mesh with every vertex moved; the map must not mirror. */
export function mapPoints(mesh: TriMesh, map: (point: Vec3) => Vec3): TriMesh {
  const position = new Float64Array(3 * mesh.vertexCount);
  for (let v = 0; v < position.length; v += 3) {
    position.set(map([mesh.position[v], mesh.position[v + 1], mesh.position[v + 2]]), v);
  }
  return { ...mesh, position };
}

/** An arc about (offset, 0) from one angle to another, degrees; ends on the axis are exactly there. */
function computeArc(
  radius: number,
  offset: number,
  from: number,
  to: number,
  segments: number,
): ProfilePoint[] {
  return Array.from({ length: segments + 1 }, (_, i): ProfilePoint => {
    const degrees = from + ((to - from) * i) / segments;
    const angle = (degrees * Math.PI) / 180;
    const r = Math.abs(degrees) === 90 ? 0 : radius * Math.cos(angle);
    return [offset + r, radius * Math.sin(angle)];
  });
}

/**
 * Turns a profile about an axis: from the lower pole to the upper one, or a closed curve that rises on its
 * outer side.
 */
function revolve(profile: readonly ProfilePoint[], origin: Vec3, axis: Vec3, isClosed = false): TriMesh {
  const [u, v, w] = buildFrame(axis);
  const position: number[] = [];
  const rings = profile.map(([r, h]) => {
    const first = position.length / 3;
    const count = r === 0 ? 1 : SEGMENTS;
    for (let s = 0; s < count; s++) {
      const angle = (2 * Math.PI * s) / SEGMENTS;
      const [x, y] = [r * Math.cos(angle), r * Math.sin(angle)];
      for (let k = 0; k < 3; k++) position.push(origin[k] + x * u[k] + y * v[k] + h * w[k]);
    }
    return (s: number) => first + (s % count);
  });
  const triangle: number[] = [];
  for (let i = 0; i < profile.length - (isClosed ? 0 : 1); i++) {
    const low = rings[i];
    const high = rings[(i + 1) % profile.length];
    for (let s = 0; s < SEGMENTS; s++) {
      if (low(s) !== low(s + 1)) triangle.push(low(s), low(s + 1), high(s + 1));
      if (high(s) !== high(s + 1)) triangle.push(low(s), high(s + 1), high(s));
    }
  }
  return toMesh(position, triangle);
}

/** Right-handed unit vectors, the last along the axis. */
function buildFrame(axis: Vec3): [Vec3, Vec3, Vec3] {
  const w = normalise(axis);
  const least = w.map(Math.abs).indexOf(Math.min(...w.map(Math.abs)));
  const helper: Vec3 = [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0];
  const u = normalise(cross(helper, w));
  return [u, cross(w, u), w];
}

function toMesh(position: number[], triangle: number[]): TriMesh {
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}
