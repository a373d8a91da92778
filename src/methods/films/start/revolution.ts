/**
 * Surfaces of revolution about the z axis as triangles of a wanted size: rings of vertices along each
 * profile, neighbours joined by the shorter diagonal. Profiles that end in the same point share the ring
 * there, so that sheets may meet in circles. Cost: linear.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres } from '../../../core/types.ts';
import type { LabelledTriangles } from '../../../tracking/multimaterial/build.ts';

export interface RevolvedProfile {
  /** Points [r, z], m */
  readonly profile: readonly (readonly [number, number])[];
  /** Regions to the left and right of the profile's direction, r to the right and z up. */
  readonly left: number;
  readonly right: number;
}

/** Fewest vertices of a ring. */
const LEAST_RING = 6;
/** Height of an equilateral triangle. */
const HEIGHT = Math.sqrt(3) / 2;

interface Ring {
  /** First vertex; their number, 1 on the axis. */
  readonly first: number;
  readonly count: number;
}

export function buildRevolution(
  sheets: readonly RevolvedProfile[],
  centre: readonly number[],
  edge: Metres,
): LabelledTriangles {
  const position: number[] = [];
  const triangle: number[] = [];
  const label: number[] = [];
  const shared = new Map<string, Ring>();
  let turn = 0;

  const addRing = (r: number, z: number): Ring => {
    const count = r < 1e-9 * edge ? 1 : Math.max(LEAST_RING, Math.round((2 * Math.PI * r) / edge));
    const first = position.length / 3;
    // Every other ring is turned by half a step, for better triangles.
    turn = 0.5 - turn;
    for (let n = 0; n < count; n++) {
      const angle = (2 * Math.PI * (n + turn)) / count;
      position.push(centre[0] + r * Math.cos(angle), centre[1] + r * Math.sin(angle), centre[2] + z);
    }
    return { first, count };
  };
  const endRing = (r: number, z: number): Ring => {
    const key = `${r.toPrecision(10)} ${z.toPrecision(10)}`;
    const ring = shared.get(key) ?? addRing(r, z);
    shared.set(key, ring);
    return ring;
  };

  for (const { profile, left, right } of sheets) {
    let ring = endRing(...profile[0]);
    for (let n = 1; n < profile.length; n++) {
      const [r0, z0] = profile[n - 1];
      const [r1, z1] = profile[n];
      const steps = Math.max(1, Math.round(Math.hypot(r1 - r0, z1 - z0) / (HEIGHT * edge)));
      for (let k = 1; k <= steps; k++) {
        const s = k / steps;
        const [r, z] = [r0 + s * (r1 - r0), z0 + s * (z1 - z0)];
        const isEnd = n === profile.length - 1 && k === steps;
        const next = isEnd ? endRing(r1, z1) : addRing(r, z);
        stitch(ring, next);
        for (let f = label.length / 2; f < triangle.length / 3; f++) label.push(right, left);
        ring = next;
      }
    }
  }
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from(label),
  };

  /** Triangles between two rings; normals point to the right of the way from a to b. */
  function stitch(a: Ring, b: Ring): void {
    if (a.count === 1 && b.count === 1)
      throw new InputError(
        'sheets',
        'a profile runs along the axis',
        'keep it off the axis between its ends',
      );
    const at = (ring: Ring, n: number) => ring.first + (n % ring.count);
    const distance = (v: number, w: number) =>
      (position[3 * v] - position[3 * w]) ** 2 +
      (position[3 * v + 1] - position[3 * w + 1]) ** 2 +
      (position[3 * v + 2] - position[3 * w + 2]) ** 2;
    let j0 = 0;
    for (let n = 1; n < b.count; n++)
      if (distance(a.first, b.first + n) < distance(a.first, b.first + j0)) j0 = n;
    let i = 0;
    let j = 0;
    const wantedA = a.count === 1 ? 0 : a.count;
    const wantedB = b.count === 1 ? 0 : b.count;
    while (i < wantedA || j < wantedB) {
      const v = at(a, i);
      const w = at(b, j + j0);
      const isFromA =
        j === wantedB || (i < wantedA && distance(at(a, i + 1), w) <= distance(v, at(b, j + 1 + j0)));
      if (isFromA) {
        triangle.push(v, at(a, i + 1), w);
        i++;
      } else {
        triangle.push(v, at(b, j + 1 + j0), w);
        j++;
      }
    }
  }
}
