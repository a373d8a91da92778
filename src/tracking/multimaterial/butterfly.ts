/**
 * Where a new vertex on an edge goes: modified butterfly subdivision (Zorin, Schroeder and Sweldens 1996), as
 * [da-2017] 9.3 uses it.
 *
 *        x---c---x          regular edge a-b: 1/2 a + 1/2 b + 1/8 (c + d) - 1/16 (the four x)
 *         \ / \ /           an end of valence K other than 6: the stencil of its ring; two such ends: their mean
 *          a---b            crease (feature, or other than two faces): four points along it, -1/16 9/16 9/16 -1/16
 *         / \ / \           x beyond a crease, or where a crease ends: reflected from this side
 *        x---d---x
 */
import { NONE } from '../../core/types.ts';
import { type Features, gatherFan, otherEdgeAt, otherFace } from './features.ts';
import { faceOf, type MultiMesh } from './mesh.ts';

const REGULAR_VALENCE = 6;
const WING = -1 / 16;
const ring: number[] = [];

/** Sets the new position on edge e. */
export function computeButterfly(mesh: MultiMesh, features: Features, e: number, out: Float64Array): void {
  const a = mesh.edgeVertex[2 * e];
  const b = mesh.edgeVertex[2 * e + 1];
  out.fill(0, 0, 3);
  if (features.isCrease(e)) {
    addCurve(mesh, features, e, a, b, out);
    return;
  }
  const starA = findStar(mesh, features, e, a);
  if (starA) addStar(mesh, a, 1, out);
  const starB = findStar(mesh, features, e, b);
  if (starB) addStar(mesh, b, 1, out);
  if (starA && starB) for (let k = 0; k < 3; k++) out[k] /= 2;
  if (!starA && !starB) addRegular(mesh, features, e, a, b, out);
}

/** Where the middle of edge e from a to b is to lie, by the vertices around. */
type PlaceMiddle = (
  mesh: MultiMesh,
  features: Features,
  e: number,
  a: number,
  b: number,
  out: Float64Array,
) => void;

/** Four points along the crease; beyond an end the curve is reflected. */
const addCurve: PlaceMiddle = (mesh, features, e, a, b, out) => {
  const p = mesh.position;
  const before = features.findCreaseNeighbour(a, e);
  const after = features.findCreaseNeighbour(b, e);
  for (let k = 0; k < 3; k++) {
    const pa = p[3 * a + k];
    const pb = p[3 * b + k];
    const first = before === NONE ? 2 * pa - pb : p[3 * before + k];
    const last = after === NONE ? 2 * pb - pa : p[3 * after + k];
    out[k] = WING * (first + last) + (0.5 - WING) * (pa + pb);
  }
};

/** Gathers the ring of v from the far end of e, and tells whether it is an irregular one without creases. */
function findStar(mesh: MultiMesh, features: Features, e: number, v: number): boolean {
  const f = faceOf(mesh.edgeCorner[e]);
  if (!gatherFan(mesh, v, e, f, ring) || ring.length === REGULAR_VALENCE || ring.length < 3) return false;
  return features.countCreases(v) === 0;
}

/** Adds the stencil of an irregular vertex over `ring`, whose first vertex is the other end. */
function addStar(mesh: MultiMesh, v: number, scale: number, out: Float64Array): void {
  const p = mesh.position;
  const valence = ring.length;
  for (let k = 0; k < 3; k++) out[k] += 0.75 * scale * p[3 * v + k];
  for (let j = 0; j < valence; j++) {
    const weight = scale * computeStarWeight(valence, j);
    for (let k = 0; k < 3; k++) out[k] += weight * p[3 * ring[j] + k];
  }
}

function computeStarWeight(valence: number, j: number): number {
  if (valence === 3) return j === 0 ? 5 / 12 : -1 / 12;
  if (valence === 4) return j === 0 ? 3 / 8 : j === 2 ? -1 / 8 : 0;
  const turn = (2 * Math.PI * j) / valence;
  return (0.25 + Math.cos(turn) + 0.5 * Math.cos(2 * turn)) / valence;
}

const addRegular: PlaceMiddle = (mesh, features, e, a, b, out) => {
  const p = mesh.position;
  for (let k = 0; k < 3; k++) out[k] += 0.5 * (p[3 * a + k] + p[3 * b + k]);
  for (let corner = mesh.edgeCorner[e]; corner !== NONE; corner = mesh.cornerNextAtEdge[corner]) {
    const f = faceOf(corner);
    const c = mesh.oppositeVertex(corner);
    for (let k = 0; k < 3; k++) out[k] += 0.125 * p[3 * c + k];
    addWing(mesh, features, otherEdgeAt(mesh, f, a, e), f, a, c, b, out);
    addWing(mesh, features, otherEdgeAt(mesh, f, b, e), f, b, c, a, out);
  }
};

/** The vertex beyond edge u c, or the reflection of `from` where that edge is a crease. */
function addWing(
  mesh: MultiMesh,
  features: Features,
  edge: number,
  f: number,
  u: number,
  c: number,
  from: number,
  out: Float64Array,
): void {
  const p = mesh.position;
  if (features.isCrease(edge)) {
    for (let k = 0; k < 3; k++) out[k] += WING * (p[3 * u + k] + p[3 * c + k] - p[3 * from + k]);
    return;
  }
  const g = otherFace(mesh, edge, f);
  const far = mesh.face[3 * g] + mesh.face[3 * g + 1] + mesh.face[3 * g + 2] - u - c;
  for (let k = 0; k < 3; k++) out[k] += WING * p[3 * far + k];
}
