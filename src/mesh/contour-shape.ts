/**
 * A triangle surface of an implicit shape by dual contouring (Ju et al. 2002): a vertex in every cell the
 * boundary crosses, where the tangent planes at its edge crossings meet best, and a quad around every crossed
 * edge. Edges and corners stay sharp. Good for showing and exporting a solid; the solver never sees it: where
 * two sheets pass through one cell they share a vertex.
 */
import type { Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import { computeClearanceNormal } from '../geometry/sharp-edges.ts';
import { solveSymmetric } from '../math/dense-solve.ts';
import type { TriMesh } from './trimesh.ts';

/**
 * Pull towards the mean of the crossings: decides along edges and in planes, where the planes leave a
 * direction free.
 */
const PULL = 0.01;
/** Step of the differences that give normals, in cells. */
const NORMAL_STEP = 1e-3;
/** Halvings of a crossed edge before the last stretch is taken as straight. */
const HALVINGS = 6;

/**
 * The boundary within the shape's bounds, which must be finite, at `cells` along the longest side; empty
 * where nothing thicker than a cell is found.
 */
export function contourShape(shape: Implicit, cells = 64): TriMesh {
  const grid = sampleGrid(shape, cells);
  const { count, stride } = grid;
  const cellToVertex = new Int32Array(grid.field.length).fill(-1);
  const position: number[] = [];
  for (let k = 0; k < count[2] - 1; k++) {
    for (let j = 0; j < count[1] - 1; j++) {
      for (let i = 0; i < count[0] - 1; i++) {
        const point = findCellPoint(shape, grid, [i, j, k]);
        if (!point) continue;
        cellToVertex[i + j * stride[1] + k * stride[2]] = position.length / 3;
        position.push(...point);
      }
    }
  }
  const triangle = listTriangles(grid, cellToVertex);
  return {
    vertexCount: position.length / 3,
    triangleCount: triangle.length / 3,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}

interface Grid {
  readonly origin: Vec3;
  /** Edge of a cell, m. */
  readonly h: number;
  /** Points along each axis, and the steps between them in `field`. */
  readonly count: readonly number[];
  readonly stride: readonly number[];
  readonly field: Float64Array;
}

/** Values at the grid's points, with an empty cell all round so that the surface closes. */
function sampleGrid(shape: Implicit, cells: number): Grid {
  const { min, max } = shape.bounds;
  const extent = max.map((value, i) => value - min[i]);
  const h = Math.max(...extent) / cells;
  const count = extent.map((length) => Math.max(1, Math.ceil(length / h)) + 3);
  // Centred, and half a cell off the bounds: a flat side does not lie in a layer of points.
  const origin = min.map((value, i) => value + (extent[i] - (count[i] - 1) * h) / 2) as unknown as Vec3;
  const field = new Float64Array(count[0] * count[1] * count[2]);
  for (let k = 0, s = 0; k < count[2]; k++) {
    for (let j = 0; j < count[1]; j++) {
      for (let i = 0; i < count[0]; i++, s++) {
        field[s] = shape.value(origin[0] + i * h, origin[1] + j * h, origin[2] + k * h);
      }
    }
  }
  return { origin, h, count, stride: [1, count[0], count[0] * count[1]], field };
}

/**
 * Where the tangent planes at the crossings of a cell's edges meet best, kept within the cell; undefined
 * where nothing crosses.
 */
function findCellPoint(shape: Implicit, grid: Grid, cell: readonly number[]): Vec3 | undefined {
  const { origin, h, stride, field } = grid;
  const at = cell[0] + cell[1] * stride[1] + cell[2] * stride[2];
  const crossings: Vec3[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    for (let corner = 0; corner < 4; corner++) {
      const [a, b] = [corner & 1, corner >> 1];
      const begin = at + a * stride[u] + b * stride[v];
      if (field[begin] > 0 === field[begin + stride[axis]] > 0) continue;
      const from = [0, 0, 0];
      from[axis] = cell[axis];
      from[u] = cell[u] + a;
      from[v] = cell[v] + b;
      const start = from.map((n, i) => origin[i] + n * h) as unknown as Vec3;
      crossings.push(findCrossing(shape, start, axis, h, field[begin] > 0));
    }
  }
  if (crossings.length === 0) return undefined;
  const mean = [0, 1, 2].map((i) => crossings.reduce((sum, p) => sum + p[i], 0) / crossings.length);
  const value = (x: number, y: number, z: number) => shape.value(x, y, z);
  // Normal equations of the planes about the mean: (sum n n^T + PULL) d = sum n (n . (p - mean)).
  const matrix = [PULL, 0, 0, PULL, 0, PULL];
  const right = [0, 0, 0];
  for (const point of crossings) {
    const n = computeClearanceNormal(value, point, NORMAL_STEP * h);
    const height = n[0] * (point[0] - mean[0]) + n[1] * (point[1] - mean[1]) + n[2] * (point[2] - mean[2]);
    matrix[0] += n[0] * n[0];
    matrix[1] += n[0] * n[1];
    matrix[2] += n[0] * n[2];
    matrix[3] += n[1] * n[1];
    matrix[4] += n[1] * n[2];
    matrix[5] += n[2] * n[2];
    for (let i = 0; i < 3; i++) right[i] += n[i] * height;
  }
  const step = solveSymmetric(matrix, right);
  return mean.map((m, i) => {
    const low = origin[i] + cell[i] * h;
    return Math.min(Math.max(m + step[i], low), low + h);
  }) as unknown as Vec3;
}

/** The point of an edge of length h along an axis where the sign changes. */
function findCrossing(shape: Implicit, start: Vec3, axis: number, h: number, isInside: boolean): Vec3 {
  const pointAt = (along: number): Vec3 => {
    const p: [number, number, number] = [...start];
    p[axis] += along;
    return p;
  };
  let [low, high] = [0, h];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    if (shape.value(...pointAt(middle)) > 0 === isInside) low = middle;
    else high = middle;
  }
  const first = shape.value(...pointAt(low));
  const second = shape.value(...pointAt(high));
  return pointAt(low + (high - low) * (first === second ? 0.5 : first / (first - second)));
}

function listTriangles({ field, count, stride }: Grid, cellToVertex: Int32Array): number[] {
  const triangle: number[] = [];
  for (let k = 1; k < count[2] - 1; k++) {
    for (let j = 1; j < count[1] - 1; j++) {
      for (let i = 1; i < count[0] - 1; i++) {
        const at = i + j * stride[1] + k * stride[2];
        const isInside = field[at] > 0;
        for (let axis = 0; axis < 3; axis++) {
          if (isInside === field[at + stride[axis]] > 0) continue;
          const [u, v] = [stride[(axis + 1) % 3], stride[(axis + 2) % 3]];
          const [a, b, c, d] = [at - u - v, at - v, at, at - u].map((cell) => cellToVertex[cell]);
          // The field falls outwards along the edge when its first end is inside.
          if (isInside) triangle.push(a, b, c, a, c, d);
          else triangle.push(a, c, b, a, d, c);
        }
      }
    }
  }
  return triangle;
}
