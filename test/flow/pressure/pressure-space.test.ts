/**
 * The vertex space under the pressure system: Galerkin exactly, symmetric, as fast on large systems as on
 * small ones, for every condition.
 */
import { describe, expect, it } from 'vitest';
import { buildPressureProblem, type PressureProblem } from '../../../cases/lattice/pressure-systems.ts';
import type { HeapScope } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { buildFaceGeometry } from '../../../src/flow/mesh/face-geometry.ts';
import { assemblePressure, type Conditions, FIXED, FREE, WALL } from '../../../src/flow/pressure/pressure.ts';
import { buildVertexSpace } from '../../../src/flow/pressure/pressure-space.ts';
import { solvePressure } from '../../../src/flow/pressure/projection.ts';
import { createAuxiliaryPreconditioner } from '../../../src/linalg/multigrid/auxiliary-space.ts';
import { buildTopology } from '../../../src/mesh/topology.ts';
import { latticeOptions } from '../../../src/methods/lattice/options.ts';
import { computeDistance, multiplyDense, toDense } from '../../linalg/dense.ts';
import { openThreads } from '../../threads.ts';

const { heap, one, two } = await openThreads();

/** The same mesh under other conditions. */
function reassemble(
  problem: PressureProblem,
  scope: HeapScope,
  change: (conditions: Conditions, f: number) => void,
): PressureProblem {
  const { topology, geometry, conditions, mesh } = problem;
  const copy: Conditions = {
    ...conditions,
    kind: scope.u8(topology.faceCount),
    fixed: scope.u8(mesh.tetCount),
  };
  copy.kind.set(conditions.kind);
  for (let f = 0; f < topology.faceCount; f++) change(copy, f);
  const velocity = scope.f64(3 * mesh.tetCount);
  const random = createRandom(3);
  for (let i = 0; i < velocity.length; i++) velocity[i] = random.next() - 0.5;
  const system = assemblePressure(topology, geometry, copy, velocity, one, scope);
  return { ...problem, conditions: copy, system };
}

/** Every boundary face a wall: nothing but pinned pressures. */
const close = (conditions: Conditions, f: number) => {
  if (conditions.kind[f] === FREE) conditions.kind[f] = WALL;
};

/** Tets near the floor belong to an emitter. */
function nozzle({ mesh, topology }: PressureProblem) {
  const isInside = (t: number) => t >= 0 && mesh.position[3 * mesh.tet[4 * t] + 2] < 0.15;
  return (conditions: Conditions, f: number) => {
    const [a, b] = [topology.faceToTet[2 * f], topology.faceToTet[2 * f + 1]];
    for (const t of [a, b]) if (isInside(t)) conditions.fixed[t] = 1;
    const inside = [a, b].filter((t) => t >= 0).map(isInside);
    if (inside.every((x) => x)) conditions.kind[f] = FIXED;
    else if (inside.some((x) => x)) conditions.kind[f] = WALL;
  };
}

/** Tets that share nothing: the smallest droplets there are. */
function buildDroplets(count: number, scope: HeapScope): PressureProblem {
  const random = createRandom(9);
  const position = scope.f64(12 * count);
  const tet = scope.i32(4 * count);
  for (let t = 0; t < count; t++)
    for (let i = 0; i < 4; i++) {
      tet[4 * t + i] = 4 * t + i;
      for (let a = 0; a < 3; a++)
        position[12 * t + 3 * i + a] = (a === i - 1 ? 1 : 0) + 0.2 * random.next() + (a === 0 ? 3 * t : 0);
    }
  const lattice = { tetLevel: scope.u8(count), index: { size: 1 } };
  const mesh = { vertexCount: 4 * count, tetCount: count, position, tet, ...lattice };
  const topology = buildTopology(mesh, scope);
  const geometry = buildFaceGeometry(mesh, topology, one, scope);
  const kind = scope.u8(topology.faceCount).fill(FREE);
  // A free surface some way off at all faces, at one face only, or at none: then the droplet is closed.
  const depth = scope.f64(topology.faceCount).fill(0.3);
  for (let f = 0; f < kind.length; f++) if (f % 12 > 4) kind[f] = WALL;
  const conditions: Conditions = {
    kind,
    depth,
    lift: scope.f64(kind.length),
    former: scope.f64(kind.length),
    gap: scope.f64(kind.length),
    wallVelocity: scope.f64(kind.length),
    fixed: scope.u8(count),
    source: scope.f64(count),
  };
  const velocity = scope.f64(3 * count).map(() => random.next() - 0.5);
  const cellVelocity = scope.f64(3 * count);
  cellVelocity.set(velocity);
  const system = assemblePressure(topology, geometry, conditions, cellVelocity, one, scope);
  return { mesh, topology, geometry, conditions, system, assemblySeconds: 0 };
}

function solve(threads: Threads, problem: PressureProblem, options: object, scope: HeapScope) {
  const x = scope.f64(problem.system.matrix.rowCount);
  const parsed = latticeOptions.parse({ pressureTolerance: 1e-9, ...options });
  const { system, conditions } = problem;
  const report = solvePressure(parsed, problem, system, conditions.fixed, threads, heap, scope, x);
  return { x, report };
}

const problems: Record<string, (scope: HeapScope) => PressureProblem> = {
  'walls and a free surface': (scope) => buildPressureProblem(6, 1, one, scope),
  'a closed pool': (scope) => reassemble(buildPressureProblem(6, 1, one, scope), scope, close),
  'an emitter': (scope) => {
    const problem = buildPressureProblem(6, 1, one, scope);
    return reassemble(problem, scope, nozzle(problem));
  },
  droplets: (scope) => buildDroplets(700, scope),
};

describe.each(Object.keys(problems))('vertex space: %s', (name) => {
  it('has the Galerkin matrix of its map', () => {
    const scope = heap.scope('test');
    const problem = name === 'droplets' ? buildDroplets(30, scope) : problems[name](scope);
    const { mesh, topology, geometry, system, conditions } = problem;
    const space = buildVertexSpace(mesh, topology, geometry, system, conditions.fixed, two, scope, scope);
    const { coarseCount, fineToCoarse, coarseStart, coarseToFine } = space.mean;
    expect(coarseCount).toBeGreaterThan(10);
    const n = system.matrix.rowCount;
    const { rowStart, column, value } = system.matrix;
    const expected = Array.from({ length: coarseCount }, () => new Map<number, number>());
    for (let u = 0; u < n; u++)
      for (let j = rowStart[u]; j < rowStart[u + 1]; j++)
        for (let a = 0; a < 3; a++)
          for (let b = 0; b < 3; b++) {
            const c = fineToCoarse[3 * u + a];
            const d = fineToCoarse[3 * column[j] + b];
            if (c < coarseCount && d < coarseCount)
              expected[c].set(d, (expected[c].get(d) ?? 0) + value[j] / 9);
          }
    const found = space.matrix;
    for (let c = 0; c < coarseCount; c++) {
      const size = expected[c].get(c)!;
      const row = new Map<number, number>();
      for (let j = found.rowStart[c]; j < found.rowStart[c + 1]; j++)
        row.set(found.column[j], found.value[j]);
      expect(found.column[found.diagonal[c]]).toBe(c);
      for (const d of new Set([...row.keys(), ...expected[c].keys()]))
        expect(Math.abs((row.get(d) ?? 0) - (expected[c].get(d) ?? 0))).toBeLessThan(1e-10 * size);
    }
    for (let s = 0; s < coarseToFine.length; s += 97) {
      const c = coarseStart.findIndex((from, i) => from <= s && s < coarseStart[i + 1]);
      expect([...fineToCoarse.subarray(3 * coarseToFine[s], 3 * coarseToFine[s] + 3)]).toContain(c);
    }
    scope.free();
  });

  it('solves to what incomplete Cholesky finds, in few iterations, with the same bits on two threads', () => {
    const scope = heap.scope('test');
    const problem = problems[name](scope);
    const slow = solve(one, problem, { preconditioner: 'incomplete-cholesky' }, scope);
    const fast = solve(one, problem, { preconditioner: 'vertex-multigrid' }, scope);
    const twice = solve(two, problem, { preconditioner: 'vertex-multigrid' }, scope);
    expect(slow.report.converged).toBe(true);
    expect(fast.report.converged).toBe(true);
    expect(fast.report.iterations).toBeLessThan(28);
    expect(twice.report).toEqual(fast.report);
    expect(computeDistance(twice.x, fast.x)).toBe(0);
    const size = computeDistance(slow.x, new Float64Array(slow.x.length));
    expect(size).toBeGreaterThan(0);
    expect(computeDistance(slow.x, fast.x)).toBeLessThan(1e-5 * size);
    scope.free();
  });

  it('is a symmetric positive definite preconditioner', () => {
    const scope = heap.scope('test');
    const { mesh, topology, geometry, system, conditions } = problems[name](scope);
    const space = buildVertexSpace(mesh, topology, geometry, system, conditions.fixed, two, scope, scope);
    const m = createAuxiliaryPreconditioner(two, scope, system.matrix, space);
    const n = system.matrix.rowCount;
    const random = createRandom(4);
    const [x, y, mx, my] = [0, 1, 2, 3].map(() => scope.f64(n));
    for (let i = 0; i < n; i++) {
      x[i] = random.next() - 0.5;
      y[i] = random.next() - 0.5;
    }
    const xx = m.apply(x, mx);
    const yy = m.apply(y, my);
    expect(xx).toBeGreaterThan(0);
    expect(yy).toBeGreaterThan(0);
    let difference = 0;
    for (let i = 0; i < n; i++) difference += x[i] * my[i] - y[i] * mx[i];
    expect(Math.abs(difference)).toBeLessThan(1e-6 * Math.sqrt(xx * yy));
    scope.free();
  });
});

it('takes about as many iterations on 20 times the tets, and far fewer than incomplete Cholesky', () => {
  const iterations = [5, 16].map((cells) => {
    const scope = heap.scope('test');
    const problem = buildPressureProblem(cells, 3, two, scope);
    const { report } = solve(two, problem, { pressureTolerance: 1e-6 }, scope);
    const slow = solve(
      two,
      problem,
      { pressureTolerance: 1e-6, preconditioner: 'incomplete-cholesky' },
      scope,
    );
    expect(report.converged).toBe(true);
    scope.free();
    return { tets: problem.mesh.tetCount, fast: report.iterations, slow: slow.report.iterations };
  });
  expect(iterations[1].tets).toBeGreaterThan(12 * iterations[0].tets);
  expect(iterations[1].fast).toBeLessThan(1.4 * iterations[0].fast);
  expect(iterations[1].fast).toBeLessThan(iterations[1].slow / 5);
});

it.each(['multigrid', 'aggregation-multigrid', 'jacobi'])(
  'other preconditioners agree: %s',
  (preconditioner) => {
    const scope = heap.scope('test');
    const problem = problems['walls and a free surface'](scope);
    const a = solve(two, problem, {}, scope);
    const b = solve(two, problem, { preconditioner }, scope);
    expect(b.report.converged).toBe(true);
    expect(computeDistance(a.x, b.x)).toBeLessThan(1e-6 * computeDistance(a.x, new Float64Array(a.x.length)));
    scope.free();
  },
);

it.each(['multigrid-v', 'multigrid-full'])(
  'multigrid alone agrees, and the residual is that of the system: %s',
  (pressureSolver) => {
    const scope = heap.scope('test');
    const problem = buildPressureProblem(4, 1, one, scope);
    const { matrix, right } = problem.system;
    const { x, report } = solve(two, problem, { pressureSolver }, scope);
    expect(report.converged).toBe(true);
    const size = computeDistance(right, new Float64Array(right.length));
    expect(computeDistance(multiplyDense(toDense(matrix), x), right)).toBeLessThan(1.1e-9 * size);
    scope.free();
  },
);
