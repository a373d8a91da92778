/**
 * The coupled solve where surfaces are free: a thread that is pulled resists with 3 mu (Trouton), a drop
 * under surface tension goes back to a ball at the rate of Stokes flow. The mesh moves with the liquid here,
 * so that nothing but the solve is on trial.
 */

import {
  buildBlock,
  buildNodes,
  buildProblem,
  buildStuffedBall,
  buildStuffedColumn,
  computeGradient,
  computeVolumes,
  type LiquidMesh,
  listSurface,
} from '../../cases/flow/viscous.ts';
import { fitSlope } from '../../cases/shared/fit-line.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { HeapScope } from '../../src/core/heap.ts';
import { computeTetFraction } from '../../src/flow/nodal/fractions.ts';
import { computeLiquidShares } from '../../src/flow/viscosity/liquid-shares.ts';
import type { Machine, ViscousFlow, ViscousProblem } from '../../src/flow/viscosity/problem.ts';
import { solveViscousFlow } from '../../src/flow/viscosity/solve.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

const RADIUS = 1;
const LENGTH = 4;
const TOLERANCE = 1e-9;

/** A cylinder along z, with flat ends at 0 and LENGTH. */
function buildThread(kind: string, machine: Machine, scope: HeapScope, h: number): LiquidMesh {
  const field = (x: number, y: number) => RADIUS - Math.hypot(x, y);
  if (kind === 'stuffed') return buildStuffedColumn(scope, field, { half: RADIUS, length: LENGTH, h });
  const n = Math.ceil(RADIUS / h) + 1;
  const offset = [0.31 * h, 0.17 * h];
  const { mesh } = buildBlock(
    scope,
    [-n * h + offset[0], -n * h + offset[1], 0],
    [2 * n, 2 * n, LENGTH / h],
    h,
  );
  const level = scope.f64(mesh.vertexCount);
  for (let v = 0; v < mesh.vertexCount; v++) level[v] = field(mesh.position[3 * v], mesh.position[3 * v + 1]);
  const liquid = scope.f64(4 * mesh.tetCount);
  computeLiquidShares(machine.threads, mesh, level, 'exact', liquid);
  return { mesh, liquid };
}

/** Tensile force through the middle half, over its section: the mean axial stress 2 mu du_z/dz - p. */
function measureTension({ mesh, liquid }: LiquidMesh, { velocity, pressure }: ViscousFlow, mu: number) {
  const volumes = computeVolumes(mesh);
  let stress = 0;
  let rate = 0;
  let whole = 0;
  for (let t = 0; t < mesh.tetCount; t++) {
    const corners = [0, 1, 2, 3].map((i) => mesh.tet[4 * t + i]);
    const z = corners.reduce((sum, v) => sum + mesh.position[3 * v + 2] / 4, 0);
    if (Math.abs(z - LENGTH / 2) > LENGTH / 4) continue;
    const shares = [0, 1, 2, 3].map((i) => (liquid ? liquid[4 * t + i] : 0.25));
    const part = volumes[t] * shares.reduce((a, b) => a + b);
    const stretch = computeGradient(mesh, velocity, t)[8];
    const push = corners.reduce((sum, v, i) => sum + pressure[v] * shares[i], 0) * volumes[t];
    stress += 2 * mu * stretch * part - push;
    rate += stretch * part;
    whole += part;
  }
  return { stress: stress / whole, rate: rate / whole };
}

/** Both ends are drawn apart at speed 1; they may shrink. */
function pullEnds(scope: HeapScope, { mesh }: LiquidMesh) {
  return buildNodes(scope, mesh, (_x, _y, z) =>
    z < 1e-6
      ? { normals: [[0, 0, 1]], velocity: [0, 0, 0] }
      : z > LENGTH - 1e-6
        ? { normals: [[0, 0, 1]], velocity: [0, 0, 1] }
        : undefined,
  );
}

const trouton: RefereeCase = {
  name: 'viscous/trouton',
  title: 'A thread drawn out from rest: axial stress over rate is 3 mu; what splitting makes of it',
  async run(context) {
    const machine = await context.createResources();
    const rows: RefereeRow[] = [];
    for (const kind of ['stuffed', 'embedded'])
      for (const reach of [10, 100]) {
        const scope = machine.heap.scope('referee');
        const body = buildThread(kind, machine, scope, 0.25);
        const nodes = pullEnds(scope, body);
        const dt = reach * RADIUS ** 2;
        const problem = { ...buildProblem(scope, body, { mu: 1, dt }), nodes };
        const name = `${kind}, nu dt / R^2 = ${reach}`;
        const flow = solveViscousFlow(machine, scope, problem, { tolerance: TOLERANCE });
        const { stress, rate } = measureTension(body, flow, 1);
        rows.push(atMost(`${name}: error of 3 mu`, 100 * Math.abs(stress / rate / 3 - 1), 3, '%'));
        rows.push(reportRow(`${name}: rate over U / L`, rate * LENGTH, '', 1));
        // The paper's splitting: viscosity alone, then a pressure that makes the result free of divergence.
        const viscous = solveViscousFlow(machine, scope, problem, { tolerance: TOLERANCE, coupled: false });
        const inviscid = { ...problem, viscosity: scope.f64(body.mesh.tetCount), velocity: viscous.velocity };
        const projected = solveViscousFlow(machine, scope, inviscid, { tolerance: TOLERANCE });
        const split = measureSplit(body, viscous, projected);
        rows.push(reportRow(`${name}: split V-P, mu times`, split, '', 2 + 1 / (8 * reach)));
        scope.free();
      }
    return rows;
  },
};

/**
 * What the stress of the viscous step and the pressure of the projection give together, over the rate after
 * both.
 */
function measureSplit(body: LiquidMesh, viscous: ViscousFlow, projected: ViscousFlow): number {
  const deviatoric = measureTension(
    body,
    { ...viscous, pressure: new Float64Array(viscous.pressure.length) },
    1,
  );
  const { stress, rate } = measureTension(body, projected, 0);
  return (deviatoric.stress + stress) / rate;
}

const PULL_STEPS = 20;
/** Part of the section that is lost in all steps. */
const PULL_LOSS = 0.5;

/** The mesh moves with its vertices. */
function moveMesh({ mesh }: LiquidMesh, velocity: Float64Array, dt: number): void {
  for (let n = 0; n < 3 * mesh.vertexCount; n++) mesh.position[n] += dt * velocity[n];
}

/** Triangles of the end that is pulled, before it moves. */
function listEnd(scope: HeapScope, { mesh }: LiquidMesh): number[] {
  const surface = listSurface(scope, mesh);
  const list: number[] = [];
  for (let n = 0; n < surface.length; n += 3) {
    const corners = [...surface.subarray(n, n + 3)];
    if (corners.every((v) => mesh.position[3 * v + 2] > LENGTH - 1e-6)) list.push(...corners);
  }
  return list;
}

/** A force along z on the vertices of these triangles, by their area. */
function pullEnd(
  scope: HeapScope,
  { mesh }: LiquidMesh,
  end: readonly number[],
  force: number,
): Float64Array {
  const out = scope.f64(3 * mesh.vertexCount);
  let whole = 0;
  for (let n = 0; n < end.length; n += 3) {
    const corners = end.slice(n, n + 3);
    const [a, b, c] = corners.map((v) => mesh.position.subarray(3 * v, 3 * v + 3));
    const area = 0.5 * Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    whole += area;
    for (const v of corners) out[3 * v + 2] += area / 3;
  }
  for (let n = 0; n < out.length; n++) out[n] *= force / whole;
  return out;
}

/** Volume of the mesh below a height. */
function measureBelow({ mesh }: LiquidMesh, height: number): number {
  const volume = computeVolumes(mesh);
  const level = (n: number) => height - mesh.position[3 * mesh.tet[n] + 2];
  let sum = 0;
  for (let t = 0; t < mesh.tetCount; t++)
    sum += volume[t] * computeTetFraction(level(4 * t), level(4 * t + 1), level(4 * t + 2), level(4 * t + 3));
  return sum;
}

const thread: RefereeCase = {
  name: 'viscous/thread',
  title: 'A thread pulled by a force F: its section in the middle is A0 - F t / (3 mu)',
  async run(context) {
    const machine = await context.createResources();
    const scope = machine.heap.scope('referee');
    const body = buildThread('stuffed', machine, scope, 0.3);
    // The middle half: the ends have rounded edges, which thin faster.
    const first = (measureBelow(body, 0.75 * LENGTH) - measureBelow(body, 0.25 * LENGTH)) / (0.5 * LENGTH);
    const middle = listMiddle(body);
    const force = 1;
    const dt = (PULL_LOSS * first * 3) / force / PULL_STEPS;
    const end = listEnd(scope, body);
    let stretch = 1;
    let worst = 0;
    const start = sumVolumes(body, middle);
    // So light that inertia is next to nothing.
    const problem = buildProblem(scope, body, { mu: 1, rho: 1e-6, dt });
    const nodes = buildNodes(scope, body.mesh, (_x, _y, z) =>
      z < 1e-6 ? { normals: [[0, 0, 1]] } : undefined,
    );
    for (let step = 1; step <= PULL_STEPS; step++) {
      const own = machine.heap.scope('step');
      // By the midpoint rule, so that moving the mesh loses no volume to speak of.
      const place = body.mesh.position.slice();
      for (const part of [0.5, 1]) {
        const loaded = { ...problem, nodes, force: pullEnd(own, body, end, force) };
        const flow = solveViscousFlow(machine, own, loaded, { tolerance: TOLERANCE });
        if (part === 1) stretch *= Math.exp(dt * measureStretch(body, flow, middle));
        body.mesh.position.set(place);
        moveMesh(body, flow.velocity, part * dt);
        problem.velocity.set(flow.velocity);
      }
      const area = (first * sumVolumes(body, middle)) / start / stretch;
      worst = Math.max(worst, Math.abs(area / (first - (force * step * dt) / 3) - 1));
      own.free();
    }
    const rows = [
      reportRow('volume at the end', sumVolumes(body, middle) / start, '', 1),
      atMost('section: largest error on the way to half of it', 100 * worst, 3, '%'),
      reportRow('stretch at the end', stretch, '', 1 / (1 - PULL_LOSS)),
    ];
    scope.free();
    return rows;
  },
};

/** Tets whose middle is in the middle half. */
function listMiddle({ mesh }: LiquidMesh): number[] {
  const list: number[] = [];
  for (let t = 0; t < mesh.tetCount; t++) {
    let z = 0;
    for (let i = 0; i < 4; i++) z += mesh.position[3 * mesh.tet[4 * t + i] + 2] / 4;
    if (Math.abs(z - LENGTH / 2) < LENGTH / 4) list.push(t);
  }
  return list;
}

function sumVolumes({ mesh }: LiquidMesh, tets: readonly number[]): number {
  const volume = computeVolumes(mesh);
  return tets.reduce((sum, t) => sum + volume[t], 0);
}

/** Mean du_z/dz. */
function measureStretch({ mesh }: LiquidMesh, { velocity }: ViscousFlow, tets: readonly number[]): number {
  const volume = computeVolumes(mesh);
  let sum = 0;
  let whole = 0;
  for (const t of tets) {
    sum += volume[t] * computeGradient(mesh, velocity, t)[8];
    whole += volume[t];
  }
  return sum / whole;
}

const DROP_AMPLITUDE = 0.02;
/** Of sigma / (mu R), mode 2 (drop in vacuum, Stokes flow). */
const DROP_RATE = 20 / 19;
const legendre2 = (c: number) => 1.5 * c * c - 0.5;

/** Amplitude of the second mode: least squares over the surface's vertices, against the mean radius. */
function measureMode({ mesh }: LiquidMesh, surface: Int32Array, at: (v: number) => number): number {
  const isSurface = new Uint8Array(mesh.vertexCount);
  for (const v of surface) isSurface[v] = 1;
  const points: [number, number][] = [];
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (isSurface[v] === 0) continue;
    const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
    points.push([legendre2(z / Math.hypot(x, y, z)), at(v)]);
  }
  return fitSlope(points);
}

function buildDrop(scope: HeapScope, n: number): LiquidMesh {
  const body = buildStuffedBall(scope, 1, 1 / n);
  const { position, vertexCount } = body.mesh;
  for (let v = 0; v < vertexCount; v++) {
    const [x, y, z] = position.subarray(3 * v, 3 * v + 3);
    const r = Math.hypot(x, y, z);
    if (r === 0) continue;
    const factor = 1 + DROP_AMPLITUDE * legendre2(z / r) * r;
    for (let k = 0; k < 3; k++) position[3 * v + k] *= factor;
  }
  return body;
}

const drop: RefereeCase = {
  name: 'viscous/drop',
  title:
    'A drop under surface tension: mode 2 relaxes at 20/19 sigma / (mu R), also in steps far beyond explicit tension',
  async run(context) {
    const machine = await context.createResources();
    const rows: RefereeRow[] = [];
    for (const n of [4, 8]) {
      const scope = machine.heap.scope('referee');
      const body = buildDrop(scope, n);
      const { mesh } = body;
      const triangle = listSurface(scope, mesh);
      const tension = { coefficient: 1, triangle, triangleCount: triangle.length / 3 };
      const radius = (v: number) => Math.hypot(...mesh.position.subarray(3 * v, 3 * v + 3));
      const start = measureMode(body, triangle, radius);
      const problem: ViscousProblem = {
        ...buildProblem(scope, body, { mu: 1, rho: 1e-4, dt: 0.1 }),
        tension,
      };
      const instant = solveViscousFlow(
        machine,
        scope,
        { ...problem, dt: 1e-4, density: problem.density.fill(1e-8) },
        { tolerance: TOLERANCE },
      );
      const outward = (v: number) => {
        const p = mesh.position.subarray(3 * v, 3 * v + 3);
        return p.reduce((sum, a, k) => sum + a * instant.velocity[3 * v + k], 0) / radius(v);
      };
      const rate = -measureMode(body, triangle, outward) / start;
      const name = `R/h = ${n}`;
      rows.push(
        n === 8
          ? atMost(`${name}: error of the rate at once`, 100 * Math.abs(rate / DROP_RATE - 1), 5, '%')
          : reportRow(`${name}: error of the rate at once`, 100 * Math.abs(rate / DROP_RATE - 1), '%'),
      );
      problem.density.fill(1e-4);
      const steps = 10;
      for (let step = 0; step < steps; step++) {
        const own = machine.heap.scope('step');
        const flow = solveViscousFlow(machine, own, problem, { tolerance: TOLERANCE });
        moveMesh(body, flow.velocity, problem.dt);
        problem.velocity.set(flow.velocity);
        own.free();
      }
      // Backward Euler on the surface too: each step divides by 1 + rate dt, nearly.
      const left = measureMode(body, triangle, radius) / start;
      const seen = (left ** (-1 / steps) - 1) / problem.dt;
      rows.push(
        n === 8
          ? atMost(`${name}: error of the rate over ten steps`, 100 * Math.abs(seen / DROP_RATE - 1), 5, '%')
          : reportRow(`${name}: error of the rate over ten steps`, 100 * Math.abs(seen / DROP_RATE - 1), '%'),
      );
      scope.free();
    }
    return rows;
  },
};

export const freeSurfaces: RefereeCase[] = [trouton, thread, drop];
