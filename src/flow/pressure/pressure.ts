/**
 * Pressure projection ([chentanez-2007] 3.1, eqs. (5), (6), (8)): makes the face-normal velocities
 * divergence-free in every tetrahedron.
 *
 * The finite-volume balance, one per tetrahedron, is the paper's. The pressure gradient is not: its two-point
 * formula (7) is inconsistent wherever the line between two barycentres is not normal to their face, which is
 * why the paper's still pool moves. Here the pressure lives on faces and its gradient in a tet is that of the
 * linear function through the four face values,
 *     grad q = 1/V sum_i a_i q_i,     a_i: outward area vectors,
 * exact for linear pressures on any tet. Requiring equal fluxes from both sides of every face,
 *     sum over tets at face i of  a_i . (U_t - grad q_t) = wall flux,
 * gives a symmetric positive definite system (the lowest-order Raviart-Thomas mixed method in hybrid form,
 * equivalently Crouzeix-Raviart elements). U_t is the constant part of the velocity in the tet; U_t - grad
 * q_t is the projected one, divergence-free by construction and the cell vector of Elcott et al. at once.
 *
 * Free surface: q = 0 on the liquid's surface, which the flat boundary face only approximates. With `depth`,
 * the distance from the face's barycentre to the surface along the face's normal, q_f = -depth dq/dn is
 * imposed: second order, and exact for a flat pool even where the mesh is chamfered at walls. Gravity waves:
 * the pressure of the step sees the surface where it is, not where it is going, and such a wave grows once dt
 * > 2 / omega. Newmark's scheme with beta = 1/4 sees a quarter of the way that the change of velocity takes
 * it,
 *     q + (depth + lift) dq/dn = lift (U_t . n - former),   lift = beta g_n dt^2,                            (N)
 * with g_n gravity's pull into the liquid along the face's normal: no wave grows at any dt, still water stays
 * exact. Walls: the flux through a wall face is that of the wall's own motion. Emitters: tets inside one are
 * *fixed*, they carry the nozzle's velocity and leave the system; their faces towards the liquid are walls
 * with a flux. Drains: the tets of one have a divergence s, and with it the flux s V / 4 through each face
 * beside that of U_t (a_i . (x_i - c) = 3 V / 4). q is the pressure potential p dt / rho, m^2/s.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import type { CsrMatrix } from '../../linalg/csr.ts';
import { sortRow } from '../../linalg/multigrid/rows.ts';
import { type TetMesh, type TetTopology, tetRecord, topologyRecord } from '../../mesh/tetmesh.ts';
import { AREA, type FaceGeometry, geometryRecord } from '../mesh/face-geometry.ts';
import { findTetPieces } from '../mesh/mesh-pieces.ts';

/** What bounds the liquid at a face. */
export const INTERIOR = 0;
export const FREE = 1;
export const WALL = 2;
/** Inside or around an emitter: the velocity is given, there is no pressure to find. */
export const FIXED = 3;

/** Depth, relative to the face's size, below which the face is on the surface and q = 0 is eliminated. */
export const ON_SURFACE = 1e-6;
/**
 * Cosine between two faces of a tet below which they are square and do not couple: two fifths of them in the
 * BCC lattice.
 */
const SQUARE = 1e-13;
const GRAIN = 4096;

/** What the pressure is solved under, as tasks read it. */
const conditionsRecord = defineRecord('conditions', {
  kind: { type: 'u8', per: 'face', meaning: 'INTERIOR, FREE, WALL or FIXED' },
  /** On WALL and FIXED faces, and where a wall is ahead. */
  wallVelocity: { type: 'f64', per: 'face', unit: 'm/s', meaning: 'along the area vector' },
  fixed: { type: 'u8', per: 'tet', meaning: '1 inside an emitter' },
  source: { type: 'f64', per: 'tet', unit: '1/s', meaning: 'divergence: negative in drains' },
  /** On free faces, >= 0. */
  depth: {
    type: 'f64',
    per: 'face',
    unit: 'm',
    meaning: "distance along the normal from the face to the liquid's surface",
  },
  /** On free faces; 0 where the surface's own motion in the step is left out. */
  lift: { type: 'f64', per: 'face', unit: 'm', meaning: '`lift` of eq. (N)' },
  former: {
    type: 'f64',
    per: 'face',
    unit: 'm/s',
    meaning: 'along the area vector: the velocity before the step',
  },
});

export interface Conditions extends ValuesOf<typeof conditionsRecord> {
  /**
   * (faceCount) m along the normal from the liquid's surface to a wall ahead, 0 on walls; infinite where none
   * is near (contact.ts)
   */
  readonly gap: Float64Array;
}

/** The linear system over the faces with unknown pressure. */
export interface PressureSystem {
  readonly matrix: CsrMatrix;
  /** (faceCount) unknown of each face, NONE where the pressure is known to be zero */
  readonly faceToUnknown: Int32Array;
  readonly unknownToFace: Int32Array;
  readonly right: Float64Array;
  /** (tetCount) divergence the solution will have, 1/s */
  readonly source: Float64Array;
  /** (faceCount) 1 on the faces that fix the constant of pieces without air */
  readonly pinned: Uint8Array;
  /** (pieces of the mesh) 1 where all of a piece is open to the air */
  readonly isOpen: Uint8Array;
}

/** Constant part of the face-flux field in each tet: U_t = 1/V sum_i flux_i (x_i - c). */
const cellTask = defineTask(
  'flow/compute-cell-velocity',
  { mesh: tetRecord, topology: topologyRecord, geometry: geometryRecord, faceVelocity: 'f64', out: 'f64' },
  (begin, end, { mesh, topology, geometry, faceVelocity, out }) => {
    const { position, tet } = mesh;
    const { tetToFace, faceToTet } = topology;
    const { faceForm, form, volume } = geometry;
    for (let t = begin; t < end; t++) {
      let x = 0;
      let y = 0;
      let z = 0;
      let sx = 0;
      let sy = 0;
      let sz = 0;
      let total = 0;
      for (let i = 0; i < 4; i++) {
        const f = tetToFace[4 * t + i];
        const v = 3 * tet[4 * t + i];
        const flux = (faceToTet[2 * f] === t ? 1 : -1) * form[faceForm[f] + AREA] * faceVelocity[f];
        // x_i - c = (c - v_i) / 3: the face's barycentre lies opposite the vertex.
        x -= flux * position[v];
        y -= flux * position[v + 1];
        z -= flux * position[v + 2];
        sx += position[v];
        sy += position[v + 1];
        sz += position[v + 2];
        total += flux;
      }
      const scale = 1 / (3 * volume[t]);
      out[3 * t] = (x + 0.25 * total * sx) * scale;
      out[3 * t + 1] = (y + 0.25 * total * sy) * scale;
      out[3 * t + 2] = (z + 0.25 * total * sz) * scale;
    }
  },
);

export function computeCellVelocity(
  mesh: TetMesh,
  topology: TetTopology,
  geometry: FaceGeometry,
  faceVelocity: Float64Array,
  threads: Threads,
  out: Float64Array,
): void {
  threads.run(cellTask, mesh.tetCount, GRAIN, { mesh, topology, geometry, faceVelocity, out });
}

/** What rows of the system are made of. */
const systemColumns = {
  topology: topologyRecord,
  geometry: geometryRecord,
  conditions: conditionsRecord,
  unknownToFace: 'i32',
  faceToUnknown: 'i32',
  rowStart: 'i32',
} as const;

/** Entries of each row, left one place behind it for the running sum. */
const countTask = defineTask(
  'flow/count-pressure',
  systemColumns,
  (begin, end, { topology, geometry, conditions, unknownToFace, faceToUnknown, rowStart }) => {
    const { tetToFace, faceToTet } = topology;
    const { faceForm, form } = geometry;
    const { fixed } = conditions;
    for (let u = begin; u < end; u++) {
      const f = unknownToFace[u];
      const own = faceForm[f];
      const ax = form[own];
      const ay = form[own + 1];
      const az = form[own + 2];
      let entries = 1;
      for (let side = 0; side < 2; side++) {
        const t = faceToTet[2 * f + side];
        if (t === NONE || fixed[t] === 1) continue;
        for (let i = 0; i < 4; i++) {
          const g = tetToFace[4 * t + i];
          if (g === f || faceToUnknown[g] === NONE) continue;
          const row = faceForm[g];
          const dot = ax * form[row] + ay * form[row + 1] + az * form[row + 2];
          if (Math.abs(dot) > SQUARE * form[own + AREA] * form[row + AREA]) entries++;
        }
      }
      rowStart[u + 1] = entries;
    }
  },
);

/** Columns, and couplings with other faces: they do not depend on what bounds the liquid. */
const coupleTask = defineTask(
  'flow/couple-pressure',
  { ...systemColumns, column: 'i32', diagonalEntry: 'i32', value: 'f64' },
  (begin, end, values) => {
    const { tetToFace, faceToTet } = values.topology;
    const { faceForm, form, volume } = values.geometry;
    const { fixed } = values.conditions;
    const { unknownToFace, faceToUnknown, rowStart, column, diagonalEntry, value } = values;
    for (let u = begin; u < end; u++) {
      const f = unknownToFace[u];
      const own = faceForm[f];
      const ax = form[own];
      const ay = form[own + 1];
      const az = form[own + 2];
      const first = rowStart[u];
      let fill = first + 1;
      for (let side = 0; side < 2; side++) {
        const t = faceToTet[2 * f + side];
        if (t === NONE || fixed[t] === 1) continue;
        const sign = side === 0 ? 1 : -1;
        const inverse = 1 / volume[t];
        for (let i = 0; i < 4; i++) {
          const g = tetToFace[4 * t + i];
          if (g === f || faceToUnknown[g] === NONE) continue;
          const row = faceForm[g];
          const dot = ax * form[row] + ay * form[row + 1] + az * form[row + 2];
          if (Math.abs(dot) <= SQUARE * form[own + AREA] * form[row + AREA]) continue;
          const other = faceToTet[2 * g] === t ? 1 : -1;
          column[fill] = faceToUnknown[g];
          value[fill++] = sign * other * dot * inverse;
        }
      }
      column[first] = u;
      sortRow(column, value, first, fill);
      let entry = first;
      while (column[entry] !== u) entry++;
      diagonalEntry[u] = entry;
    }
  },
);

/** Diagonals and right-hand sides of listed faces: what depends on what bounds the liquid there. */
const balanceTask = defineTask(
  'flow/balance-faces',
  {
    topology: topologyRecord,
    geometry: geometryRecord,
    conditions: conditionsRecord,
    face: 'i32',
    faceToUnknown: 'i32',
    pinned: 'u8',
    source: 'f64',
    cellVelocity: 'f64',
    diagonalEntry: 'i32',
    value: 'f64',
    right: 'f64',
  },
  (begin, end, values) => {
    const { faceToTet } = values.topology;
    const { faceForm, form, volume } = values.geometry;
    const { kind, depth, lift, former, wallVelocity, fixed } = values.conditions;
    const { face, faceToUnknown, pinned, source, cellVelocity, diagonalEntry, value, right } = values;
    for (let n = begin; n < end; n++) {
      const f = face[n];
      const u = faceToUnknown[f];
      const own = faceForm[f];
      const ax = form[own];
      const ay = form[own + 1];
      const az = form[own + 2];
      let diagonal = 0;
      let flux = 0;
      for (let side = 0; side < 2; side++) {
        const t = faceToTet[2 * f + side];
        if (t === NONE || fixed[t] === 1) continue;
        const sign = side === 0 ? 1 : -1;
        const inverse = 1 / volume[t];
        diagonal += (ax * ax + ay * ay + az * az) * inverse;
        flux +=
          sign * (ax * cellVelocity[3 * t] + ay * cellVelocity[3 * t + 1] + az * cellVelocity[3 * t + 2]) +
          0.25 * source[t] * volume[t];
        if (kind[f] === WALL) flux -= sign * form[own + AREA] * wallVelocity[f];
      }
      if (kind[f] === FREE) {
        // Not a flux balance but (N), scaled to keep the matrix symmetric.
        const scale = 1 / (depth[f] + lift[f]);
        diagonal += form[own + AREA] * scale;
        flux = lift[f] * scale * (flux - form[own + AREA] * former[f]);
      }
      value[diagonalEntry[u]] = pinned[f] === 1 ? 2 * diagonal : diagonal;
      right[u] = flux;
    }
  },
);

/** Whether the pressure of a face is known to be zero. */
function isKnown({ faceForm, form }: FaceGeometry, { kind, depth, lift }: Conditions, f: number): boolean {
  if (kind[f] === FIXED) return true;
  return kind[f] === FREE && depth[f] + lift[f] <= ON_SURFACE * Math.sqrt(form[faceForm[f] + AREA]);
}

export function assemblePressure(
  topology: TetTopology,
  geometry: FaceGeometry,
  conditions: Conditions,
  cellVelocity: Float64Array,
  threads: Threads,
  scope: HeapScope,
): PressureSystem {
  const { faceCount } = topology;
  const faceToUnknown = scope.i32(faceCount);
  let unknownCount = 0;
  for (let f = 0; f < faceCount; f++)
    faceToUnknown[f] = isKnown(geometry, conditions, f) ? NONE : unknownCount++;
  const isOpen = findOpenPieces(topology, conditions);
  const { pinned, source } = balanceClosedPieces(topology, geometry, conditions, isOpen, scope);
  const unknownToFace = scope.i32(unknownCount);
  for (let f = 0; f < faceCount; f++) if (faceToUnknown[f] !== NONE) unknownToFace[faceToUnknown[f]] = f;
  const rowStart = scope.i32(unknownCount + 1);
  const rows = { topology, geometry, conditions, unknownToFace, faceToUnknown, rowStart };
  threads.run(countTask, unknownCount, GRAIN, rows);
  for (let u = 0; u < unknownCount; u++) rowStart[u + 1] += rowStart[u];
  const column = scope.i32(rowStart[unknownCount]);
  const diagonal = scope.i32(unknownCount);
  const value = scope.f64(rowStart[unknownCount]);
  const right = scope.f64(unknownCount);
  threads.run(coupleTask, unknownCount, GRAIN, { ...rows, column, diagonalEntry: diagonal, value });
  const matrix: CsrMatrix = { rowCount: unknownCount, rowStart, column, diagonal, value };
  const system = { matrix, faceToUnknown, unknownToFace, right, source, pinned, isOpen };
  balanceFaces(topology, geometry, conditions, cellVelocity, system, unknownToFace, threads);
  return system;
}

function balanceFaces(
  topology: TetTopology,
  geometry: FaceGeometry,
  conditions: Conditions,
  cellVelocity: Float64Array,
  { matrix, faceToUnknown, right, source, pinned }: PressureSystem,
  face: Int32Array,
  threads: Threads,
): void {
  const { diagonal: diagonalEntry, value } = matrix;
  const system = { faceToUnknown, pinned, source, cellVelocity, diagonalEntry, value, right };
  threads.run(balanceTask, face.length, GRAIN, { topology, geometry, conditions, face, ...system });
}

/**
 * Brings a system up to date with the faces whose kind has changed since. False where more than their own
 * rows would change: which pressures are unknown, or whether the air reaches a piece. The system must be made
 * anew then.
 */
export function followConditions(
  topology: TetTopology,
  geometry: FaceGeometry,
  conditions: Conditions,
  cellVelocity: Float64Array,
  system: PressureSystem,
  face: Int32Array,
  threads: Threads,
): boolean {
  const { tetPiece } = findTetPieces(topology);
  const isOpen = findOpenPieces(topology, conditions);
  for (const f of face) {
    if (isKnown(geometry, conditions, f) !== (system.faceToUnknown[f] === NONE)) return false;
    const piece = tetPiece[topology.faceToTet[2 * f]];
    if (isOpen[piece] === 0 || system.isOpen[piece] === 0) return false;
  }
  balanceFaces(topology, geometry, conditions, cellVelocity, system, face, threads);
  return true;
}

/**
 * Pieces of liquid that touch no air. Their pressure is only known up to a constant, which doubling the
 * diagonal of one face fixes without changing any flux, provided that the fluxes of the piece balance. Where
 * they do not (an emitter into a full vessel, a piston), what is too much is spread over the piece as a
 * divergence: the least wrong answer there is.
 */
function balanceClosedPieces(
  topology: TetTopology,
  geometry: FaceGeometry,
  { kind, wallVelocity, fixed, source }: Conditions,
  isOpen: Uint8Array,
  scope: HeapScope,
): { pinned: Uint8Array; source: Float64Array } {
  const { faceCount, faceToTet, tetToTet, tetToFace } = topology;
  const { faceForm, form, volume } = geometry;
  const pinned = scope.u8(faceCount);
  const tetCount = tetToTet.length / 4;
  const balanced = scope.f64(tetCount);
  balanced.set(source.subarray(0, tetCount));
  const { tetPiece } = findTetPieces(topology);
  if (isOpen.every((open) => open === 1)) return { pinned, source: balanced };
  const seen = Uint8Array.from(fixed.subarray(0, tetCount));
  const piece = new Int32Array(tetCount);
  for (let seed = 0; seed < tetCount; seed++) {
    if (seen[seed] === 1 || isOpen[tetPiece[seed]] === 1) continue;
    seen[seed] = 1;
    piece[0] = seed;
    let size = 1;
    let open = false;
    let surplus = 0;
    let room = 0;
    for (let next = 0; next < size; next++) {
      const t = piece[next];
      room += volume[t];
      surplus -= source[t] * volume[t];
      for (let i = 0; i < 4; i++) {
        const f = tetToFace[4 * t + i];
        if (kind[f] === FREE) open = true;
        else if (kind[f] === WALL)
          surplus += (faceToTet[2 * f] === t ? 1 : -1) * form[faceForm[f] + AREA] * wallVelocity[f];
        const n = tetToTet[4 * t + i];
        if (n === NONE || seen[n] === 1) continue;
        seen[n] = 1;
        piece[size++] = n;
      }
    }
    if (open) continue;
    pinned[tetToFace[4 * seed]] = 1;
    for (let n = 0; n < size; n++) balanced[piece[n]] += surplus / room;
  }
  return { pinned, source: balanced };
}

/** 1 for pieces of the mesh with a free face and no fixed tet: of these every part is open to the air. */
function findOpenPieces(topology: TetTopology, { kind, fixed }: Conditions): Uint8Array {
  const { faceCount, faceToTet } = topology;
  const { count, tetPiece } = findTetPieces(topology);
  const isOpen = new Uint8Array(count);
  for (let f = 0; f < faceCount; f++) if (kind[f] === FREE) isOpen[tetPiece[faceToTet[2 * f]]] = 1;
  for (let t = 0; t < tetPiece.length; t++) if (fixed[t] === 1) isOpen[tetPiece[t]] = 0;
  return isOpen;
}

/** Subtracts the pressure gradient: cell vectors U_t -= grad q_t. */
const correctTask = defineTask(
  'flow/correct-velocity',
  { topology: topologyRecord, geometry: geometryRecord, facePressure: 'f64', cellVelocity: 'f64' },
  (begin, end, { topology, geometry, facePressure, cellVelocity }) => {
    const { tetToFace, faceToTet } = topology;
    const { faceForm, form, volume } = geometry;
    for (let t = begin; t < end; t++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let i = 0; i < 4; i++) {
        const f = tetToFace[4 * t + i];
        const q = (faceToTet[2 * f] === t ? 1 : -1) * facePressure[f];
        const row = faceForm[f];
        x += q * form[row];
        y += q * form[row + 1];
        z += q * form[row + 2];
      }
      cellVelocity[3 * t] -= x / volume[t];
      cellVelocity[3 * t + 1] -= y / volume[t];
      cellVelocity[3 * t + 2] -= z / volume[t];
    }
  },
);

/**
 * Normal velocity of each face from the cell vectors beside it, which agree there up to the solver's
 * tolerance.
 */
const faceTask = defineTask(
  'flow/compute-face-velocity',
  {
    topology: topologyRecord,
    geometry: geometryRecord,
    conditions: conditionsRecord,
    source: 'f64',
    cellVelocity: 'f64',
    out: 'f64',
  },
  (begin, end, { topology, geometry, conditions, source, cellVelocity, out }) => {
    const { faceToTet } = topology;
    const { faceForm, form, volume } = geometry;
    const { kind, wallVelocity } = conditions;
    for (let f = begin; f < end; f++) {
      if (kind[f] === WALL || kind[f] === FIXED) {
        out[f] = wallVelocity[f];
        continue;
      }
      const s = faceToTet[2 * f];
      let x = cellVelocity[3 * s];
      let y = cellVelocity[3 * s + 1];
      let z = cellVelocity[3 * s + 2];
      let spread = source[s] * volume[s];
      const t = faceToTet[2 * f + 1];
      if (t !== NONE) {
        x = 0.5 * (x + cellVelocity[3 * t]);
        y = 0.5 * (y + cellVelocity[3 * t + 1]);
        z = 0.5 * (z + cellVelocity[3 * t + 2]);
        spread = 0.5 * (spread - source[t] * volume[t]);
      }
      const row = faceForm[f];
      out[f] = (x * form[row] + y * form[row + 1] + z * form[row + 2] + 0.25 * spread) / form[row + AREA];
    }
  },
);

/** Applies the solved face pressures: updates cell vectors and face velocities. */
export function subtractPressureGradient(
  topology: TetTopology,
  geometry: FaceGeometry,
  conditions: Conditions,
  source: Float64Array,
  facePressure: Float64Array,
  threads: Threads,
  cellVelocity: Float64Array,
  outFaceVelocity: Float64Array,
): void {
  const correction = { topology, geometry, facePressure, cellVelocity };
  threads.run(correctTask, cellVelocity.length / 3, GRAIN, correction);
  const values = { topology, geometry, conditions, source, cellVelocity, out: outFaceVelocity };
  threads.run(faceTask, topology.faceCount, GRAIN, values);
}

/** Largest |divergence| over the tets, eq. (8), 1/s. */
export function measureDivergence(
  mesh: TetMesh,
  topology: TetTopology,
  geometry: FaceGeometry,
  faceVelocity: Float64Array,
): number {
  let largest = 0;
  for (let t = 0; t < mesh.tetCount; t++) {
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      const f = topology.tetToFace[4 * t + i];
      sum +=
        (topology.faceToTet[2 * f] === t ? 1 : -1) *
        geometry.form[geometry.faceForm[f] + AREA] *
        faceVelocity[f];
    }
    largest = Math.max(largest, Math.abs(sum) / geometry.volume[t]);
  }
  return largest;
}
