/**
 * Null-space smoothing ([da-2017] 9.4): a vertex moves towards the middle of its faces, as far as the surface
 * keeps its shape: in the tangent plane where smooth, along the crease on a ridge, not at all on a peak. The
 * step is then cut to the directions in which no region's volume changes, exactly (star.ts), so that
 * smoothing never costs volume. At folds beyond 165 degrees the vertex moves in the plane of the sheets to
 * open them; that may.
 *
 * Only vertices with a small angle among their faces are smoothed. Every step along a curved surface blurs it
 * a little: smoothing all vertices of the Enright sphere in each of 300 steps doubles both its distance from
 * the sphere in the end and the cost of improvement.
 *
 * Ridge direction and the normal of a fold come from the eigenvectors of the area-weighted sum of n n^T (Jiao
 * and Bayyana 2008).
 */
import { NONE } from '../../core/types.ts';
import { addOuterProduct, SymmetricEigen } from '../../math/symmetric-eigen.ts';
import { type Bounds, computeExtremeCosines, type Refusal } from './edit.ts';
import { PEAK, RIDGE, SMOOTH, setFaceNormal } from './features.ts';
import { faceOf, type MultiMesh } from './mesh.ts';
import { StarVolume } from './star.ts';
import type { Tracker } from './tracker.ts';

/** Shorter steps change nothing worth a test, in L. */
const LEAST_STEP = 4e-2;

const star = new StarVolume();
const eigen = new SymmetricEigen();
const normal = new Float64Array(3);
const step = new Float64Array(3);
const place = new Float64Array(3);
const cosines = new Float64Array(2);
const faces: number[] = [];

/** What of the mesh a step depends on: a task has only these. */
type Stars = Pick<MultiMesh, 'position' | 'face' | 'label' | 'vertexCorner' | 'cornerNextAtVertex'>;

/** Smooths one vertex; false when it stays. */
export function smoothVertex(tracker: Tracker, v: number, bounds: Bounds = 'all'): boolean {
  const { mesh, features } = tracker;
  if (tracker.policy.isHeld?.(v) || tracker.walls?.maySmooth(v) === false) return false;
  const rank = features.rank(v);
  const isFold = features.sawFold;
  if (rank === PEAK && !isFold && bounds === 'all') return false;
  if (!isFold && bounds === 'all' && !hasSharpAngle(tracker, v)) return false;
  if (!setSmoothingStep(mesh, v, rank, isFold, tracker.length)) return false;
  if (tracker.walls && !slideOnWalls(tracker, v)) return false;
  const p = mesh.position;
  const refusal = moveVertex(
    tracker,
    v,
    p[3 * v] + step[0],
    p[3 * v + 1] + step[1],
    p[3 * v + 2] + step[2],
    bounds,
  );
  if (!tracker.count('smooth', refusal)) return false;
  tracker.policy.onMove?.(v, step[0], step[1], step[2]);
  tracker.edit.tellReplaced();
  return true;
}

/**
 * Sets `step` to where a vertex of this rank goes, at a fold or not; false where that is not worth a test.
 * `length` is L, m.
 */
export function setSmoothingStep(
  mesh: Stars,
  v: number,
  rank: number,
  isFold: boolean,
  length: number,
): boolean {
  setLaplacian(mesh, v, rank !== SMOOTH);
  if (isFold) dropDirection(0);
  else {
    if (rank === RIDGE) keepDirection(2);
    star.begin(0, 0, 0);
    star.addVertex(mesh, v);
    star.projectSlide(step);
  }
  return !(Math.hypot(step[0], step[1], step[2]) < LEAST_STEP * length);
}

/** Takes from `step` what leads off the walls of a vertex; false where the rest is not worth a test. */
function slideOnWalls({ mesh, walls, length }: Tracker, v: number): boolean {
  const p = mesh.position;
  for (let k = 0; k < 3; k++) place[k] = p[3 * v + k] + step[k];
  walls!.hold(v, place);
  for (let k = 0; k < 3; k++) step[k] = place[k] - p[3 * v + k];
  return !(Math.hypot(step[0], step[1], step[2]) < LEAST_STEP * length);
}

/** Is there anything to mend at the vertex? */
function hasSharpAngle({ mesh, cosines: { smooth: most } }: Tracker, v: number): boolean {
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = 3 * faceOf(c);
    computeExtremeCosines(mesh.position, mesh.face[f], mesh.face[f + 1], mesh.face[f + 2], cosines);
    if (cosines[1] > most) return true;
  }
  return false;
}

/** Moves a vertex as an atomic edit. */
export function moveVertex(
  tracker: Tracker,
  v: number,
  x: number,
  y: number,
  z: number,
  bounds: Bounds,
): Refusal | undefined {
  const { mesh, edit } = tracker;
  faces.length = 0;
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) faces.push(faceOf(c));
  edit.begin();
  for (const f of faces) {
    const n = edit.take(f);
    const o = 3 * f;
    const front = mesh.label[2 * f];
    const back = mesh.label[2 * f + 1];
    edit.sweep(mesh.face[o], mesh.face[o + 1], mesh.face[o + 2], front, back, x, y, z);
    edit.put(f, n);
  }
  mesh.setPosition(v, x, y, z);
  return edit.finish(bounds);
}

/**
 * Sets `step` to the area-weighted middle of the faces, and solves the eigenproblem of their normals if
 * wanted.
 */
function setLaplacian(mesh: Stars, v: number, wantsEigen: boolean): void {
  const { position: p, face } = mesh;
  let sum = 0;
  const q = [0, 0, 0, 0, 0, 0];
  step.fill(0);
  for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
    const f = faceOf(c);
    setFaceNormal(mesh, f, normal);
    const x = normal[0];
    const y = normal[1];
    const z = normal[2];
    const size = Math.hypot(x, y, z);
    if (size === 0) continue;
    sum += size;
    for (let k = 0; k < 3; k++) {
      const middle = (p[3 * face[3 * f] + k] + p[3 * face[3 * f + 1] + k] + p[3 * face[3 * f + 2] + k]) / 3;
      step[k] += size * (middle - p[3 * v + k]);
    }
    addOuterProduct(x, y, z, size, q);
  }
  if (sum > 0) for (let k = 0; k < 3; k++) step[k] /= sum;
  if (wantsEigen) eigen.solve(q[0], q[1], q[2], q[3], q[4], q[5]);
}

function keepDirection(i: number): void {
  const q = eigen.vector;
  const s = q[3 * i] * step[0] + q[3 * i + 1] * step[1] + q[3 * i + 2] * step[2];
  for (let k = 0; k < 3; k++) step[k] = s * q[3 * i + k];
}

function dropDirection(i: number): void {
  const q = eigen.vector;
  const s = q[3 * i] * step[0] + q[3 * i + 1] * step[1] + q[3 * i + 2] * step[2];
  for (let k = 0; k < 3; k++) step[k] -= s * q[3 * i + k];
}
