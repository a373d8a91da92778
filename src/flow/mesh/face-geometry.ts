/**
 * Areas, normals and volumes of the finite-volume mesh ([chentanez-2007] 3.1, eq. (8)), on all threads.
 *
 * Two thirds of the tets have one of the four shapes of the lattice in some size, so their faces share a few
 * forms (3.3.2): a face between lattice points holds only the place of its form in a table; every other face
 * has a row of its own behind it. In units of half a leaf's edge squared the doubled area vector of a face
 * between lattice points is whole, and that is its place in the table.
 */
import type { HeapScope } from '../../core/heap.ts';
import { defineRecord, type ValuesOf } from '../../core/records.ts';
import { defineTask, type Threads } from '../../core/threads/task.ts';
import { NONE } from '../../core/types.ts';
import { computeTetVolume, setNormal } from '../../math/triangle.ts';
import type { StuffedMesh } from '../../mesh/lattice/lattice.ts';
import type { TetMesh, TetTopology } from '../../mesh/tetmesh.ts';

export const geometryRecord = defineRecord('face geometry', {
  faceForm: { type: 'i32', per: 'face', meaning: "where the face's form begins in `form`" },
  /** The normal points out of faceToTet[2f]. */
  form: {
    type: 'f64',
    per: 'form',
    stride: 4,
    unit: 'm^2',
    meaning: 'area times unit normal, and at AREA the area',
  },
  volume: { type: 'f64', per: 'tet', unit: 'm^3', meaning: 'of tets' },
});
export type FaceGeometry = ValuesOf<typeof geometryRecord>;

/** Offset of the area within a form. */
export const AREA = 3;
const FORM_SIZE = 4;
/**
 * Largest component of a doubled area vector between lattice points, in half edges squared: two whole edges
 * at a right angle.
 */
const SPAN = 4;
const SIDE = 2 * SPAN + 1;
const FORMS_PER_LEVEL = SIDE ** 3;
/** Half edges by which a lattice point may be off, from rounding. */
const ON_LATTICE = 1e-9;
const GRAIN = 4096;

/** Each face's row of the table, or NONE where it is not between lattice points. */
const findForms = defineTask(
  'flow/find-face-forms',
  { position: 'f64', faceVertex: 'i32', faceToTet: 'i32', tetLevel: 'u8', size: 'number', faceForm: 'i32' },
  (begin, end, { position, faceVertex, faceToTet, tetLevel, size, faceForm }) => {
    for (let f = begin; f < end; f++) {
      const level = tetLevel[faceToTet[2 * f]];
      const toUnit = 2 / (size * 2 ** level);
      const a = 3 * faceVertex[3 * f];
      const b = 3 * faceVertex[3 * f + 1];
      const c = 3 * faceVertex[3 * f + 2];
      const ux = toUnit * (position[b] - position[a]);
      const uy = toUnit * (position[b + 1] - position[a + 1]);
      const uz = toUnit * (position[b + 2] - position[a + 2]);
      const vx = toUnit * (position[c] - position[a]);
      const vy = toUnit * (position[c + 1] - position[a + 1]);
      const vz = toUnit * (position[c + 2] - position[a + 2]);
      const rux = Math.round(ux);
      const ruy = Math.round(uy);
      const ruz = Math.round(uz);
      const rvx = Math.round(vx);
      const rvy = Math.round(vy);
      const rvz = Math.round(vz);
      const off =
        Math.abs(ux - rux) +
        Math.abs(uy - ruy) +
        Math.abs(uz - ruz) +
        Math.abs(vx - rvx) +
        Math.abs(vy - rvy) +
        Math.abs(vz - rvz);
      const x = ruy * rvz - ruz * rvy + SPAN;
      const y = ruz * rvx - rux * rvz + SPAN;
      const z = rux * rvy - ruy * rvx + SPAN;
      const known = off < ON_LATTICE && x >= 0 && x < SIDE && y >= 0 && y < SIDE && z >= 0 && z < SIDE;
      faceForm[f] = known ? FORM_SIZE * (x + SIDE * (y + SIDE * (z + SIDE * level))) : NONE;
    }
  },
);

/** Forms of the faces whose rows begin at `first` or behind. */
const computeOwnForms = defineTask(
  'flow/compute-own-face-forms',
  { position: 'f64', faceVertex: 'i32', faceForm: 'i32', first: 'number', form: 'f64' },
  (begin, end, { position, faceVertex, faceForm, first, form }) => {
    const normal = new Float64Array(3);
    for (let f = begin; f < end; f++) {
      const row = faceForm[f];
      if (row < first) continue;
      const a = 3 * faceVertex[3 * f];
      const b = 3 * faceVertex[3 * f + 1];
      const c = 3 * faceVertex[3 * f + 2];
      setNormal(position, a, b, c, normal);
      const x = 0.5 * normal[0];
      const y = 0.5 * normal[1];
      const z = 0.5 * normal[2];
      form[row] = x;
      form[row + 1] = y;
      form[row + 2] = z;
      form[row + AREA] = Math.sqrt(x * x + y * y + z * z);
    }
  },
);

const volumeTask = defineTask(
  'flow/compute-tet-volumes',
  { position: 'f64', tet: 'i32', volume: 'f64' },
  (begin, end, { position, tet, volume }) => {
    for (let t = begin; t < end; t++) {
      const a = 3 * tet[4 * t];
      const b = 3 * tet[4 * t + 1];
      const c = 3 * tet[4 * t + 2];
      const d = 3 * tet[4 * t + 3];
      volume[t] = computeTetVolume(position, a, b, c, d);
    }
  },
);

/** What decides the forms of a mesh: how large the leaf is that each tet belongs to. */
type GradedTets = TetMesh &
  Pick<StuffedMesh, 'tetLevel'> & { readonly index: Pick<StuffedMesh['index'], 'size'> };

export function buildFaceGeometry(
  mesh: GradedTets,
  topology: TetTopology,
  threads: Threads,
  scope: HeapScope,
): FaceGeometry {
  const { faceCount, faceVertex, faceToTet } = topology;
  const { position, tetLevel } = mesh;
  const faceForm = scope.i32(faceCount);
  const { size } = mesh.index;
  threads.run(findForms, faceCount, GRAIN, { position, faceVertex, faceToTet, tetLevel, size, faceForm });
  let levels = 0;
  for (let t = 0; t < mesh.tetCount; t++) levels = Math.max(levels, tetLevel[t] + 1);
  const first = FORM_SIZE * FORMS_PER_LEVEL * levels;
  let next = first;
  for (let f = 0; f < faceCount; f++) {
    if (faceForm[f] !== NONE) continue;
    faceForm[f] = next;
    next += FORM_SIZE;
  }
  const form = scope.f64(next);
  fillLatticeForms(form, levels, size);
  threads.run(computeOwnForms, faceCount, GRAIN, { position, faceVertex, faceForm, first, form });
  const volume = scope.f64(mesh.tetCount);
  threads.run(volumeTask, mesh.tetCount, GRAIN, { position, tet: mesh.tet, volume });
  return { faceForm, form, volume };
}

function fillLatticeForms(outForm: Float64Array, levels: number, size: number): void {
  let row = 0;
  for (let level = 0; level < levels; level++) {
    const halfUnit = 0.5 * (0.5 * size * 2 ** level) ** 2;
    for (let z = -SPAN; z <= SPAN; z++)
      for (let y = -SPAN; y <= SPAN; y++)
        for (let x = -SPAN; x <= SPAN; x++, row += FORM_SIZE) {
          outForm[row] = halfUnit * x;
          outForm[row + 1] = halfUnit * y;
          outForm[row + 2] = halfUnit * z;
          outForm[row + AREA] = halfUnit * Math.sqrt(x * x + y * y + z * z);
        }
  }
}
