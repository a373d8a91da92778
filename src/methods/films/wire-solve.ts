/**
 * Wires amid films ([da-2017] 15.6): the circulation of held vertices is whatever makes the air move with the wire. In place of tension, which the wire takes up,
 * the potentials at held vertices are changed so that the flux of each region there is that of the wire's motion, W = G . u.
 *
 * The change acts on the faces around held vertices alone, through the operator of velocity.ts restricted to them: symmetric and positive, so conjugate gradients
 * solve it without a matrix, and it needs no regularisation of its own (the thesis: normal equations with Tikhonov's term).
 * Cost: iterations times the square of the faces at wires.
 */

import { INVERSE_FOUR_PI } from '../../integrals/sum-kernels.ts';
import type { Air, HeldVertices } from './air.ts';

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
}

/** How a solve ended: what is left of the air's motion past the wires, as a share of what there was before. */
export interface WireSolve {
  readonly iterations: number;
  readonly residual: number;
  readonly isSolved: boolean;
}

/** Changes potentials at wired vertices so that the air moves with the wires. `flux` is that of the present potentials; `computeFlux` sets it anew for the changed ones. Undefined where nothing was to be changed. */
export function imposeWires(air: Air, hold: HeldVertices, computeFlux: () => void): WireSolve | undefined {
  const { potential } = air.sheet;
  const patch = buildPatch(air, hold);
  const residual = new Float64Array(patch.entry.length);
  const before = measureMisses(air, hold, residual);
  if (before === 0) return undefined;
  const { change, iterations, isSolved } = solve(patch, air, residual);
  const add = (sign: number) => {
    for (let i = 0; i < change.length; i++) potential[patch.entry[i]] += sign * change[i];
    computeFlux();
    return measureMisses(air, hold, residual) / before;
  };
  const left = add(1);
  // On faces crushed together the operator loses its sign to rounding: what makes it worse is not taken.
  if (!(left < 1)) return { iterations, residual: add(-1), isSolved: false };
  return { iterations, residual: left, isSolved };
}

/** Flux that the wires' motion asks for less that of the air, by the patch's entries, m^3/s; returns its norm. */
function measureMisses({ sheet, frames, flux }: Air, hold: HeldVertices, out: Float64Array): number {
  let n = 0;
  for (const w of hold.wired) {
    const v = hold.vertex[w];
    for (let e = sheet.entryStart[v]; e < sheet.entryStart[v + 1]; e++) {
      if (sheet.isOpen[e]) continue;
      let wanted = 0;
      for (let k = 0; k < 3; k++) wanted += frames.volumeGradient[3 * e + k] * hold.velocity[3 * w + k];
      out[n++] = wanted - flux[e];
    }
  }
  return Math.sqrt(computeSquare(out));
}

function solve(
  patch: Patch,
  air: Air,
  residual: Float64Array,
): { readonly change: Float64Array; readonly iterations: number; readonly isSolved: boolean } {
  const count = residual.length;
  const change = new Float64Array(count);
  const d = new Float64Array(count);
  const q = new Float64Array(count);
  let rho = computeSquare(residual);
  const first = rho;
  let iterations = 0;
  let last = 0;
  while (rho > TOLERANCE ** 2 * first && iterations < MOST_ITERATIONS) {
    for (let i = 0; i < count; i++) d[i] = residual[i] + (iterations === 0 ? 0 : (rho / last) * d[i]);
    apply(patch, air, d, q);
    let curvature = 0;
    for (let i = 0; i < count; i++) curvature += d[i] * q[i];
    // The operator is positive but for constants of a vertex, which do nothing: what is left lies in them, or is rounding.
    if (!(curvature > 0)) break;
    for (let i = 0; i < count; i++) {
      change[i] += (rho / curvature) * d[i];
      residual[i] -= (rho / curvature) * q[i];
    }
    last = rho;
    rho = computeSquare(residual);
    iterations++;
  }
  return { change, iterations, isSolved: rho <= TOLERANCE ** 2 * first };
}

function computeSquare(a: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] ** 2;
  return sum;
}

/** Flux at the patch's entries from potentials there. */
function apply(patch: Patch, air: Air, x: Float64Array, out: Float64Array): void {
  const faces = patch.face.length;
  const strength = new Float64Array(3 * faces);
  const a = new Float64Array(3 * faces);
  const { front, back, edge } = patch;
  for (let f = 0; f < faces; f++) {
    for (let i = 0; i < 3; i++) {
      const c = 3 * f + i;
      const jump = (front[c] < 0 ? 0 : x[front[c]]) - (back[c] < 0 ? 0 : x[back[c]]);
      for (let k = 0; k < 3; k++) strength[3 * f + k] -= 0.5 * jump * edge[9 * f + 3 * i + k];
    }
  }
  air.sums.addUpPotential(patch.middle, strength, a);
  for (let f = 0; f < faces; f++) {
    for (let k = 0; k < 3; k++) {
      let sum = patch.self[f] * strength[3 * f + k];
      for (let n = patch.rowStart[f]; n < patch.rowStart[f + 1]; n++)
        sum += patch.rowValue[n] * strength[3 * patch.rowFace[n] + k];
      a[3 * f + k] += INVERSE_FOUR_PI * sum;
    }
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
  };
}
