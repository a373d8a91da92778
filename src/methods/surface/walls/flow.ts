/**
 * The potential flow inside a body that touches walls (integrals/panels/mixed-kind.ts), and what its vertices
 * do. Free vertices do as everywhere (liquid/flow.ts). The velocity at those on walls is what fits the
 * potential's differences along their edges best and has the walls' own across them; the motion of contact
 * lines is the same with their flux:
 *
 *     sum w_e (u . d_e - (phi_w - phi_v))^2 -> least,   u . n = u_wall . n,   for the motion also m . G = W
 *
 * The line of a drop that rolls over its wall runs ahead of the liquid next to it, as a cusp that closes
 * does.
 */
import type { HeapScope } from '../../../core/heap.ts';
import { createFirstKind } from '../../../integrals/panels/first-kind.ts';
import { createMixedKind } from '../../../integrals/panels/mixed-kind.ts';
import type { SolveReport } from '../../../linalg/krylov/solver.ts';
import { solveSymmetric } from '../../../math/dense-solve.ts';
import { addOuterProduct } from '../../../math/symmetric-eigen.ts';
import { computeDoubleArea } from '../../../math/triangle.ts';
import type { Resources } from '../../method.ts';
import type { Body } from '../liquid/body.ts';
import { computeVelocity, type Flow, type FlowAccuracy } from '../liquid/flow.ts';
import { completeMotion, type Gradients, sharpen } from '../liquid/gradients.ts';
import { type Contact, ROLE } from './contact.ts';

/** Weight of what must hold against all edges together. */
const STRICT = 1e4;
/**
 * The line follows its flux where G^2 is at least this share of its area's square, and less below: where the
 * surface lies flat over the wall it comes down on it rather than along it.
 */
const UPRIGHT = 0.05;

export interface ContactDomain {
  readonly body: Body;
  readonly gradients: Gradients;
  readonly contact: Contact;
}

/**
 * Solves for the flow of the potential, known but at wall vertices, where it is set. `energy`: kinetic, over
 * the density, m^5/s^2.
 */
export function solveContactFlow(
  resources: Resources,
  { body, gradients, contact }: ContactDomain,
  potential: Float64Array,
  accuracy: FlowAccuracy,
  out: Flow,
): { report: SolveReport; energy: number } {
  const { position, triangle } = body;
  const equation = createFirstKind(resources, { position, triangle }, { tolerance: accuracy.sums });
  const scope = resources.heap.scope('surface flow');
  try {
    for (let f = 0; f < body.faceCount; f++)
      if (contact.isWallFace[f]) out.normalVelocity[f] = contact.through[f];
    const load = computeLoad(body, contact, scope);
    const mixed = createMixedKind(resources, body, equation, contact, scope);
    const report = mixed.solve(potential, out.normalVelocity, load, accuracy.residual, out.flux);
    let energy = 0;
    for (let v = 0; v < load.length; v++) energy += 0.5 * potential[v] * out.flux[v];
    // A line's flux is that through its free faces.
    for (let v = 0; v < load.length; v++) out.flux[v] = contact.isWallVertex[v] ? 0 : out.flux[v] - load[v];
    sharpen(contact.free, gradients, out.flux, true, out.sharpFlux);
    const { free, freeFaces } = contact;
    const normalVelocity = Float64Array.from(freeFaces, (f) => out.normalVelocity[f]);
    computeVelocity(free, gradients, potential, { normalVelocity, velocity: out.velocity });
    completeMotion(gradients, out.sharpFlux, out.velocity, out.motion);
    fitOnWalls({ body, gradients, contact }, potential, out);
    return { report, energy };
  } finally {
    scope.free();
    equation.free();
  }
}

/** (vertices) m^3/s through the wet faces, a third to each corner. */
function computeLoad(
  { triangle, position }: Body,
  { isWallFace, through }: Contact,
  scope: HeapScope,
): Float64Array {
  const load = scope.f64(position.length / 3);
  for (let f = 0; 3 * f < triangle.length; f++) {
    if (!isWallFace[f] || through[f] === 0) continue;
    const [a, b, c] = triangle.subarray(3 * f, 3 * f + 3);
    const third = (through[f] * computeDoubleArea(position, 3 * a, 3 * b, 3 * c)) / 6;
    load[a] += third;
    load[b] += third;
    load[c] += third;
  }
  return load;
}

/** Least squares for the velocity at one vertex. */
class VelocityFit {
  private readonly matrix = new Float64Array(6);
  private readonly right = new Float64Array(3);
  private edges = 0;

  constructor(
    private readonly body: Body,
    private readonly contact: Contact,
  ) {}

  /** Begins with the differences of the potential along the edges of v, and its walls. */
  begin(v: number, potential: Float64Array): void {
    const { position: p, triangle, cornerStart, vertexCorner } = this.body;
    const { normals, wallVelocity } = this.contact;
    this.matrix.fill(0);
    this.right.fill(0);
    this.edges = 0;
    for (let n = cornerStart[v]; n < cornerStart[v + 1]; n++) {
      const c = vertexCorner[n];
      const f = c - (c % 3);
      const w = triangle[f + ((c - f + 1) % 3)];
      const [x, y, z] = [p[3 * w] - p[3 * v], p[3 * w + 1] - p[3 * v + 1], p[3 * w + 2] - p[3 * v + 2]];
      const square = x * x + y * y + z * z;
      if (square === 0) continue;
      this.add(x, y, z, potential[w] - potential[v], 1 / square);
      this.edges++;
    }
    for (const [x, y, z] of normals[v]) {
      const across = x * wallVelocity[3 * v] + y * wallVelocity[3 * v + 1] + z * wallVelocity[3 * v + 2];
      this.add(x, y, z, across, STRICT * this.edges);
    }
    // A little against rings that are all but on one line.
    for (const n of [0, 3, 5]) this.matrix[n] += 1e-9 * this.edges;
  }

  /** u . (x, y, z) is to be a value, strictly. */
  require(x: number, y: number, z: number, value: number): void {
    this.add(x, y, z, value, (STRICT * this.edges) / (x * x + y * y + z * z));
  }

  solve(): [number, number, number] {
    return solveSymmetric(this.matrix as unknown as number[], this.right as unknown as number[]);
  }

  private add(x: number, y: number, z: number, value: number, weight: number): void {
    const { matrix, right } = this;
    addOuterProduct(x, y, z, 1 / weight, matrix);
    right[0] += weight * x * value;
    right[1] += weight * y * value;
    right[2] += weight * z * value;
  }
}

function fitOnWalls({ body, gradients, contact }: ContactDomain, potential: Float64Array, flow: Flow): void {
  const { role, isWallVertex, isPinned, wallVelocity } = contact;
  const { volumeGradient: G, area } = gradients;
  const fit = new VelocityFit(body, contact);
  for (let v = 0; v < body.vertexCount; v++) {
    if (role[v] === ROLE.free) continue;
    if (isPinned[v]) {
      for (const out of [flow.velocity, flow.motion]) out.set(wallVelocity.subarray(3 * v, 3 * v + 3), 3 * v);
      continue;
    }
    fit.begin(v, potential);
    flow.velocity.set(fit.solve(), 3 * v);
    const square = G[3 * v] ** 2 + G[3 * v + 1] ** 2 + G[3 * v + 2] ** 2;
    if (role[v] === ROLE.line && !isWallVertex[v] && square > 0) {
      const share = Math.min(1, square / (UPRIGHT * area[v] ** 2));
      fit.require(G[3 * v], G[3 * v + 1], G[3 * v + 2], share * flow.sharpFlux[v]);
    }
    flow.motion.set(fit.solve(), 3 * v);
  }
}
