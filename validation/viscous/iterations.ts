/**
 * Iterations of viscous solves as meshes and viscosities grow: a stuffed ball of some 10 thousand and of 1
 * million tets, nu dt / h^2 from 1 to 1e5, viscosity alone and with pressure; with the seconds and bytes that
 * the large ones take.
 */
import { buildProblem, buildStuffedBall } from '../../cases/flow/viscous.ts';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { solveViscousFlow } from '../../src/flow/viscosity/solve.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** Cells across the radius. */
const SMALL = 6;
const MIDDLE = 12;
const LARGE = 27;
const VISCOSITIES = [1, 1e2, 1e5];
const GROWTH_BOUND = 2;
const TOLERANCE = 1e-6;

async function measureIterations(context: RefereeContext, sizes: readonly number[]): Promise<RefereeRow[]> {
  const machine = await context.createResources();
  const rows: RefereeRow[] = [];
  for (const coupled of [false, true]) {
    const counts: number[] = [];
    for (const n of sizes)
      for (const beta of VISCOSITIES) {
        const scope = machine.heap.scope('referee');
        const body = buildStuffedBall(scope, 1, 1 / n);
        // Smooth and rough at once, and not free of divergence.
        const problem = buildProblem(scope, body, { mu: beta / n ** 2, dt: 1 }, (x, y, z) => [
          Math.sin(3 * y) + z * z + 0.1 * Math.sin(40 * x),
          Math.cos(2 * x * z),
          x * y,
        ]);
        context.note(`${body.mesh.tetCount} tets, nu dt / h^2 = ${beta}`);
        const begin = performance.now();
        const flow = solveViscousFlow(machine, scope, problem, { coupled, tolerance: TOLERANCE });
        const seconds = (performance.now() - begin) / 1000;
        const name = `${coupled ? 'with pressure' : 'viscosity alone'}, ${body.mesh.tetCount} tets, nu dt / h^2 = ${beta}`;
        counts.push(flow.report.iterations);
        rows.push(
          reportRow(`${name}: iterations`, flow.report.iterations, ''),
          atMost(`${name}: residual`, flow.report.residual, TOLERANCE, ''),
          reportRow(`${name}: seconds`, seconds, 's'),
        );
        scope.free();
      }
    const kind = coupled ? 'with pressure' : 'viscosity alone';
    const last = VISCOSITIES.length - 1;
    for (const [k, beta] of VISCOSITIES.entries()) {
      const growth = counts[VISCOSITIES.length * (sizes.length - 1) + k] / counts[k];
      rows.push(atMost(`${kind}, nu dt / h^2 = ${beta}: growth with the mesh`, growth, GROWTH_BOUND, ''));
    }
    for (const [s, n] of sizes.entries()) {
      const growth = counts[VISCOSITIES.length * s + last] / counts[VISCOSITIES.length * s];
      rows.push(atMost(`${kind}, R / h = ${n}: growth with viscosity`, growth, GROWTH_BOUND, ''));
    }
  }
  rows.push(reportRow('most memory', machine.heap.peakBytes / 1e6, 'MB'));
  return rows;
}

export const iterations: RefereeCase[] = [
  {
    name: 'viscous/iterations',
    title: 'Iterations of viscous solves, 11 and 91 thousand tets, as viscosity grows',
    run: (context) => measureIterations(context, [SMALL, MIDDLE]),
  },
  {
    name: 'viscous/iterations-1m',
    title: 'The same from 11 thousand to a million tets',
    onRequest: true,
    run: (context) => measureIterations(context, [SMALL, LARGE]),
  },
];
