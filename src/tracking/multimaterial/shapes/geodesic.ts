/**
 * Unit spheres of nearly equal triangles: the faces of an icosahedron cut into n^2 triangles each, 10 n^2 + 2
 * vertices. Cost: linear.
 */
import type { LabelledTriangles } from '../build.ts';
import { buildSpheres } from '../shapes.ts';

export function buildGeodesicSphere(n: number, label: number): LabelledTriangles {
  const solid = buildSpheres([{ levels: 0, label }]);
  const position: number[] = Array.from(solid.position as Float64Array);
  const triangle: number[] = [];
  const onEdge = new Map<string, number[]>();

  const addVertex = (x: number, y: number, z: number) => {
    const r = Math.hypot(x, y, z);
    return position.push(x / r, y / r, z / r) / 3 - 1;
  };
  /** Vertices from a to b, both included; made once for the two faces of an edge. */
  const divide = (a: number, b: number): number[] => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const key = `${low} ${high}`;
    let row = onEdge.get(key);
    if (!row) {
      row = [low];
      for (let i = 1; i < n; i++) row.push(addVertex(...blend(low, high, i / n)));
      row.push(high);
      onEdge.set(key, row);
    }
    return a === low ? row : [...row].reverse();
  };
  const blend = (a: number, b: number, s: number) =>
    [0, 1, 2].map((k) => (1 - s) * position[3 * a + k] + s * position[3 * b + k]) as [number, number, number];

  for (let f = 0; 3 * f < solid.triangle.length; f++) {
    const [a, b, c] = [0, 1, 2].map((i) => solid.triangle[3 * f + i]);
    const left = divide(a, b);
    const right = divide(a, c);
    const base = divide(b, c);
    const rows: number[][] = [[a]];
    for (let i = 1; i <= n; i++) {
      if (i === n) {
        rows.push(base);
        break;
      }
      const row = [left[i]];
      // Points inside a face are interpolated on the flat face of the solid.
      for (let j = 1; j < i; j++) {
        const [u, v, w] = [1 - i / n, (i - j) / n, j / n];
        const [x, y, z] = [0, 1, 2].map(
          (k) => u * position[3 * a + k] + v * position[3 * b + k] + w * position[3 * c + k],
        );
        row.push(addVertex(x, y, z));
      }
      row.push(right[i]);
      rows.push(row);
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        triangle.push(rows[i][j], rows[i + 1][j], rows[i + 1][j + 1]);
        if (j < i) triangle.push(rows[i][j], rows[i + 1][j + 1], rows[i][j + 1]);
      }
    }
  }
  const label2 = Int32Array.from({ length: (2 * triangle.length) / 3 }, (_, h) => (h % 2 === 0 ? 0 : label));
  return { position: Float64Array.from(position), triangle: Int32Array.from(triangle), label: label2 };
}

/** Divisions that give a sphere edges of about this length: those of equilateral faces with its area. */
export function countDivisions(radius: number, edge: number): number {
  return Math.max(1, Math.round((radius / edge) * Math.sqrt((16 * Math.PI) / (20 * Math.sqrt(3)))));
}
