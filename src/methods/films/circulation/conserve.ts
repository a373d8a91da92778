/**
 * Conservative resampling: an edit of the mesh leaves what the circulation of a film adds up to, as far as
 * the film has vertices to take what is missing.
 *
 * Interpolation (16.1) flattens crests: collapses, flips and slides all change the integral of the
 * circulation over the films around, by a little and mostly to the same side. The energy of the air changes
 * with it by rho int (change of circulation) (normal velocity) dA, to first order, and its momentum by rho
 * int (change) n dA. Velocity and normal vary little over the patch of faces that an edit replaces; so where
 * the changes on a patch add up to nothing, what is left is smaller by the size of the patch.
 *
 *   before   on each film of the patch: area, integrals of circulation, place and gradient
 *   after    its mean is to be the mean before, taken along the mean gradient to where the middle has gone: curves move sideways, and what is linear in place stays so
 *   missing  is taken by the vertex that the edit made or moved, whose value is the one that is not known, as far as it can: on a curve it has two numbers for three films, so by least squares;
 *            then by the film's own vertices on the rim of the patch. Vertices of curves on the rim, whose changes would go on to other films, stay as they are
 *
 * Where a film has no vertex of its own on the patch, some of what it misses may be left: such edits are
 * counted, apart from those that leave rounding. Made to meet all sums there, by the least change of all
 * potentials around, remeshing pumps energy into foams of two edges to a bubble: those of 125 and of 512
 * bubbles then heat up when kneaded, until they fly apart. Cost: linear in the faces around the patch.
 */
import { type F64View, NONE } from '../../../core/types.ts';
import { computeFaceArea } from '../../../tracking/multimaterial/measure.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { VertexPolicy } from '../../../tracking/multimaterial/policy.ts';
import type { RegionPotentials } from './potentials.ts';

/**
 * Largest change of a potential, in units of how far the circulations on the patch lie apart. The middle of a
 * star has a third of its area and takes three times what the mean lacks, half of it on either side of the
 * film.
 */
const LARGEST = 1.5;
/**
 * A region whose films have less than this share of the area at a vertex hangs by a thread: such vertices are
 * left alone.
 */
const SINGULAR = 1e-9;
/** Of the largest circulation on the patch: what a film misses on the mean below this is rounding. */
const ROUNDING = 1e-12;

/**
 * Edits that did not keep all sums: some film could not take what it missed; or its mean was held within what
 * it had been on the patch, gradients on slivers having no bound; or films met or parted there.
 */
export type Shortfall = 'unmet' | 'held' | 'parted';

/** `onShort`: told of each such edit. */
export function createConservation(
  mesh: () => MultiMesh,
  rows: RegionPotentials,
  isOpening: (label: number) => boolean,
  onShort?: (how: Shortfall) => void,
): VertexPolicy {
  const before: FilmPart[] = [];
  const after: FilmPart[] = [];
  // Seen from a corner of the patch: far from the origin places would lose their digits.
  const origin = [0, 0, 0];
  const corner = new Float64Array(9);
  return {
    onReplace({ vertex, position, label }) {
      before.length = 0;
      for (let k = 0; k < 3; k++) origin[k] = position[k];
      for (let f = 0; 2 * f < label.length; f++) {
        for (let n = 0; n < 9; n++) corner[n] = position[9 * f + n] - origin[n % 3];
        findPart(before, label[2 * f], label[2 * f + 1]).add(rows, vertex, 3 * f, corner);
      }
    },
    onReplaced(fresh) {
      const { face, position, label } = mesh();
      after.length = 0;
      for (const f of fresh) {
        for (let n = 0; n < 9; n++)
          corner[n] = position[3 * face[3 * f + Math.floor(n / 3)] + (n % 3)] - origin[n % 3];
        findPart(after, label[2 * f], label[2 * f + 1]).add(rows, face, 3 * f, corner);
      }
      const short = giveBack(mesh(), rows, isOpening, fresh, before, after);
      if (short) onShort?.(short);
    },
  };
}

const jump = [0, 0, 0];
const u = [0, 0, 0];
const w = [0, 0, 0];

/**
 * The faces of one film in a patch, summed up; circulation is the potential of region i less that of j, i <
 * j.
 */
class FilmPart {
  /** m^2 */
  private area = 0;
  /** Integrals of the circulation, m^4/s, its gradient, m^3/s, and the place, m^3 */
  private sum = 0;
  private readonly gradient = [0, 0, 0];
  private readonly middle = [0, 0, 0];
  private least = Infinity;
  private most = -Infinity;
  /** Do all its vertices know both regions? */
  private isKnown = true;

  constructor(
    readonly i: number,
    readonly j: number,
  ) {}

  /** Adds the face of vertices [c, c + 3) at places p (3 x 3). */
  add(rows: RegionPotentials, vertex: ArrayLike<number>, c: number, p: F64View): void {
    for (let k = 0; k < 3; k++) {
      const m = rows.find(vertex[c + k], this.i);
      const n = rows.find(vertex[c + k], this.j);
      if (m === NONE || n === NONE) {
        this.isKnown = false;
        return;
      }
      jump[k] = rows.value[m] - rows.value[n];
      this.least = Math.min(this.least, jump[k]);
      this.most = Math.max(this.most, jump[k]);
    }
    let [uu, uw, ww] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      u[k] = p[3 + k] - p[k];
      w[k] = p[6 + k] - p[k];
      uu += u[k] * u[k];
      uw += u[k] * w[k];
      ww += w[k] * w[k];
    }
    const det = uu * ww - uw * uw;
    if (!(det > 0)) return;
    const area = 0.5 * Math.sqrt(det);
    // The gradient is s u + t w.
    const [alongU, alongW] = [jump[1] - jump[0], jump[2] - jump[0]];
    const s = (area * (alongU * ww - alongW * uw)) / det;
    const t = (area * (alongW * uu - alongU * uw)) / det;
    this.area += area;
    this.sum += (area * (jump[0] + jump[1] + jump[2])) / 3;
    for (let k = 0; k < 3; k++) {
      this.gradient[k] += s * u[k] + t * w[k];
      this.middle[k] += (area * (p[k] + p[3 + k] + p[6 + k])) / 3;
    }
  }

  /** How far its circulations lie apart, m^2/s. */
  get range(): number {
    return this.isKnown ? this.most - this.least : 0;
  }

  /** The sum below which it cannot tell anything from nothing, m^4/s. */
  get rounding(): number {
    return ROUNDING * this.area * Math.max(Math.abs(this.least), Math.abs(this.most));
  }

  /** What its mean should be after `was`, m^2/s; NaN where that is not known. */
  computeMean(was: FilmPart): number {
    if (!was.isKnown || !this.isKnown || !(was.area > 0) || !(this.area > 0)) return Number.NaN;
    let mean = was.sum / was.area;
    for (let k = 0; k < 3; k++)
      mean += (was.gradient[k] / was.area) * (this.middle[k] / this.area - was.middle[k] / was.area);
    return mean;
  }

  /** The nearest to a mean that it has had somewhere. */
  holdWithin(mean: number): number {
    return Math.max(this.least, Math.min(this.most, mean));
  }

  /** What it lacks of a mean, m^4/s. */
  computeMissing(mean: number): number {
    return this.area * mean - this.sum;
  }
}

function findPart(parts: FilmPart[], a: number, b: number): FilmPart {
  const [i, j] = a < b ? [a, b] : [b, a];
  for (const part of parts) if (part.i === i && part.j === j) return part;
  const part = new FilmPart(i, j);
  parts.push(part);
  return part;
}

/** Gives the films of a patch what they miss; tells where that was not all. */
function giveBack(
  mesh: MultiMesh,
  rows: RegionPotentials,
  isOpening: (label: number) => boolean,
  fresh: readonly number[],
  before: readonly FilmPart[],
  after: readonly FilmPart[],
): Shortfall | undefined {
  // Where films meet or part there is no telling what of them was where: circulations are interpolated and no
  // more.
  if (before.length !== after.length) return 'parted';
  let range = 0;
  let short: Shortfall | undefined;
  const missing: number[] = [];
  for (const now of after) {
    const was = before.find(({ i, j }) => i === now.i && j === now.j);
    if (!was) return 'parted';
    range = Math.max(range, was.range);
    const mean = now.computeMean(was);
    const held = was.holdWithin(mean);
    missing.push(Number.isNaN(mean) ? 0 : now.computeMissing(held));
    if (Math.abs(now.computeMissing(held) - now.computeMissing(mean)) > now.rounding) short = 'held';
  }
  if (missing.every((sum) => sum === 0)) return short;
  const largest = LARGEST * range;
  const centre = findCentre(mesh, fresh);
  if (centre !== NONE && !isRim(mesh, isOpening, centre))
    giveToCentre(mesh, rows, centre, after, missing, largest);
  after.forEach(({ i, j, rounding }, n) => {
    const left = giveToOwn(mesh, rows, fresh, i, j, missing[n], largest);
    if (Math.abs(left) > rounding) short = 'unmet';
  });
  return short;
}

/**
 * What the vertex that the edit made or moved can take: the changes d of its potentials for which sum over
 * films (missing - share (d_i - d_j))^2 / share is least. Their equations are those of a network, the regions
 * its nodes, the films its conductors, each with the film's share of the vertex; amid a film all is taken.
 * Leaves in `missing` what is missing still.
 */
function giveToCentre(
  mesh: MultiMesh,
  rows: RegionPotentials,
  v: number,
  films: readonly FilmPart[],
  missing: number[],
  largest: number,
): void {
  const share = films.map(({ i, j }) => computeShare(mesh, v, i, j));
  const regions: number[] = [];
  for (const { i, j } of films)
    for (const region of [i, j]) if (!regions.includes(region)) regions.push(region);
  const slots = regions.map((region) => rows.find(v, region));
  if (slots.includes(NONE)) return;
  const change = solveNetwork(films, regions, share, missing);
  const most = Math.max(...change.map(Math.abs));
  const part = most > largest ? largest / most : 1;
  slots.forEach((slot, n) => {
    rows.value[slot] += part * change[n];
  });
  films.forEach(({ i, j }, n) => {
    missing[n] -= part * share[n] * (change[regions.indexOf(i)] - change[regions.indexOf(j)]);
  });
}

/** Changes of the regions' potentials, of mean zero. */
function solveNetwork(
  films: readonly FilmPart[],
  regions: readonly number[],
  share: readonly number[],
  missing: readonly number[],
): number[] {
  const n = regions.length;
  const m = regions.map(() => new Float64Array(n + 1));
  films.forEach(({ i, j }, f) => {
    const [a, b] = [regions.indexOf(i), regions.indexOf(j)];
    m[a][a] += share[f];
    m[b][b] += share[f];
    m[a][b] -= share[f];
    m[b][a] -= share[f];
    m[a][n] += missing[f];
    m[b][n] -= missing[f];
  });
  // The last is held at zero: only differences mean anything.
  const change = new Array<number>(n).fill(0);
  const scale = Math.max(...m.map((row, a) => row[a]));
  for (let a = 0; a < n - 1; a++) {
    if (!(m[a][a] > SINGULAR * scale)) return new Array<number>(n).fill(0);
    for (let b = a + 1; b < n - 1; b++) {
      const factor = m[b][a] / m[a][a];
      for (let c = a; c <= n; c++) m[b][c] -= factor * m[a][c];
    }
  }
  for (let a = n - 2; a >= 0; a--) {
    let sum = m[a][n];
    for (let c = a + 1; c < n - 1; c++) sum -= m[a][c] * change[c];
    change[a] = sum / m[a][a];
  }
  const mean = change.reduce((sum, x) => sum + x, 0) / n;
  return change.map((x) => x - mean);
}

/**
 * Spreads what a film misses over its own vertices in the patch; returns what they cannot take of it, m^4/s.
 */
function giveToOwn(
  mesh: MultiMesh,
  rows: RegionPotentials,
  fresh: readonly number[],
  i: number,
  j: number,
  missing: number,
  largest: number,
): number {
  if (missing === 0) return 0;
  const own: number[] = [];
  let share = 0;
  for (const f of fresh) {
    if (!isOfFilm(mesh, f, i, j)) continue;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const v = mesh.face[c];
      if (own.includes(v) || !isAmid(mesh, v, i, j)) continue;
      own.push(v);
      share += computeShare(mesh, v, i, j);
    }
  }
  if (!(share > 0)) return missing;
  const change = Math.max(-largest, Math.min(largest, missing / share / 2));
  for (const v of own) {
    const [front, back] = [rows.find(v, i), rows.find(v, j)];
    if (front === NONE || back === NONE) continue;
    rows.value[front] += change;
    rows.value[back] -= change;
  }
  return missing - 2 * share * change;
}

const isOfFilm = ({ label }: MultiMesh, f: number, i: number, j: number) =>
  (label[2 * f] === i && label[2 * f + 1] === j) || (label[2 * f] === j && label[2 * f + 1] === i);

/** Are all faces of a vertex of one film? */
function isAmid(mesh: MultiMesh, v: number, i: number, j: number): boolean {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    if (!isOfFilm(mesh, faceOf(c), i, j)) return false;
  return true;
}

/** A third of the area of a film's faces at a vertex, m^2. */
function computeShare(mesh: MultiMesh, v: number, i: number, j: number): number {
  let sum = 0;
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
    if (isOfFilm(mesh, faceOf(c), i, j)) sum += computeFaceArea(mesh, faceOf(c)) / 3;
  return sum;
}

/** Rims of openings carry no circulation (15.6). */
function isRim(mesh: MultiMesh, isOpening: (label: number) => boolean, v: number): boolean {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = faceOf(c);
    if (isOpening(mesh.label[2 * f]) || isOpening(mesh.label[2 * f + 1])) return true;
  }
  return false;
}

/**
 * The vertex with all these faces and no others, which the edit made or moved; NONE without, as after a flip.
 */
function findCentre(mesh: MultiMesh, faces: readonly number[]): number {
  for (let c = 3 * faces[0]; c < 3 * faces[0] + 3; c++) {
    const v = mesh.face[c];
    let others = faces.length;
    for (let d = mesh.vertexCorner[v]; d !== NONE; d = mesh.cornerNextAtVertex[d]) others--;
    if (others === 0 && faces.every((f) => mesh.hasVertex(f, v))) return v;
  }
  return NONE;
}
