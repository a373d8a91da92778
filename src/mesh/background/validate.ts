/**
 * Checks a background mesh from its vertices and tets alone, in whole numbers, with nothing that built it:
 * every tet is turned the right way and has the shape it says, every face is shared by two tets that lie on
 * its two sides or lies on the side of the box, and the volumes add up to the box. Together these mean that
 * the tets fill the box once. Cost: linear in tets.
 */
import { RunError } from '../../core/errors.ts';
import type { BackgroundMesh } from './mesh.ts';

export interface BackgroundReport {
  /** Tets of each shape, SHAPE_*. */
  readonly shapeCount: readonly number[];
  /** Dihedral angles, degrees. */
  readonly minDihedral: number;
  readonly maxDihedral: number;
  /** Faces shared by two tets, and faces on the sides of the box. */
  readonly innerFaces: number;
  readonly boxFaces: number;
}

type Fail = (what: string) => RunError;

/** Squares of the six edges in rising order, in halves of the leaf's edge, for each SHAPE_*. */
const EDGES_OF_SHAPE = [
  [3, 3, 3, 3, 4, 4],
  [1, 2, 2, 3, 3, 4],
  [1, 1, 1, 2, 2, 3],
  [3, 3, 3, 4, 4, 8],
];
/**
 * Local vertices of the face opposite each, counter-clockwise seen from outside a tet with positive volume.
 */
const OPPOSITE = [1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1];
/** Rounding of positions, in units of their size. */
const ROUNDING = 1e-14;

/** Throws unless the mesh fills its box, conforming and well oriented. */
export function validateBackground(mesh: BackgroundMesh): BackgroundReport {
  const fail: Fail = (what) => new RunError('background mesh', what, 'the mesh is built wrongly');
  const { roots, maxLevel } = mesh.octree;
  const sides = roots.map((n) => n * 2 ** (maxLevel + 1));
  validateVertices(mesh, sides, fail);
  const { shapeCount, minDihedral, maxDihedral } = validateTets(mesh, sides, fail);
  const { innerFaces, boxFaces } = validateFaces(mesh, sides, fail);
  return { shapeCount, minDihedral, maxDihedral, innerFaces, boxFaces };
}

function validateVertices(mesh: BackgroundMesh, sides: readonly number[], fail: Fail): void {
  const { vertexPlace, vertexCount, position, octree } = mesh;
  for (let n = 0; n < 3 * vertexCount; n++) {
    const place = vertexPlace[n];
    if (!(place >= 0 && place <= sides[n % 3])) throw fail(`vertex ${Math.floor(n / 3)} is outside the box`);
    const expected = octree.origin[n % 3] + (octree.size * place) / 2;
    const scale = Math.abs(octree.origin[n % 3]) + octree.size * sides[n % 3];
    if (!(Math.abs(position[n] - expected) <= ROUNDING * scale))
      throw fail(`vertex ${Math.floor(n / 3)} is at ${position[n]} m instead of ${expected} m`);
  }
}

function validateTets(mesh: BackgroundMesh, sides: readonly number[], fail: Fail) {
  const { tet, tetCount, tetShape, tetLevel, vertexCount, vertexPlace: x } = mesh;
  const shapeCount = [0, 0, 0, 0];
  const edge = new Float64Array(18);
  const square = new Float64Array(6);
  const normal = new Float64Array(12);
  let sixVolumes = 0;
  let least = 1;
  let most = -1;
  for (let t = 0; t < tetCount; t++) {
    let e = 0;
    const half = 2 ** tetLevel[t];
    for (let i = 0; i < 4; i++) {
      const v = tet[4 * t + i];
      if (!(v >= 0 && v < vertexCount)) throw fail(`tet ${t} names vertex ${v} of ${vertexCount}`);
      for (let j = i + 1; j < 4; j++, e++) {
        const w = tet[4 * t + j];
        for (let a = 0; a < 3; a++) edge[3 * e + a] = x[3 * w + a] - x[3 * v + a];
        square[e] = (edge[3 * e] ** 2 + edge[3 * e + 1] ** 2 + edge[3 * e + 2] ** 2) / (half * half);
      }
    }
    // Edges 01, 02 and 03 are the first three.
    const determinant =
      edge[0] * (edge[4] * edge[8] - edge[5] * edge[7]) +
      edge[1] * (edge[5] * edge[6] - edge[3] * edge[8]) +
      edge[2] * (edge[3] * edge[7] - edge[4] * edge[6]);
    if (!(determinant > 0)) throw fail(`tet ${t} has volume ${determinant / 6}`);
    sixVolumes += determinant;
    sortSix(square);
    if (EDGES_OF_SHAPE[tetShape[t]].some((expected, n) => square[n] !== expected))
      throw fail(`tet ${t} of shape ${tetShape[t]} has edges of squares ${square.join()}`);
    shapeCount[tetShape[t]]++;
    setNormals(edge, normal);
    for (let i = 0; i < 4; i++)
      for (let j = i + 1; j < 4; j++) {
        let cosine = 0;
        for (let a = 0; a < 3; a++) cosine -= normal[3 * i + a] * normal[3 * j + a];
        least = Math.min(least, cosine);
        most = Math.max(most, cosine);
      }
  }
  const box = sides[0] * sides[1] * sides[2];
  if (sixVolumes !== 6 * box) throw fail(`the tets fill ${sixVolumes / 6} of ${box} half cells`);
  const angle = (cosine: number) => (180 / Math.PI) * Math.acos(cosine);
  return { shapeCount, minDihedral: angle(most), maxDihedral: angle(least) };
}

/** By insertion: a million short arrays are sorted. */
function sortSix(value: Float64Array): void {
  for (let n = 1; n < 6; n++)
    for (let m = n; m > 0 && value[m - 1] > value[m]; m--) {
      const larger = value[m - 1];
      value[m - 1] = value[m];
      value[m] = larger;
    }
}

/** Outer unit normals of the faces opposite vertices 0 to 3, from the edges 01 02 03 12 13 23. */
function setNormals(edge: Float64Array, outNormal: Float64Array): void {
  const pairs = [3, 4, 2, 1, 0, 2, 1, 0];
  for (let i = 0; i < 4; i++) {
    const p = 3 * pairs[2 * i];
    const q = 3 * pairs[2 * i + 1];
    const nx = edge[p + 1] * edge[q + 2] - edge[p + 2] * edge[q + 1];
    const ny = edge[p + 2] * edge[q] - edge[p] * edge[q + 2];
    const nz = edge[p] * edge[q + 1] - edge[p + 1] * edge[q];
    const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    outNormal[3 * i] = nx * scale;
    outNormal[3 * i + 1] = ny * scale;
    outNormal[3 * i + 2] = nz * scale;
  }
}

/**
 * Faces by their least vertex; in each of these short lists every face must meet its partner, turned the
 * other way.
 */
function validateFaces(mesh: BackgroundMesh, sides: readonly number[], fail: Fail) {
  const { tet, tetCount, vertexCount, vertexPlace } = mesh;
  const start = new Int32Array(vertexCount + 1);
  const leastOf = (h: number) => {
    const o = 3 * (h & 3);
    const t = h & ~3;
    return Math.min(tet[t + OPPOSITE[o]], tet[t + OPPOSITE[o + 1]], tet[t + OPPOSITE[o + 2]]);
  };
  for (let h = 0; h < 4 * tetCount; h++) start[leastOf(h) + 1]++;
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  const list = new Int32Array(4 * tetCount);
  const fill = start.slice(0, vertexCount);
  for (let h = 0; h < 4 * tetCount; h++) list[fill[leastOf(h)]++] = h;
  const used = new Uint8Array(vertexCount);
  for (let n = 0; n < 4 * tetCount; n++) used[tet[n]] = 1;
  if (used.includes(0)) throw fail(`vertex ${used.indexOf(0)} belongs to no tet`);
  let innerFaces = 0;
  let boxFaces = 0;
  // The two other vertices of each face of a list, in the order in which they follow the least one.
  let second: number[] = [];
  let third: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    second = [];
    third = [];
    for (let n = start[v]; n < start[v + 1]; n++) {
      const t = list[n] & ~3;
      const o = 3 * (list[n] & 3);
      let c = 0;
      while (tet[t + OPPOSITE[o + c]] !== v) c++;
      second.push(tet[t + OPPOSITE[o + ((c + 1) % 3)]]);
      third.push(tet[t + OPPOSITE[o + ((c + 2) % 3)]]);
    }
    for (let n = 0; n < second.length; n++) {
      let partners = 0;
      for (let m = 0; m < second.length; m++) {
        if (m === n) continue;
        if (second[m] === second[n] && third[m] === third[n])
          throw fail(`two tets lie on the same side of face ${v}, ${second[n]}, ${third[n]}`);
        if (second[m] === third[n] && third[m] === second[n]) partners++;
      }
      if (partners === 0) {
        const isOnSide = [0, 1, 2].some((a) => {
          const place = vertexPlace[3 * v + a];
          if (place !== 0 && place !== sides[a]) return false;
          return vertexPlace[3 * second[n] + a] === place && vertexPlace[3 * third[n] + a] === place;
        });
        if (!isOnSide) throw fail(`face ${v}, ${second[n]}, ${third[n]} has no tet on its other side`);
        boxFaces++;
      } else innerFaces += 0.5;
    }
  }
  return { innerFaces, boxFaces };
}
