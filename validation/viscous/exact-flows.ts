/**
 * The viscous operators against flows in closed form: rigid rotation, Couette, Poiseuille, torsion of a free ball, two point forces,
 * and liquids whose viscosity depends on the flow. Walls, free surfaces, stuffed meshes and meshes that do not follow the liquid.
 */

import { TORSION_RATE, torsionAt } from '../../cases/flow/torsion.ts';
import {
  buildBlock,
  buildEmbedded,
  buildNodes,
  buildProblem,
  buildStuffed,
  buildStuffedBall,
  computeVolumes,
  findSides,
  type LiquidMesh,
} from '../../cases/flow/viscous.ts';
import { buildKuhnTets } from '../../cases/linalg/matrices.ts';
import { atLeast, atMost, computeOrder, reportRow } from '../../cases/shared/rows.ts';
import { type HeapScope, withScope } from '../../src/core/heap.ts';
import type { Vec3 } from '../../src/core/types.ts';
import type {
  Machine,
  ViscousFlow,
  ViscousOptions,
  ViscousProblem,
} from '../../src/flow/viscosity/problem.ts';
import type { RheologyLaw } from '../../src/flow/viscosity/rheology.ts';
import { solveViscousFlow } from '../../src/flow/viscosity/solve.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

type VectorField = (x: number, y: number, z: number) => readonly number[];

/** Root mean square error over liquid vertices, over the field's own. */
function measureError({ mesh }: LiquidMesh, { velocity, isLiquid }: ViscousFlow, exact: VectorField): number {
  let error = 0;
  let size = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (isLiquid[v] === 0) continue;
    const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
    const u = exact(x, y, z);
    for (let r = 0; r < 3; r++) {
      error += (velocity[3 * v + r] - u[r]) ** 2;
      size += u[r] ** 2;
    }
  }
  return Math.sqrt(error / size);
}

/** What a referee of these flows is given. */
interface Bench {
  readonly machine: Machine;
  readonly context: RefereeContext;
  readonly inScope: <R>(run: (scope: HeapScope) => R) => R;
}

/** What a flow is judged by, on a mesh of some kind and n cells, with or without pressure in the solve. */
type MeasureFlow = (machine: Machine, scope: HeapScope, kind: string, n: number, coupled: boolean) => number;

const defineFlow = (
  name: string,
  title: string,
  judge: (bench: Bench, rows: RefereeRow[]) => void,
): RefereeCase => ({
  name: `viscous/${name}`,
  title,
  async run(context) {
    const machine = await context.createResources();
    const rows: RefereeRow[] = [];
    judge({ machine, context, inScope: (run) => withScope(machine.heap, 'referee', run) }, rows);
    return rows;
  },
});

const ballField = (x: number, y: number, z: number) => 1 - Math.hypot(x, y, z);

/** A ball of radius 1, n cells across its radius, both kinds of meshes. */
function buildBall(kind: string, machine: Machine, scope: HeapScope, n: number, levels: number): LiquidMesh {
  const h = 1 / n;
  return kind === 'stuffed'
    ? buildStuffedBall(scope, 1, h, levels)
    : buildEmbedded(machine.threads, scope, ballField, { half: 1 + 2 * h, h, levels });
}

const kinds = ['stuffed', 'embedded'] as const;

const rotation = defineFlow(
  'rotation',
  'A turning ball is left alone by one solve at nu dt / h^2 = 1000; the Laplacian stops it',
  ({ machine, inScope }, rows) => {
    const turn = (x: number, y: number, z: number) => [
      0.2 * z - 0.5 * y,
      0.5 * x - 0.7 * z,
      0.7 * y - 0.2 * x,
    ];
    for (const kind of kinds)
      for (const coupled of [false, true])
        for (const model of ['stress', 'laplacian'] as const)
          inScope((scope) => {
            const n = 8;
            const body = buildBall(kind, machine, scope, n, 2);
            const problem = buildProblem(scope, body, { mu: 1000 / n ** 2, dt: 1 }, turn);
            // From rest: the solve has to find the rotation.
            const guess = { velocity: scope.f64(problem.velocity.length) };
            const options = { coupled, model, tolerance: 1e-11, guess };
            const flow = solveViscousFlow(machine, scope, problem, options);
            const change = measureError(body, flow, turn);
            const name = `${kind}, ${coupled ? 'with pressure' : 'viscosity alone'}, ${model}: change`;
            rows.push(model === 'stress' ? atMost(name, change, 1e-8, '') : atLeast(name, change, 0.5, ''));
          });
  },
);

/** u along x between plates at y = 0 and y = 1, of which the upper moves: two layers that meet half way. */
const couette = defineFlow(
  'couette',
  'Couette flow of one layer, and of two with viscosities 1:10',
  ({ machine, inScope }, rows) => {
    for (const ratio of [1, 10])
      for (const coupled of [false, true])
        inScope((scope) => {
          const body = buildKuhnBlock(scope, 8);
          const middle = ratio / (1 + ratio);
          const profile = (y: number) => (y < 0.5 ? 2 * y * middle : middle + (2 * y - 1) * (1 - middle));
          const problem = buildProblem(scope, body, { mu: 1, dt: Number.POSITIVE_INFINITY });
          setUpperViscosity(body, problem, ratio);
          const flow = solveBetweenPlates(machine, scope, body, problem, profile, {
            coupled,
            tolerance: 1e-12,
          });
          const name = `1:${ratio}, ${coupled ? 'with pressure' : 'viscosity alone'}`;
          rows.push(
            atMost(
              `${name}: error`,
              measureError(body, flow, (_, y) => [profile(y), 0, 0]),
              1e-9,
              '',
            ),
            reportRow(`${name}: speed half way`, findSpeed(body, flow, 0.5), 'U', middle),
          );
        });
  },
);

function buildKuhnBlock(scope: HeapScope, n: number): LiquidMesh {
  const { vertexCount, tet, position } = buildKuhnTets(n);
  const mesh = {
    ...{ vertexCount, tetCount: tet.length / 4 },
    ...{ tet: scope.i32(tet.length), position: scope.f64(position.length) },
  };
  mesh.tet.set(tet);
  mesh.position.set(position);
  return { mesh };
}

function setUpperViscosity({ mesh }: LiquidMesh, { viscosity }: ViscousProblem, mu: number): void {
  for (let t = 0; t < mesh.tetCount; t++) {
    let y = 0;
    for (let i = 0; i < 4; i++) y += mesh.position[3 * mesh.tet[4 * t + i] + 1] / 4;
    if (y > 0.5) viscosity[t] = mu;
  }
}

/** In the unit cube: plates and the ends in x as given, slip along the sides in z. */
function solveBetweenPlates(
  machine: Machine,
  scope: HeapScope,
  { mesh }: LiquidMesh,
  problem: ViscousProblem,
  profile: (y: number) => number,
  options: ViscousOptions,
): ViscousFlow {
  const nodes = buildNodes(scope, mesh, (x, y, z) => {
    const sides = (axes: readonly number[]) => findSides([x, y, z], [0, 0, 0], [1, 1, 1], axes);
    if (sides([0, 1]).length > 0) return { velocity: [profile(y), 0, 0] };
    const normals = sides([2]);
    return normals.length > 0 ? { normals } : undefined;
  });
  return solveViscousFlow(machine, scope, { ...problem, nodes }, options);
}

/** Mean speed along x of the vertices at a height. */
function findSpeed({ mesh }: LiquidMesh, { velocity }: ViscousFlow, height: number): number {
  let sum = 0;
  let count = 0;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (Math.abs(mesh.position[3 * v + 1] - height) > 1e-9) continue;
    sum += velocity[3 * v];
    count++;
  }
  return sum / count;
}

const POISEUILLE_CELLS = [8, 16, 32];

/** A channel of width 1 about y = 0, four cells long and deep. */
function buildChannel(scope: HeapScope, kind: string, n: number): { body: LiquidMesh; half: Vec3 } {
  const h = 1 / n;
  const half = [2 * h, 0.5, 2 * h] as const;
  if (kind === 'aligned') return { body: buildBlock(scope, [-2 * h, -0.5, -2 * h], [4, n, 4], h), half };
  if (kind === 'stuffed') {
    // Cells of 1 / (n + 0.37): no wall on a lattice plane.
    const box = (x: number, y: number, z: number) =>
      Math.min(half[0] - Math.abs(x), 0.5 - Math.abs(y), half[2] - Math.abs(z));
    return {
      body: buildStuffed(scope, { value: box }, { half: [3 * h, 0.5 + h, 3 * h], h: 1 / (n + 0.37) }),
      half,
    };
  }
  return { body: buildBlock(scope, [-2 * h, -0.5 - 0.7 * h, -2 * h], [4, n + 2, 4], h), half };
}

/** Error of Poiseuille flow, steady, driven by a force 1 along x; walls at y = -1/2 and 1/2. */
const measurePoiseuille: MeasureFlow = (machine, scope, kind, n, coupled) => {
  const { body, half } = buildChannel(scope, kind, n);
  const near = 1e-6 / n;
  const profile = (y: number) => Math.max(0, 0.125 - 0.5 * y * y);
  const nodes = buildNodes(scope, body.mesh, (x, y, z) => {
    // Walls, and vertices beyond them where the mesh does not follow them.
    if (Math.abs(y) > 0.5 - near) return {};
    if (Math.abs(x) > half[0] - near || Math.abs(z) > half[2] - near) return { velocity: [profile(y), 0, 0] };
    return undefined;
  });
  const problem = buildProblem(scope, body, { mu: 1, dt: Number.POSITIVE_INFINITY });
  const flow = solveViscousFlow(
    machine,
    scope,
    { ...problem, nodes, acceleration: [1, 0, 0] },
    { coupled, tolerance: 1e-10 },
  );
  if (!flow.report.converged) throw new Error(`not converged: ${flow.report.residual}`);
  return measureInside(body, flow, profile);
};

/** Root mean square error at the middles of tets between the walls, weighed by volume: linear interpolation is on trial too. */
function measureInside(
  { mesh }: LiquidMesh,
  { velocity }: ViscousFlow,
  profile: (y: number) => number,
): number {
  const volume = computeVolumes(mesh);
  let error = 0;
  let size = 0;
  for (let t = 0; t < mesh.tetCount; t++) {
    const middle = [0, 0];
    const u = [0, 0, 0];
    for (let i = 0; i < 4; i++) {
      const v = mesh.tet[4 * t + i];
      middle[1] += mesh.position[3 * v + 1] / 4;
      for (let r = 0; r < 3; r++) u[r] += velocity[3 * v + r] / 4;
    }
    if (Math.abs(middle[1]) > 0.5) continue;
    const exact = profile(middle[1]);
    error += volume[t] * ((u[0] - exact) ** 2 + u[1] ** 2 + u[2] ** 2);
    size += volume[t] * exact ** 2;
  }
  return Math.sqrt(error / size);
}

const poiseuille = defineFlow(
  'poiseuille',
  'Plane Poiseuille flow at 8, 16 and 32 cells: order, with walls on the lattice, stuffed and embedded',
  ({ machine, inScope }, rows) => {
    const bounds = { aligned: 1.9, stuffed: 1.8, embedded: 1 } as const;
    for (const [kind, bound] of Object.entries(bounds))
      for (const coupled of [false, true]) {
        const errors = POISEUILLE_CELLS.map((n) =>
          inScope((scope) => measurePoiseuille(machine, scope, kind, n, coupled)),
        );
        const name = `${kind}, ${coupled ? 'with pressure' : 'viscosity alone'}`;
        rows.push(reportRow(`${name}: errors`, errors.map((e) => e.toExponential(2)).join(', '), ''));
        rows.push(
          atLeast(`${name}: order, 8 to 32`, computeOrder(1 / 8, errors[0], 1 / 32, errors[2]), bound, '', 2),
        );
      }
  },
);

const TORSION_STEP = 0.002;
const TORSION_STEPS = 4;

/** Sum over the liquid of u times the mode. */
function projectOnTorsion({ mesh, liquid }: LiquidMesh, volume: Float64Array, u: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < mesh.tetCount; t++)
    for (let i = 0; i < 4; i++) {
      const v = mesh.tet[4 * t + i];
      const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
      const mode = torsionAt(x, y, z);
      const weight = volume[t] * (liquid ? liquid[4 * t + i] : 0.25);
      for (let r = 0; r < 3; r++) sum += weight * u[3 * v + r] * mode[r];
    }
  return sum;
}

const measureTorsion: MeasureFlow = (machine, scope, kind, n, coupled) => {
  const body = buildBall(kind, machine, scope, n, 0);
  const volume = computeVolumes(body.mesh);
  let problem = buildProblem(scope, body, { mu: 1, dt: TORSION_STEP }, torsionAt);
  let rate = 0;
  for (let step = 0; step < TORSION_STEPS; step++) {
    const before = projectOnTorsion(body, volume, problem.velocity);
    const flow = solveViscousFlow(machine, scope, problem, { coupled, tolerance: 1e-8 });
    if (!flow.report.converged) throw new Error(`not converged: ${flow.report.residual}`);
    // Backward Euler divides by 1 + rate dt.
    rate = (before / projectOnTorsion(body, volume, flow.velocity) - 1) / TORSION_STEP;
    const { velocity } = flow;
    const expected = scope.f64(velocity.length);
    for (let k = 0; k < expected.length; k++) expected[k] = 2 * velocity[k] - problem.velocity[k];
    problem = { ...problem, velocity, expected };
  }
  return rate;
};

const torsion = defineFlow(
  'torsion',
  'Torsion of a free ball decays with 6.25566 nu / R^2: at R/h = 4, 8 and 12, stuffed and embedded',
  ({ machine, context, inScope }, rows) => {
    for (const kind of kinds)
      for (const coupled of [false, true]) {
        const name = `${kind}, ${coupled ? 'with pressure' : 'viscosity alone'}`;
        const errors = [4, 8, 12].map((n) => {
          context.note(`${name}, R/h = ${n}`);
          const rate = inScope((scope) => measureTorsion(machine, scope, kind, n, coupled));
          return Math.abs(rate / TORSION_RATE - 1);
        });
        rows.push(
          atMost(`${name}: error of the rate, R/h = 4`, 100 * errors[0], 5, '%'),
          atMost(`${name}: R/h = 8`, 100 * errors[1], 1.5, '%'),
          reportRow(`${name}: R/h = 12`, 100 * errors[2], '%'),
          atLeast(`${name}: order, 4 to 12`, computeOrder(1 / 4, errors[0], 1 / 12, errors[2]), 1.8, '', 2),
        );
      }
  },
);

/** Two point forces outside the unit cube: u = F / r + (F . d) d / r^3, p = 2 mu F . d / r^3, mu = 1. */
const POINT_FORCES = [
  { at: [-0.6, 0.4, 0.3], force: [1, 2, -1] },
  { at: [1.5, 1.4, 0.6], force: [0.5, -1, 2] },
];

function pointForcesAt(x: number, y: number, z: number): { u: number[]; p: number } {
  const u = [0, 0, 0];
  let p = 0;
  for (const { at, force } of POINT_FORCES) {
    const d = [x - at[0], y - at[1], z - at[2]];
    const r = Math.hypot(d[0], d[1], d[2]);
    const along = force[0] * d[0] + force[1] * d[1] + force[2] * d[2];
    for (let k = 0; k < 3; k++) u[k] += force[k] / r + (along * d[k]) / r ** 3;
    p += (2 * along) / r ** 3;
  }
  return { u, p };
}

const pointForces = defineFlow(
  'point-forces',
  'Steady Stokes flow of two point forces in a cube whose sides are given: order of velocity and pressure',
  ({ machine, context, inScope }, rows) => {
    const errors = [6, 12, 24].map((n) =>
      inScope((scope) => {
        context.note(`${n} cells`);
        const body = buildBlock(scope, [0, 0, 0], [n, n, n], 1 / n);
        const { mesh } = body;
        const problem = buildProblem(scope, body, { mu: 1, dt: Number.POSITIVE_INFINITY });
        const nodes = buildNodes(scope, mesh, (x, y, z) =>
          findSides([x, y, z], [0, 0, 0], [1, 1, 1], [0, 1, 2]).length > 0
            ? { velocity: pointForcesAt(x, y, z).u }
            : undefined,
        );
        const flow = solveViscousFlow(machine, scope, { ...problem, nodes }, { tolerance: 1e-8 });
        const exact = Float64Array.from({ length: mesh.vertexCount }, (_, v) => {
          const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
          return pointForcesAt(x, y, z).p;
        });
        const mean = (p: Float64Array) => p.reduce((sum, a) => sum + a / p.length, 0);
        const [own, true_] = [mean(flow.pressure), mean(exact)];
        let left = 0;
        let size = 0;
        for (let v = 0; v < mesh.vertexCount; v++) {
          left += (flow.pressure[v] - own - exact[v] + true_) ** 2;
          size += (exact[v] - true_) ** 2;
        }
        return {
          velocity: measureError(body, flow, (x, y, z) => pointForcesAt(x, y, z).u),
          pressure: Math.sqrt(left / size),
        };
      }),
    );
    const [a, , c] = errors;
    rows.push(
      reportRow('velocity: errors', errors.map((e) => e.velocity.toExponential(2)).join(', '), ''),
      atLeast('velocity: order, 6 to 24', computeOrder(1 / 6, a.velocity, 1 / 24, c.velocity), 1.7, '', 2),
      reportRow('pressure: errors', errors.map((e) => e.pressure.toExponential(2)).join(', '), ''),
      atLeast('pressure: order, 6 to 24', computeOrder(1 / 6, a.pressure, 1 / 24, c.pressure), 1.2, '', 1.5),
    );
  },
);

/** Half width of the channel 1/2, driving force per volume 1, density 1. */
interface Channel {
  readonly law: RheologyLaw;
  readonly profile: (y: number) => number;
  /** Pa; half the thickness of the plug where there is one */
  readonly yieldStress: number;
}

function createBingham(viscosity: number, yieldStress: number): Channel {
  const flowing = 0.5 - yieldStress;
  return {
    law: { type: 'bingham', viscosity, yieldStress, regularisation: 2000 },
    profile: (y) => (flowing ** 2 - Math.max(0, Math.abs(y) - yieldStress) ** 2) / (2 * viscosity),
    yieldStress,
  };
}

function createPowerLaw(consistency: number, index: number): Channel {
  const power = (index + 1) / index;
  return {
    law: { type: 'power-law', consistency, index, least: 1e-4, most: 1e4 },
    profile: (y) => (0.5 ** power - Math.abs(y) ** power) / (power * consistency ** (1 / index)),
    yieldStress: 0,
  };
}

const channels: Record<string, Channel> = {
  'Bingham, plug of 0.3': createBingham(1, 0.15),
  'Bingham, plug of 0.6': createBingham(0.5, 0.3),
  'power law, index 0.5': createPowerLaw(1, 0.5),
  'power law, index 1.6': createPowerLaw(1, 1.6),
};
const RHEOLOGY_CELLS = 32;

const rheology = defineFlow(
  'rheology',
  'Bingham and power-law liquids between plates: profile, plug and Picard rounds',
  ({ machine, context, inScope }, rows) => {
    for (const [name, { law, profile, yieldStress }] of Object.entries(channels))
      inScope((scope) => {
        context.note(name);
        const n = RHEOLOGY_CELLS;
        const h = 1 / n;
        const body = buildBlock(scope, [-h, -0.5, -h], [2, n, 2], h);
        const near = 1e-6 * h;
        const nodes = buildNodes(scope, body.mesh, (x, y, z) => {
          if (Math.abs(y) > 0.5 - near) return {};
          const along = Math.abs(x) > h - near;
          const aside = Math.abs(z) > h - near;
          return along || aside
            ? {
                normals: [
                  [0, 1, 0],
                  [0, 0, 1],
                ],
              }
            : undefined;
        });
        const problem = buildProblem(scope, body, { mu: 1, dt: Number.POSITIVE_INFINITY });
        const flow = solveViscousFlow(
          machine,
          scope,
          { ...problem, nodes, acceleration: [1, 0, 0] },
          { coupled: false, tolerance: 1e-10, rheology: { laws: [law], rounds: 200, tolerance: 1e-5 } },
        );
        const { rounds } = flow.report;
        rows.push(
          atMost(`${name}: error of the profile`, 100 * measureInside(body, flow, profile), 3, '%'),
          atMost(
            `${name}: error of the speed in the middle`,
            100 * Math.abs(findSpeed(body, flow, 0) / profile(0) - 1),
            3,
            '%',
          ),
          reportRow(
            `${name}: rounds, last residual`,
            `${rounds.length}, ${rounds[rounds.length - 1].change.toExponential(1)}`,
            '',
          ),
        );
        if (yieldStress > 0) {
          // The plug: where the speed is within one part in 200 of its middle's.
          const plug = measurePlug(body, flow, profile(0));
          rows.push(reportRow(`${name}: half thickness of the plug`, plug, 'm', yieldStress));
        }
      });
  },
);

/** Largest |y| at which the speed is within half a percent of the middle's. */
function measurePlug({ mesh }: LiquidMesh, { velocity }: ViscousFlow, speed: number): number {
  let reach = 0;
  for (let v = 0; v < mesh.vertexCount; v++)
    if (velocity[3 * v] > 0.995 * speed) reach = Math.max(reach, Math.abs(mesh.position[3 * v + 1]));
  return reach;
}

export const exactFlows: RefereeCase[] = [rotation, couette, poiseuille, torsion, pointForces, rheology];
