import { describe, expect, it } from 'vitest';
import { buildGradedMesh, solveBall } from '../../../cases/flow/nodal-ball.ts';
import { type HeapScope, withScope } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { PressureElement } from '../../../src/flow/nodal/element.ts';
import {
  buildNodalSystem,
  computeWeakDivergence,
  type NodalDomain,
  solveNodal,
  subtractNodalGradient,
} from '../../../src/flow/nodal/pressure.ts';
import { buildBackground } from '../../../src/mesh/background/mesh.ts';
import { buildOctree } from '../../../src/mesh/octree/sizing.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

const inScope = <T>(body: (scope: HeapScope) => T): T => withScope(heap, 'test', body);

/** Solves for a velocity; returns what is left of it. */
function project(threads: Threads, scope: HeapScope, domain: NodalDomain, velocity: Float64Array) {
  const system = buildNodalSystem(threads, scope, domain);
  const b = scope.f64(system.matrix.rowCount);
  computeWeakDivergence(threads, scope, system, velocity, scope.f64(0), b);
  const q = scope.f64(b.length);
  const report = solveNodal(threads, scope, system, b, q, { tolerance: 1e-12, maxIterations: 100 });
  subtractNodalGradient(threads, system, q, velocity);
  return { system, report, q };
}

describe('pressure at nodes', () => {
  it('finds the potential in a ball with cells of three sizes at its surface: second order, and first without ghosts', () => {
    const errors = [24, 48].map((cells) =>
      inScope((scope) => {
        const mesh = buildGradedMesh(scope, cells, 2);
        const { pressureMean, velocityMean, system } = solveBall(two, scope, mesh);
        expect(system.lossyTets / system.wetTet.length).toBeLessThan(0.02);
        return { pressureMean, velocityMean, first: solveBall(two, scope, mesh, 'none').pressureMean };
      }),
    );
    const order = (name: 'pressureMean' | 'velocityMean' | 'first') =>
      Math.log2(errors[0][name] / errors[1][name]);
    expect(order('pressureMean')).toBeGreaterThan(1.8);
    expect(order('velocityMean')).toBeGreaterThan(0.9);
    expect(order('first')).toBeLessThan(1.2);
    expect(errors[1].pressureMean).toBeLessThan(1e-3);
  });

  it('a level surface in a box comes to rest to rounding, tets of every size in it', () => {
    inScope((scope) => {
      const mesh = buildGradedMesh(scope, 16, 2);
      const { position, vertexCount, tetCount } = mesh;
      const level = scope.f64(vertexCount);
      for (let v = 0; v < vertexCount; v++) level[v] = 0.437 - position[3 * v + 2];
      const velocity = scope.f64(3 * tetCount);
      for (let t = 0; t < tetCount; t++) velocity[3 * t + 2] = -9.81;
      const domain = { mesh, level, open: scope.f64(tetCount).fill(1) };
      const { system } = project(two, scope, domain, velocity);
      let most = 0;
      for (const t of system.wetTet)
        for (let k = 0; k < 3; k++) most = Math.max(most, Math.abs(velocity[3 * t + k]));
      // The surface crosses tets that the paper's (13) would limit, and that would flow.
      expect(system.lossyTets).toBeGreaterThan(0);
      expect(most).toBeLessThan(1e-8);
    });
  });

  it('tets of every shape: symmetric, never negative, and at least a quarter of the liquid block where not extended, for any level set', () => {
    inScope((scope) => {
      const mesh = buildGradedMesh(scope, 16, 2);
      const random = createRandom(11);
      const element = new PressureElement();
      const level = new Float64Array(mesh.vertexCount);
      let limited = 0;
      let failures = 0;
      const shapes = new Set<number>();
      for (let n = 0; n < 20_000; n++) {
        const t = random.nextInt(mesh.tetCount);
        shapes.add(mesh.tetShape[t]);
        for (let i = 0; i < 4; i++)
          level[mesh.tet[4 * t + i]] = (random.next() - 0.5) * 10 ** (-4 * random.next());
        element.setGradients(mesh.position, mesh.tet, t);
        element.setMatrix(level, mesh.tet, t, 1);
        if (element.isLossy) limited++;
        const x = Array.from({ length: 4 }, () => random.next() - 0.5);
        let form = 0;
        let plain = 0;
        let isSymmetric = true;
        for (let i = 0; i < 4; i++)
          for (let j = 0; j < 4; j++) {
            if (element.matrix[4 * i + j] !== element.matrix[4 * j + i]) isSymmetric = false;
            form += x[i] * x[j] * element.matrix[4 * i + j];
            if (!(level[mesh.tet[4 * t + i]] > 0 && level[mesh.tet[4 * t + j]] > 0)) continue;
            const { gradient: g } = element;
            for (let k = 0; k < 3; k++) plain += x[i] * x[j] * element.volume * g[3 * i + k] * g[3 * j + k];
          }
        const least = element.isLossy ? 0 : 0.25 * plain;
        if (!isSymmetric || !(form >= least - 1e-9 * (plain + Math.abs(form)))) failures++;
      }
      expect(shapes.size).toBe(4);
      expect(failures).toBe(0);
      expect(limited).toBeGreaterThan(0);
    });
  });

  it('a box full of liquid has no surface: a node is held, and what flows against the walls stops', () => {
    inScope((scope) => {
      const mesh = buildGradedMesh(scope, 8, 1);
      const level = scope.f64(mesh.vertexCount).fill(1);
      const velocity = scope.f64(3 * mesh.tetCount);
      for (let t = 0; t < mesh.tetCount; t++) velocity[3 * t] = 1;
      const open = scope.f64(mesh.tetCount).fill(1);
      const { system, report } = project(two, scope, { mesh, level, open }, velocity);
      expect(system.isPinned).toBe(true);
      expect(report.converged).toBe(true);
      expect(velocity.reduce((most, u) => Math.max(most, Math.abs(u)), 0)).toBeLessThan(1e-8);
    });
  });

  it('a plate that moves with the liquid leaves a uniform velocity alone', () => {
    inScope((scope) => {
      const octree = buildOctree(
        { origin: [0, 0, 0], size: 1 / 8, roots: [8, 8, 8], maxLevel: 0 },
        {},
        scope,
      );
      const mesh = buildBackground(octree, scope);
      const { position, tet, tetCount, vertexCount } = mesh;
      const level = scope.f64(vertexCount);
      for (let v = 0; v < vertexCount; v++)
        level[v] =
          0.3 - Math.hypot(position[3 * v] - 0.5, position[3 * v + 1] - 0.5, position[3 * v + 2] - 0.5);
      const open = scope.f64(tetCount);
      const velocity = scope.f64(3 * tetCount);
      const solidVelocity = scope.f64(3 * tetCount);
      for (let t = 0; t < tetCount; t++) {
        let low = 0;
        for (let i = 0; i < 4; i++) if (position[3 * tet[4 * t + i] + 2] < 0.51) low++;
        open[t] = 1 - low / 4;
        velocity.set([0.3, -0.2, 0.7], 3 * t);
        solidVelocity.set([0.3, -0.2, 0.7], 3 * t);
      }
      const system = buildNodalSystem(two, scope, { mesh, level, open });
      const b = scope.f64(system.matrix.rowCount);
      computeWeakDivergence(two, scope, system, velocity, solidVelocity, b);
      const withPlate = b.reduce((most, u) => Math.max(most, Math.abs(u)), 0);
      computeWeakDivergence(two, scope, system, velocity, scope.f64(3 * tetCount), b);
      const against = b.reduce((most, u) => Math.max(most, Math.abs(u)), 0);
      expect(against).toBeGreaterThan(1e-3);
      expect(withPlate).toBeLessThan(1e-12);
    });
  });

  it('gives the same bits on one thread and on two', () => {
    const run = (threads: Threads) =>
      inScope((scope) => {
        const mesh = buildGradedMesh(scope, 16, 2);
        const velocity = scope.f64(3 * mesh.tetCount);
        const random = createRandom(5);
        for (let n = 0; n < velocity.length; n++) velocity[n] = random.next() - 0.5;
        const level = scope.f64(mesh.vertexCount);
        for (let v = 0; v < mesh.vertexCount; v++) level[v] = 0.4 - mesh.position[3 * v + 2];
        project(threads, scope, { mesh, level, open: scope.f64(mesh.tetCount).fill(1) }, velocity);
        return Float64Array.from(velocity);
      });
    expect(run(two)).toEqual(run(one));
  });
});
