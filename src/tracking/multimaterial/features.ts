/**
 * Features of the surface ([da-2017] 9.1): edges bent by more than a threshold, and with them the edges where
 * more or fewer than two faces meet. Together they are creases. A vertex on no crease is smooth, on one or
 * two a ridge, on three or more a peak.
 *
 * Deviation: the thesis ranks by bent edges and then by manifoldness; counting both kinds of crease together
 * ranks triple curves as ridges and the points where they meet as peaks, which is what its rules for
 * collapses and smoothing then ask for.
 */
import { NONE } from '../../core/types.ts';
import { setNormal } from '../../math/triangle.ts';
import { faceOf, type MultiMesh, previousCorner } from './mesh.ts';
import type { Scan } from './scan.ts';

export const SMOOTH = 0;
export const RIDGE = 1;
export const PEAK = 2;

const normalA = new Float64Array(3);
const normalB = new Float64Array(3);

/** What of the mesh normals and bends need: a task has only these. */
type Triangles = Pick<MultiMesh, 'position' | 'face'>;
type Fans = Pick<
  MultiMesh,
  'face' | 'cornerEdge' | 'edgeVertex' | 'edgeCorner' | 'edgeValence' | 'cornerNextAtEdge'
>;
type Edges = Triangles & Pick<MultiMesh, 'edgeVertex' | 'edgeCorner' | 'cornerNextAtEdge'>;

/** Cosine of the angle by which the surface bends over an edge of two faces: 1 when flat, -1 when folded. */
export function computeBendCosine(mesh: Edges, e: number): number {
  const { face } = mesh;
  const c = mesh.edgeCorner[e];
  const d = mesh.cornerNextAtEdge[c];
  setFaceNormal(mesh, faceOf(c), normalA);
  setFaceNormal(mesh, faceOf(d), normalB);
  const dot = normalA[0] * normalB[0] + normalA[1] * normalB[1] + normalA[2] * normalB[2];
  const sizeA = normalA[0] ** 2 + normalA[1] ** 2 + normalA[2] ** 2;
  const sizeB = normalB[0] ** 2 + normalB[1] ** 2 + normalB[2] ** 2;
  if (sizeA === 0 || sizeB === 0) return 1;
  // Faces that run along the edge in the same direction, from the same vertex, are wound against each other.
  const sign = face[c] === face[d] ? -1 : 1;
  return (sign * dot) / Math.sqrt(sizeA * sizeB);
}

export function setFaceNormal(mesh: Triangles, f: number, out: Float64Array): void {
  const { position: p, face } = mesh;
  const a = 3 * face[3 * f];
  const b = 3 * face[3 * f + 1];
  const c = 3 * face[3 * f + 2];
  setNormal(p, a, b, c, out);
}

export function rankByCreases(count: number): number {
  return count === 0 ? SMOOTH : count <= 2 ? RIDGE : PEAK;
}

export class Features {
  /** Was there a fold (9.4) at the vertex whose creases were counted, or whose rank was asked for, last? */
  sawFold = false;
  /**
   * The look that knows the bends of all edges, but for those with both ends touched since; undefined where
   * there is none.
   */
  scan: Scan | undefined;

  constructor(
    private readonly mesh: MultiMesh,
    private readonly featureCosine: number,
    private readonly foldCosine: number,
  ) {}

  isManifold(e: number): boolean {
    return this.mesh.edgeValence[e] === 2;
  }

  isFeature(e: number): boolean {
    return this.isManifold(e) && this.isBent(e);
  }

  isCrease(e: number): boolean {
    return !this.isManifold(e) || this.isBent(e);
  }

  private isBent(e: number): boolean {
    const { scan } = this;
    if (scan?.isEdgeKnown(e)) return scan.isCrease(e);
    return computeBendCosine(this.mesh, e) < this.featureCosine;
  }

  countCreases(v: number): number {
    const { mesh, scan } = this;
    let count = 0;
    this.sawFold = false;
    const isKnown = scan?.isVertexKnown(v) ?? false;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const e = d >> 1;
      if (mesh.edgeValence[e] !== 2) {
        count++;
        continue;
      }
      if (scan && (isKnown || scan.isVertexKnown(mesh.edgeVertex[d ^ 1]))) {
        if (scan.isCrease(e)) count++;
        if (scan.isFolded(e)) this.sawFold = true;
        continue;
      }
      const cosine = computeBendCosine(mesh, e);
      if (cosine < this.featureCosine) count++;
      if (cosine < this.foldCosine) this.sawFold = true;
    }
    return count;
  }

  /** SMOOTH, RIDGE or PEAK. */
  rank(v: number): number {
    return rankByCreases(this.countCreases(v));
  }

  /** Does the vertex lie on an edge with more or fewer than two faces? */
  isNonManifold(v: number): boolean {
    const { mesh } = this;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
      if (mesh.edgeValence[d >> 1] !== 2) return true;
    return false;
  }

  /** The other end of the one crease at v besides e; NONE where there is none or a choice. */
  findCreaseNeighbour(v: number, e: number): number {
    const { mesh } = this;
    let found = NONE;
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      if (d >> 1 === e || !this.isCrease(d >> 1)) continue;
      if (found !== NONE) return NONE;
      found = mesh.edgeVertex[d ^ 1];
    }
    return found;
  }
}

/** The edge of face f at vertex v that is not e. */
export function otherEdgeAt(
  mesh: Pick<MultiMesh, 'face' | 'cornerEdge'>,
  f: number,
  v: number,
  e: number,
): number {
  let c = 3 * f;
  while (mesh.face[c] !== v) c++;
  const out = mesh.cornerEdge[c];
  return out === e ? mesh.cornerEdge[previousCorner(c)] : out;
}

/** The other face of an edge of two faces. */
export function otherFace(
  mesh: Pick<MultiMesh, 'edgeCorner' | 'cornerNextAtEdge'>,
  e: number,
  f: number,
): number {
  const first = faceOf(mesh.edgeCorner[e]);
  return first === f ? faceOf(mesh.cornerNextAtEdge[mesh.edgeCorner[e]]) : first;
}

/**
 * The vertices around v in order, from the far end of edge e through face f over edges of two faces. Returns
 * whether the fan closes; if not, it ends at the first edge with more or fewer faces.
 */
export function gatherFan(mesh: Fans, v: number, e: number, f: number, outRing: number[]): boolean {
  outRing.length = 0;
  let edge = e;
  let at = f;
  // A fan has no more faces than the mesh; the bound only stops a mesh whose lists are broken.
  for (let n = 0; n <= mesh.face.length; n++) {
    outRing.push(otherEnd(mesh, edge, v));
    edge = otherEdgeAt(mesh, at, v, edge);
    if (edge === e) return true;
    if (mesh.edgeValence[edge] !== 2) break;
    at = otherFace(mesh, edge, at);
  }
  outRing.push(otherEnd(mesh, edge, v));
  return false;
}

function otherEnd({ edgeVertex }: Fans, e: number, v: number): number {
  return edgeVertex[2 * e] === v ? edgeVertex[2 * e + 1] : edgeVertex[2 * e];
}
