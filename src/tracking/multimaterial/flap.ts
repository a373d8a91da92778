/**
 * Degenerate pairs ([da-2017] chapter 7): two faces on the same three vertices enclose a region without
 * volume. If the regions outside them differ, one face stays and parts them; if not, both go. T2 processes
 * end this way, and so do merges.
 *
 *      A | x | B   ->   A | B          A | x | A   ->   A
 */
import { NONE } from '../../core/types.ts';
import type { Edit } from './edit.ts';
import type { MultiMesh } from './mesh.ts';

/** Are two faces on the same vertices wound alike? */
function areWoundAlike(mesh: MultiMesh, f: number, g: number): boolean {
  const { face } = mesh;
  let i = 0;
  while (face[3 * g + i] !== face[3 * f]) i++;
  return face[3 * g + ((i + 1) % 3)] === face[3 * f + 1];
}

/**
 * Removes the pairs that `fresh` faces of an open edit form, and vertices left without faces, which are
 * appended to `outRemoved`. Returns the number of pairs, or NONE where labels contradict each other.
 */
export function removeFlaps(mesh: MultiMesh, edit: Edit, outRemoved: number[]): number {
  let pairs = 0;
  for (let n = 0; n < edit.fresh.length; n++) {
    const f = edit.fresh[n];
    const [a, b, c] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
    const g = mesh.findFace(a, b, c, f);
    if (g === NONE) continue;
    pairs++;
    if (!edit.has(g)) edit.take(g);
    const side = areWoundAlike(mesh, f, g) ? 0 : 1;
    const front = mesh.label[2 * f];
    const back = mesh.label[2 * f + 1];
    const otherFront = mesh.label[2 * g + side];
    const otherBack = mesh.label[2 * g + 1 - side];
    // The face that comes first along f's normal has the other one's back label in front of it.
    const isAfter = otherFront === back;
    if (!isAfter && otherBack !== front) return NONE;
    const outerFront = isAfter ? front : otherFront;
    const outerBack = isAfter ? otherBack : back;
    edit.unput(g);
    mesh.removeFace(g);
    if (outerFront === outerBack) {
      edit.unput(f);
      mesh.removeFace(f);
      for (const v of [a, b, c]) if (mesh.removeIsolatedVertex(v)) outRemoved.push(v);
    } else mesh.setLabels(f, outerFront, outerBack);
    // Removing rows shifts the list: look at all again, a third face may lie on the same vertices.
    n = -1;
  }
  return pairs;
}
