/**
 * What a body's surface says by vertex: gradients of its volume and area, and the pressure of tension.
 *
 * With G the gradient of the volume by the position of a vertex and g that of the area, the pressure p that
 * does the work of tension in every motion of the vertex that changes the volume is p G = sigma g, p = sigma
 * g . G / G^2: no dihedral angles (23.4), and a body at rest is exactly the discrete minimum of area at its
 * volume. Cost: linear; threads by vertex.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../../../core/records.ts';
import { defineTask, type Threads } from '../../../core/threads/task.ts';
import { CORNER, COT_B, COT_C, computeDoubleArea, NORMAL, setCorner, U, W } from '../../../math/triangle.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { Resources } from '../../method.ts';
import { type Body, bodyRecord, buildBody, findBodies } from './body.ts';

const GRAIN = 256;
/**
 * G^2 counts as no less than this share of the square of the vertex's area, which it is where the surface is
 * flat. It is next to nothing where the surface is folded up around a vertex, and pressures and motions there
 * would have no bound.
 */
const FLOOR = 0.05;

/**
 * Largest curvature in inverse roots of the vertex's area: a drop of a dozen faces has some 3, a fold of the
 * mesh may have any.
 */
const SHARPEST = 4;

export const gradientsRecord = defineRecord('body gradients', {
  volumeGradient: {
    type: 'f64',
    per: 'vertex',
    stride: 3,
    unit: 'm^2',
    meaning: 'gradient of the volume, G',
  },
  areaGradient: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'gradient of the area, g' },
  area: { type: 'f64', per: 'vertex', unit: 'm^2', meaning: 'a third of the faces around' },
  curvature: { type: 'f64', per: 'vertex', unit: '1/m', meaning: 'g . G / G^2: sum of the two curvatures' },
});
export type Gradients = ValuesOf<typeof gradientsRecord>;

export const createGradients = ({ vertexCount }: Body, scope: HeapScope): Gradients =>
  allocateViews(gradientsRecord, scope, { vertex: vertexCount });

export function computeGradients(body: Body, threads: Threads, out: Gradients): void {
  threads.run(gradientsTask, body.vertexCount, GRAIN, { body, gradients: out });
}

const gradientsTask = defineTask(
  'surface/compute-gradients',
  { body: bodyRecord, gradients: gradientsRecord },
  (begin, end, { body, gradients }) => {
    const { position: p, triangle, cornerStart, vertexCorner } = body;
    const { volumeGradient, areaGradient, area, curvature } = gradients;
    const seen = new Float64Array(CORNER);
    for (let v = begin; v < end; v++) {
      let vx = 0;
      let vy = 0;
      let vz = 0;
      let gx = 0;
      let gy = 0;
      let gz = 0;
      let sum = 0;
      for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
        const c = vertexCorner[n];
        const f = c - (c % 3);
        const b = 3 * triangle[f + ((c - f + 1) % 3)];
        const d = 3 * triangle[f + ((c - f + 2) % 3)];
        const double = setCorner(p, 3 * v, b, d, seen);
        if (double === 0) continue;
        sum += double / 6;
        vx += seen[NORMAL] / 6;
        vy += seen[NORMAL + 1] / 6;
        vz += seen[NORMAL + 2] / 6;
        const cotB = 0.5 * seen[COT_B];
        const cotC = 0.5 * seen[COT_C];
        gx -= cotC * seen[U] + cotB * seen[W];
        gy -= cotC * seen[U + 1] + cotB * seen[W + 1];
        gz -= cotC * seen[U + 2] + cotB * seen[W + 2];
      }
      volumeGradient[3 * v] = vx;
      volumeGradient[3 * v + 1] = vy;
      volumeGradient[3 * v + 2] = vz;
      areaGradient[3 * v] = gx;
      areaGradient[3 * v + 1] = gy;
      areaGradient[3 * v + 2] = gz;
      area[v] = sum;
      const square = Math.max(vx * vx + vy * vy + vz * vz, FLOOR * sum * sum);
      const most = SHARPEST / Math.sqrt(sum);
      const bend = (gx * vx + gy * vy + gz * vz) / square;
      curvature[v] = square > 0 ? Math.max(-most, Math.min(most, bend)) : 0;
    }
  },
);

/**
 * Motion of vertices: the velocity and what along G is missing of m . G = flux; where G is too small, part of
 * it.
 */
export function completeMotion(
  { volumeGradient: g, area }: Gradients,
  flux: Float64Array,
  velocity: Float64Array,
  out: Float64Array,
): void {
  for (let v = 0; v < flux.length; v++) {
    const [x, y, z] = [g[3 * v], g[3 * v + 1], g[3 * v + 2]];
    const square = x * x + y * y + z * z;
    const most = Math.max(square, FLOOR * area[v] ** 2);
    const has = velocity[3 * v] * x + velocity[3 * v + 1] * y + velocity[3 * v + 2] * z;
    const scale = most > 0 ? (flux[v] - has) / most : 0;
    for (let k = 3 * v; k < 3 * v + 3; k++) out[k] = velocity[k] + scale * g[k];
  }
}

/** Of a whole Neumann term: the thesis takes -0.45 of -0.5 (23.2). */
const SHARPNESS = 0.9;

/**
 * One Neumann term of the inverse of the mass matrix, s of it: out = (1 + s) x - s M x / M_lumped, where x is
 * a value; with isFlux (1 + s) x - s M (x / M_lumped) where it is an integral. The thesis' sharpening
 * (23.8)-(23.11); pressures and fluxes take it alike, so that what tension loses the motion gains.
 */
export function sharpen(
  { triangle, vertexCount, position }: Body,
  { area }: Gradients,
  x: Float64Array,
  isFlux: boolean,
  out: Float64Array,
): void {
  out.fill(0);
  for (let c = 0; c < triangle.length; c += 3) {
    const i = triangle[c];
    const j = triangle[c + 1];
    const k = triangle[c + 2];
    const twelfth = computeDoubleArea(position, 3 * i, 3 * j, 3 * k) / 24;
    const a = isFlux ? x[i] / area[i] : x[i];
    const b = isFlux ? x[j] / area[j] : x[j];
    const d = isFlux ? x[k] / area[k] : x[k];
    const sum = a + b + d;
    out[i] += twelfth * (sum + a);
    out[j] += twelfth * (sum + b);
    out[k] += twelfth * (sum + d);
  }
  for (let v = 0; v < vertexCount; v++)
    // Where bodies touch walls there are vertices without free faces.
    if (area[v] > 0) out[v] = (1 + SHARPNESS) * x[v] - SHARPNESS * (isFlux ? out[v] : out[v] / area[v]);
}

/**
 * Each edge i j of each face as it is seen from j. The angle at the third corner is opposite the edge: half
 * its cotangent is the edge's weight from this face. Faces without area are passed over.
 */
export function forEachSide(
  position: Float64Array,
  triangle: Int32Array,
  visit: (i: number, j: number, seen: Float64Array) => void,
): void {
  const seen = new Float64Array(CORNER);
  for (let c = 0; c < triangle.length; c++) {
    const f = c - (c % 3);
    const i = triangle[c];
    const j = triangle[f + ((c - f + 1) % 3)];
    const k = triangle[f + ((c - f + 2) % 3)];
    if (setCorner(position, 3 * j, 3 * k, 3 * i, seen) > 0) visit(i, j, seen);
  }
}

/** Laplacian along the surface of a value by vertex, by cotangents. */
export function computeLaplacian(
  { position, triangle, vertexCount }: Body,
  { area }: Gradients,
  x: Float64Array,
  out: Float64Array,
): void {
  out.fill(0);
  forEachSide(position, triangle, (i, j, seen) => {
    const flow = 0.5 * seen[COT_B] * (x[j] - x[i]);
    out[i] += flow;
    out[j] -= flow;
  });
  for (let v = 0; v < vertexCount; v++) out[v] = area[v] > 0 ? out[v] / area[v] : 0;
}

/** A body in hand, with its gradients; arrays live as long as the visit. */
export interface Visited {
  readonly body: Body;
  readonly gradients: Gradients;
  /** Pockets of air in it. */
  readonly cavities: number;
  readonly scope: HeapScope;
}

/** Visits every body of the mesh; returns how many there are. */
export function forEachBody(
  { heap, threads }: Resources,
  mesh: MultiMesh,
  visit: (visited: Visited) => void,
) {
  const bodies = findBodies(mesh);
  for (let b = 0; b < bodies.count; b++) {
    const scope = heap.scope('surface body');
    try {
      const body = buildBody(mesh, bodies.faces[b], scope);
      const gradients = createGradients(body, scope);
      computeGradients(body, threads, gradients);
      visit({ body, gradients, cavities: bodies.cavities[b].length, scope });
    } finally {
      scope.free();
    }
  }
  return bodies.count;
}
