/**
 * The vertex space that preconditions the pressure system (linalg/multigrid/auxiliary-space.ts): continuous
 * piecewise linear pressures, whose value at a face's barycentre is the mean of its three vertices. Since
 * they lie within the face-based space, the Galerkin matrix of a tet is that of its faces divided by nine,
 * with vertex i in the place of face i,
 *     K_ij = a_i . a_j / (9 V),     a_i: outward area vector opposite vertex i,
 * which is assembled directly; what the face matrix adds on its diagonal (free surfaces at a depth, the
 * pinned face of a closed pool) is read off it and spread over the face's vertices. Vertices of faces with a
 * known pressure are zero and drop out.
 *
 * Cost: one counting sort, then one pass over the tets around each vertex on all threads; 24 bytes per
 * unknown face are kept.
 */
import { RunError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { AuxiliarySpace } from '../../linalg/multigrid/auxiliary-space.ts';
import { compactRows, sortRow } from '../../linalg/multigrid/rows.ts';
import type { MeanOfThree } from '../../linalg/multigrid/transfer.ts';
import { type TetMesh, type TetTopology, tetRecord, topologyRecord } from '../../mesh/tetmesh.ts';
import { AREA, type FaceGeometry, geometryRecord } from '../mesh/face-geometry.ts';
import type { PressureSystem } from './pressure.ts';

const GRAIN = 4096;
/**
 * Each chunk of rows clears a table with an entry per vertex, so there are few: enough for 8 threads to share
 * evenly.
 */
const ROW_CHUNKS = 32;
/** Below this part of the diagonal, what a face adds to it is rounding. */
const NOTHING_ADDED = 1e-12;
/** Couplings below this part of the diagonal are the lattice's right angles: a quarter of all, left out. */
const NO_COUPLING = 1e-12;

/**
 * Local index of vertex v in tet t if face f is the one of the three at v that stands for the tet, else NONE:
 * so that walking the faces at v meets each tet once.
 */
function findCorner(t: number, v: number, f: number, tet: Int32Array, tetToFace: Int32Array): number {
  const first = 4 * t;
  const i = tet[first] === v ? 0 : tet[first + 1] === v ? 1 : tet[first + 2] === v ? 2 : 3;
  return tetToFace[first + ((i + 1) & 3)] === f ? i : NONE;
}

/**
 * Room for each row. The tets around a vertex cut a sphere about it into triangles, its faces being the edges
 * and its neighbours the corners: E / 3 + 2 of them by Euler's formula where the sphere is whole, else no
 * more than E, since each has two edges.
 */
const roomTask = defineTask(
  'flow/count-vertex-room',
  {
    coarseStart: 'i32',
    coarseToFine: 'i32',
    unknownToFace: 'i32',
    faceToTet: 'i32',
    fixed: 'u8',
    room: 'i32',
  },
  (begin, end, { coarseStart, coarseToFine, unknownToFace, faceToTet, fixed, room }) => {
    for (let c = begin; c < end; c++) {
      let isWhole = true;
      for (let s = coarseStart[c]; s < coarseStart[c + 1] && isWhole; s++) {
        const f = 2 * unknownToFace[coarseToFine[s]];
        const t = faceToTet[f + 1];
        isWhole = t !== NONE && fixed[t] === 0 && fixed[faceToTet[f]] === 0;
      }
      const edges = coarseStart[c + 1] - coarseStart[c];
      room[c] = 1 + (isWhole ? Math.floor(edges / 3) + 2 : edges);
    }
  },
);

/** Rows of the vertex matrix, each sorted in its room. */
const rowTask = defineTask(
  'flow/fill-vertex-rows',
  {
    mesh: tetRecord,
    topology: topologyRecord,
    geometry: geometryRecord,
    coarseToVertex: 'i32',
    vertexToCoarse: 'i32',
    coarseStart: 'i32',
    coarseToFine: 'i32',
    fineToCoarse: 'i32',
    unknownToFace: 'i32',
    fixed: 'u8',
    added: 'f64',
    rowStart: 'i32',
    outLength: 'i32',
    outColumn: 'i32',
    outValue: 'f64',
  },
  (begin, end, values) => {
    const { tet } = values.mesh;
    const { faceToTet, tetToFace } = values.topology;
    const { faceForm, form, volume } = values.geometry;
    const { coarseToVertex, vertexToCoarse, coarseStart, coarseToFine, fineToCoarse } = values;
    const { unknownToFace, fixed, added, rowStart, outLength, outColumn, outValue } = values;
    const rowCount = coarseToVertex.length;
    /** Entry of each column that has one in the row, that is at or beyond the row's first. */
    const columnToEntry = new Int32Array(rowCount).fill(NONE);
    for (let c = begin; c < end; c++) {
      const v = coarseToVertex[c];
      const first = rowStart[c];
      let last = first;
      outColumn[last] = c;
      outValue[last] = 0;
      columnToEntry[c] = last++;
      for (let s = coarseStart[c]; s < coarseStart[c + 1]; s++) {
        const u = coarseToFine[s];
        const f = unknownToFace[u];
        for (let side = 0; side < 2; side++) {
          const t = faceToTet[2 * f + side];
          if (t === NONE || fixed[t] === 1) continue;
          const i = findCorner(t, v, f, tet, tetToFace);
          if (i === NONE) continue;
          const own = tetToFace[4 * t + i];
          const scale = (faceToTet[2 * own] === t ? 1 : -1) / (9 * volume[t]);
          const ownRow = faceForm[own];
          const ax = scale * form[ownRow];
          const ay = scale * form[ownRow + 1];
          const az = scale * form[ownRow + 2];
          for (let j = 0; j < 4; j++) {
            const d = vertexToCoarse[tet[4 * t + j]];
            if (d === NONE) continue;
            const g = tetToFace[4 * t + j];
            const row = faceForm[g];
            const product = ax * form[row] + ay * form[row + 1] + az * form[row + 2];
            if (columnToEntry[d] < first) {
              outColumn[last] = d;
              outValue[last] = 0;
              columnToEntry[d] = last++;
            }
            outValue[columnToEntry[d]] += faceToTet[2 * g] === t ? product : -product;
          }
        }
      }
      if (last > rowStart[c + 1])
        throw new RunError(
          'pressure solve',
          `vertex ${v} has ${last - first - 1} neighbours in the room of ${rowStart[c + 1] - first - 1}`,
          'tets overlap around it: look at the mesh',
        );
      // The face's vertices share a tet, so their columns exist by now.
      for (let s = coarseStart[c]; s < coarseStart[c + 1]; s++) {
        const u = coarseToFine[s];
        if (added[u] === 0) continue;
        for (let n = 3 * u; n < 3 * u + 3; n++)
          if (fineToCoarse[n] < rowCount) outValue[columnToEntry[fineToCoarse[n]]] += added[u] / 9;
      }
      const least = NO_COUPLING * outValue[first];
      let kept = first + 1;
      for (let e = first + 1; e < last; e++) {
        if (Math.abs(outValue[e]) <= least) continue;
        outColumn[kept] = outColumn[e];
        outValue[kept++] = outValue[e];
      }
      sortRow(outColumn, outValue, first, kept);
      outLength[c] = kept - first;
    }
  },
);

/** What the matrix has on its diagonal beyond the tets beside the face, zero for nearly all. */
const addedTask = defineTask(
  'flow/compute-added-diagonal',
  {
    topology: topologyRecord,
    geometry: geometryRecord,
    unknownToFace: 'i32',
    fixed: 'u8',
    diagonal: 'i32',
    value: 'f64',
    outAdded: 'f64',
  },
  (begin, end, { topology, geometry, unknownToFace, fixed, diagonal, value, outAdded }) => {
    const { faceToTet } = topology;
    const { faceForm, form, volume } = geometry;
    for (let u = begin; u < end; u++) {
      const f = unknownToFace[u];
      const entry = value[diagonal[u]];
      let added = entry;
      for (let side = 0; side < 2; side++) {
        const t = faceToTet[2 * f + side];
        if (t !== NONE && fixed[t] === 0) added -= form[faceForm[f] + AREA] ** 2 / volume[t];
      }
      outAdded[u] = added > NOTHING_ADDED * entry ? added : 0;
    }
  },
);

/** Vertices of unknown faces, but for those that a face with known pressure holds at zero. */
function numberVertices(
  mesh: TetMesh,
  topology: TetTopology,
  { faceToUnknown }: PressureSystem,
  fixed: Uint8Array,
  scope: HeapScope,
): { vertexToCoarse: Int32Array; coarseToVertex: Int32Array } {
  const { faceCount, faceToTet, faceVertex } = topology;
  const vertexToCoarse = scope.i32(mesh.vertexCount).fill(NONE);
  const isHeld = new Uint8Array(mesh.vertexCount);
  const inLiquid = (t: number) => t !== NONE && fixed[t] === 0;
  for (let f = 0; f < faceCount; f++) {
    const isUnknown = faceToUnknown[f] !== NONE;
    if (!isUnknown && !inLiquid(faceToTet[2 * f]) && !inLiquid(faceToTet[2 * f + 1])) continue;
    for (let n = 3 * f; n < 3 * f + 3; n++) {
      if (isUnknown) vertexToCoarse[faceVertex[n]] = 0;
      else isHeld[faceVertex[n]] = 1;
    }
  }
  let coarseCount = 0;
  for (let v = 0; v < mesh.vertexCount; v++)
    if (vertexToCoarse[v] !== NONE) vertexToCoarse[v] = isHeld[v] === 1 ? NONE : coarseCount++;
  const coarseToVertex = scope.i32(coarseCount);
  for (let v = 0; v < mesh.vertexCount; v++)
    if (vertexToCoarse[v] !== NONE) coarseToVertex[vertexToCoarse[v]] = v;
  return { vertexToCoarse, coarseToVertex };
}

/** Vertices of each face and faces of each vertex. */
function buildMeans(
  faceVertex: Int32Array,
  unknownToFace: Int32Array,
  vertexToCoarse: Int32Array,
  coarseCount: number,
  scope: HeapScope,
): MeanOfThree {
  const unknownCount = unknownToFace.length;
  const fineToCoarse = scope.i32(3 * unknownCount);
  const coarseStart = scope.i32(coarseCount + 1);
  // A place beyond the last counts the values known to be zero.
  const next = new Int32Array(coarseCount + 1);
  for (let u = 0; u < unknownCount; u++) {
    const f = 3 * unknownToFace[u];
    for (let n = 0; n < 3; n++) {
      const c = vertexToCoarse[faceVertex[f + n]];
      const coarse = c === NONE ? coarseCount : c;
      fineToCoarse[3 * u + n] = coarse;
      next[coarse]++;
    }
  }
  for (let c = 0; c < coarseCount; c++) {
    coarseStart[c + 1] = coarseStart[c] + next[c];
    next[c] = coarseStart[c];
  }
  const coarseToFine = scope.i32(coarseStart[coarseCount]);
  for (let n = 0; n < 3 * unknownCount; n++) {
    const c = fineToCoarse[n];
    if (c < coarseCount) coarseToFine[next[c]++] = (n / 3) | 0;
  }
  return { coarseCount, fineToCoarse, coarseStart, coarseToFine };
}

/**
 * `fixed`: (tetCount) 1 on tets that the pressure system leaves out. The map stays in `scope`; the matrix,
 * which only the set-up of the preconditioner needs, and all lists on the way to it are in `setUp`.
 */
export function buildVertexSpace(
  mesh: TetMesh,
  topology: TetTopology,
  geometry: FaceGeometry,
  system: PressureSystem,
  fixed: Uint8Array,
  threads: Threads,
  scope: HeapScope,
  setUp: HeapScope,
): AuxiliarySpace {
  const { faceToTet, faceVertex } = topology;
  const { matrix, unknownToFace } = system;
  const { vertexToCoarse, coarseToVertex } = numberVertices(mesh, topology, system, fixed, setUp);
  const rowCount = coarseToVertex.length;
  const mean = buildMeans(faceVertex, unknownToFace, vertexToCoarse, rowCount, scope);
  const { fineToCoarse, coarseStart, coarseToFine } = mean;
  const added = setUp.f64(matrix.rowCount);
  const { diagonal, value: entries } = matrix;
  const beside = { topology, geometry, unknownToFace, fixed };
  threads.run(addedTask, matrix.rowCount, GRAIN, { ...beside, diagonal, value: entries, outAdded: added });

  const start = setUp.i32(rowCount + 1);
  const length = setUp.i32(rowCount);
  const faces = { coarseStart, coarseToFine, unknownToFace, faceToTet, fixed };
  threads.run(roomTask, rowCount, GRAIN, { ...faces, room: length });
  for (let c = 0; c < rowCount; c++) start[c + 1] = start[c] + length[c];
  const [column, value] = [setUp.i32(start[rowCount]), setUp.f64(start[rowCount])];
  const maps = { coarseToVertex, vertexToCoarse, coarseStart, coarseToFine, fineToCoarse };
  const rows = { rowStart: start, outLength: length, outColumn: column, outValue: value };
  const grain = Math.max(GRAIN, Math.ceil(rowCount / ROW_CHUNKS));
  threads.run(rowTask, rowCount, grain, { mesh, ...beside, ...maps, added, ...rows });
  return { mean, matrix: compactRows(threads, setUp, length, start, column, value) };
}
