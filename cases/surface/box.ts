/** Boxes of even triangles: liquids in vessels, for tests and referees. */
import { BOX_FACES } from '../../src/geometry/solids.ts';

/** The closed surface of a box from the origin, with `cells` squares along its longest edge, two triangles each. */
export function buildBoxSurface(size: readonly [number, number, number], cells: number) {
  const edge = Math.max(...size) / cells;
  const count = size.map((s) => Math.max(1, Math.round(s / edge)));
  const index = new Map<string, number>();
  const position: number[] = [];
  const triangle: number[] = [];
  const vertexAt = (place: readonly number[]) => {
    const key = place.join();
    let v = index.get(key);
    if (v === undefined) {
      v = index.size;
      index.set(key, v);
      position.push(...place.map((n, k) => (n * size[k]) / count[k]));
    }
    return v;
  };
  for (const corners of BOX_FACES) {
    const at = (n: number) => [0, 1, 2].map((k) => ((corners[n] >> k) & 1) * count[k]);
    const [o, a, , b] = [at(0), at(1), at(2), at(3)];
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
  return { position: Float64Array.from(position), triangle: Int32Array.from(triangle) };
}
