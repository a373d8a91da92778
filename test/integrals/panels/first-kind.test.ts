/** The first-kind equation with full matrices and with sparse ones and sums, against the operators of galerkin.ts and against potentials of known flow. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { createFirstKind } from '../../../src/integrals/panels/first-kind.ts';
import { createGalerkinOperator } from '../../../src/integrals/panels/galerkin.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

function measureApart(a: Float64Array, b: Float64Array): number {
  let apart = 0;
  let size = 0;
  a.forEach((x, n) => {
    apart += (x - b[n]) ** 2;
    size += b[n] ** 2;
  });
  return Math.sqrt(apart / size);
}

describe.each([
  ['full matrices', 1e9, 1e-6],
  ['sparse matrices and sums', 0, 1e-8],
])('by %s', (_, mostFull, bound) => {
  const sphere = buildSpheres([{ levels: 2 }]);
  const equation = createFirstKind(resources, sphere, { mostFull, tolerance: 1e-8 });
  const { faceCount, vertexCount } = equation;
  const scope = resources.heap.scope('test');

  it('the products are those of the operators', () => {
    const single = createGalerkinOperator(resources, sphere, {
      layer: 'single',
      density: 'constant',
      method: 'direct',
    });
    const q = scope.f64(faceCount).map((_x, n) => Math.sin(n));
    const onHeap = scope.f64(faceCount);
    onHeap.set(q);
    const [mine, theirs] = [scope.f64(faceCount), new Float64Array(faceCount)];
    equation.applySingle(onHeap, mine);
    single.apply(q, theirs);
    expect(measureApart(mine, theirs)).toBeLessThan(bound);
  });

  it('the transposed product is adjoint, and a constant has no flow', () => {
    const phi = scope.f64(vertexCount);
    const q = scope.f64(faceCount);
    for (let v = 0; v < vertexCount; v++) phi[v] = Math.cos(3 * v);
    for (let f = 0; f < faceCount; f++) q[f] = Math.sin(2 * f);
    const [forward, back] = [scope.f64(faceCount), scope.f64(vertexCount)];
    equation.applyDouble(phi, forward);
    equation.applyDoubleTransposed(q, back);
    const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, n) => sum + x * b[n], 0);
    expect(Math.abs(dot(forward, q) - dot(phi, back))).toBeLessThan(1e-9);
    equation.applyDouble(scope.f64(vertexCount).fill(1), forward);
    expect(Math.max(...forward.map(Math.abs))).toBeLessThan(1e-9);
  });

  it('phi = z has the normal velocity n . z, in few iterations', () => {
    const phi = scope.f64(vertexCount);
    for (let v = 0; v < vertexCount; v++) phi[v] = sphere.position[3 * v + 2];
    const [right, q] = [scope.f64(faceCount), scope.f64(faceCount)];
    equation.applyDouble(phi, right);
    const { converged, iterations } = equation.solve(right, 1e-8, q);
    expect(converged).toBe(true);
    expect(iterations).toBeLessThan(12);
    let worst = 0;
    for (let f = 0; f < faceCount; f++) {
      const [a, b, c] = [0, 1, 2].map((i) => 3 * sphere.triangle[3 * f + i]);
      const p = sphere.position;
      const [ux, uy, uz] = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
      const [wx, wy, wz] = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
      const z = ux * wy - uy * wx;
      const normal = z / Math.hypot(uy * wz - uz * wy, uz * wx - ux * wz, z);
      worst = Math.max(worst, Math.abs(q[f] - normal));
    }
    // Linear potentials are exact but for the far rule and the rules of near pairs.
    expect(worst).toBeLessThan(3e-3);
    equation.free();
  });
});
