/**
 * Building a multimaterial mesh from flat arrays, and packing it again once edits have left holes. Cost:
 * linear.
 */
import { InputError } from '../../core/errors.ts';
import type { F64View, I32View } from '../../core/types.ts';
import { MultiMesh } from './mesh.ts';

/** A mesh as plain arrays, without holes: what files, checkpoints and the viewer hold. */
export interface LabelledTriangles {
  /** (vertices x 3) m */
  readonly position: F64View;
  /** (faces x 3) */
  readonly triangle: I32View;
  /** (faces x 2) region in front of (where the normal points) and behind each face */
  readonly label: I32View;
  /** (faces x 2) volume that regions still have to give back, m^3 (mesh.debt); absent: none */
  readonly debt?: F64View;
}

/** What a checkpoint holds of a mesh: LabelledTriangles as columns of a record. */
export const MESH_COLUMNS = {
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'vertices of the packed mesh' },
  triangle: { type: 'i32', per: 'face', stride: 3, meaning: 'corners' },
  label: { type: 'i32', per: 'face', stride: 2, meaning: 'regions in front and behind' },
  debt: {
    type: 'f64',
    per: 'face',
    stride: 2,
    unit: 'm^3',
    meaning: 'volume that edits owe to these regions',
  },
} as const;

/** One after the other, vertices renumbered. */
export function joinTriangles(parts: readonly LabelledTriangles[]): LabelledTriangles {
  if (parts.length === 1) return parts[0];
  const position: number[] = [];
  const triangle: number[] = [];
  const label: number[] = [];
  for (const part of parts) {
    const first = position.length / 3;
    for (let n = 0; n < part.position.length; n++) position.push(part.position[n]);
    for (let n = 0; n < part.triangle.length; n++) triangle.push(first + part.triangle[n]);
    for (let n = 0; n < part.label.length; n++) label.push(part.label[n]);
  }
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from(label),
  };
}

export function buildMultiMesh(source: LabelledTriangles): MultiMesh {
  validateSource(source);
  const mesh = new MultiMesh();
  fill(mesh, source);
  return mesh;
}

function fill(mesh: MultiMesh, { position, triangle, label, debt }: LabelledTriangles): void {
  for (let v = 0; 3 * v < position.length; v++)
    mesh.addVertex(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
  for (let f = 0; 3 * f < triangle.length; f++) {
    mesh.addFace(triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2], label[2 * f], label[2 * f + 1]);
    if (!debt) continue;
    mesh.setDebt(2 * f, debt[2 * f]);
    mesh.setDebt(2 * f + 1, debt[2 * f + 1]);
  }
}

function validateSource({ position, triangle, label }: LabelledTriangles): void {
  const vertexCount = position.length / 3;
  for (let f = 0; 3 * f < triangle.length; f++) {
    const a = triangle[3 * f];
    const b = triangle[3 * f + 1];
    const c = triangle[3 * f + 2];
    for (const v of [a, b, c]) {
      if (v >= 0 && v < vertexCount) continue;
      throw new InputError(`face ${f}`, `vertex ${v} of ${vertexCount}`, 'give vertex ids from zero');
    }
    if (a === b || b === c || c === a)
      throw new InputError(`face ${f}`, `corners ${a} ${b} ${c} repeat a vertex`, 'remove the face');
    if (Math.min(label[2 * f], label[2 * f + 1]) < 0)
      throw new InputError(
        `face ${f}`,
        `negative label ${label[2 * f]}, ${label[2 * f + 1]}`,
        'number regions from 0',
      );
    if (label[2 * f] === label[2 * f + 1])
      throw new InputError(`face ${f}`, `label ${label[2 * f]} on both sides`, 'remove the face or label it');
  }
}

/** Where rows went: `vertex[old]` is the new id or NONE. Attributes held outside the mesh follow it. */
export interface Remap {
  readonly vertex: Int32Array;
  readonly face: Int32Array;
}

/**
 * Packs the mesh in place: no holes, vertices and faces in their old order. All lists are made anew and
 * depend on that order alone, so that a mesh written to a checkpoint and built again is equal to the last bit
 * to the one that goes on. Doing it twice changes nothing more.
 */
export function compact(mesh: MultiMesh): Remap {
  return mesh.pack();
}

/**
 * Plain arrays of the living rows, in order: with them `buildMultiMesh` makes the mesh that `compact` leaves.
 */
export function extractTriangles(mesh: MultiMesh): {
  readonly position: Float64Array;
  readonly triangle: Int32Array;
  readonly label: Int32Array;
  readonly debt: Float64Array;
} {
  const vertex = new Int32Array(mesh.vertexFill);
  const position = new Float64Array(3 * mesh.vertexCount);
  const triangle = new Int32Array(3 * mesh.faceCount);
  const label = new Int32Array(2 * mesh.faceCount);
  const debt = new Float64Array(2 * mesh.faceCount);
  for (let v = 0, count = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    for (let k = 0; k < 3; k++) position[3 * count + k] = mesh.position[3 * v + k];
    vertex[v] = count++;
  }
  for (let f = 0, count = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    for (let i = 0; i < 3; i++) triangle[3 * count + i] = vertex[mesh.face[3 * f + i]];
    for (let side = 0; side < 2; side++) {
      label[2 * count + side] = mesh.label[2 * f + side];
      debt[2 * count + side] = mesh.debt[2 * f + side];
    }
    count++;
  }
  return { position, triangle, label, debt };
}
