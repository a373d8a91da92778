/**
 * The multipole method against the direct sum on Biot-Savart: row 6 of issue 5. Bubbles (icospheres), two overlapping bubbles, clusters and random
 * clouds, sources at the triangles' middles (two per vertex), targets at the vertices, delta half an edge, default tolerance. Seconds are
 * of a whole evaluation with tree and lists, the best of some; processor seconds are of all threads. The error is measured at some targets
 * against the direct sum, and the direct sum's time above 20k vertices is that of a part of the targets, scaled up.
 */
import { createRandom } from '../src/core/random.ts';
import { createKernelSum, MULTIPOLE_PAIRS } from '../src/integrals/kernel-sum.ts';
import { computeSheetSources } from '../src/integrals/sheet-sum.ts';
import type { Resources } from '../src/methods/method.ts';
import type { RefereeCase, RefereeRow } from '../src/run/referee.ts';
import { atMost, computeOrder, reportRow } from '../validation/rows.ts';

/** The bounds of row 6. */
const LARGEST_ERROR = 1e-4;
const LARGEST_SLOPE = 1.15;
const LARGEST_SECONDS = 0.5;
const LARGEST_CROSSOVER = 5000;
/** Targets at which the error is measured. */
const SAMPLES = 1000;
const REPEATS = 5;

interface Problem {
  readonly source: Float64Array;
  readonly strength: Float64Array;
  readonly target: Float64Array;
  /** m */
  readonly delta: number;
}

interface Mesh {
  readonly position: Float64Array;
  readonly triangle: Int32Array;
}

/** An icosahedron split n times onto the unit sphere: 10 4^n + 2 vertices. */
function buildIcosphere(splits: number): Mesh {
  const g = (1 + Math.sqrt(5)) / 2;
  const corners = [-1, 1].flatMap((a) => [-g, g].map((b) => [a, b]));
  let position = [
    ...corners.map(([a, b]) => [a, b, 0]),
    ...corners.map(([a, b]) => [0, a, b]),
    ...corners.map(([a, b]) => [b, 0, a]),
  ].map(normalise);
  let triangles = listTriples(position);
  for (let s = 0; s < splits; s++) {
    const middles = new Map<number, number>();
    const next = position.slice();
    const split = (a: number, b: number) => {
      const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
      let middle = middles.get(key);
      if (middle === undefined) {
        middle = next.push(normalise(position[a].map((x, i) => x + position[b][i]))) - 1;
        middles.set(key, middle);
      }
      return middle;
    };
    triangles = triangles.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [split(a, b), split(b, c), split(c, a)];
      return [
        [a, ab, ca],
        [ab, b, bc],
        [ca, bc, c],
        [ab, bc, ca],
      ];
    });
    position = next;
  }
  return { position: Float64Array.from(position.flat()), triangle: Int32Array.from(triangles.flat()) };
}

const normalise = (v: number[]) => v.map((x) => x / Math.hypot(...v));

/** The 20 faces of the icosahedron: triples of corners an edge apart, turned outward. */
function listTriples(corner: number[][]): number[][] {
  const edge = 4 / Math.hypot(2, 1 + Math.sqrt(5)); // of the unit sphere's
  const isEdge = (a: number, b: number) =>
    Math.abs(Math.hypot(...corner[a].map((x, i) => x - corner[b][i])) - edge) < 1e-9;
  const faces: number[][] = [];
  for (let a = 0; a < 12; a++)
    for (let b = a + 1; b < 12; b++)
      for (let c = b + 1; c < 12; c++) {
        if (!isEdge(a, b) || !isEdge(b, c) || !isEdge(c, a)) continue;
        const [p, q, r] = [corner[a], corner[b], corner[c]];
        const volume =
          p[0] * (q[1] * r[2] - q[2] * r[1]) +
          p[1] * (q[2] * r[0] - q[0] * r[2]) +
          p[2] * (q[0] * r[1] - q[1] * r[0]);
        faces.push(volume > 0 ? [a, b, c] : [a, c, b]);
      }
  return faces;
}

/** Bubbles of one mesh at several places, with a circulation of several scales. */
function buildFoam(bubble: Mesh, radius: number, centres: readonly (readonly number[])[]): Problem {
  const vertexCount = bubble.position.length / 3;
  const position = new Float64Array(centres.length * bubble.position.length);
  const triangle = new Int32Array(centres.length * bubble.triangle.length);
  centres.forEach((centre, b) => {
    for (let i = 0; i < bubble.position.length; i++)
      position[b * bubble.position.length + i] = radius * bubble.position[i] + centre[i % 3];
    for (let i = 0; i < bubble.triangle.length; i++)
      triangle[b * bubble.triangle.length + i] = bubble.triangle[i] + b * vertexCount;
  });
  const gammaArea = new Float64Array(triangle.length);
  let edges = 0;
  for (let t = 0; t < triangle.length; t += 3) {
    for (let c = 0; c < 3; c++) {
      const [v, next, last] = [
        3 * triangle[t + c],
        3 * triangle[t + ((c + 1) % 3)],
        3 * triangle[t + ((c + 2) % 3)],
      ];
      const [x, y, z] = position.subarray(v, v + 3);
      const circulation = z + 0.5 * x * y + 0.3 * Math.sin(3 * x + 2 * y) + 0.2 * Math.sin(7 * z);
      let square = 0;
      for (let a = 0; a < 3; a++) {
        const d = position[last + a] - position[next + a];
        square += d * d;
        gammaArea[t + a] -= 0.5 * circulation * d;
      }
      edges += Math.sqrt(square);
    }
  }
  const source = new Float64Array(triangle.length);
  const strength = new Float64Array(triangle.length);
  computeSheetSources({ position, triangle, strength: gammaArea }, 1, source, strength);
  return { source, strength, target: position, delta: (0.5 * edges) / triangle.length };
}

const buildGrid = (n: number) =>
  Array.from({ length: n ** 3 }, (_, i) => [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)]);

function buildCloud(vertices: number): Problem {
  const random = createRandom(1);
  const fill = (length: number) => Float64Array.from({ length }, () => random.next() - 0.5);
  const [source, strength, target] = [fill(6 * vertices), fill(6 * vertices), fill(3 * vertices)];
  return { source, strength, target, delta: 0.5 * vertices ** (-1 / 3) };
}

interface Measured {
  readonly vertices: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly directSeconds: number;
  readonly error: number;
}

function measure(resources: Resources, { source, strength, target, delta }: Problem): Measured {
  const vertices = target.length / 3;
  const out = new Float64Array(target.length);
  const sum = createKernelSum(resources, { kernel: 'biotSavart', method: 'multipole' });
  let [seconds, processorSeconds] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const before = process.cpuUsage();
    const start = performance.now();
    sum.evaluate(source, strength, target, delta, out);
    seconds = Math.min(seconds, (performance.now() - start) / 1e3);
    const used = process.cpuUsage(before);
    processorSeconds = Math.min(processorSeconds, (used.user + used.system) / 1e6);
  }
  // All targets while that is quick; else a part of them, spread over the whole.
  const part = vertices <= 20_000 ? vertices : SAMPLES;
  const chosen = new Float64Array(3 * part);
  const pick = (i: number) => Math.floor((i * vertices) / part);
  for (let i = 0; i < part; i++) chosen.set(target.subarray(3 * pick(i), 3 * pick(i) + 3), 3 * i);
  const exact = new Float64Array(3 * part);
  const direct = createKernelSum(resources, { kernel: 'biotSavart', method: 'direct' });
  let directSeconds = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < (vertices <= 5000 ? REPEATS : 2); repeat++) {
    const start = performance.now();
    direct.evaluate(source, strength, chosen, delta, exact);
    directSeconds = Math.min(directSeconds, ((performance.now() - start) / 1e3) * (vertices / part));
  }
  let [difference, size] = [0, 0];
  for (let i = 0; i < part; i++) {
    for (let a = 0; a < 3; a++) {
      difference += (out[3 * pick(i) + a] - exact[3 * i + a]) ** 2;
      size += exact[3 * i + a] ** 2;
    }
  }
  return { vertices, seconds, processorSeconds, directSeconds, error: Math.sqrt(difference / size) };
}

/** The number of vertices at which both take as long, between the sizes where the order turns; the smallest size if it never does. */
function findCrossover(rows: readonly Measured[]): number {
  for (let i = 1; i < rows.length; i++) {
    const [a, b] = [rows[i - 1], rows[i]];
    const ratio = (m: Measured) => Math.log(m.directSeconds / m.seconds);
    if (ratio(a) > 0) return a.vertices;
    if (ratio(b) > 0) return a.vertices * (b.vertices / a.vertices) ** (-ratio(a) / (ratio(b) - ratio(a)));
  }
  return Number.POSITIVE_INFINITY;
}

const families: Record<string, (() => Problem)[]> = {
  bubble: [3, 4, 5, 6, 7].map((splits) => () => buildFoam(buildIcosphere(splits), 1, [[0, 0, 0]])),
  'two bubbles': [3, 4, 5, 6].map(
    (splits) => () =>
      buildFoam(buildIcosphere(splits), 1, [
        [0, 0, 0],
        [1.1, 0, 0],
      ]),
  ),
  'cluster of 27': [1, 2, 3, 4].map((splits) => () => buildFoam(buildIcosphere(splits), 0.5, buildGrid(3))),
  cluster: [() => buildFoam(buildIcosphere(4), 0.5, buildGrid(4))],
  cloud: [1000, 2500, 10_000, 40_000, 160_000].map((vertices) => () => buildCloud(vertices)),
};

const multipole: RefereeCase = {
  name: 'multipole',
  method: 'integrals',
  title: 'Biot-Savart by the multipole method against the direct sum, two threads, tolerance 1e-4',
  onRequest: true,
  async run({ createResources, note }) {
    const resources = await createResources(2);
    const rows: RefereeRow[] = [];
    const warm = buildCloud(4000);
    measure(resources, warm);
    for (const [name, problems] of Object.entries(families)) {
      const measured = problems.map((build) => {
        const m = measure(resources, build());
        note(`${name}, ${m.vertices} vertices: ${m.seconds.toFixed(3)} s`);
        return m;
      });
      for (const m of measured) {
        const what = `${name}, ${m.vertices} vertices`;
        const times = `${m.seconds.toFixed(3)} wall, ${m.processorSeconds.toFixed(3)} processor, direct ${m.directSeconds.toFixed(3)}`;
        rows.push(reportRow(`${what}: seconds`, times, 's'));
        rows.push(atMost(`${what}: relative L2 error`, m.error, LARGEST_ERROR, ''));
        if (name === 'bubble' && m.vertices === 40_962)
          rows.push(
            atMost(`${what}: seconds, wall`, m.seconds, LARGEST_SECONDS, 's', 'C++ library 1.69 (at 6.9e-4)'),
          );
      }
      const large = measured.filter((m) => m.vertices >= 9000);
      const [first, last] = [large[0], large[large.length - 1]];
      if (last.vertices > 4 * first.vertices) {
        const slope = (time: (m: Measured) => number) =>
          computeOrder(first.vertices, time(first), last.vertices, time(last));
        const range = `${name}: slope from ${first.vertices} to ${last.vertices}`;
        rows.push(
          reportRow(
            `${range}, wall`,
            slope((m) => m.seconds),
            '',
          ),
        );
        rows.push(
          atMost(
            `${range}, processor`,
            slope((m) => m.processorSeconds),
            LARGEST_SLOPE,
            '',
          ),
        );
      }
      if (measured.length > 1)
        rows.push(
          atMost(
            `${name}: as fast as the direct sum at`,
            findCrossover(measured),
            LARGEST_CROSSOVER,
            'vertices',
          ),
        );
    }
    rows.push(
      reportRow('default takes the multipole method from', Math.sqrt(MULTIPOLE_PAIRS / 2), 'vertices'),
    );
    return rows;
  },
};

export const multipoleCases: RefereeCase[] = [multipole];
