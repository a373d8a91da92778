/**
 * A triangle surface of an implicit shape by surface nets: a vertex in every cell the boundary crosses, at
 * the mean of its edge crossings, and a quad around every crossed edge. Good enough to show a solid; the
 * solver never sees it.
 */
import { BufferAttribute, BufferGeometry } from 'three';
import type { Implicit } from '../../../src/geometry/implicit.ts';
import type { Vec3 } from '../data/types.ts';

/**
 * The part of the shape's boundary in a box; closed also where the shape goes on outside. `cells`: along the
 * longest side.
 */
export function contourShape(
  shape: Implicit,
  box: { readonly min: Vec3; readonly max: Vec3 },
  cells: number,
): BufferGeometry {
  const low = box.min.map((value, i) => Math.max(value, shape.bounds.min[i]));
  const high = box.max.map((value, i) => Math.min(value, shape.bounds.max[i]));
  if (low.some((value, i) => !(value < high[i]))) throw new Error('it is outside the domain');
  const longest = Math.max(...high.map((value, i) => value - low[i]));
  const h = longest / cells;
  // Two empty layers all round close the surface, also where the shape is cut off.
  const n = high.map((value, i) => Math.max(1, Math.ceil((value - low[i]) / h)) + 5);
  const origin = low.map((value) => value - 2.5 * h);
  const stride = [1, n[0], n[0] * n[1]];
  const field = new Float32Array(n[0] * n[1] * n[2]);
  const isOuter = (index: number, axis: number) => index < 2 || index > n[axis] - 3;
  for (let k = 0, s = 0; k < n[2]; k++) {
    for (let j = 0; j < n[1]; j++) {
      for (let i = 0; i < n[0]; i++, s++) {
        const value = shape.value(origin[0] + i * h, origin[1] + j * h, origin[2] + k * h);
        field[s] = isOuter(i, 0) || isOuter(j, 1) || isOuter(k, 2) ? Math.min(value, -0.25 * h) : value;
      }
    }
  }
  const vertexOf = new Int32Array(field.length).fill(-1);
  const position: number[] = [];
  for (let k = 0; k < n[2] - 1; k++) {
    for (let j = 0; j < n[1] - 1; j++) {
      for (let i = 0; i < n[0] - 1; i++) {
        const cell = i + j * stride[1] + k * stride[2];
        const point = findCellPoint(field, cell, stride);
        if (!point) continue;
        vertexOf[cell] = position.length / 3;
        position.push(
          origin[0] + (i + point[0]) * h,
          origin[1] + (j + point[1]) * h,
          origin[2] + (k + point[2]) * h,
        );
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(buildQuads(field, vertexOf, n, stride));
  geometry.computeVertexNormals();
  return geometry;
}

/** Mean of the crossings on the cell's twelve edges, in cell units; null where the boundary does not pass. */
function findCellPoint(field: Float32Array, cell: number, stride: number[]): number[] | null {
  const sum = [0, 0, 0];
  let count = 0;
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let corner = 0; corner < 4; corner++) {
      const [a, b] = [corner & 1, corner >> 1];
      const at = cell + a * stride[u] + b * stride[v];
      const first = field[at];
      const second = field[at + stride[axis]];
      if (first > 0 === second > 0) continue;
      sum[axis] += first / (first - second);
      sum[u] += a;
      sum[v] += b;
      count++;
    }
  }
  return count === 0 ? null : sum.map((value) => value / count);
}

function buildQuads(field: Float32Array, vertexOf: Int32Array, n: number[], stride: number[]): number[] {
  const index: number[] = [];
  for (let k = 1; k < n[2] - 1; k++) {
    for (let j = 1; j < n[1] - 1; j++) {
      for (let i = 1; i < n[0] - 1; i++) {
        const at = i + j * stride[1] + k * stride[2];
        for (let axis = 0; axis < 3; axis++) {
          const inside = field[at] > 0;
          if (inside === field[at + stride[axis]] > 0) continue;
          const [u, v] = [stride[(axis + 1) % 3], stride[(axis + 2) % 3]];
          const [a, b, c, d] = [vertexOf[at - u - v], vertexOf[at - v], vertexOf[at], vertexOf[at - u]];
          // The field falls outwards along the edge when its first end is inside.
          if (inside) index.push(a, b, c, a, c, d);
          else index.push(a, c, b, a, d, c);
        }
      }
    }
  }
  return index;
}
