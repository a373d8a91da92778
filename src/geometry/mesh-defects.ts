/**
 * Is a triangle mesh a clean closed surface? `validateClosedMesh` throws at the first kind of defect it
 * finds, in the order in which one would mend them, and says what, how often, and where. Nothing is repaired:
 * the message says how to. Cost: linear, but for the search for self-intersections, which is O(n log n).
 */
import { InputError } from '../core/errors.ts';
import type { Box } from '../core/types.ts';
import { buildBvh } from './bvh.ts';
import { buildComponents, type Components } from './mesh-components.ts';
import { findFlatTriangles, findSelfIntersection } from './self-intersection.ts';
import { buildTriangleEdges, runsUpward, type TriangleEdges, type Triangles } from './triangles.ts';

/** What is known of a mesh that passed. */
export interface ClosedMeshReport {
  /** m^3 */
  readonly volume: number;
  readonly componentCount: number;
  /** Triangles whose corners lie on one line: harmless, and worth knowing. */
  readonly degenerateTriangles: number;
}

/** How far, relative to the domain's diagonal, a mesh may reach past the domain: files store float32. */
const DOMAIN_TOLERANCE = 1e-6;

/**
 * Throws InputError unless the mesh is closed, manifold, outward-oriented, free of self-intersections and in
 * the domain.
 */
export function validateClosedMesh(mesh: Triangles, name: string, domain?: Box): ClosedMeshReport {
  validatePositions(mesh, name);
  validateIndices(mesh, name);
  const edges = buildTriangleEdges(mesh);
  validateEdges(mesh, edges, name);
  const components = buildComponents(mesh, edges);
  validateVertices(mesh, components, name);
  if (domain) validateInDomain(mesh, name, domain);
  const isFlat = findFlatTriangles(mesh);
  validateEmbedding(mesh, edges, isFlat, name);
  validateOrientation(mesh, components, name);
  return {
    volume: components.volume.reduce((sum, v) => sum + v, 0),
    componentCount: components.count,
    degenerateTriangles: isFlat.reduce((sum, flag) => sum + flag, 0),
  };
}

function validatePositions(mesh: Triangles, name: string): void {
  if (mesh.triangleCount === 0 || mesh.vertexCount === 0) {
    throw new InputError(
      name,
      `the mesh is empty: ${mesh.vertexCount} vertices, ${mesh.triangleCount} triangles`,
      'give a closed surface',
    );
  }
  let bad = 0;
  let first = -1;
  for (let v = 0; v < mesh.vertexCount; v++) {
    const ok =
      Number.isFinite(mesh.position[3 * v]) &&
      Number.isFinite(mesh.position[3 * v + 1]) &&
      Number.isFinite(mesh.position[3 * v + 2]);
    if (ok) continue;
    if (bad++ === 0) first = v;
  }
  if (bad === 0) return;
  throw new InputError(
    name,
    `${bad} vertices have coordinates that are not finite, first ${describeVertex(mesh, first)}`,
    'export the mesh anew',
  );
}

function validateIndices(mesh: Triangles, name: string): void {
  const { triangle, vertexCount } = mesh;
  for (let t = 0; t < mesh.triangleCount; t++) {
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * t + i];
      if (v >= 0 && v < vertexCount) continue;
      throw new InputError(
        name,
        `triangle ${t} refers to vertex ${v}, and there are ${vertexCount} (from 0)`,
        'export the mesh anew',
      );
    }
    const [a, b, c] = [triangle[3 * t], triangle[3 * t + 1], triangle[3 * t + 2]];
    if (a !== b && b !== c && c !== a) continue;
    throw new InputError(
      name,
      `triangle ${t} uses ${describeVertex(mesh, a === b || a === c ? a : b)} twice`,
      'remove degenerate faces in a modelling program',
    );
  }
}

/** Every edge is used by exactly two triangles, in opposite directions. */
function validateEdges(mesh: Triangles, edges: TriangleEdges, name: string): void {
  const { edgeStart, edgeHalfEdge, edgeCount } = edges;
  const open = { count: 0, first: -1 };
  const crowded = { count: 0, first: -1 };
  const turned = { count: 0, first: -1 };
  for (let e = 0; e < edgeCount; e++) {
    const uses = edgeStart[e + 1] - edgeStart[e];
    let kind = uses === 1 ? open : uses > 2 ? crowded : undefined;
    if (uses === 2) {
      const sameWay =
        runsUpward(mesh.triangle, edgeHalfEdge[edgeStart[e]]) ===
        runsUpward(mesh.triangle, edgeHalfEdge[edgeStart[e] + 1]);
      if (sameWay) kind = turned;
    }
    if (!kind) continue;
    if (kind.count++ === 0) kind.first = e;
  }
  const describe = (e: number) => describeEdge(mesh, edges, e);
  if (open.count > 0) {
    throw new InputError(
      name,
      `the surface is open: ${open.count} edges belong to one triangle only, first ${describe(open.first)}`,
      'close the holes (fill holes, merge by distance) in a modelling program',
    );
  }
  if (crowded.count > 0) {
    throw new InputError(
      name,
      `the surface is not manifold: ${crowded.count} edges belong to more than two triangles, first ${describe(crowded.first)}`,
      'separate touching parts and remove inner faces',
    );
  }
  if (turned.count > 0) {
    throw new InputError(
      name,
      `the triangles are not oriented alike: ${turned.count} edges run the same way in both triangles, first ${describe(turned.first)}`,
      'recalculate the normals to point outside',
    );
  }
}

/** At every vertex the triangles form one fan. */
function validateVertices(mesh: Triangles, components: Components, name: string): void {
  const { vertexFans } = components;
  let count = 0;
  let first = -1;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (vertexFans[v] <= 1) continue;
    if (count++ === 0) first = v;
  }
  if (count === 0) return;
  throw new InputError(
    name,
    `the surface is not manifold: it touches itself at ${count} vertices, first at ${describeVertex(mesh, first)}, where ${vertexFans[first]} sheets meet`,
    'split these vertices or move the parts apart',
  );
}

/** Throws InputError if the mesh lies outside the box, wholly or partly. */
export function validateInDomain(mesh: Triangles, name: string, domain: Box): void {
  const diagonal = Math.hypot(...[0, 1, 2].map((k) => domain.max[k] - domain.min[k]));
  const slack = DOMAIN_TOLERANCE * diagonal;
  let outside = 0;
  let used = 0;
  let farthest = -1;
  let reach = slack;
  const isUsed = new Uint8Array(mesh.vertexCount);
  for (let h = 0; h < 3 * mesh.triangleCount; h++) isUsed[mesh.triangle[h]] = 1;
  for (let v = 0; v < mesh.vertexCount; v++) {
    if (!isUsed[v]) continue;
    used++;
    let past = 0;
    for (let k = 0; k < 3; k++) {
      const x = mesh.position[3 * v + k];
      past = Math.max(past, domain.min[k] - x, x - domain.max[k]);
    }
    if (past > slack) outside++;
    if (past > reach) {
      reach = past;
      farthest = v;
    }
  }
  if (outside === 0) return;
  const box = `[${domain.min.map(format).join(', ')}] to [${domain.max.map(format).join(', ')}]`;
  throw new InputError(
    name,
    `the mesh lies ${outside === used ? 'wholly' : 'partly'} outside the domain ${box}: ${outside} of ${used} vertices, ` +
      `farthest ${describeVertex(mesh, farthest)} by ${format(reach)} m`,
    'move or scale the mesh (is it in metres?) or enlarge the domain',
  );
}

function validateEmbedding(mesh: Triangles, edges: TriangleEdges, isFlat: Uint8Array, name: string): void {
  const found = findSelfIntersection(mesh, edges, buildBvh(mesh), isFlat);
  if (!found) return;
  throw new InputError(
    name,
    `the surface crosses or touches itself: triangles ${found.triangleA} and ${found.triangleB} meet at ` +
      `(${found.point.map(format).join(', ')})`,
    'unite overlapping parts (boolean union, voxel remesh) in a modelling program',
  );
}

/** Solid parts outward, cavities inward, and no part within another of the same kind. */
function validateOrientation(mesh: Triangles, components: Components, name: string): void {
  for (let c = 0; c < components.count; c++) {
    const volume = components.volume[c];
    const t = components.firstTriangle[c];
    const part =
      components.count === 1
        ? 'the mesh'
        : `part ${c + 1} of ${components.count} (from triangle ${t}, at ${describeVertex(mesh, mesh.triangle[3 * t])})`;
    const around = components.windingAround(c);
    if (volume > 0 && around === 0) continue;
    if (volume < 0 && around === 1) continue;
    if (volume === 0) throw new InputError(name, `${part} encloses no volume`, 'remove it');
    if (volume < 0 && around === 0) {
      throw new InputError(
        name,
        `${part} is inside out: its volume is ${format(volume)} m^3`,
        'flip the normals to point outside',
      );
    }
    throw new InputError(
      name,
      `${part} lies inside another part that is oriented the same way`,
      'remove it, or flip its normals if it is meant as a cavity',
    );
  }
}

function describeVertex(mesh: Triangles, v: number): string {
  return `vertex ${v} (${[...mesh.position.subarray(3 * v, 3 * v + 3)].map(format).join(', ')})`;
}

function describeEdge(mesh: Triangles, edges: TriangleEdges, e: number): string {
  const a = describeVertex(mesh, edges.edgeVertex[2 * e]);
  const b = describeVertex(mesh, edges.edgeVertex[2 * e + 1]);
  const triangles = [...edges.edgeHalfEdge.subarray(edges.edgeStart[e], edges.edgeStart[e + 1])].map((h) =>
    Math.floor(h / 3),
  );
  return `from ${a} to ${b} in triangle${triangles.length > 1 ? 's' : ''} ${triangles.join(', ')}`;
}

/** Six digits: enough to find the place. */
function format(x: number): string {
  return String(Number(x.toPrecision(6)));
}
