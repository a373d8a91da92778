/**
 * What resampling did to the circulation of films, by the thesis' own measure (16.1): the circulation at a
 * place after remeshing, against that of the films before it at the nearest place on the film of the same two
 * regions. Shares nothing with how films resample. Unlike the mean over a film it does not see that remeshing
 * moves a film's border, which gives the same field another mean.
 */
import { NONE } from '../../src/core/types.ts';
import {
  CLOSEST_WEIGHT_B,
  CLOSEST_WEIGHT_C,
  computeClosestOnTriangle,
} from '../../src/geometry/triangle-distance.ts';
import { computeDoubleArea } from '../../src/math/triangle.ts';
import type { RegionPotentials } from '../../src/methods/films/circulation/potentials.ts';
import type { FilmsState } from '../../src/methods/films/state.ts';
import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';

/**
 * Faces of the film between two regions: where their corners are (9 each, m) and the circulation there (3
 * each, m^2/s).
 */
interface FilmFaces {
  readonly corner: number[];
  readonly circulation: number[];
}

interface PicturedFilm {
  readonly corner: Float64Array;
  readonly circulation: Float64Array;
  /** m^2 */
  readonly area: number;
  /** Of the circulation, m^2/s */
  readonly mean: number;
  /** Mean distance from the mean, m^2/s. The mean itself is nothing: air feels the gradient alone. */
  readonly spread: number;
}

/**
 * Films by their regions, `i j`, i < j; circulation of j less that of i. Faces by id, to tell those that
 * stayed as they were.
 */
export interface FilmPicture {
  readonly films: ReadonlyMap<string, PicturedFilm>;
  readonly faces: ReadonlyMap<number, string>;
}

const nameFilm = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);

function readFace(
  { face, position, label }: MultiMesh,
  rows: RegionPotentials,
  f: number,
  out: FilmFaces,
): boolean {
  const [i, j] = [label[2 * f], label[2 * f + 1]].sort((a, b) => a - b);
  const circulation: number[] = [];
  for (let c = 3 * f; c < 3 * f + 3; c++) {
    const [m, n] = [rows.find(face[c], i), rows.find(face[c], j)];
    if (m === NONE || n === NONE) return false;
    circulation.push(rows.value[n] - rows.value[m]);
  }
  for (let c = 3 * f; c < 3 * f + 3; c++)
    for (let k = 0; k < 3; k++) out.corner.push(position[3 * face[c] + k]);
  out.circulation.push(...circulation);
  return true;
}

export function takePicture({ tracker, rows }: FilmsState): FilmPicture {
  const { mesh } = tracker;
  const lists = new Map<string, FilmFaces>();
  const faces = new Map<number, string>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const name = nameFilm(mesh.label[2 * f], mesh.label[2 * f + 1]);
    const list = lists.get(name) ?? { corner: [], circulation: [] };
    lists.set(name, list);
    const at = list.circulation.length;
    if (readFace(mesh, rows, f, list)) faces.set(f, describe(list, at));
  }
  const films = new Map([...lists].map(([name, list]) => [name, sumUp(list)]));
  return { films, faces };
}

function sumUp({ corner, circulation }: FilmFaces): PicturedFilm {
  let [area, sum, off] = [0, 0, 0];
  const thirds = Float64Array.from(circulation, (_, n) => computeArea(corner, 9 * Math.floor(n / 3)) / 3);
  thirds.forEach((third, n) => {
    area += third;
    sum += third * circulation[n];
  });
  thirds.forEach((third, n) => {
    off += third * Math.abs(circulation[n] - sum / area);
  });
  return {
    corner: Float64Array.from(corner),
    circulation: Float64Array.from(circulation),
    area,
    mean: sum / area,
    spread: off / area,
  };
}

/**
 * All that makes a face the same as before, but for rounding in the circulation: a vertex's constant may have
 * changed.
 */
const describe = ({ corner, circulation }: FilmFaces, at: number) =>
  [...corner.slice(3 * at, 3 * at + 9), ...circulation.slice(at, at + 3).map((c) => c.toPrecision(9))].join();

/**
 * Weights of the corners in the middles of the n^2 triangles that a face is cut into: the old circulation has
 * kinks within a new face, and few places would see crests too low.
 */
const CUTS = 4;
const PLACES = listPlaces(CUTS);

function listPlaces(n: number): [number, number, number][] {
  const places: [number, number, number][] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; i + j < n; j++) {
      for (const shift of i + j < n - 1 ? [1 / 3, 2 / 3] : [1 / 3]) {
        const [b, c] = [(i + shift) / n, (j + shift) / n];
        places.push([1 - b - c, b, c]);
      }
    }
  }
  return places;
}

const point = new Float64Array(3);
const closest = new Float64Array(3);

/**
 * What the films' circulation now has more than that of the picture at the nearest places: integrals over the
 * film, m^4/s.
 */
export interface FilmChange {
  /** Of the circulation */
  sum: number;
  /** Of its distance from the picture's mean: what is smeared has less of it. */
  spread: number;
}

/** By film; films that the picture does not have are left out. */
export function compareWithPicture(
  { tracker, rows }: FilmsState,
  picture: FilmPicture,
): Map<string, FilmChange> {
  const { mesh } = tracker;
  const changes = new Map<string, FilmChange>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const name = nameFilm(mesh.label[2 * f], mesh.label[2 * f + 1]);
    const old = picture.films.get(name);
    const now: FilmFaces = { corner: [], circulation: [] };
    if (!old || !readFace(mesh, rows, f, now)) continue;
    const change = changes.get(name) ?? { sum: 0, spread: 0 };
    changes.set(name, change);
    if (picture.faces.get(f) === describe(now, 0)) continue;
    const area = computeArea(now.corner, 0) / PLACES.length;
    for (const weight of PLACES) {
      let circulation = 0;
      point.fill(0);
      for (let c = 0; c < 3; c++) {
        circulation += weight[c] * now.circulation[c];
        for (let k = 0; k < 3; k++) point[k] += weight[c] * now.corner[3 * c + k];
      }
      const before = findNearest(old.corner, old.circulation);
      change.sum += area * (circulation - before);
      change.spread += area * (Math.abs(circulation - old.mean) - Math.abs(before - old.mean));
    }
  }
  return changes;
}

/** Circulation at the place nearest to `point`. */
function findNearest(corner: Float64Array, circulation: Float64Array): number {
  let [least, found] = [Infinity, Number.NaN];
  for (let f = 0; 9 * f < corner.length; f++) {
    const distance = computeClosestOnTriangle(corner, 9 * f, point, closest);
    if (!(distance < least)) continue;
    least = distance;
    const [b, c] = [closest[CLOSEST_WEIGHT_B], closest[CLOSEST_WEIGHT_C]];
    found = (1 - b - c) * circulation[3 * f] + b * circulation[3 * f + 1] + c * circulation[3 * f + 2];
  }
  return found;
}

const computeArea = (p: ArrayLike<number>, at: number) => 0.5 * computeDoubleArea(p, at, at + 3, at + 6);
