/**
 * Faces in order around an edge, and the wedges of space between them.
 *
 *          f1
 *           |  wedge: ahead of f0, behind of f1
 *           |
 *   f2 -----e----- f0      (edge pointing at the reader)
 *
 * Two faces need no geometry: each is the other's neighbour on both sides. With more, labels decide where
 * each occurs once, and angles where one material fills several wedges ([da-2017] chapter 6 counts such
 * wedges as different regions).
 */
import { NONE } from '../../core/types.ts';
import { faceOf, type MultiMesh } from './mesh.ts';

/** Below this angle between neighbours rounding could swap them, rad. */
export const ANGLE_RESOLUTION = 1e-9;

export class EdgeFan {
  /** Corners on the edge, in turning order after `sort`. */
  readonly corner: number[] = [];
  readonly angle: number[] = [];
  /** Did the last pairing need angles, so that it may change as vertices move? */
  isByAngle = false;
  /** The least angle between neighbours, rad; infinite with fewer than two faces. */
  gap = Infinity;

  constructor(private readonly mesh: MultiMesh) {}

  /** Lists the faces of an edge in the order of the mesh's lists. */
  gather(e: number): void {
    const { mesh, corner } = this;
    corner.length = 0;
    for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c]) corner.push(c);
  }

  /** Lists the faces of an edge by their angle about it, right-handed along the edge's direction. */
  sort(e: number): void {
    const { mesh, corner, angle } = this;
    const p = mesh.position;
    const a = 3 * mesh.edgeVertex[2 * e];
    const b = 3 * mesh.edgeVertex[2 * e + 1];
    const ex = p[b] - p[a];
    const ey = p[b + 1] - p[a + 1];
    const ez = p[b + 2] - p[a + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    this.gather(e);
    angle.length = 0;
    let ux = 0;
    let uy = 0;
    let uz = 0;
    for (let n = 0; n < corner.length; n++) {
      const w = 3 * mesh.oppositeVertex(corner[n]);
      const x = p[w] - p[a];
      const y = p[w + 1] - p[a + 1];
      const z = p[w + 2] - p[a + 2];
      const along = (x * ex + y * ey + z * ez) / (length * length);
      const rx = x - along * ex;
      const ry = y - along * ey;
      const rz = z - along * ez;
      if (n === 0) {
        ux = rx;
        uy = ry;
        uz = rz;
      }
      const cosine = ux * rx + uy * ry + uz * rz;
      const sine = ((ey * uz - ez * uy) * rx + (ez * ux - ex * uz) * ry + (ex * uy - ey * ux) * rz) / length;
      const turn = n === 0 ? 0 : Math.atan2(sine, cosine);
      // Insertion keeps the few faces of an edge sorted.
      const value = turn < 0 ? turn + 2 * Math.PI : turn;
      let at = n;
      const c = corner[n];
      while (at > 0 && angle[at - 1] > value) {
        angle[at] = angle[at - 1];
        corner[at] = corner[at - 1];
        at--;
      }
      angle[at] = value;
      corner[at] = c;
    }
    this.gap = Infinity;
    const count = corner.length;
    for (let n = 0; n < count && count > 1; n++) {
      const next = n + 1 < count ? angle[n + 1] : angle[0] + 2 * Math.PI;
      this.gap = Math.min(this.gap, next - angle[n]);
    }
  }

  /** The half-face (2f or 2f+1) ahead of the n-th face. */
  halfFaceAhead(n: number): number {
    const c = this.corner[n];
    return 2 * faceOf(c) + (this.mesh.isForward(c) ? 0 : 1);
  }

  halfFaceBehind(n: number): number {
    return this.halfFaceAhead(n) ^ 1;
  }
}

/**
 * Pairs the half-faces that look into the same wedge about an edge: `outPair[2n], outPair[2n+1]`. Returns the
 * number of pairs, or NONE where labels do not chain (an open or inconsistent edge).
 */
export function pairHalfFaces(mesh: MultiMesh, e: number, fan: EdgeFan, outPair: number[]): number {
  fan.isByAngle = false;
  const first = mesh.edgeCorner[e];
  const second = first === NONE ? NONE : mesh.cornerNextAtEdge[first];
  if (second === NONE) return NONE;
  if (mesh.cornerNextAtEdge[second] === NONE) return pairTwo(mesh, first, second, outPair);
  fan.gather(e);
  let count = fan.corner.length;
  const paired = pairByLabel(mesh, fan, outPair);
  if (paired !== NONE) return paired;
  fan.isByAngle = true;
  fan.sort(e);
  count = fan.corner.length;
  for (let n = 0; n < count; n++) {
    const ahead = fan.halfFaceAhead(n);
    const behind = fan.halfFaceBehind((n + 1) % count);
    if (mesh.label[ahead] !== mesh.label[behind]) return NONE;
    outPair[2 * n] = ahead;
    outPair[2 * n + 1] = behind;
  }
  return count;
}

/** The common case: each of two faces is the other's neighbour on both sides. */
function pairTwo(mesh: MultiMesh, first: number, second: number, outPair: number[]): number {
  const ahead = 2 * faceOf(first) + (mesh.isForward(first) ? 0 : 1);
  const other = 2 * faceOf(second) + (mesh.isForward(second) ? 0 : 1);
  if (mesh.label[ahead] !== mesh.label[other ^ 1] || mesh.label[other] !== mesh.label[ahead ^ 1]) return NONE;
  outPair[0] = ahead;
  outPair[1] = other ^ 1;
  outPair[2] = other;
  outPair[3] = ahead ^ 1;
  return 2;
}

/** By labels alone, where every label occurs once ahead and once behind; else NONE. */
function pairByLabel(mesh: MultiMesh, fan: EdgeFan, outPair: number[]): number {
  const count = fan.corner.length;
  for (let n = 0; n < count; n++) {
    const ahead = fan.halfFaceAhead(n);
    const wanted = mesh.label[ahead];
    let match = NONE;
    for (let m = 0; m < count; m++) {
      if (m !== n && mesh.label[fan.halfFaceAhead(m)] === wanted) return NONE;
      const behind = fan.halfFaceBehind(m);
      if (mesh.label[behind] !== wanted) continue;
      if (match !== NONE || m === n) return NONE;
      match = behind;
    }
    if (match === NONE) return NONE;
    outPair[2 * n] = ahead;
    outPair[2 * n + 1] = match;
  }
  return count;
}
