/** Rings of liquid about the z axis: shared by tests and referees of the surface method. */
import type { SurfaceState } from '../../src/methods/surface/state.ts';
import type { LabelledTriangles } from '../../src/tracking/multimaterial/build.ts';

/** A torus about the origin with so many edges round its minor circle, even ones in the middle. */
export function buildRing(major: number, minor: number, divisions: number): LabelledTriangles {
  const long = Math.round((divisions * major) / minor);
  const position = new Float64Array(3 * long * divisions);
  const triangle: number[] = [];
  const id = (i: number, j: number) => divisions * (i % long) + (j % divisions);
  for (let i = 0; i < long; i++)
    for (let j = 0; j < divisions; j++) {
      const t = (2 * Math.PI * (i + 0.5 * (j % 2))) / long;
      const s = (2 * Math.PI * j) / divisions;
      const r = major + minor * Math.cos(s);
      position.set([r * Math.cos(t), r * Math.sin(t), minor * Math.sin(s)], 3 * id(i, j));
      const [a, b, c, d] = [id(i, j), id(i + 1, j), id(i, j + 1), id(i + 1, j + 1)];
      if (j % 2 === 0) triangle.push(a, b, c, b, d, c);
      else triangle.push(a, b, d, a, d, c);
    }
  return {
    position,
    triangle: Int32Array.from(triangle),
    label: Int32Array.from({ length: (2 * triangle.length) / 3 }, (_, h) => (h % 2 === 0 ? 0 : 1)),
  };
}

/**
 * Circulation of the velocity around the ring, m^2/s: the mean over the surface of u . e_theta 2 pi r, each
 * vertex by the angle it stands for.
 */
export function measureCirculation({ tracker: { mesh }, values }: SurfaceState): number {
  const p = mesh.position;
  const u = values.velocity.data;
  const bins = 24;
  const sum = new Float64Array(bins);
  const count = new Float64Array(bins);
  for (let v = 0; v < mesh.vertexFill; v++) {
    const [x, y] = [p[3 * v], p[3 * v + 1]];
    const bin = Math.floor((bins * (Math.atan2(y, x) + Math.PI)) / (2 * Math.PI)) % bins;
    sum[bin] += 2 * Math.PI * (x * u[3 * v + 1] - y * u[3 * v]);
    count[bin]++;
  }
  return sum.reduce((total, s, n) => total + (count[n] > 0 ? s / count[n] : 0), 0) / bins;
}
