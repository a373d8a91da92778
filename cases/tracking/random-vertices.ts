/**
 * Random irregular vertices for the referee of vertex separation: a ball of cones about its middle. The
 * triangles of a sphere are dealt out to regions, and walls from the middle part those that differ. Some
 * labels repeat, so that one material fills several cones, and label 0 may reach the middle.
 */
import { createRandom } from '../../src/core/random.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';

/** Share of the regions that take the outside's label or one of two others. */
const REPEATED = 0.2;

/** The ball of cones with the label that each direction has. */
export function buildCones(
  levels: number,
  labelOf: (x: number, y: number, z: number) => number,
): LabelledTriangles {
  const sphere = buildSpheres([{ levels }]);
  const position = [...(sphere.position as Float64Array)];
  const middle = position.push(0, 0, 0) / 3 - 1;
  const triangle: number[] = [];
  const label: number[] = [];
  const byEdge = new Map<string, number>();
  for (let t = 0; 3 * t < sphere.triangle.length; t++) {
    const [a, b, c] = [0, 1, 2].map((i) => sphere.triangle[3 * t + i]);
    const [x, y, z] = [0, 1, 2].map((k) => position[3 * a + k] + position[3 * b + k] + position[3 * c + k]);
    const region = labelOf(x, y, z);
    if (region !== 0) {
      triangle.push(a, b, c);
      label.push(0, region);
    }
    for (const [u, w] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      byEdge.set(`${u},${w}`, region);
      const other = byEdge.get(`${w},${u}`);
      if (other === undefined || other === region) continue;
      // Seen from outside, this triangle lies left of u -> w: behind the wall middle, u, w.
      triangle.push(middle, u, w);
      label.push(region, other);
    }
  }
  const used = new Map<number, number>();
  const packed: number[] = [];
  const renumbered = triangle.map((v) => {
    if (!used.has(v)) used.set(v, packed.push(...position.slice(3 * v, 3 * v + 3)) / 3 - 1);
    return used.get(v)!;
  });
  return { position: packed, triangle: renumbered, label };
}

/** Cones nearest to random axes, so many of them; no faces where all took one label. */
export function buildRandomVertex(seed: number, regions: number): LabelledTriangles {
  const random = createRandom(seed);
  const axes = Array.from({ length: regions }, (_, n) => ({
    label: random.next() < REPEATED ? random.nextInt(3) : n + 1,
    direction: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5],
  }));
  const score = (d: number[], x: number, y: number, z: number) =>
    (d[0] * x + d[1] * y + d[2] * z) / Math.hypot(d[0], d[1], d[2]);
  return buildCones(
    1,
    (x, y, z) =>
      axes.reduce((best, axis) =>
        score(axis.direction, x, y, z) > score(best.direction, x, y, z) ? axis : best,
      ).label,
  );
}
