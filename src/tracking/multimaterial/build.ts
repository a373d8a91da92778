/** Building a multimaterial mesh from flat arrays, and packing it again once edits have left holes. Cost: linear. */
import { InputError } from '../../core/errors.ts';
import type { F64View, I32View } from '../../core/types.ts';
import { NONE } from '../../core/types.ts';
import { MultiMesh } from './mesh.ts';

/** A mesh as plain arrays, without holes: what files, checkpoints and the viewer hold. */
export interface LabelledTriangles {
  /** (vertices x 3) m */
  readonly position: F64View;
  /** (faces x 3) */
  readonly triangle: I32View;
  /** (faces x 2) region in front of (where the normal points) and behind each face */
  readonly label: I32View;
}

export function buildMultiMesh(source: LabelledTriangles): MultiMesh {
  const { position, triangle, label } = source;
  const vertexCount = position.length / 3;
  const mesh = new MultiMesh();
  for (let v = 0; v < vertexCount; v++)
    mesh.addVertex(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
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
    mesh.addFace(a, b, c, label[2 * f], label[2 * f + 1]);
  }
  return mesh;
}

/** Where rows went: `vertex[old]` is the new id or NONE. Attributes held outside the mesh follow it. */
export interface Remap {
  readonly vertex: Int32Array;
  readonly face: Int32Array;
}

/**
 * A copy without holes, vertices and faces in their old order. The lists of the copy depend on that order alone, so a mesh written to a checkpoint
 * and read back goes on exactly as this copy does.
 */
export function defragment(mesh: MultiMesh): { readonly mesh: MultiMesh; readonly remap: Remap } {
  const vertex = new Int32Array(mesh.vertexFill).fill(NONE);
  const face = new Int32Array(mesh.faceFill).fill(NONE);
  const packed = new MultiMesh();
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    vertex[v] = packed.addVertex(mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]);
  }
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [a, b, c] = [0, 1, 2].map((i) => vertex[mesh.face[3 * f + i]]);
    face[f] = packed.addFace(a, b, c, mesh.label[2 * f], mesh.label[2 * f + 1]);
    packed.setDebt(2 * face[f], mesh.debt[2 * f]);
    packed.setDebt(2 * face[f] + 1, mesh.debt[2 * f + 1]);
  }
  return { mesh: packed, remap: { vertex, face } };
}

/** Plain arrays of the living rows, in order. */
export function extractTriangles(mesh: MultiMesh): {
  readonly position: Float64Array;
  readonly triangle: Int32Array;
  readonly label: Int32Array;
} {
  const { mesh: packed } = defragment(mesh);
  return {
    position: packed.position.slice(0, 3 * packed.vertexFill),
    triangle: packed.face.slice(0, 3 * packed.faceFill),
    label: packed.label.slice(0, 2 * packed.faceFill),
  };
}
