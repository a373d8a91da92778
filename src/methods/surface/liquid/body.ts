/**
 * Bodies of liquid as flat arrays, packed from the tracker's mesh: one for all faces that hang together, with
 * the bubbles inside it. Bodies that touch in a vertex are one body: their potential is one number there.
 *
 * Faces are wound so that their normal points out of the liquid, into air. Cost: linear.
 */
import { createSets, findRoot, unite } from '../../../core/disjoint-sets.ts';
import type { HeapScope } from '../../../core/heap.ts';
import { allocateViews, defineRecord, type ValuesOf } from '../../../core/records.ts';
import { NONE } from '../../../core/types.ts';
import { computeWindingNumber } from '../../../geometry/inside.ts';
import { computeTriple } from '../../../math/triangle.ts';
import type { MultiMesh } from '../../../tracking/multimaterial/mesh.ts';

/** Label of the liquid; 0 is air. */
export const LIQUID = 1;

export const bodyRecord = defineRecord('liquid body', {
  vertexCount: 'number',
  faceCount: 'number',
  vertexId: { type: 'i32', per: 'vertex', meaning: "id in the tracker's mesh" },
  faceId: { type: 'i32', per: 'face', meaning: "id in the tracker's mesh" },
  position: { type: 'f64', per: 'vertex', stride: 3, unit: 'm', meaning: 'of vertices' },
  triangle: { type: 'i32', per: 'face', stride: 3, meaning: 'packed vertices, wound outward' },
  cornerStart: { type: 'i32', meaning: '(vertices + 1) corners at each vertex' },
  vertexCorner: { type: 'i32', per: 'face', stride: 3, meaning: 'these corners' },
});
export type Body = ValuesOf<typeof bodyRecord>;

/** Which faces belong together. */
export interface BodyList {
  readonly count: number;
  /** (mesh vertices) body, or NONE */
  readonly ofVertex: Int32Array;
  /** (bodies) faces by mesh id, rising */
  readonly faces: readonly Int32Array[];
  /** (bodies) cavities: sets of faces that look into closed air inside, each with its volume below 0 */
  readonly cavities: readonly (readonly Int32Array[])[];
  /** (bodies) m^3 */
  readonly volume: Float64Array;
}

/** The bodies of a mesh, numbered by their lowest vertex. */
export function findBodies(mesh: MultiMesh): BodyList {
  const parts = findParts(mesh);
  const volumes = parts.faces.map((faces) => measureVolume(mesh, faces));
  const bodyOf = new Int32Array(parts.faces.length).fill(NONE);
  const outer: number[] = [];
  volumes.forEach((volume, n) => {
    if (volume > 0) bodyOf[n] = outer.push(n) - 1;
  });
  // A part of negative volume is the air inside a body: that which winds around it, the smallest of those.
  const hollow: number[][] = outer.map(() => []);
  volumes.forEach((volume, n) => {
    if (volume > 0) return;
    const v = 3 * mesh.face[3 * parts.faces[n][0]];
    const [x, y, z] = mesh.position.subarray(v, v + 3);
    let best: number = NONE;
    outer.forEach((part, b) => {
      if (best !== NONE && volumes[outer[best]] < volumes[part]) return;
      if (computeWindingNumber(wind(mesh, parts.faces[part]), x, y, z) > 0.5) best = b;
    });
    if (best === NONE) return;
    bodyOf[n] = best;
    hollow[best].push(n);
  });
  const ofVertex = new Int32Array(mesh.vertexFill).fill(NONE);
  for (let v = 0; v < mesh.vertexFill; v++)
    if (parts.ofVertex[v] !== NONE) ofVertex[v] = bodyOf[parts.ofVertex[v]];
  return {
    count: outer.length,
    ofVertex,
    faces: outer.map((part, b) => {
      if (hollow[b].length === 0) return parts.faces[part];
      return Int32Array.from([part, ...hollow[b]].flatMap((n) => [...parts.faces[n]])).sort();
    }),
    cavities: hollow.map((inside) => inside.map((n) => parts.faces[n])),
    volume: Float64Array.from(outer, (part, b) =>
      hollow[b].reduce((sum, n) => sum + volumes[n], volumes[part]),
    ),
  };
}

/** Faces joined by vertices. */
function findParts(mesh: MultiMesh): { ofVertex: Int32Array; faces: Int32Array[] } {
  const sets = createSets(mesh.vertexFill);
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    unite(sets, mesh.face[3 * f], mesh.face[3 * f + 1]);
    unite(sets, mesh.face[3 * f], mesh.face[3 * f + 2]);
  }
  const ofVertex = new Int32Array(mesh.vertexFill).fill(NONE);
  const lists: number[][] = [];
  const number = new Map<number, number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const root = findRoot(sets, mesh.face[3 * f]);
    let n = number.get(root);
    if (n === undefined) {
      n = lists.push([]) - 1;
      number.set(root, n);
    }
    lists[n].push(f);
    for (let c = 3 * f; c < 3 * f + 3; c++) ofVertex[mesh.face[c]] = n;
  }
  return { ofVertex, faces: lists.map((list) => Int32Array.from(list)) };
}

/** +1 where the liquid is behind the face, so that its normal points outward. */
const sideOf = (mesh: MultiMesh, f: number) => (mesh.label[2 * f + 1] === LIQUID ? 1 : -1);

function measureVolume(mesh: MultiMesh, faces: Int32Array): number {
  const { face, position: p } = mesh;
  const o = 3 * face[3 * faces[0]];
  let sum = 0;
  for (const f of faces)
    sum +=
      sideOf(mesh, f) *
      computeTriple(p, 3 * face[3 * f], 3 * face[3 * f + 1], 3 * face[3 * f + 2], p[o], p[o + 1], p[o + 2]);
  return sum / 6;
}

function wind(mesh: MultiMesh, faces: Int32Array) {
  const triangle = new Int32Array(3 * faces.length);
  faces.forEach((f, n) => {
    const isOut = sideOf(mesh, f) > 0;
    triangle[3 * n] = mesh.face[3 * f];
    triangle[3 * n + 1] = mesh.face[3 * f + (isOut ? 1 : 2)];
    triangle[3 * n + 2] = mesh.face[3 * f + (isOut ? 2 : 1)];
  });
  return { position: mesh.position, triangle, triangleCount: faces.length, vertexCount: mesh.vertexFill };
}

/** Packs one body. */
export function buildBody(mesh: MultiMesh, faces: Int32Array, scope: HeapScope): Body {
  const { triangle: wound } = wind(mesh, faces);
  const vertices = [...new Set(wound)].sort((a, b) => a - b);
  const packed = new Map(vertices.map((v, n) => [v, n]));
  const counts = { vertex: vertices.length, face: faces.length };
  const body: Body = {
    vertexCount: counts.vertex,
    faceCount: counts.face,
    ...allocateViews(bodyRecord, scope, counts),
    cornerStart: scope.i32(counts.vertex + 1),
  };
  body.vertexId.set(vertices);
  body.faceId.set(faces);
  const { triangle, cornerStart, vertexCorner } = body;
  for (let c = 0; c < wound.length; c++) {
    triangle[c] = packed.get(wound[c])!;
    cornerStart[triangle[c] + 1]++;
  }
  for (let v = 0; v < counts.vertex; v++) cornerStart[v + 1] += cornerStart[v];
  const next = cornerStart.slice(0, counts.vertex);
  for (let c = 0; c < triangle.length; c++) vertexCorner[next[triangle[c]]++] = c;
  takePositions(body, mesh.position);
  return body;
}

/** Takes positions from an array by mesh id. */
export function takePositions(body: Body, position: Float64Array): void {
  for (let v = 0; v < body.vertexCount; v++)
    for (let k = 0; k < 3; k++) body.position[3 * v + k] = position[3 * body.vertexId[v] + k];
}
