/** Potential flow in a box with walls on five sides: the wave on top whose flow is known. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { createFirstKind } from '../../../src/integrals/panels/first-kind.ts';
import { createMixedKind } from '../../../src/integrals/panels/mixed-kind.ts';
import { buildBoxSurface } from '../../../src/methods/surface/start/box.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

/** phi = cos(pi x) cosh(pi z) in the unit cube: no flow through its floor and sides. */
function solveWave(cells: number) {
  const { position, triangle } = buildBoxSurface({ min: [0, 0, 0], max: [1, 1, 1] }, 1 / cells);
  const surface = { position: Float64Array.from(position), triangle: Int32Array.from(triangle) };
  const p = surface.position;
  const scope = resources.heap.scope('test');
  const equation = createFirstKind(resources, surface);
  const { faceCount, vertexCount } = equation;
  const isWallFace = new Uint8Array(faceCount);
  const isWallVertex = new Uint8Array(vertexCount).fill(1);
  for (let f = 0; f < faceCount; f++) {
    const corners = [...surface.triangle.subarray(3 * f, 3 * f + 3)];
    if (!corners.every((v) => p[3 * v + 2] === 1)) isWallFace[f] = 1;
    else for (const v of corners) isWallVertex[v] = 0;
  }
  const exact = Float64Array.from(
    { length: vertexCount },
    (_, v) => Math.cos(Math.PI * p[3 * v]) * Math.cosh(Math.PI * p[3 * v + 2]),
  );
  const potential = scope.f64(vertexCount);
  for (let v = 0; v < vertexCount; v++) if (!isWallVertex[v]) potential[v] = exact[v];
  const q = scope.f64(faceCount);
  const flux = scope.f64(vertexCount);
  const mixed = createMixedKind(resources, surface, equation, { isWallFace, isWallVertex }, scope);
  const report = mixed.solve(potential, q, scope.f64(vertexCount), 1e-8, flux);
  let energy = 0;
  for (let v = 0; v < vertexCount; v++) energy += potential[v] * flux[v];
  let worst = 0;
  for (let v = 0; v < vertexCount; v++) worst = Math.max(worst, Math.abs(potential[v] - exact[v]));
  let through = 0;
  for (let v = 0; v < vertexCount; v++) if (isWallVertex[v]) through = Math.max(through, Math.abs(flux[v]));
  return {
    report,
    // phi d phi/dz over the top.
    energyError: energy / (0.5 * Math.PI * Math.sinh(Math.PI) * Math.cosh(Math.PI)) - 1,
    potentialError: worst / Math.cosh(Math.PI),
    through,
  };
}

describe('a wave in a box', () => {
  const coarse = solveWave(6);
  const fine = solveWave(12);

  it('is solved for in a number of iterations that hardly grows', () => {
    expect(fine.report.converged).toBe(true);
    expect(fine.report.iterations).toBeLessThan(22);
    expect(fine.report.iterations).toBeLessThan(coarse.report.iterations + 8);
  });

  it('has the energy and the potential of the formula, better where finer', () => {
    // Of second order: halving the edge leaves about a quarter.
    expect(Math.abs(fine.energyError)).toBeLessThan(0.012);
    expect(Math.abs(fine.energyError)).toBeLessThan(0.3 * Math.abs(coarse.energyError));
    expect(fine.potentialError).toBeLessThan(0.012);
  });

  it('lets nothing through its walls', () => {
    expect(fine.through).toBeLessThan(1e-6);
  });
});
