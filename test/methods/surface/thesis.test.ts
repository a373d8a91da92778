/** The thesis' own step: its operators on spheres, where their results are known, and a swing. */
import { describe, expect, it } from 'vitest';
import { swing } from '../../../cases/surface/drop.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { buildBody, findBodies } from '../../../src/methods/surface/liquid/body.ts';
import { computeGradients, createGradients } from '../../../src/methods/surface/liquid/gradients.ts';
import { relaxSurface } from '../../../src/methods/surface/start/relax.ts';
import { computeDihedralCurvature } from '../../../src/methods/surface/thesis/curvature.ts';
import { measureVelocity } from '../../../src/methods/surface/thesis/moments.ts';
import { solveNormalDerivative, subtractGradient } from '../../../src/methods/surface/thesis/pressure.ts';
import { projectVelocity } from '../../../src/methods/surface/thesis/projection.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const mesh = buildMultiMesh(relaxSurface(buildSpheres([{ levels: 2 }])));
const scope = resources.heap.scope('test');
const body = buildBody(mesh, findBodies(mesh).faces[0], scope);
const gradients = createGradients(body, scope);
computeGradients(body, resources.threads, gradients);
const p = body.position;
const at = (v: number) => [p[3 * v], p[3 * v + 1], p[3 * v + 2]] as const;
const byVertex = (value: (x: number, y: number, z: number) => number) =>
  scope.f64(body.vertexCount).map((_, v) => value(...at(v)));
const byCoordinate = (value: (x: number, y: number, z: number) => readonly number[]) =>
  scope.f64(3 * body.vertexCount).map((_, n) => value(...at(Math.floor(n / 3)))[n % 3]);
/** Root mean square of a difference over that of what it is of. */
function measureMiss(found: Float64Array, truth: Float64Array): number {
  let [above, below] = [0, 0];
  found.forEach((x, n) => {
    above += (x - truth[n]) ** 2;
    below += truth[n] ** 2;
  });
  return Math.sqrt(above / below);
}

it('dihedral angles give the curvature of a sphere', () => {
  const curvature = new Float64Array(body.vertexCount);
  computeDihedralCurvature(body, gradients, curvature);
  const mean = curvature.reduce((sum, x) => sum + x, 0) / curvature.length;
  const radius = Math.hypot(...at(0));
  expect(Math.abs((mean * radius) / 2 - 1)).toBeLessThan(0.02);
});

describe('the pressure of forces', () => {
  it('has the normal derivative of harmonic functions', () => {
    for (const [degree, value] of [
      [1, (x: number) => x],
      [2, (x: number, y: number) => x * x - y * y],
    ] as const) {
      const pressure = scope.f64(body.vertexCount);
      pressure.set(byVertex(value));
      const derivative = scope.f64(body.vertexCount);
      const report = solveNormalDerivative(resources, body, pressure, 1e-8, scope, derivative);
      expect(report.converged).toBe(true);
      expect(
        measureMiss(
          derivative,
          pressure.map((x) => degree * x),
        ),
      ).toBeLessThan(0.05);
    }
  });

  it('changes velocities by its gradient', () => {
    const pressure = byVertex((x, y) => x * x - y * y);
    const derivative = pressure.map((x) => 2 * x);
    const velocity = byCoordinate(() => [0, 0, 0]);
    subtractGradient(body, gradients, pressure, derivative, 0.5, velocity);
    expect(
      measureMiss(
        velocity,
        byCoordinate((x, y) => [-x, y, 0]),
      ),
    ).toBeLessThan(0.05);
  });
});

describe('the projection', () => {
  it('leaves a flow without divergence as it is, but for its errors', () => {
    const flow = byCoordinate((x, y) => [x, -y, 0.3]);
    const velocity = scope.f64(flow.length);
    velocity.set(flow);
    projectVelocity(resources, body, gradients, 1e-6, scope, velocity);
    expect(measureMiss(velocity, flow)).toBeLessThan(0.05);
  });

  it('takes a uniform swelling out', () => {
    const velocity = scope.f64(3 * body.vertexCount);
    velocity.set(byCoordinate((x, y, z) => [x, y, z]));
    projectVelocity(resources, body, gradients, 1e-6, scope, velocity);
    const { volumeGradient: g } = gradients;
    const through = velocity.reduce((sum, u, n) => sum + u * g[n], 0);
    // 4 pi before.
    expect(Math.abs(through)).toBeLessThan(0.05);
  });
});

it('moments of a rigid translation are those of the volume', () => {
  const { volumeGradient: g } = gradients;
  const volume = p.reduce((sum, x, n) => sum + (x * g[n]) / 3, 0);
  const { impulse, turn, square } = measureVelocity(
    body,
    byCoordinate(() => [1, 2, -1]),
  );
  expect(impulse[1]).toBeCloseTo(2 * volume, 9);
  expect(Math.hypot(...turn)).toBeLessThan(1e-2);
  expect(square).toBeCloseTo(6 * volume, 9);
});

it('a drop swings too slowly and fades, as its errors have it', () => {
  const run = swing(resources, 1, 2, { periods: 0.6, options: { step: 'thesis' } });
  expect(run.error).toBeLessThan(-0.03);
  expect(run.error).toBeGreaterThan(-0.35);
  expect(run.turn).toBeLessThan(-0.6);
});
