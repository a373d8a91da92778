/**
 * Normal flow by face offsetting (Jiao 2007; [da-2017] 10.2): every face moves along its normal by speed
 * times dt, and a vertex goes where the offset planes of its faces meet best. The least-squares problem is
 * solved in the space of the large eigenvalues of sum w n n^T, so that smooth vertices move along the normal,
 * ridges across the ridge, and corners to the corner.
 *
 * On curves where regions meet, two rules of the thesis: `outer` looks at the moving faces alone and ignores
 * resting ones (spheres that grow against each other); `fixed` holds the curve (cyclic flow).
 */
import { NONE, type Seconds } from '../../../core/types.ts';
import { addOuterProduct, SymmetricEigen } from '../../../math/symmetric-eigen.ts';
import { setNormal } from '../../../math/triangle.ts';
import { faceOf } from '../mesh.ts';
import type { Tracker } from '../tracker.ts';

/**
 * Speed of the interface between two regions towards the first of them, m/s. Must change sign with the order.
 */
export type InterfaceSpeed = (towards: number, from: number) => number;

export interface NormalFlow {
  readonly speed: InterfaceSpeed;
  readonly curves: 'outer' | 'fixed';
}

/** Eigenvalues below this share of the largest are tangential (Jiao 2007). */
const TANGENTIAL = 0.003;

/**
 * Way of a face and of a vertex in one step, at most, in the shortest edge wanted. Vertices of a sharp crease
 * run ahead of their faces.
 */
const FACE_SHARE = 0.1;
const VERTEX_SHARE = 0.5;
/** Step by which the speeds of vertices are probed, in that of the fastest face. */
const PROBE = 1e-3;

/**
 * Largest step that face offsetting stands where surfaces meet. With steps of 0.13 L two spheres that grow
 * together leave a ragged rim, and shrink into crumbs; with 0.05 L the rim keeps to its circle within 0.06
 * edges.
 */
export function computeNormalStep(tracker: Tracker, flow: NormalFlow): Seconds {
  const { mesh, options } = tracker;
  let fastest = 0;
  for (let f = 0; f < mesh.faceFill; f++)
    if (mesh.isFace(f))
      fastest = Math.max(fastest, Math.abs(flow.speed(mesh.label[2 * f], mesh.label[2 * f + 1])));
  if (fastest === 0) return Infinity;
  const byFace = (FACE_SHARE * options.minEdge) / fastest;
  const dt = PROBE * byFace;
  const ahead = proposeByNormals(tracker, flow, dt);
  let longest = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const [x, y, z] = [0, 1, 2].map((k) => ahead[3 * v + k] - mesh.position[3 * v + k]);
    longest = Math.max(longest, x * x + y * y + z * z);
  }
  return Math.min(byFace, (VERTEX_SHARE * options.minEdge * dt) / Math.sqrt(longest));
}

/** Positions after dt, (vertexFill x 3) m. */
export function proposeByNormals(tracker: Tracker, flow: NormalFlow, dt: Seconds): Float64Array {
  const { mesh, features } = tracker;
  const { position: p, face, label } = mesh;
  const out = p.slice(0, 3 * mesh.vertexFill);
  const eigen = new SymmetricEigen();
  const a = new Float64Array(6);
  const b = new Float64Array(3);
  const normal = new Float64Array(3);
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    if (flow.curves === 'fixed' && features.isNonManifold(v)) continue;
    a.fill(0);
    b.fill(0);
    for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = mesh.cornerNextAtVertex[corner]) {
      const f = faceOf(corner);
      const speed = flow.speed(label[2 * f], label[2 * f + 1]);
      if (speed === 0) continue;
      const [i, j, k] = [3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2]];
      setNormal(p, i, j, k, normal);
      const x = normal[0];
      const y = normal[1];
      const z = normal[2];
      const size = Math.sqrt(x * x + y * y + z * z);
      if (size === 0) continue;
      // Weight: the area; normals of length `size` make n n^T times it one division.
      addOuterProduct(x, y, z, size, a);
      b[0] += speed * dt * x;
      b[1] += speed * dt * y;
      b[2] += speed * dt * z;
    }
    eigen.solve(a[0], a[1], a[2], a[3], a[4], a[5]);
    const { value, vector: q } = eigen;
    for (let n = 0; n < 3; n++) {
      if (!(value[n] > TANGENTIAL * value[0])) break;
      const s = (q[3 * n] * b[0] + q[3 * n + 1] * b[1] + q[3 * n + 2] * b[2]) / value[n];
      for (let k = 0; k < 3; k++) out[3 * v + k] += s * q[3 * n + k];
    }
  }
  return out;
}

/**
 * Regions that grow into label 0 at a common speed and rest against each other; negative speeds shrink them.
 */
export function createGrowth(speed: number): InterfaceSpeed {
  return (towards, from) => (towards === 0 ? speed : from === 0 ? -speed : 0);
}

/** 1 flows into 2, 2 into 3 (or the outside, label 0), and that into 1 ([da-2017] 10.2). */
export function createCycle(speed: number, order: readonly [number, number, number]): InterfaceSpeed {
  return (towards, from) => {
    const [i, j] = [order.indexOf(from), order.indexOf(towards)];
    if (i < 0 || j < 0 || i === j) return 0;
    return (i + 1) % 3 === j ? speed : -speed;
  };
}
