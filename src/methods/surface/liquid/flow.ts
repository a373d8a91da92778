/**
 * The potential flow inside one body at its present shape: from the potential at its vertices to the flux of
 * each vertex, the velocity of each and the kinetic energy. The first-kind equation is
 * integrals/panels/first-kind.ts; here it gets its hypersingular part and becomes velocities.
 *
 *   flux       W = N phi + (M/2 + K)^T q,   V q = (M/2 + K) phi
 *   across     u . G = W sharpened by one Neumann term (gradients.ts)
 *   along      the tangential gradient of phi, by least squares over the edges at the vertex (23.14): phi_w - phi_v = u . (x_w - x_v)
 */
import type { HeapScope } from '../../../core/heap.ts';
import { createFirstKind, type FirstKind } from '../../../integrals/panels/first-kind.ts';
import { createHypersingular } from '../../../integrals/panels/hypersingular.ts';
import type { SolveReport } from '../../../linalg/krylov/solver.ts';
import { solveByElimination, solveSymmetric } from '../../../math/dense-solve.ts';
import type { Resources } from '../../method.ts';
import type { Body } from './body.ts';
import { addNormalVelocity, type Gradients, sharpen } from './gradients.ts';

/** Relative residual of the solve, and error of far sums where they are multipole sums. */
export interface FlowAccuracy {
  readonly residual: number;
  readonly sums: number;
}

/**
 * Square of a gradient over that of its steepest edge, where edges stand at right angles and it lies between
 * them.
 */
const HIDDEN = 2;

/** A body at its present shape. */
export interface FlowDomain {
  readonly body: Body;
  readonly gradients: Gradients;
  readonly cavities: readonly Int32Array[];
}

export interface Flow {
  /** (faces) m/s, outward; before a solve the first guess */
  readonly normalVelocity: Float64Array;
  /** (vertices) m^3/s */
  readonly flux: Float64Array;
  /** (vertices) the same, sharpened */
  readonly sharpFlux: Float64Array;
  /** (vertices x 3) m/s */
  readonly velocity: Float64Array;
}

export const createFlow = ({ vertexCount, faceCount }: Body, scope: HeapScope): Flow => ({
  normalVelocity: scope.f64(faceCount),
  flux: scope.f64(vertexCount),
  sharpFlux: scope.f64(vertexCount),
  velocity: scope.f64(3 * vertexCount),
});

/**
 * Solves for the flow of the potential (vertices, on the heap). The shape is the body's; gradients must be of
 * it. `cavities`: vertices around closed air inside, whose volume is to stay: its pressure adds a constant to
 * the potential there.
 */
export function solveFlow(
  resources: Resources,
  { body, gradients, cavities }: FlowDomain,
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
    sharpen(body, gradients, out.flux, true, out.sharpFlux);
    out.velocity.fill(0);
    addNormalVelocity(gradients, out.sharpFlux, out.velocity);
    addTangentialVelocity(body, gradients, potential, out.velocity);
    return held;
  } finally {
    scope.free();
    equation.free();
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

/** Adds to velocities, so far along G alone, what the potential says along the surface. */
export function addTangentialVelocity(
  { vertexCount, position: p, triangle, cornerStart, vertexCorner }: Body,
  { volumeGradient: g }: Gradients,
  potential: Float64Array,
  velocity: Float64Array,
): void {
  const matrix = new Float64Array(6);
  const right = new Float64Array(3);
  for (let v = 0; v < vertexCount; v++) {
    const length = Math.hypot(g[3 * v], g[3 * v + 1], g[3 * v + 2]);
    if (length === 0) continue;
    const nx = g[3 * v] / length;
    const ny = g[3 * v + 1] / length;
    const nz = g[3 * v + 2] / length;
    const across = velocity[3 * v] * nx + velocity[3 * v + 1] * ny + velocity[3 * v + 2] * nz;
    matrix.fill(0);
    right.fill(0);
    let trace = 0;
    let steepest = 0;
    for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
      const c = vertexCorner[n];
      const f = c - (c % 3);
      for (let i = 1; i <= 2; i++) {
        const w = triangle[f + ((c - f + i) % 3)];
        const dx = p[3 * w] - p[3 * v];
        const dy = p[3 * w + 1] - p[3 * v + 1];
        const dz = p[3 * w + 2] - p[3 * v + 2];
        const square = dx * dx + dy * dy + dz * dz;
        if (square === 0) continue;
        const out = dx * nx + dy * ny + dz * nz;
        const tx = dx - out * nx;
        const ty = dy - out * ny;
        const tz = dz - out * nz;
        const miss = (potential[w] - potential[v] - across * out) / square;
        steepest = Math.max(steepest, miss * miss * square);
        matrix[0] += (tx * tx) / square;
        matrix[1] += (tx * ty) / square;
        matrix[2] += (tx * tz) / square;
        matrix[3] += (ty * ty) / square;
        matrix[4] += (ty * tz) / square;
        matrix[5] += (tz * tz) / square;
        right[0] += tx * miss;
        right[1] += ty * miss;
        right[2] += tz * miss;
        trace += (tx * tx + ty * ty + tz * tz) / square;
      }
    }
    if (!(trace > 0)) continue;
    // Nothing along the normal; a little held against rings that are all but on one line.
    const least = 1e-9 * trace;
    matrix[0] += trace * nx * nx + least;
    matrix[1] += trace * nx * ny;
    matrix[2] += trace * nx * nz;
    matrix[3] += trace * ny * ny + least;
    matrix[4] += trace * ny * nz;
    matrix[5] += trace * nz * nz + least;
    const [x, y, z] = solveSymmetric(matrix as unknown as number[], right as unknown as number[]);
    // On slivers a gradient has no bound: it is no steeper than edges at right angles may hide.
    const found = x * x + y * y + z * z;
    const scale = found > HIDDEN * steepest ? Math.sqrt((HIDDEN * steepest) / found) : 1;
    velocity[3 * v] += scale * x;
    velocity[3 * v + 1] += scale * y;
    velocity[3 * v + 2] += scale * z;
  }
}
