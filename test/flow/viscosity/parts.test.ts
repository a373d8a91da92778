/** The parts of the viscous solve by themselves. */
import { describe, expect, it } from 'vitest';
import { buildNodes, buildProblem, buildStuffedBall, listSurface } from '../../../cases/flow/viscous.ts';
import { type HeapScope, withScope } from '../../../src/core/heap.ts';
import { createRandom } from '../../../src/core/random.ts';
import { addTetMoments, computeTetFraction } from '../../../src/flow/nodal/fractions.ts';
import { buildConstraints, constrainEquations } from '../../../src/flow/viscosity/constraints.ts';
import { buildDomain } from '../../../src/flow/viscosity/domain.ts';
import { allocateEquations, gatherEquations } from '../../../src/flow/viscosity/equations.ts';

import { computeViscosity, type RheologyLaw } from '../../../src/flow/viscosity/rheology.ts';
import { createStokesOperator } from '../../../src/flow/viscosity/stokes-operator.ts';
import { addTension } from '../../../src/flow/viscosity/tension.ts';
import { computeStrainMatrix } from '../../../src/mesh/strain-matrix.ts';
import { openThreads } from '../../threads.ts';

const { heap, one } = await openThreads();

const inScope = (body: (scope: HeapScope) => void): void => withScope(heap, 'test', body);

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);

describe('liquid shares', () => {
  /** Shares by eight-fold division of the tet, down to `depth`; corners as barycentric coordinates. */
  function divide(value: number[], corner: number[][], depth: number, out: number[]): void {
    if (depth === 0 || value.every((v) => v > 0) || value.every((v) => v <= 0)) {
      const part = computeTetFraction(value[0], value[1], value[2], value[3]) / 8 ** (6 - depth);
      for (let i = 0; i < 4; i++)
        out[i] += (part * (corner[0][i] + corner[1][i] + corner[2][i] + corner[3][i])) / 4;
      return;
    }
    const middle = (a: number, b: number): [number, number[]] => [
      (value[a] + value[b]) / 2,
      corner[a].map((c, i) => (c + corner[b][i]) / 2),
    ];
    const p = [0, 1, 2, 3].map((i): [number, number[]] => [value[i], corner[i]]);
    const [ab, ac, ad, bc, bd, cd] = [
      middle(0, 1),
      middle(0, 2),
      middle(0, 3),
      middle(1, 2),
      middle(1, 3),
      middle(2, 3),
    ];
    const [a, b, c, d] = p;
    for (const tet of [
      [a, ab, ac, ad],
      [ab, b, bc, bd],
      [ac, bc, c, cd],
      [ad, bd, cd, d],
      [ab, ac, ad, bd],
      [ab, ac, bc, bd],
      [ac, ad, bd, cd],
      [ac, bc, bd, cd],
    ])
      divide(
        tet.map((q) => q[0]),
        tet.map((q) => q[1]),
        depth - 1,
        out,
      );
  }

  it('add up to the fraction, and are the integrals of the hats', () => {
    const random = createRandom(5);
    const unit = [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : 0)));
    for (let n = 0; n < 40; n++) {
      const value = Float64Array.from({ length: 4 }, () => random.next() - 0.5);
      const shares = new Float64Array(4);
      addTetMoments(value, 1, shares, 0);
      const fraction = computeTetFraction(value[0], value[1], value[2], value[3]);
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(fraction, 12);
      const slow = [0, 0, 0, 0];
      divide([...value], unit, 6, slow);
      for (let i = 0; i < 4; i++) expect(Math.abs(shares[i] - slow[i])).toBeLessThan(2e-3);
    }
  });
});

describe('equations', () => {
  const build = (scope: HeapScope, held: boolean) => {
    const body = buildStuffedBall(scope, 1, 0.4);
    const problem = {
      ...buildProblem(scope, body, { mu: 2, rho: 3, dt: 0.5 }, (x, y) => [y, x * y, 1]),
      ...{ liquid: scope.f64(0), force: scope.f64(0), acceleration: [1, 2, 3] as const },
    };
    const slanted = Math.SQRT1_2;
    const nodes = buildNodes(scope, body.mesh, (x, y, z) => {
      if (Math.hypot(x, y, z) < 0.999) return undefined;
      if (y < -0.5) return { velocity: [1, 0, 0] };
      if (y > 0.5) return { normals: [[slanted, slanted, 0]], velocity: [0, 2, 0] };
      return x > 0.7
        ? {
            normals: [
              [1, 0, 0],
              [0, 0, 1],
            ],
          }
        : undefined;
    });
    const domain = buildDomain(one, scope, body.mesh, problem.liquid, held ? nodes : undefined);
    const equations = allocateEquations(scope, domain, true);
    gatherEquations(one, domain, problem, { pressureScale: 7, isLaplacian: false }, equations);
    const constraints = held ? buildConstraints(scope, domain, nodes) : undefined;
    if (constraints) constrainEquations(one, domain, constraints, equations);
    return { domain, equations, body };
  };

  it('are symmetric, walls of all kinds included; velocities definite, pressures semi-definite', () =>
    inScope((scope) => {
      for (const held of [false, true]) {
        const { domain, equations } = build(scope, held);
        const operator = createStokesOperator(one, equations);
        const random = createRandom(1);
        const draw = () => {
          const x = scope.f64(operator.size);
          for (let i = 0; i < x.length; i++) x[i] = random.next() - 0.5;
          return x;
        };
        for (let n = 0; n < 5; n++) {
          const [x, y, ax, ay] = [draw(), draw(), scope.f64(operator.size), scope.f64(operator.size)];
          operator.apply(x, ax);
          operator.apply(y, ay);
          expect(Math.abs(dot(ax, y) - dot(ay, x))).toBeLessThan(1e-12 * Math.sqrt(dot(ax, ax) * dot(y, y)));
          const split = 3 * domain.pattern.rowCount;
          x.fill(0, split);
          operator.apply(x, ax);
          expect(dot(ax, x)).toBeGreaterThan(0);
          y.fill(0, 0, split);
          operator.apply(y, ay);
          expect(dot(ay, y)).toBeLessThan(0);
        }
      }
    }));

  it('hold the stress of every tet as the general element matrix has it', () =>
    inScope((scope) => {
      const { domain, body } = build(scope, false);
      const { mesh } = body;
      const steady = {
        ...buildProblem(scope, body, { mu: 2, dt: Number.POSITIVE_INFINITY }),
        ...{ liquid: scope.f64(0), force: scope.f64(0) },
      };
      const equations = allocateEquations(scope, domain, false);
      gatherEquations(one, domain, steady, { pressureScale: 1, isLaplacian: false }, equations);
      const u = Float64Array.from({ length: 3 * mesh.vertexCount }, (_, n) => Math.sin(n));
      let energy = 0;
      const corner = new Float64Array(12);
      const matrix = new Float64Array(144);
      for (let t = 0; t < mesh.tetCount; t++) {
        const at = (k: number) => 3 * mesh.tet[4 * t + Math.floor(k / 3)] + (k % 3);
        for (let k = 0; k < 12; k++) corner[k] = mesh.position[at(k)];
        computeStrainMatrix(corner, 2, 0, 0, matrix);
        for (let r = 0; r < 12; r++)
          for (let s = 0; s < 12; s++) energy += u[at(r)] * matrix[12 * r + s] * u[at(s)];
      }
      const { velocity } = equations;
      let own = 0;
      for (let i = 0; i < velocity.rowCount; i++)
        for (let e = velocity.rowStart[i]; e < velocity.rowStart[i + 1]; e++)
          for (let r = 0; r < 3; r++)
            for (let s = 0; s < 3; s++)
              own +=
                u[3 * domain.rowToVertex[i] + r] *
                velocity.value[9 * e + 3 * s + r] *
                u[3 * domain.rowToVertex[velocity.column[e]] + s];
      expect(own / energy).toBeCloseTo(1, 11);
    }));
});

describe('surface tension', () => {
  it('pulls with the gradient of the area, and its stiffness is that of the area along the normal', () =>
    inScope((scope) => {
      const body = buildStuffedBall(scope, 1, 0.4);
      const { mesh } = body;
      const domain = buildDomain(one, scope, mesh, scope.f64(0), undefined);
      const equations = allocateEquations(scope, domain, false);
      const triangle = listSurface(scope, mesh);
      const sigma = 2;
      addTension(domain, { coefficient: sigma, triangle }, 1, equations);
      const measureArea = () => {
        let area = 0;
        for (let n = 0; n < triangle.length; n += 3) {
          const [a, b, c] = [0, 1, 2].map((k) =>
            mesh.position.subarray(3 * triangle[n + k], 3 * triangle[n + k] + 3),
          );
          const u = [0, 1, 2].map((k) => b[k] - a[k]);
          const v = [0, 1, 2].map((k) => c[k] - a[k]);
          area +=
            0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
        }
        return area;
      };
      const step = 1e-6;
      for (let n = 0; n < 60; n++) {
        const v = triangle[(37 * n) % triangle.length];
        const k = n % 3;
        const held = mesh.position[3 * v + k];
        mesh.position[3 * v + k] = held + step;
        const above = measureArea();
        mesh.position[3 * v + k] = held - step;
        const below = measureArea();
        mesh.position[3 * v + k] = held;
        const force = (-sigma * (above - below)) / (2 * step);
        expect(equations.right[3 * domain.vertexToRow[v] + k]).toBeCloseTo(force, 6);
      }
      // Moving all alike changes no area: rows of the stiffness add up to zero, and so do the forces.
      const ones = scope.f64(3 * domain.pattern.rowCount).fill(1);
      const { velocity } = equations;
      let most = 0;
      for (let i = 0; i < velocity.rowCount; i++) {
        let sum = 0;
        for (let e = velocity.rowStart[i]; e < velocity.rowStart[i + 1]; e++)
          sum += velocity.value[9 * e] * ones[e % 3];
        most = Math.max(most, Math.abs(sum));
      }
      expect(most).toBeLessThan(1e-12);
      expect(Math.abs(dot(equations.right, ones))).toBeLessThan(1e-12);
      // Against its own force: the stiffness times the places is the force, since f = -sigma K x.
      const i = domain.vertexToRow[triangle[0]];
      let pull = 0;
      for (let e = velocity.rowStart[i]; e < velocity.rowStart[i + 1]; e++)
        pull += velocity.value[9 * e] * mesh.position[3 * domain.rowToVertex[velocity.column[e]]];
      expect(-pull).toBeCloseTo(equations.right[3 * i], 12);
    }));
});

describe('rheology', () => {
  const laws: RheologyLaw[] = [
    { type: 'carreau', zero: 50, infinite: 1, time: 2, index: 0.4 },
    { type: 'power-law', consistency: 3, index: 0.5, least: 0.01, most: 1000 },
    { type: 'bingham', viscosity: 2, yieldStress: 5, regularisation: 100 },
    { type: 'herschel-bulkley', consistency: 3, index: 0.5, yieldStress: 5, regularisation: 100 },
  ];

  it('is the textbook stress at high rates and finite at rest', () => {
    const stress = (law: RheologyLaw, rate: number) => rate * computeViscosity(law, rate);
    expect(stress(laws[0], 1)).toBeCloseTo(1 + 49 * 5 ** -0.3, 10);
    expect(stress(laws[1], 4)).toBeCloseTo(6, 10);
    expect(stress(laws[2], 10)).toBeCloseTo(5 + 20, 10);
    expect(stress(laws[3], 4)).toBeCloseTo(5 + 6, 10);
    for (const law of laws) {
      const atRest = computeViscosity(law, 0);
      expect(Number.isFinite(atRest)).toBe(true);
      // Stress grows with the rate, and viscosity goes over to its value at rest without a jump.
      let before = 0;
      for (let rate = 1e-12; rate < 1e3; rate *= 3) {
        const now = stress(law, rate);
        expect(now).toBeGreaterThan(before);
        before = now;
      }
      expect(computeViscosity(law, 1e-13) / atRest).toBeCloseTo(1, 3);
    }
  });
});
