/**
 * Collision detection on the work it is for: a sphere in the Enright flow, every vertex against every
 * triangle and every edge against every edge whose swept boxes overlap. Nanoseconds a pair, how many pairs
 * the filters decide, the search where they do not, and the broad phase. Best of several rounds of short
 * chunks, one thread.
 */
import { quarterTriangles } from '../../cases/geometry/quarter-triangles.ts';
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { findMeshIntersections } from '../../cases/tracking/intersection-referee.ts';
import { createRandom } from '../../src/core/random.ts';
import { BoxGrid } from '../../src/geometry/collision/box-grid.ts';
import { edgeEdgeCollides, vertexTriangleCollides } from '../../src/geometry/collision/continuous.ts';
import { searchReport } from '../../src/geometry/collision/separation.ts';
import { setEdgeBox, setTriangleBox, setVertexBox } from '../../src/geometry/collision/swept-box.ts';
import { SOLIDS } from '../../src/geometry/solids.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** Bounds of the plan: most pairs in the filter, and quickly. */
const BOUNDS = { nanoseconds: 200, filtered: 0.99 };
const ROUNDS = 9;
/** Pairs timed together, times four. */
const CHUNK = 4 * 512;
/** Pairs before the clock starts, so that the compiler is done. */
const WARM_PAIRS = 2e5;
/** s; the step of the Los Topos works in the reference table. */
const TIME_STEP = 0.01;

interface Surface {
  readonly vertexCount: number;
  readonly triangle: Int32Array;
  readonly edge: Int32Array;
  readonly x0: Float64Array;
  readonly x1: Float64Array;
}

/** The sphere of Enright et al. 2002 from an octahedron split `levels` times, and where a step carries it. */
function buildSphere(levels: number): Surface {
  let points: number[][] = SOLIDS.octahedron.corner.map((point) => [...point]);
  let faces: number[][] = [];
  for (const x of [0, 1])
    for (const y of [2, 3]) for (const z of [4, 5]) faces.push((x + y + z) % 2 ? [x, z, y] : [x, y, z]);
  for (let l = 0; l < levels; l++) {
    const addMiddle = (a: number, b: number) => points.push(points[a].map((x, k) => x + points[b][k])) - 1;
    faces = quarterTriangles(faces, addMiddle);
  }
  points = points.map((p) => p.map((x) => 0.35 + (0.15 * x) / Math.hypot(...p)));
  const x0 = Float64Array.from(points.flat());
  const edges = new Set<number>();
  for (const [a, b, c] of faces)
    for (const [p, q] of [
      [a, b],
      [b, c],
      [c, a],
    ])
      if (p < q) edges.add(p * 2 ** 26 + q);
  return {
    vertexCount: points.length,
    triangle: Int32Array.from(faces.flat()),
    edge: Int32Array.from([...edges].flatMap((key) => [Math.floor(key / 2 ** 26), key % 2 ** 26])),
    x0,
    x1: advance(x0, TIME_STEP),
  };
}

function advance(x0: Float64Array, dt: number): Float64Array {
  const x1 = x0.slice();
  for (let i = 0; i < x0.length; i += 3) {
    const [x, y, z] = x0.subarray(i, i + 3);
    const s = (a: number) => Math.sin(Math.PI * a);
    x1[i] += dt * 2 * s(x) ** 2 * s(2 * y) * s(2 * z);
    x1[i + 1] -= dt * s(2 * x) * s(y) ** 2 * s(2 * z);
    x1[i + 2] -= dt * s(2 * x) * s(2 * y) * s(z) ** 2;
  }
  return x1;
}

/** Nanoseconds of the best round. */
function measureBest(work: () => void): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return 1e6 * best;
}

/** Pairs that share no vertex and whose swept boxes overlap: (v, a, b, c) and (a, b, c, d). */
function listPairs(
  surface: Surface,
  triangles: BoxGrid,
  edges: BoxGrid,
): { vertexTriangle: Int32Array; edgeEdge: Int32Array } {
  const { x0, x1, triangle, edge, vertexCount } = surface;
  const box = new Float64Array(6);
  const vertexTriangle: number[] = [];
  const edgeEdge: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    setVertexBox(x0, x1, v, 0, box);
    const count = triangles.query(box);
    for (let i = 0; i < count; i++) {
      const t = 3 * triangles.found[i];
      const [a, b, c] = [triangle[t], triangle[t + 1], triangle[t + 2]];
      if (v !== a && v !== b && v !== c) vertexTriangle.push(v, a, b, c);
    }
  }
  for (let e = 0; e < edge.length / 2; e++) {
    const [a, b] = [edge[2 * e], edge[2 * e + 1]];
    setEdgeBox(x0, x1, a, b, 0, box);
    const count = edges.query(box);
    for (let i = 0; i < count; i++) {
      const f = edges.found[i];
      const [c, d] = [edge[2 * f], edge[2 * f + 1]];
      if (f > e && a !== c && a !== d && b !== c && b !== d) edgeEdge.push(a, b, c, d);
    }
  }
  return { vertexTriangle: Int32Array.from(vertexTriangle), edgeEdge: Int32Array.from(edgeEdge) };
}

type Collides = (x0: Float64Array, x1: Float64Array, a: number, b: number, c: number, d: number) => boolean;

function countContacts(collides: Collides, x0: Float64Array, x1: Float64Array, pairs: Int32Array): number {
  let contacts = 0;
  for (let i = 0; i < pairs.length; i += 4)
    if (collides(x0, x1, pairs[i], pairs[i + 1], pairs[i + 2], pairs[i + 3])) contacts++;
  return contacts;
}

/**
 * Nanoseconds a pair, as the sum of the best rounds of short chunks: a chunk is over before the system
 * interrupts it.
 */
function measurePairs(collides: Collides, x0: Float64Array, x1: Float64Array, pairs: Int32Array): number {
  for (let warm = 0; warm < WARM_PAIRS; warm += pairs.length / 4) countContacts(collides, x0, x1, pairs);
  let sum = 0;
  for (let begin = 0; begin < pairs.length; begin += CHUNK) {
    const chunk = pairs.subarray(begin, begin + CHUNK);
    sum += measureBest(() => countContacts(collides, x0, x1, chunk));
  }
  return sum / (pairs.length / 4);
}

/** Share of the pairs that never reach the search. */
function measureFiltered(collides: Collides, x0: Float64Array, x1: Float64Array, pairs: Int32Array): number {
  let filtered = 0;
  for (let i = 0; i < pairs.length; i += 4) {
    searchReport.spans = 0;
    collides(x0, x1, pairs[i], pairs[i + 1], pairs[i + 2], pairs[i + 3]);
    if (searchReport.spans === 0) filtered++;
  }
  return filtered / (pairs.length / 4);
}

function fillGrids(surface: Surface, triangles: BoxGrid, edges: BoxGrid): void {
  const { x0, x1, triangle, edge } = surface;
  const box = new Float64Array(6);
  for (let t = 0; t < triangle.length; t += 3) {
    setTriangleBox(x0, x1, triangle[t], triangle[t + 1], triangle[t + 2], 0, box);
    triangles.set(t / 3, box);
  }
  for (let e = 0; e < edge.length; e += 2) {
    setEdgeBox(x0, x1, edge[e], edge[e + 1], 0, box);
    edges.set(e / 2, box);
  }
}

const typicalPairs: RefereeCase = {
  name: 'collision-pairs',
  method: 'collision',
  title: 'continuous collision detection on a sphere in the Enright flow, one step of 0.01',
  async run({ note }) {
    const rows: RefereeRow[] = [];
    for (const levels of [4, 5]) {
      const surface = buildSphere(levels);
      const { x0, x1, triangle, edge } = surface;
      const size = 0.6 / 2 ** levels;
      const triangles = new BoxGrid(size);
      const edges = new BoxGrid(size);
      fillGrids(surface, triangles, edges);
      const { vertexTriangle, edgeEdge } = listPairs(surface, triangles, edges);
      const boxes = triangle.length / 3 + edge.length / 2;
      const name = `${triangle.length / 3} triangles`;
      note(`${name}: ${vertexTriangle.length / 4} and ${edgeEdge.length / 4} pairs`);
      const kinds: [string, Collides, Int32Array][] = [
        ['vertex and triangle', vertexTriangleCollides, vertexTriangle],
        ['edge and edge', edgeEdgeCollides, edgeEdge],
      ];
      for (const [kind, collides, pairs] of kinds) {
        const time = measurePairs(collides, x0, x1, pairs);
        rows.push(
          reportRow(`${name}: pairs of ${kind}`, pairs.length / 4, ''),
          atMost(`${name}: ${kind}`, Math.round(time), BOUNDS.nanoseconds, 'ns'),
          reportRow(`${name}: ${kind}`, (1e3 / time).toFixed(1), 'M pairs/s'),
          atLeast(
            `${name}: ${kind}, decided by filter`,
            measureFiltered(collides, x0, x1, pairs),
            BOUNDS.filtered,
            '',
          ),
          reportRow(`${name}: ${kind}, contacts`, countContacts(collides, x0, x1, pairs), ''),
        );
      }
      rows.push(
        reportRow(
          `${name}: grid, a box moved`,
          Math.round(measureBest(() => fillGrids(surface, triangles, edges)) / boxes),
          'ns',
        ),
        reportRow(
          `${name}: grid, all pairs listed, per box`,
          Math.round(measureBest(() => listPairs(surface, triangles, edges)) / boxes),
          'ns',
        ),
        reportRow(
          `${name}: referee of intersections`,
          Math.round(measureBest(() => findMeshIntersections(x0, triangle)) / 1e6),
          'ms',
        ),
      );
    }
    return rows;
  },
};

const hardPairs: RefereeCase = {
  name: 'collision-search',
  method: 'collision',
  title: 'the search in time: random pairs through each other at high speed',
  async run() {
    const random = createRandom(1);
    const count = 20_000;
    const x0 = Float64Array.from({ length: 12 * count }, () => random.next());
    const x1 = x0.map((x) => x + 2 * random.next() - 1);
    const pairs = Int32Array.from({ length: 4 * count }, (_, i) => i);
    const kinds: [string, Collides][] = [
      ['vertex and triangle', vertexTriangleCollides],
      ['edge and edge', edgeEdgeCollides],
    ];
    return kinds.flatMap(([kind, collides]) => [
      reportRow(`${kind}: mean`, Math.round(measurePairs(collides, x0, x1, pairs)), 'ns'),
      reportRow(`${kind}: contacts`, (countContacts(collides, x0, x1, pairs) / count).toFixed(3), 'of all'),
      reportRow(`${kind}: decided by filter`, measureFiltered(collides, x0, x1, pairs).toFixed(3), 'of all'),
    ]);
  },
};

export const collisionCases: RefereeCase[] = [typicalPairs, hardPairs];
