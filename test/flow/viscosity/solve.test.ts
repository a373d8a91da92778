/** The viscous solve against what is known exactly; rates of flows that only converge: validation/viscous. */
import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  buildEmbedded,
  buildNodes,
  buildProblem,
  buildStuffedBall,
  findSides,
  type LiquidMesh,
} from '../../../cases/flow/viscous.ts';
import { buildKuhnTets } from '../../../cases/linalg/matrices.ts';
import { type HeapScope, withScope } from '../../../src/core/heap.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { computeLiquidShares } from '../../../src/flow/viscosity/liquid-shares.ts';
import type { ViscousFlow, ViscousOptions, ViscousProblem } from '../../../src/flow/viscosity/problem.ts';
import { solveViscousFlow } from '../../../src/flow/viscosity/solve.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

const inScope = <T>(body: (scope: HeapScope) => T): T => withScope(heap, 'test', body);

const solve = (scope: HeapScope, problem: ViscousProblem, options: ViscousOptions, threads: Threads = two) =>
  solveViscousFlow({ heap, threads }, scope, problem, options);

/** Largest difference from a field over liquid vertices. */
function findError(
  { mesh }: LiquidMesh,
  { velocity, isLiquid }: ViscousFlow,
  at: (x: number, y: number, z: number) => readonly number[],
): number {
  let most = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (isLiquid[v] === 0) continue;
    const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
    const exact = at(x, y, z);
    for (let r = 0; r < 3; r++) most = Math.max(most, Math.abs(velocity[3 * v + r] - exact[r]));
  }
  return most;
}

const turn = (x: number, y: number, z: number) => [
  0.3 + 0.2 * z - 0.5 * y,
  0.5 * x - 0.7 * z,
  0.7 * y - 0.2 * x,
];
const sphere = (x: number, y: number, z: number) => 1 - Math.hypot(x, y, z);

describe('rigid motion', () => {
  const meshes: Record<string, (scope: HeapScope) => { body: LiquidMesh; h: number }> = {
    stuffed: (scope) => ({ body: buildStuffedBall(scope, 1, 0.2, 2), h: 0.2 }),
    embedded: (scope) => ({
      body: buildEmbedded(two, scope, sphere, { half: 1.3, h: 0.16, levels: 2 }),
      h: 0.16,
    }),
  };
  for (const [name, build] of Object.entries(meshes))
    it(`is left alone at nu dt / h^2 = 1000, ${name}: the Laplacian stops it`, () =>
      inScope((scope) => {
        const { body, h } = build(scope);
        const problem = buildProblem(scope, body, { mu: 1000 * h * h, dt: 1 }, turn);
        for (const coupled of [false, true]) {
          const tolerance = 1e-11;
          // From rest: the solve has to find the rotation.
          const guess = { velocity: scope.f64(problem.velocity.length) };
          const flow = solve(scope, problem, { coupled, tolerance, guess });
          expect(flow.report.converged).toBe(true);
          expect(findError(body, flow, turn)).toBeLessThan(1e-9);
          const still = solve(scope, problem, { coupled, tolerance, model: 'laplacian' });
          expect(findError(body, still, turn)).toBeGreaterThan(0.3);
        }
      }));
});

it('free fall is exact, pressure zero', () =>
  inScope((scope) => {
    const body = buildStuffedBall(scope, 1, 0.25);
    const problem = buildProblem(scope, body, { mu: 0.01, rho: 3, dt: 0.1 }, () => [1, 2, 3]);
    // It fell before as well.
    const { velocity: expected } = buildProblem(scope, body, { mu: 0, dt: 1 }, () => [1, 2 - 0.981, 3]);
    const given = { ...problem, expected, acceleration: [0, -9.81, 0] as const };
    const flow = solve(scope, given, { tolerance: 1e-12 });
    expect(findError(body, flow, () => [1, 2 - 0.981, 3])).toBeLessThan(1e-9);
    expect(Math.max(...flow.pressure.map(Math.abs))).toBeLessThan(1e-8);
  }));

/** Kuhn tets end at the plane between the layers. */
function buildKuhn(scope: HeapScope, n: number): LiquidMesh {
  const { vertexCount, tet, position } = buildKuhnTets(n);
  const mesh = {
    vertexCount,
    tetCount: tet.length / 4,
    tet: scope.i32(tet.length),
    position: scope.f64(position.length),
  };
  mesh.tet.set(tet);
  mesh.position.set(position);
  for (let t = 0; t < mesh.tetCount; t++) {
    const p = (i: number, k: number) => position[3 * tet[4 * t + i] + k] - position[3 * tet[4 * t] + k];
    const det =
      p(1, 0) * (p(2, 1) * p(3, 2) - p(2, 2) * p(3, 1)) +
      p(1, 1) * (p(2, 2) * p(3, 0) - p(2, 0) * p(3, 2)) +
      p(1, 2) * (p(2, 0) * p(3, 1) - p(2, 1) * p(3, 0));
    if (det < 0) mesh.tet.set([tet[4 * t + 1], tet[4 * t]], 4 * t);
  }
  return { mesh };
}

describe('Couette flow', () => {
  for (const ratio of [1, 10])
    for (const coupled of [false, true])
      it(`is exact, viscosities 1:${ratio}, ${coupled ? 'with' : 'without'} pressure`, () =>
        inScope((scope) => {
          const body = buildKuhn(scope, 6);
          const { mesh } = body;
          const middle = ratio / (1 + ratio); // 0.909091 for 1:10
          const profile = (y: number) => (y < 0.5 ? 2 * y * middle : middle + (2 * y - 1) * (1 - middle));
          const problem = buildProblem(scope, body, { mu: 1, dt: Number.POSITIVE_INFINITY });
          for (let t = 0; t < mesh.tetCount; t++) {
            let y = 0;
            for (let i = 0; i < 4; i++) y += mesh.position[3 * mesh.tet[4 * t + i] + 1] / 4;
            if (y > 0.5) problem.viscosity[t] = ratio;
          }
          const nodes = buildNodes(scope, mesh, (x, y, z) => {
            const normals = findSides([x, y, z], [0, 0, 0], [1, 1, 1], [2]);
            if (findSides([x, y, z], [0, 0, 0], [1, 1, 1], [0, 1]).length > 0)
              return { velocity: [profile(y), 0, 0] };
            return normals.length > 0 ? { normals } : undefined;
          });
          const flow = solve(scope, { ...problem, nodes }, { coupled, tolerance: 1e-12 });
          expect(findError(body, flow, (_, y) => [profile(y), 0, 0])).toBeLessThan(1e-9);
        }));
});

describe('a still pool', () => {
  for (const mu of [1e-3, 1e3])
    for (const tilt of [0, 0.1])
      it(`stays still, viscosity ${mu}, surface at ${tilt === 0 ? 'a side of the mesh' : 'a slant across its tets'}`, () =>
        inScope((scope) => {
          const { mesh } = buildBlock(scope, [0, 0, 0], [6, tilt > 0 ? 9 : 6, 6], 1 / 6);
          const level = scope.f64(mesh.vertexCount);
          for (let v = 0; v < mesh.vertexCount; v++)
            level[v] = 1.03 - mesh.position[3 * v + 1] + tilt * mesh.position[3 * v];
          const liquid = scope.f64(4 * mesh.tetCount);
          computeLiquidShares(two, mesh, level, 'exact', liquid);
          const body: LiquidMesh = tilt > 0 ? { mesh, liquid } : { mesh };
          const nodes = buildNodes(scope, mesh, (x, y, z) => {
            if (y < 1e-9) return {};
            const normals = findSides([x, y, z], [0, 0, 0], [1, 1, 1], [0, 2]);
            return normals.length > 0 ? { normals } : undefined;
          });
          const problem = buildProblem(scope, body, { mu, rho: 1000, dt: 0.01 });
          const acceleration = [9.81 * tilt, -9.81, 0] as const;
          const flow = solve(scope, { ...problem, nodes, acceleration }, { tolerance: 2e-12 });
          expect(flow.report.converged).toBe(true);
          expect(findError(body, flow, () => [0, 0, 0])).toBeLessThan(1e-9);
          // And the pressure is the weight of what lies above, where there is liquid.
          for (let v = 0; v < mesh.vertexCount; v++)
            if (flow.isLiquid[v] === 1 && level[v] > 0 && tilt > 0)
              expect(Math.abs(flow.pressure[v] - 9810 * level[v])).toBeLessThan(1);
        }));
});

it('gives the same bytes on one thread and two', () =>
  inScope((scope) => {
    const body = buildEmbedded(two, scope, sphere, { half: 1.3, h: 0.2, levels: 1 });
    const problem = buildProblem(scope, body, { mu: 1, dt: 0.1 }, (x, y, z) => [x * y, z, -y * z]);
    const flows = [one, two].map((threads) => solve(scope, problem, { tolerance: 1e-8 }, threads));
    expect(flows[0].report.iterations).toBe(flows[1].report.iterations);
    expect(
      Buffer.from(flows[0].velocity.slice().buffer).equals(Buffer.from(flows[1].velocity.slice().buffer)),
    ).toBe(true);
    expect(
      Buffer.from(flows[0].pressure.slice().buffer).equals(Buffer.from(flows[1].pressure.slice().buffer)),
    ).toBe(true);
  }));
