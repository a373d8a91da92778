/**
 * Conservative resampling: no edit of the mesh changes what the circulation of a film adds up to.
 *
 * Interpolation (16.1) flattens crests: collapses, flips and slides all change the integral of the circulation over the films around, by a little and mostly to the same side. The energy of the air
 * changes with it by rho int (change of circulation) (normal velocity) dA, to first order, and its momentum by rho int (change) n dA. Velocity and normal vary little over the patch of faces that an edit
 * replaces; so where the changes on a patch add up to nothing, what is left is smaller by the size of the patch.
 *
 *   before   on each film of the patch: area, integrals of circulation, place and gradient
 *   after    its mean is to be the mean before, taken along the mean gradient to where the middle has gone: curves move sideways, and what is linear in place stays so
 *   missing  is given by the least change of the potentials at the vertices of the patch (in the mean square over the films) that leaves the sums of all other films at them alone;
 *            the vertex that the edit made or moved comes first, as its value is the one that is not known
 *
 * Amid a film that vertex takes all. On a curve it has two numbers for three films, and vertices around it take the rest. A film too narrow for vertices of its own gives and takes along its curves.
 * Cost: linear in the faces around the patch, and a dense system of as many unknowns as films there (one amid a film, some ten at a point where four bubbles meet).
 */
import { type F64View, NONE } from '../../../core/types.ts';
import { computeFaceArea } from '../../../tracking/multimaterial/measure.ts';
import { faceOf, type MultiMesh } from '../../../tracking/multimaterial/mesh.ts';
import type { VertexPolicy } from '../../../tracking/multimaterial/policy.ts';
import type { RegionPotentials } from './potentials.ts';

/**
 * How much more readily the vertex that an edit made or moved changes than one of the rim, on curves. The small cluster (resolution 0.008 m) loses 50 % of its greatest kinetic energy to remeshing by 0.06 s where this is 1
 * everywhere, 34 with 100 and 30 with this; 55 where sums are not kept.
 */
const CENTRE = 1e4;
/**
 * Largest change of a potential, in units of how far the circulations on the patch lie apart. The middle of a star has a third of its area and takes three times what the mean lacks, half of it on either side of the film: 1.5 at
 * most amid films. On curves, where slivers would have no bound, more than that is asked for now and then.
 */
const LARGEST = 3;
/** Pivots below this, of a unit diagonal, belong to films whose sums follow from those of the others. */
const SINGULAR = 1e-9;
/** What may be left of the largest sum that a film of the patch misses. */
const UNMET = 1e-6;

/** `onUnmet`: told of an edit after which some film has not all that it had. */
export function createConservation(
  mesh: () => MultiMesh,
  rows: RegionPotentials,
  isOpening: (label: number) => boolean,
  onUnmet?: () => void,
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
      if (!giveBack(mesh(), rows, isOpening, fresh, before, after)) onUnmet?.();
    },
  };
}

const jump = [0, 0, 0];
const u = [0, 0, 0];
const w = [0, 0, 0];

/** The faces of one film in a patch, summed up; circulation is the potential of region i less that of j, i < j. */
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

  /** What it lacks of the sum that it should have after `was`, m^4/s. */
  computeMissing(was: FilmPart): number {
    if (!was.isKnown || !this.isKnown || !(was.area > 0) || !(this.area > 0)) return 0;
    let mean = was.sum / was.area;
    for (let k = 0; k < 3; k++)
      mean += (was.gradient[k] / was.area) * (this.middle[k] / this.area - was.middle[k] / was.area);
    // Gradients on slivers have no bound; means have.
    return this.area * Math.max(was.least, Math.min(was.most, mean)) - this.sum;
  }
}

function findPart(parts: FilmPart[], a: number, b: number): FilmPart {
  const [i, j] = a < b ? [a, b] : [b, a];
  for (const part of parts) if (part.i === i && part.j === j) return part;
  const part = new FilmPart(i, j);
  parts.push(part);
  return part;
}

/** A film at vertices of the patch. */
interface Film {
  readonly i: number;
  readonly j: number;
  /** m^4/s */
  readonly missing: number;
  /** By place in the list of vertices, a third of the area of its faces there, m^2 */
  readonly share: Float64Array;
}

function createFilm(i: number, j: number, missing: number, count: number): Film {
  return { i, j, missing, share: new Float64Array(count) };
}

/** Gives the films of a patch what they miss; false where not all of it could be. */
function giveBack(
  mesh: MultiMesh,
  rows: RegionPotentials,
  isOpening: (label: number) => boolean,
  fresh: readonly number[],
  before: readonly FilmPart[],
  after: readonly FilmPart[],
): boolean {
  let range = 0;
  const missing = after.map((now) => {
    const was = before.find(({ i, j }) => i === now.i && j === now.j);
    range = Math.max(range, was?.range ?? 0);
    return was ? now.computeMissing(was) : 0;
  });
  if (missing.every((sum) => sum === 0)) return true;
  const vertices = listVertices(mesh, isOpening, fresh);
  const centre = findCentre(mesh, fresh);
  // Amid a film it takes all.
  if (after.length === 1 && vertices.includes(centre)) vertices.splice(0, vertices.length, centre);
  const films = after.map(({ i, j }, n) => createFilm(i, j, missing[n], vertices.length));
  const readiness = vertices.map((v, n) => {
    const area = addShares(mesh, vertices, n, films);
    return area > 0 ? (v === centre ? CENTRE : 1) / area : 0;
  });
  const { multiplier, isSolved } = solveMultipliers(films, readiness);
  const isWhole = changePotentials(rows, vertices, readiness, films, multiplier, LARGEST * range);
  return isSolved && isWhole;
}

/** Vertices of faces, but for the rims of openings: those carry no circulation (15.6). */
function listVertices(
  mesh: MultiMesh,
  isOpening: (label: number) => boolean,
  faces: readonly number[],
): number[] {
  const vertices: number[] = [];
  for (const f of faces) {
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const v = mesh.face[c];
      if (!vertices.includes(v) && !isRim(mesh, isOpening, v)) vertices.push(v);
    }
  }
  return vertices;
}

function isRim(mesh: MultiMesh, isOpening: (label: number) => boolean, v: number): boolean {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = faceOf(c);
    if (isOpening(mesh.label[2 * f]) || isOpening(mesh.label[2 * f + 1])) return true;
  }
  return false;
}

/** The vertex with all these faces and no others, which the edit made or moved; NONE without, as after a flip. */
function findCentre(mesh: MultiMesh, faces: readonly number[]): number {
  for (let c = 3 * faces[0]; c < 3 * faces[0] + 3; c++) {
    const v = mesh.face[c];
    let others = faces.length;
    for (let d = mesh.vertexCorner[v]; d !== NONE; d = mesh.cornerNextAtVertex[d]) others--;
    if (others === 0 && faces.every((f) => mesh.hasVertex(f, v))) return v;
  }
  return NONE;
}

/** Notes the shares of all films at the n-th of the vertices; returns their sum, m^2. */
function addShares(mesh: MultiMesh, vertices: readonly number[], n: number, films: Film[]): number {
  let sum = 0;
  for (let c = mesh.vertexCorner[vertices[n]]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = faceOf(c);
    const [front, back] = [mesh.label[2 * f], mesh.label[2 * f + 1]];
    const [i, j] = front < back ? [front, back] : [back, front];
    let film = films.find((one) => one.i === i && one.j === j);
    if (!film) {
      film = createFilm(i, j, 0, vertices.length);
      films.push(film);
    }
    const third = computeFaceArea(mesh, f) / 3;
    film.share[n] += third;
    sum += third;
  }
  return sum;
}

/** How the circulations of two films change together with the potentials: 2 for one and the same, 1 or -1 where they have a side in common. */
function couple(a: Film, b: Film): number {
  return Number(a.i === b.i) + Number(a.j === b.j) - Number(a.i === b.j) - Number(a.j === b.i);
}

/** Multipliers of the least change that gives every film what it misses; Gauss-Jordan on the system scaled to a unit diagonal, the largest pivot first. */
function solveMultipliers(
  films: readonly Film[],
  readiness: readonly number[],
): { multiplier: Float64Array; isSolved: boolean } {
  const n = films.length;
  const scale = films.map((film) => {
    let diagonal = 0;
    for (let k = 0; k < readiness.length; k++) diagonal += readiness[k] * film.share[k] ** 2;
    return diagonal > 0 ? Math.sqrt(couple(film, film) * diagonal) : 1;
  });
  const m = films.map((a, row) => {
    const values = new Float64Array(n + 1);
    films.forEach((b, column) => {
      const coupling = couple(a, b) / (scale[row] * scale[column]);
      if (coupling === 0) return;
      for (let k = 0; k < readiness.length; k++)
        values[column] += coupling * readiness[k] * a.share[k] * b.share[k];
    });
    values[n] = a.missing / scale[row];
    return values;
  });
  const isDone = new Uint8Array(n);
  for (;;) {
    let pivot = NONE;
    for (let a = 0; a < n; a++) if (!isDone[a] && (pivot === NONE || m[a][a] > m[pivot][pivot])) pivot = a;
    if (pivot === NONE || !(m[pivot][pivot] > SINGULAR)) break;
    isDone[pivot] = 1;
    for (let a = 0; a < n; a++) {
      const factor = a === pivot ? 0 : m[a][pivot] / m[pivot][pivot];
      if (factor !== 0) for (let b = 0; b <= n; b++) m[a][b] -= factor * m[pivot][b];
    }
  }
  const most = Math.max(...films.map(({ missing }, a) => Math.abs(missing / scale[a])));
  return {
    multiplier: Float64Array.from(m, (row, a) => (isDone[a] ? row[n] / row[a] / scale[a] : 0)),
    isSolved: m.every((row, a) => isDone[a] === 1 || Math.abs(row[n]) <= UNMET * most),
  };
}

/** Adds the change of the potentials, all of it or, where one would change by more than `largest`, so much of it that none does: then false. */
function changePotentials(
  rows: RegionPotentials,
  vertices: readonly number[],
  readiness: readonly number[],
  films: readonly Film[],
  multiplier: Float64Array,
  largest: number,
): boolean {
  const slots: number[] = [];
  const changes: number[] = [];
  const add = (slot: number, change: number) => {
    const n = slots.indexOf(slot);
    if (n !== NONE) changes[n] += change;
    else {
      slots.push(slot);
      changes.push(change);
    }
  };
  for (let k = 0; k < vertices.length; k++) {
    for (let a = 0; a < films.length; a++) {
      const { i, j, share } = films[a];
      const change = readiness[k] * share[k] * multiplier[a];
      const front = rows.find(vertices[k], i);
      const back = rows.find(vertices[k], j);
      if (change === 0 || front === NONE || back === NONE) continue;
      add(front, change);
      add(back, -change);
    }
  }
  let most = 0;
  for (const change of changes) most = Math.max(most, Math.abs(change));
  const part = most > largest ? largest / most : 1;
  for (let n = 0; n < slots.length; n++) rows.value[slots[n]] += part * changes[n];
  return part === 1;
}
