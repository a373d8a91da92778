/**
 * Wires amid films ([da-2017] 15.6): the circulation of held vertices is whatever makes the air move with the
 * wire. In place of tension, which the wire takes up, the potentials at held vertices are changed so that the
 * flux of each region there is that of the wire's motion, W = G . u, less what sources blow there.
 *
 * The change acts on the faces around held vertices alone, through the operator of velocity.ts restricted to
 * them: symmetric and positive, so conjugate gradients solve it without a matrix, and it needs no
 * regularisation of its own (the thesis: normal equations with Tikhonov's term). Cost: iterations times a sum
 * over the faces at wires, made ready once: the square of their number, or linear above the size at which the
 * multipole method is faster (MULTIPOLE_PAIRS_SINGLE in integrals/kernel-sum.ts).
 */
import type { PreparedSum } from '../../../integrals/direct-sum.ts';
import { INVERSE_FOUR_PI } from '../../../integrals/sum-kernels.ts';
import { createCgWork, iterateCg } from '../../../linalg/krylov/cg.ts';
import { createOperator } from '../../../linalg/operator.ts';
import { computeNorm } from '../../../linalg/vector.ts';
import { createThreadedSpace } from '../../../linalg/vector-space.ts';
import type { Air, HeldVertices } from '../air/air.ts';

const MOST_ITERATIONS = 60;
/** Relative residual at which the air moves with the wire closely enough. */
const TOLERANCE = 1e-3;

interface Patch {
  /** Entries that may change, and the faces they act on. */
  readonly entry: Int32Array;
  readonly face: Int32Array;
  /** (faces x 3) place of a corner's front and back entry in `entry`, or -1 */
  readonly front: Int32Array;
  readonly back: Int32Array;
  readonly middle: Float64Array;
  /** (faces x 9) edges opposite the corners */
  readonly edge: Float64Array;
  /** Near pairs among the faces, as rows. */
  readonly rowStart: Int32Array;
  readonly rowFace: Int32Array;
  readonly rowValue: Float64Array;
  readonly self: Float64Array;
  /** Scratch of an iteration (faces x 3): what the potentials make of the faces, m^3/s and m^2/s. */
  readonly strength: Float64Array;
  readonly vectorPotential: Float64Array;
}

/**
 * How a solve ended: what is left of the air's motion past the wires, as a share of what there was before.
 */
export interface WireSolve {
  readonly iterations: number;
  readonly residual: number;
  readonly isSolved: boolean;
}

/**
 * Changes potentials at wired vertices so that the air moves with the wires. `flux` is that of the present
 * potentials; `computeFlux` sets it anew for the changed ones. Undefined where nothing was to be changed.
 */
export function imposeWires(air: Air, hold: HeldVertices, computeFlux: () => void): WireSolve | undefined {
  const { potential } = air.sheet;
  const patch = buildPatch(air, hold);
  const residual = air.scope.f64(patch.entry.length);
  const asked = computeAsked(air, hold);
  const before = measureMisses(air, hold, asked, residual);
  if (before === 0) return undefined;
  const { change, iterations, isSolved } = solve(patch, air, residual);
  const add = (sign: number) => {
    for (let i = 0; i < change.length; i++) potential[patch.entry[i]] += sign * change[i];
    computeFlux();
    return measureMisses(air, hold, asked, residual) / before;
  };
  const left = add(1);
  // On faces crushed together the operator loses its sign to rounding: what makes it worse is not taken.
  if (!(left < 1)) return { iterations, residual: add(-1), isSolved: false };
  return { iterations, residual: left, isSolved };
}

/**
 * What the films are to move the air by at the wired vertices, (wired x 3) m/s: as the wires go, less what
 * sources do by themselves.
 */
function computeAsked({ sheet, addSources }: Air, { vertex, velocity, wired }: HeldVertices): Float64Array {
  const at = new Float64Array(3 * wired.length);
  const blown = new Float64Array(3 * wired.length);
  wired.forEach((w, n) => {
    for (let k = 0; k < 3; k++) at[3 * n + k] = sheet.position[3 * vertex[w] + k];
  });
  addSources?.(at, blown);
  return blown.map((u, n) => velocity[3 * wired[Math.floor(n / 3)] + (n % 3)] - u);
}

/** Flux that is asked for less that of the films, by the patch's entries, m^3/s; returns its norm. */
function measureMisses(
  { sheet, gradients, flux, threads }: Air,
  { vertex, wired }: HeldVertices,
  asked: Float64Array,
  out: Float64Array,
): number {
  let n = 0;
  for (let m = 0; m < wired.length; m++) {
    const v = vertex[wired[m]];
    for (let e = sheet.entryStart[v]; e < sheet.entryStart[v + 1]; e++) {
      if (sheet.isOpen[e]) continue;
      let wanted = 0;
      for (let k = 0; k < 3; k++) wanted += gradients.volumeGradient[3 * e + k] * asked[3 * m + k];
      out[n++] = wanted - flux[e];
    }
  }
  return computeNorm(threads, out);
}

function solve(
  patch: Patch,
  { sums, threads, scope, near }: Air,
  residual: Float64Array,
): { readonly change: Float64Array; readonly iterations: number; readonly isSolved: boolean } {
  const space = createThreadedSpace(threads, scope);
  const change = space.create(residual.length);
  const work = createCgWork(space, residual.length, false);
  const target = TOLERANCE ** 2 * space.dot(residual, residual);
  const isSmall = (square: number) => square <= target;
  const sum = sums.preparePotential(patch.middle, near!.softening);
  try {
    const operator = createOperator(threads, residual.length, (x, out) => apply(patch, sum, x, out));
    const vectors = { x: change, r: residual };
    // The operator is positive but for constants of a vertex, which do nothing: where the pass ends for want
    // of curvature, what is left lies in them, or is rounding.
    const pass = iterateCg(space, operator, undefined, vectors, work, isSmall, MOST_ITERATIONS);
    return { change, iterations: pass.iterations, isSolved: isSmall(pass.square) };
  } finally {
    sum.free();
  }
}

/** Flux at the patch's entries from potentials there. */
function apply(patch: Patch, sum: PreparedSum, x: Float64Array, out: Float64Array): void {
  const { front, back, edge, self, rowStart, rowFace, rowValue, strength, vectorPotential: a } = patch;
  const faces = patch.face.length;
  strength.fill(0);
  for (let f = 0; f < faces; f++) {
    for (let i = 0; i < 3; i++) {
      const c = 3 * f + i;
      const jump = (front[c] < 0 ? 0 : x[front[c]]) - (back[c] < 0 ? 0 : x[back[c]]);
      for (let k = 0; k < 3; k++) strength[3 * f + k] -= 0.5 * jump * edge[9 * f + 3 * i + k];
    }
  }
  sum.apply(strength, a);
  for (let f = 0; f < faces; f++) {
    let nearX = self[f] * strength[3 * f];
    let nearY = self[f] * strength[3 * f + 1];
    let nearZ = self[f] * strength[3 * f + 2];
    for (let n = rowStart[f]; n < rowStart[f + 1]; n++) {
      const other = 3 * rowFace[n];
      nearX += rowValue[n] * strength[other];
      nearY += rowValue[n] * strength[other + 1];
      nearZ += rowValue[n] * strength[other + 2];
    }
    a[3 * f] += INVERSE_FOUR_PI * nearX;
    a[3 * f + 1] += INVERSE_FOUR_PI * nearY;
    a[3 * f + 2] += INVERSE_FOUR_PI * nearZ;
  }
  out.fill(0);
  for (let f = 0; f < faces; f++) {
    for (let i = 0; i < 3; i++) {
      const c = 3 * f + i;
      let w = 0;
      for (let k = 0; k < 3; k++) w += 0.5 * edge[9 * f + 3 * i + k] * a[3 * f + k];
      if (back[c] >= 0) out[back[c]] += w;
      if (front[c] >= 0) out[front[c]] -= w;
    }
  }
}

function buildPatch({ sheet, fields, near }: Air, hold: HeldVertices): Patch {
  const entryPlace = new Int32Array(sheet.entryCount).fill(-1);
  const facePlace = new Int32Array(sheet.faceCount).fill(-1);
  const entries: number[] = [];
  const faces: number[] = [];
  for (const w of hold.wired) {
    const v = hold.vertex[w];
    for (let e = sheet.entryStart[v]; e < sheet.entryStart[v + 1]; e++)
      if (!sheet.isOpen[e]) entryPlace[e] = entries.push(e) - 1;
    for (let n = sheet.cornerStart[v]; n < sheet.cornerStart[v + 1]; n++) {
      const f = (sheet.vertexCorner[n] / 3) | 0;
      if (facePlace[f] < 0) facePlace[f] = faces.push(f) - 1;
    }
  }
  const count = faces.length;
  const front = new Int32Array(3 * count);
  const back = new Int32Array(3 * count);
  const middle = new Float64Array(3 * count);
  const edge = new Float64Array(9 * count);
  const self = new Float64Array(count);
  const rowStart = new Int32Array(count + 1);
  const rowFace: number[] = [];
  const rowValue: number[] = [];
  const p = sheet.position;
  faces.forEach((f, m) => {
    const row = near!.place[f];
    self[m] = near!.self[row];
    for (let i = 0; i < 3; i++) {
      front[3 * m + i] = entryPlace[sheet.cornerFront[3 * f + i]];
      back[3 * m + i] = entryPlace[sheet.cornerBack[3 * f + i]];
      middle[3 * m + i] = fields.middle[3 * f + i];
      const j = 3 * sheet.corner[3 * f + ((i + 1) % 3)];
      const l = 3 * sheet.corner[3 * f + ((i + 2) % 3)];
      for (let k = 0; k < 3; k++) edge[9 * m + 3 * i + k] = p[l + k] - p[j + k];
    }
    for (let n = near!.rowStart[row]; n < near!.rowEnd[row]; n++) {
      const g = near!.sorted[near!.rowPlace[n]];
      if (facePlace[g] < 0) continue;
      rowFace.push(facePlace[g]);
      rowValue.push(near!.value[n]);
    }
    rowStart[m + 1] = rowFace.length;
  });
  return {
    entry: Int32Array.from(entries),
    face: Int32Array.from(faces),
    front,
    back,
    middle,
    edge,
    rowStart,
    rowFace: Int32Array.from(rowFace),
    rowValue: Float64Array.from(rowValue),
    self,
    strength: new Float64Array(3 * count),
    vectorPotential: new Float64Array(3 * count),
  };
}
