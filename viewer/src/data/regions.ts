/**
 * A surface whose faces carry the labels of the regions on their two sides, made ready to draw. Such surfaces
 * are not manifold: three sheets may meet in a curve, and faces are wound as they come. So
 *   - every triangle is turned until its normal points into the region of the lower label (out of the liquid, where 0 is air);
 *   - vertices are split where sheets meet and at sharp edges, so that each sheet is shaded by its own normals;
 *   - edges that are not shared by exactly two faces of one sheet become curves, and the points where curves meet become junctions; the rim of a sheet
 *     lies on a wire, which is drawn itself (view/wires.ts).
 * Cost: linear in triangles, times the faces around a vertex. Runs in the worker.
 */

import { NORMAL, setEdges, setUnitNormal } from '../../../src/math/triangle.ts';
import { normalise } from './normalise.ts';
import type { FieldData, RegionData, SurfaceData } from './types.ts';

/**
 * Beyond this angle between neighbours a sheet has an edge of its own, as a cube has: cosine of 45 degrees.
 */
const CREASE_COSINE = Math.SQRT1_2;

interface LabelledSurface {
  readonly position: Float32Array;
  readonly triangle: Uint32Array;
  readonly fields: readonly FieldData[];
}

/**
 * The labels of a surface, or null when it carries none. Surfaces without regions, of which a frame may have
 * several (`part`), are each around one of its own.
 */
export function findLabels(fields: readonly FieldData[]): { front: Float32Array; back: Float32Array } | null {
  const find = (name: string) =>
    fields.find((field) => field.on === 'cell' && field.components === 1 && field.name === name)?.values;
  const front = find('front');
  const back = find('back');
  if (front && back) return { front, back };
  const part = find('part');
  return part ? { front: new Float32Array(part.length), back: part.map(labelOfPart) } : null;
}

/** Region of a part: 0 is the outside. */
export const labelOfPart = (part: number): number => part + 1;

export function prepareRegions(
  raw: LabelledSurface,
  labels: { front: Float32Array; back: Float32Array },
): SurfaceData {
  const { position } = raw;
  const vertexCount = position.length / 3;
  const { triangle, front, back } = orient(raw.triangle, labels);
  const faceNormal = computeFaceNormals(position, triangle);
  const edges = groupEdges(triangle, vertexCount);
  const corners = new DisjointSets(triangle.length);
  const onRim = new Uint8Array(triangle.length);
  const curve: number[] = [];
  const curveFace: number[] = [];
  const curveFaceStart = [0];
  const rimFace: number[] = [];
  const halves = edges.half;
  for (let e = 0; e + 1 < edges.start.length; e++) {
    const begin = edges.start[e];
    const count = edges.start[e + 1] - begin;
    const h = halves[begin];
    const f = (h / 3) | 0;
    const g = count === 2 ? (halves[begin + 1] / 3) | 0 : f;
    const oneSheet = count === 2 && front[f] === front[g] && back[f] === back[g];
    if (oneSheet && computeCosine(faceNormal, f, g) > CREASE_COSINE) {
      joinCorners(corners, triangle, f, g);
      continue;
    }
    for (let i = begin; i < begin + count; i++) onRim[halves[i]] = onRim[nextCorner(halves[i])] = 1;
    if (count === 1) rimFace.push(f);
    if (count === 1 || oneSheet) continue;
    curve.push(triangle[h], triangle[nextCorner(h)]);
    for (let i = begin; i < begin + count; i++) curveFace.push((halves[i] / 3) | 0);
    curveFaceStart.push(curveFace.length);
  }
  const split = splitVertices(raw, triangle, corners, onRim);
  const regions: RegionData = {
    front,
    back,
    labels: listLabels(front, back),
    vertexCount,
    vertexOf: split.vertexOf,
    ...tracePoints(position, curve),
    curveFace: Uint32Array.from(curveFace),
    curveFaceStart: Uint32Array.from(curveFaceStart),
    rimFace: Uint32Array.from(rimFace),
  };
  return { ...split.surface, regions };
}

/** Turns triangles so that the lower label is in front. */
function orient(triangle: Uint32Array, labels: { front: Float32Array; back: Float32Array }) {
  const faces = triangle.length / 3;
  const out = triangle.slice();
  const front = new Int32Array(faces);
  const back = new Int32Array(faces);
  for (let f = 0; f < faces; f++) {
    front[f] = Math.min(labels.front[f], labels.back[f]);
    back[f] = Math.max(labels.front[f], labels.back[f]);
    if (labels.front[f] <= labels.back[f]) continue;
    out[3 * f + 1] = triangle[3 * f + 2];
    out[3 * f + 2] = triangle[3 * f + 1];
  }
  return { triangle: out, front, back };
}

/** (faces x 3) unit vectors; zero for a triangle without area */
function computeFaceNormals(position: Float32Array, triangle: Uint32Array): Float32Array {
  const out = new Float32Array(triangle.length);
  for (let i = 0; i < triangle.length; i += 3) {
    const [a, b, c] = [3 * triangle[i], 3 * triangle[i + 1], 3 * triangle[i + 2]];
    setUnitNormal(position, a, b, c, out, i);
  }
  return out;
}

function computeCosine(normal: Float32Array, f: number, g: number): number {
  return (
    normal[3 * f] * normal[3 * g] +
    normal[3 * f + 1] * normal[3 * g + 1] +
    normal[3 * f + 2] * normal[3 * g + 2]
  );
}

const nextCorner = (h: number): number => (h % 3 === 2 ? h - 2 : h + 1);

/** Half-edges (3 f + i, from corner i to the next) grouped by the edge they lie on: CSR. */
function groupEdges(triangle: Uint32Array, vertexCount: number): { half: Uint32Array; start: Uint32Array } {
  const halfCount = triangle.length;
  const high = new Uint32Array(halfCount);
  const fill = new Uint32Array(vertexCount + 2);
  for (let h = 0; h < halfCount; h++) fill[Math.min(triangle[h], triangle[nextCorner(h)]) + 2]++;
  for (let v = 0; v < vertexCount; v++) fill[v + 2] += fill[v + 1];
  const byLow = new Uint32Array(halfCount);
  for (let h = 0; h < halfCount; h++) {
    const [a, b] = [triangle[h], triangle[nextCorner(h)]];
    high[h] = Math.max(a, b);
    byLow[fill[Math.min(a, b) + 1]++] = h;
  }
  const half = new Uint32Array(halfCount);
  const start: number[] = [0];
  let at = 0;
  for (let v = 0; v < vertexCount; v++) {
    const [begin, end] = [fill[v], fill[v + 1]];
    for (let i = begin; i < end; i++) {
      const h = byLow[i];
      if (h === TAKEN) continue;
      half[at++] = h;
      for (let j = i + 1; j < end; j++) {
        if (byLow[j] === TAKEN || high[byLow[j]] !== high[h]) continue;
        half[at++] = byLow[j];
        byLow[j] = TAKEN;
      }
      start.push(at);
    }
  }
  return { half, start: Uint32Array.from(start) };
}

const TAKEN = 0xffffffff;

/** The corners of two neighbours at their two shared vertices belong together. */
function joinCorners(corners: DisjointSets, triangle: Uint32Array, f: number, g: number): void {
  for (let i = 3 * f; i < 3 * f + 3; i++) {
    for (let j = 3 * g; j < 3 * g + 3; j++) if (triangle[i] === triangle[j]) corners.join(i, j);
  }
}

class DisjointSets {
  private readonly parent: Int32Array;

  constructor(count: number) {
    this.parent = Int32Array.from({ length: count }, (_, i) => i);
  }

  find(i: number): number {
    const { parent } = this;
    while (parent[i] !== i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }

  /** The smaller id stays, so that the outcome does not depend on the order. */
  join(i: number, j: number): void {
    const [a, b] = [this.find(i), this.find(j)];
    if (a < b) this.parent[b] = a;
    else this.parent[a] = b;
  }
}

/** A vertex for every set of corners; fields on vertices follow. */
function splitVertices(
  raw: LabelledSurface,
  triangle: Uint32Array,
  corners: DisjointSets,
  onRim: Uint8Array,
) {
  const newOf = new Int32Array(triangle.length).fill(-1);
  const drawn = new Uint32Array(triangle.length);
  const vertexOf: number[] = [];
  for (let c = 0; c < triangle.length; c++) {
    const root = corners.find(c);
    if (newOf[root] < 0) newOf[root] = vertexOf.push(triangle[c]) - 1;
    drawn[c] = newOf[root];
  }
  const gather = (values: Float32Array, components: number) => {
    const out = new Float32Array(components * vertexOf.length);
    for (let v = 0; v < vertexOf.length; v++) {
      for (let k = 0; k < components; k++) out[components * v + k] = values[components * vertexOf[v] + k];
    }
    return out;
  };
  const position = gather(raw.position, 3);
  const fields = raw.fields.map((field) =>
    field.on === 'vertex' ? { ...field, values: gather(field.values, field.components) } : field,
  );
  const normal = computeSideNormals(position, drawn);
  const isRim = new Uint8Array(vertexOf.length);
  for (let c = 0; c < drawn.length; c++) isRim[drawn[c]] |= onRim[c];
  straightenRims(normal, position, drawn, isRim);
  return {
    vertexOf: Uint32Array.from(vertexOf),
    surface: { position, normal, triangle: drawn, fields },
  };
}

/**
 * Normals by the weights of Max (1999), |a||b|sin / (|a||b|)^2: exact where the vertices lie on a sphere,
 * however uneven the triangles are. Bubbles are such surfaces, and mirrors show every error.
 */
export function computeSideNormals(position: Float32Array, triangle: Uint32Array): Float32Array {
  const out = new Float32Array(position.length);
  const edges = new Float64Array(9);
  for (let c = 0; c < triangle.length; c++) {
    const first = c - (c % 3);
    const v = 3 * triangle[c];
    const a = 3 * triangle[first + ((c - first + 1) % 3)];
    const b = 3 * triangle[first + ((c - first + 2) % 3)];
    setEdges(position, v, a, b, edges);
    const { 0: ax, 1: ay, 2: az, 3: bx, 4: by, 5: bz } = edges;
    const weight = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz);
    if (weight === 0) continue;
    for (let k = 0; k < 3; k++) out[v + k] += edges[NORMAL + k] / weight;
  }
  return normalise(out);
}

/**
 * At its rim a sheet has faces on one side only, and their mean leans inwards by half a triangle: as much as
 * makes a bubble of few triangles look cut from flat pieces. On a sphere the normals at the two ends of a
 * chord mirror each other in the plane across its middle, so a vertex of the rim gets the mirrored normals of
 * its neighbours inside, exact on spheres; a corner that has none inside gets those of its neighbours on the
 * rim, once they have theirs. A sheet with no vertex inside stays as it is.
 */
function straightenRims(
  normal: Float32Array,
  position: Float32Array,
  triangle: Uint32Array,
  isRim: Uint8Array,
): void {
  const leans = isRim.slice();
  const sum = new Float32Array(normal.length);
  for (let pass = 0; pass < 2; pass++) {
    for (let c = 0; c < triangle.length; c++) {
      if (!leans[triangle[c]]) continue;
      for (let other = nextCorner(c); other !== c; other = nextCorner(other)) {
        if (!leans[triangle[other]]) addMirrored(sum, triangle[c], normal, position, triangle[other]);
      }
    }
    for (let v = 0; v < leans.length; v++) {
      const length = Math.hypot(sum[3 * v], sum[3 * v + 1], sum[3 * v + 2]);
      if (!leans[v] || length === 0) continue;
      for (let k = 0; k < 3; k++) normal[3 * v + k] = sum[3 * v + k] / length;
      leans[v] = 0;
    }
  }
}

/**
 * Adds to `sum` at vertex `to` the normal of vertex `from`, mirrored along the chord between them; near ones
 * count more.
 */
function addMirrored(
  sum: Float32Array,
  to: number,
  normal: Float32Array,
  position: Float32Array,
  from: number,
): void {
  const [t, f] = [3 * to, 3 * from];
  const x = position[t] - position[f];
  const y = position[t + 1] - position[f + 1];
  const z = position[t + 2] - position[f + 2];
  const square = x * x + y * y + z * z;
  if (square === 0) return;
  const along = (2 * (normal[f] * x + normal[f + 1] * y + normal[f + 2] * z)) / square;
  sum[t] += (normal[f] - along * x) / square;
  sum[t + 1] += (normal[f + 1] - along * y) / square;
  sum[t + 2] += (normal[f + 2] - along * z) / square;
}

/** Ends of the curve segments, and the vertices where other than two of them meet, as points in space. */
function tracePoints(
  position: Float32Array,
  curve: readonly number[],
): { curve: Float32Array; junction: Float32Array; curveToJunction: Int32Array } {
  const degree = new Map<number, number>();
  for (const v of curve) degree.set(v, (degree.get(v) ?? 0) + 1);
  const points = new Float32Array(3 * curve.length);
  const junction: number[] = [];
  const idOf = new Map<number, number>();
  const curveToJunction = new Int32Array(curve.length).fill(-1);
  for (let i = 0; i < curve.length; i++) {
    const v = curve[i];
    for (let k = 0; k < 3; k++) points[3 * i + k] = position[3 * v + k];
    if (degree.get(v) === 2) continue;
    let id = idOf.get(v);
    if (id === undefined) {
      id = idOf.size;
      idOf.set(v, id);
      junction.push(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
    }
    curveToJunction[i] = id;
  }
  return { curve: points, junction: Float32Array.from(junction), curveToJunction };
}

/** Labels in ascending order, with 0 always first, also where nothing touches the outside. */
function listLabels(front: Int32Array, back: Int32Array): Int32Array {
  const seen = new Set<number>([0]);
  for (let f = 0; f < front.length; f++) {
    seen.add(front[f]);
    seen.add(back[f]);
  }
  return Int32Array.from(seen).sort();
}
