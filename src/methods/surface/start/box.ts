/** Boxes of even triangles: pools and liquids in vessels, whose edges a contour would cut off. */
import type { Box, Metres } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import { BOX_FACES } from '../../../geometry/solids.ts';
import type { LabelledTriangles } from '../../../tracking/multimaterial/build.ts';
import { LIQUID } from '../liquid/body.ts';

/** Of the size of a box, what its corners may be off its surface. */
const EXACT = 1e-9;

/** Is the shape the box of its own bounds? */
export function isBox({ bounds: { min, max }, value }: Implicit): boolean {
  const near = EXACT * Math.hypot(...max.map((high, k) => high - min[k]));
  for (let n = 0; n < 8; n++) {
    const [x, y, z] = [0, 1, 2].map((k) => ((n >> k) & 1 ? max : min)[k]);
    if (!(Math.abs(value(x, y, z)) <= near)) return false;
  }
  return true;
}

/** The closed surface of a box, squares of about an edge with two triangles each. */
export function buildBoxSurface({ min, max }: Box, edge: Metres): LabelledTriangles {
  const count = max.map((high, k) => Math.max(1, Math.round((high - min[k]) / edge)));
  const index = new Map<string, number>();
  const position: number[] = [];
  const triangle: number[] = [];
  const vertexAt = (place: readonly number[]) => {
    const key = place.join();
    let v = index.get(key);
    if (v === undefined) {
      v = index.size;
      index.set(key, v);
      // Ends are exact, so that they lie on walls.
      position.push(
        ...place.map((n, k) => (n === count[k] ? max[k] : min[k] + (n * (max[k] - min[k])) / count[k])),
      );
    }
    return v;
  };
  for (const corners of BOX_FACES) {
    const at = (n: number) => [0, 1, 2].map((k) => ((corners[n] >> k) & 1) * count[k]);
    const [o, a, b] = [at(0), at(1), at(3)];
    const along = a.map((x, k) => x - o[k]);
    const across = b.map((x, k) => x - o[k]);
    const [m, n] = [along, across].map((d) => Math.max(...d.map(Math.abs)));
    const point = (i: number, j: number) =>
      vertexAt(o.map((x, k) => x + (along[k] / m) * i + (across[k] / n) * j));
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        const [c, d, e, f] = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)];
        // Diagonals in turns: no direction is preferred.
        if ((i + j) % 2 === 0) triangle.push(c, d, e, c, e, f);
        else triangle.push(c, d, f, d, e, f);
      }
  }
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from({ length: (2 * triangle.length) / 3 }, (_, h) => (h % 2 === 0 ? 0 : LIQUID)),
  };
}
