/**
 * The rope in a surface: its middle line is followed from the nozzle down by sections at right angles to it,
 * until it lies on what came before it. There the section that encloses the line grows at once.
 */
import type { Vec3 } from '../../src/core/types.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';

/** A section at right angles to a rope. */
export interface RopeSection {
  readonly centre: Vec3;
  /** m^2 */
  readonly area: number;
}

export interface Rope {
  /** From the nozzle to where the rope lies down. */
  readonly sections: readonly RopeSection[];
  /** Whether it lies on something: else it ends in the air. */
  readonly isDown: boolean;
}

/** Times the least area so far from which a section is no longer the rope's alone. */
const JOINED = 1.3;
/** Sections before an end is looked for: the nozzle's mouth may be ragged. */
const LEAST_SECTIONS = 3;
const MOST_SECTIONS = 2000;

/** Follows a rope that leaves `mouth` along `direction`, a section every `spacing`. */
export function followRope(surface: TriMesh, mouth: Vec3, direction: Vec3, spacing: number): Rope {
  const sections: RopeSection[] = [];
  let tangent = direction;
  let at = mouth;
  let least = Number.POSITIVE_INFINITY;
  while (sections.length < MOST_SECTIONS) {
    const section = cutAround(surface, at, tangent);
    if (!section) return { sections, isDown: false };
    if (sections.length > LEAST_SECTIONS && section.area > JOINED * least) return { sections, isDown: true };
    least = Math.min(least, section.area);
    const former = sections.at(-1)?.centre;
    if (former) tangent = turnTo(tangent, former, section.centre);
    sections.push(section);
    at = [0, 1, 2].map((a) => section.centre[a] + spacing * tangent[a]) as unknown as Vec3;
  }
  return { sections, isDown: false };
}

/** Half way from the old tangent to the way between two centres: one section's noise is not followed. */
function turnTo(tangent: Vec3, from: Vec3, to: Vec3): Vec3 {
  const way = [0, 1, 2].map((a) => to[a] - from[a]);
  const length = Math.hypot(...way);
  const sum = way.map((w, a) => tangent[a] + w / length);
  const size = Math.hypot(...sum);
  return [sum[0] / size, sum[1] / size, sum[2] / size];
}

/**
 * The loop that the plane through `at` cuts from the surface and that lies around `at`; the smallest, if
 * several do.
 */
export function cutAround(
  { position, triangle, triangleCount }: TriMesh,
  at: Vec3,
  normal: Vec3,
): RopeSection | undefined {
  const [u, w] = spanPlane(normal);
  const height = (v: number) =>
    (position[3 * v] - at[0]) * normal[0] +
    (position[3 * v + 1] - at[1]) * normal[1] +
    (position[3 * v + 2] - at[2]) * normal[2];
  // Where an edge crosses the plane, in its coordinates; each crossing leads to the next, with the liquid to
  // the left.
  const next = new Map<string, { to: string; x: number; y: number }>();
  for (let f = 0; f < triangleCount; f++) {
    // Most triangles are far off, and a rope is cut dozens of times.
    const first = height(triangle[3 * f]) >= 0;
    if (first === height(triangle[3 * f + 1]) >= 0 && first === height(triangle[3 * f + 2]) >= 0) continue;
    const corner = [triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2]];
    const above = corner.map((v) => height(v) >= 0);
    const out = [0, 1, 2].findIndex((i) => above[i] && !above[(i + 1) % 3]);
    const back = [0, 1, 2].findIndex((i) => !above[i] && above[(i + 1) % 3]);
    const [a, b] = [corner[out], corner[(out + 1) % 3]];
    const share = height(a) / (height(a) - height(b));
    const point = [0, 1, 2].map(
      (n) => position[3 * a + n] + share * (position[3 * b + n] - position[3 * a + n]) - at[n],
    );
    next.set(nameEdge(a, b), {
      to: nameEdge(corner[back], corner[(back + 1) % 3]),
      x: point[0] * u[0] + point[1] * u[1] + point[2] * u[2],
      y: point[0] * w[0] + point[1] * w[1] + point[2] * w[2],
    });
  }
  let best: RopeSection | undefined;
  while (next.size > 0) {
    const xs: number[] = [];
    const ys: number[] = [];
    let edge: string = next.keys().next().value!;
    for (let link = next.get(edge); link; link = next.get(edge)) {
      next.delete(edge);
      xs.push(link.x);
      ys.push(link.y);
      edge = link.to;
    }
    const { area, x, y, winding } = measureLoop(xs, ys);
    if (winding === 0 || (best && best.area <= area)) continue;
    best = {
      centre: [0, 1, 2].map((n) => at[n] + x * u[n] + y * w[n]) as unknown as Vec3,
      area,
    };
  }
  return best;
}

const nameEdge = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

function spanPlane(n: Vec3): [Vec3, Vec3] {
  const seed: Vec3 = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const cross = (p: Vec3, q: Vec3): Vec3 => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const u = cross(n, seed);
  const size = Math.hypot(...u);
  const unit: Vec3 = [u[0] / size, u[1] / size, u[2] / size];
  return [unit, cross(n, unit)];
}

/** Area and centroid of a closed polygon, and how often it winds around the origin. */
function measureLoop(xs: readonly number[], ys: readonly number[]) {
  let [twice, x, y, turned] = [0, 0, 0, 0];
  for (let n = 0; n < xs.length; n++) {
    const m = (n + 1) % xs.length;
    const cross = xs[n] * ys[m] - xs[m] * ys[n];
    twice += cross;
    x += cross * (xs[n] + xs[m]);
    y += cross * (ys[n] + ys[m]);
    turned += Math.atan2(cross, xs[n] * xs[m] + ys[n] * ys[m]);
  }
  return {
    area: Math.abs(twice) / 2,
    x: x / (3 * twice),
    y: y / (3 * twice),
    winding: Math.round(turned / (2 * Math.PI)),
  };
}
