/**
 * The oracle of the multimaterial mesh ([da-2017] chapter 4): everything that must hold between any two
 * edits, checked without trust in the incidence lists. Geometry (intersections) has its own oracle; this one
 * needs positions only to sort faces about an edge. Cost: linear.
 */
import { RunError } from '../../core/errors.ts';
import { NONE } from '../../core/types.ts';
import { ANGLE_RESOLUTION, EdgeFan } from './around.ts';
import { faceOf, type MultiMesh, nextCorner } from './mesh.ts';

export interface MeshDefects {
  /** Faces with a repeated vertex or the same label on both sides. */
  readonly degenerate: number[];
  /** Faces with the same three vertices as an earlier one. */
  readonly duplicate: number[];
  /** Edges whose labels do not chain when turning about them; an open edge is one. */
  readonly unchained: number[];
  /** Labels of regions whose half-faces do not close. */
  readonly open: number[];
  /** Vertices without faces. */
  readonly isolated: number[];
  /** Lists or counts that contradict the faces; empty unless the code is wrong. */
  readonly broken: string[];
}

export const isClean = (defects: MeshDefects): boolean =>
  Object.values(defects).every((list) => list.length === 0);

/** Throws with the first defect of each kind. */
export function validateMesh(mesh: MultiMesh): void {
  const defects = findDefects(mesh);
  if (isClean(defects)) return;
  const text = Object.entries(defects)
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => `${list.length} ${kind} (first: ${list[0]})`);
  throw new RunError(
    'multimaterial mesh',
    text.join(', '),
    'this is a defect of the tracker unless the input had it',
  );
}

export function findDefects(mesh: MultiMesh): MeshDefects {
  const degenerate: number[] = [];
  const duplicate: number[] = [];
  const open = new Set<number>();
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const [a, b, c] = [mesh.face[3 * f], mesh.face[3 * f + 1], mesh.face[3 * f + 2]];
    if (a === b || b === c || c === a || mesh.label[2 * f] === mesh.label[2 * f + 1]) degenerate.push(f);
    const twin = mesh.findFace(a, b, c, f);
    if (twin !== NONE && twin < f) duplicate.push(f);
  }
  return {
    degenerate,
    duplicate,
    unchained: findUnchained(mesh, open),
    open: [...open].sort((a, b) => a - b),
    isolated: findIsolated(mesh),
    broken: findBroken(mesh),
  };
}

/**
 * Edges whose labels do not chain. Every label must occur ahead as often as behind: else its region is open
 * there. Where the angles tell the order of the faces beyond doubt, neighbours must agree as well.
 */
function findUnchained(mesh: MultiMesh, outOpen: Set<number>): number[] {
  const found: number[] = [];
  const fan = new EdgeFan(mesh);
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    fan.sort(e);
    const count = fan.corner.length;
    const balance = new Map<number, number>();
    let isChained = true;
    for (let n = 0; n < count; n++) {
      const ahead = mesh.labelAhead(fan.corner[n]);
      const behind = mesh.labelBehind(fan.corner[n]);
      balance.set(ahead, (balance.get(ahead) ?? 0) + 1);
      balance.set(behind, (balance.get(behind) ?? 0) - 1);
      if (fan.gap > ANGLE_RESOLUTION && ahead !== mesh.labelBehind(fan.corner[(n + 1) % count]))
        isChained = false;
    }
    for (const [label, difference] of balance) {
      if (difference === 0) continue;
      isChained = false;
      outOpen.add(label);
    }
    if (!isChained) found.push(e);
  }
  return found;
}

function findIsolated(mesh: MultiMesh): number[] {
  const found: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++)
    if (mesh.isVertex(v) && mesh.vertexCorner[v] === NONE) found.push(v);
  return found;
}

/** Compares the lists with what the faces say. */
function findBroken(mesh: MultiMesh): string[] {
  const broken: string[] = [];
  const cornersAtVertex = new Int32Array(mesh.vertexFill);
  const cornersAtEdge = new Int32Array(mesh.edgeFill);
  const endsAtVertex = new Int32Array(mesh.vertexFill);
  let faces = 0;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    faces++;
    for (let c = 3 * f; c < 3 * f + 3; c++) {
      const e = mesh.cornerEdge[c];
      const v = mesh.face[c];
      const w = mesh.face[nextCorner(c)];
      cornersAtVertex[v]++;
      cornersAtEdge[e]++;
      if (!mesh.isVertex(v)) broken.push(`corner ${c} is at dead vertex ${v}`);
      const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
      if (!((a === v && b === w) || (a === w && b === v)))
        broken.push(`corner ${c} names edge ${e} of others`);
    }
  }
  let edges = 0;
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    edges++;
    let count = 0;
    for (let c = mesh.edgeCorner[e]; c !== NONE; c = mesh.cornerNextAtEdge[c]) {
      count++;
      if (mesh.cornerEdge[c] !== e || !mesh.isFace(faceOf(c))) broken.push(`edge ${e} lists corner ${c}`);
    }
    if (count !== cornersAtEdge[e] || count !== mesh.edgeValence[e] || count === 0)
      broken.push(`edge ${e} lists ${count} faces of ${cornersAtEdge[e]}`);
    for (let d = 2 * e; d < 2 * e + 2; d++) endsAtVertex[mesh.edgeVertex[d]]++;
  }
  let vertices = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    vertices++;
    let corners = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      corners++;
      if (mesh.face[c] !== v) broken.push(`vertex ${v} lists corner ${c}`);
    }
    if (corners !== cornersAtVertex[v])
      broken.push(`vertex ${v} lists ${corners} faces of ${cornersAtVertex[v]}`);
    if (mesh.countEdges(v) !== endsAtVertex[v]) broken.push(`vertex ${v} misses edges`);
  }
  if (faces !== mesh.faceCount || edges !== mesh.edgeCount || vertices !== mesh.vertexCount)
    broken.push('counts');
  return broken;
}
