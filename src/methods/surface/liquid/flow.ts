/**
 * The potential flow inside one body at its present shape: from the potential at its vertices to the flux of
 * each vertex, the velocity of each and the kinetic energy. The first-kind equation is
 * integrals/panels/first-kind.ts; here it gets its hypersingular part and becomes velocities.
 *
 *   flux       W = N phi + (M/2 + K)^T q,   V q = (M/2 + K) phi
 *   velocity   u of the liquid at a vertex: the mean of q n + grad phi over the faces around
 *   motion     of the vertex: u and what along G is missing of m . G = W, sharpened (gradients.ts)
 *
 * Where the surface is smooth, u and the motion differ by the error of the mesh. In a cusp that closes they
 * do not: G is next to nothing there, and the vertex has to run ahead, by many times the speed of the liquid,
 * for the volume to be right. The potential must not gain |motion|^2 / 2 from that (integrate.ts).
 */
import type { HeapScope } from '../../../core/heap.ts';
import { createFirstKind, type FirstKind } from '../../../integrals/panels/first-kind.ts';
import { createHypersingular } from '../../../integrals/panels/hypersingular.ts';
import type { SolveReport } from '../../../linalg/krylov/solver.ts';
import { solveByElimination } from '../../../math/dense-solve.ts';
import { CORNER, NORMAL, setCorner, U, W } from '../../../math/triangle.ts';
import type { Resources } from '../../method.ts';
import type { Body } from './body.ts';
import { completeMotion, type Gradients, sharpen } from './gradients.ts';
import { addSwirlFlux, type Swirl, setSwirlVelocity } from './swirl.ts';

/** Relative residual of the solve, and error of far sums where they are multipole sums. */
export interface FlowAccuracy {
  readonly residual: number;
  readonly sums: number;
}

/** A body at its present shape. */
export interface FlowDomain {
  readonly body: Body;
  readonly gradients: Gradients;
  readonly cavities: readonly Int32Array[];
  /** What goes around a hole; the potential is then that of the rest. */
  readonly swirl?: Swirl | undefined;
}

export interface Flow {
  /** (faces) m/s, outward; before a solve the first guess */
  readonly normalVelocity: Float64Array;
  /** (vertices) m^3/s */
  readonly flux: Float64Array;
  /** (vertices) the same, sharpened */
  readonly sharpFlux: Float64Array;
  /** (vertices x 3) m/s, of the liquid */
  readonly velocity: Float64Array;
  /** (vertices x 3) m/s, of the vertices */
  readonly motion: Float64Array;
}

export const createFlow = ({ vertexCount, faceCount }: Body, scope: HeapScope): Flow => ({
  normalVelocity: scope.f64(faceCount),
  flux: scope.f64(vertexCount),
  sharpFlux: scope.f64(vertexCount),
  velocity: scope.f64(3 * vertexCount),
  motion: scope.f64(3 * vertexCount),
});

/**
 * Solves for the flow of the potential (vertices, on the heap). The shape is the body's; gradients must be of
 * it. `cavities`: vertices around closed air inside, whose volume is to stay: its pressure adds a constant to
 * the potential there.
 */
export function solveFlow(
  resources: Resources,
  { body, gradients, cavities, swirl }: FlowDomain,
  potential: Float64Array,
  accuracy: FlowAccuracy,
  out: Flow,
): SolveReport {
  const { position, triangle } = body;
  const equation = createFirstKind(resources, { position, triangle }, { tolerance: accuracy.sums });
  const scope = resources.heap.scope('surface flow');
  try {
    const solver = { equation, body, scope, residual: accuracy.residual };
    const report = computeFlux(solver, potential, out.normalVelocity, out.flux);
    const held = cavities.length > 0 ? holdCavities(solver, cavities, potential, out) : report;
    computeVelocity(body, gradients, potential, out);
    if (swirl) addSwirl(body, swirl, out);
    sharpen(body, gradients, out.flux, true, out.sharpFlux);
    completeMotion(gradients, out.sharpFlux, out.velocity, out.motion);
    return held;
  } finally {
    scope.free();
    equation.free();
  }
}

function addSwirl(body: Body, swirl: Swirl, { flux, normalVelocity, velocity }: Flow): void {
  addSwirlFlux(body, swirl, flux, normalVelocity);
  const { position: p, vertexCount } = body;
  const u = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    setSwirlVelocity(swirl, p[3 * v], p[3 * v + 1], p[3 * v + 2], u);
    for (let k = 0; k < 3; k++) velocity[3 * v + k] += u[k];
  }
}

interface Solver {
  readonly equation: FirstKind;
  readonly body: Body;
  readonly scope: HeapScope;
  readonly residual: number;
}

function computeFlux(
  { equation, body, scope, residual }: Solver,
  potential: Float64Array,
  normalVelocity: Float64Array,
  flux: Float64Array,
): SolveReport {
  const right = scope.f64(body.faceCount);
  equation.applyDouble(potential, right);
  const report = equation.solve(right, residual, normalVelocity);
  equation.applyDoubleTransposed(normalVelocity, flux);
  createHypersingular(equation, body, scope)(potential, flux);
  return report;
}

/**
 * Adds to the potential on each cavity the constant with which no volume goes in or out, and to flux and
 * normal velocity what it makes.
 */
function holdCavities(
  solver: Solver,
  cavities: readonly Int32Array[],
  potential: Float64Array,
  { flux, normalVelocity }: Flow,
): SolveReport {
  const { body, scope } = solver;
  const count = cavities.length;
  const matrix = new Float64Array(count * count);
  const right = new Float64Array(count);
  const sumOver = (cavity: Int32Array, values: Float64Array) => cavity.reduce((sum, v) => sum + values[v], 0);
  let worst: SolveReport = { iterations: 0, residual: 0, converged: true };
  const answers = cavities.map((cavity, n) => {
    const one = scope.f64(body.vertexCount);
    for (const v of cavity) one[v] = 1;
    const answer = { flux: scope.f64(body.vertexCount), normalVelocity: scope.f64(body.faceCount) };
    const report = computeFlux(solver, one, answer.normalVelocity, answer.flux);
    worst = {
      iterations: worst.iterations + report.iterations,
      residual: Math.max(worst.residual, report.residual),
      converged: worst.converged && report.converged,
    };
    cavities.forEach((other, m) => {
      matrix[count * m + n] = sumOver(other, answer.flux);
    });
    right[n] = -sumOver(cavity, flux);
    return answer;
  });
  if (!solveByElimination(matrix, count, right)) return { ...worst, converged: false };
  cavities.forEach((cavity, n) => {
    for (const v of cavity) potential[v] += right[n];
    for (let v = 0; v < flux.length; v++) flux[v] += right[n] * answers[n].flux[v];
    for (let f = 0; f < normalVelocity.length; f++)
      normalVelocity[f] += right[n] * answers[n].normalVelocity[f];
  });
  return worst;
}

/** Of the liquid at vertices: the mean of q n + grad phi over the faces around, by area. */
export function computeVelocity(
  { faceCount, triangle, position: p }: Body,
  { area }: Gradients,
  potential: Float64Array,
  { normalVelocity, velocity }: Pick<Flow, 'normalVelocity' | 'velocity'>,
): void {
  velocity.fill(0);
  const seen = new Float64Array(CORNER);
  for (let f = 0; f < faceCount; f++) {
    const a = triangle[3 * f];
    const b = triangle[3 * f + 1];
    const c = triangle[3 * f + 2];
    const double = setCorner(p, 3 * a, 3 * b, 3 * c, seen);
    if (double === 0) continue;
    // NORMAL is n times twice the area. An edge e opposite its corner has grad theta = n x e / 2A.
    const db = potential[b] - potential[a];
    const dc = potential[c] - potential[a];
    const third = 1 / 6;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const across =
        seen[NORMAL + i] * (dc * seen[U + j] - db * seen[W + j]) -
        seen[NORMAL + j] * (dc * seen[U + i] - db * seen[W + i]);
      const share = third * (normalVelocity[f] * seen[NORMAL + k] + across / double);
      velocity[3 * a + k] += share;
      velocity[3 * b + k] += share;
      velocity[3 * c + k] += share;
    }
  }
  for (let n = 0; n < velocity.length; n++) velocity[n] /= area[(n / 3) | 0] || 1;
}
