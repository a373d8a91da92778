/**
 * The background mesh of a box with 1024 finest cells across and 8 in the far field, as in figure 1 of
 * [ando-2013]: leaves, tets, seconds, bytes, and the independent validators over all of it. Then point
 * location on one thread: in a mesh that fits the cache, and in the large one, at points of all its leaves.
 */
import { atLeast, atMost, reportRow } from '../../cases/shared/rows.ts';
import { createRandom } from '../../src/core/random.ts';
import { locatePoints } from '../../src/mesh/background/locate.ts';
import { type BackgroundMesh, buildBackground } from '../../src/mesh/background/mesh.ts';
import { validateBackground } from '../../src/mesh/background/validate.ts';
import type { Octree, OctreeBox } from '../../src/mesh/octree/octree.ts';
import { buildOctree, createSizing, type Sizing } from '../../src/mesh/octree/sizing.ts';
import { validateOctree } from '../../src/mesh/octree/validate.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';

/** A box of 1 m: 8 roots across, seven levels below them. */
const BOX: OctreeBox = { origin: [0, 0, 0], size: 1 / 1024, roots: [8, 8, 8], maxLevel: 7 };
/** Growth of the wanted size with distance: about two leaves of every level. */
const SLOPE = 0.5;
const BYTES_BOUND = 200e6;
/** Points per second of the acceptance table. */
const POINTS_BOUND = 1e7;
const POINTS = 65536;
const REPEATS = 60;

/**
 * A splash: finest along the wall of a crown, 0.1 m in radius and 0.05 m high, at most 16 times coarser over
 * the still surface.
 */
const splash: Sizing = createSizing((x, y, z) => {
  const surface = Math.abs(z - 0.5);
  const wall = Math.hypot(Math.hypot(x - 0.5, y - 0.5) - 0.1, Math.max(0, 0.5 - z, z - 0.55));
  return Math.min(BOX.size + SLOPE * wall, 16 * BOX.size + SLOPE * surface);
}, SLOPE);

/** The whole surface of a ball of radius 0.3 m at the finest size, and as coarse as possible elsewhere. */
const createBall = (size: number): Sizing =>
  createSizing((x, y, z) => size + Math.abs(Math.hypot(x - 0.5, y - 0.5, z - 0.5) - 0.3), 1);

function bytesOf(table: object): number {
  let bytes = 0;
  for (const value of Object.values(table)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes;
}

function timed<T>(work: () => T): [T, number] {
  const start = performance.now();
  const result = work();
  return [result, (performance.now() - start) / 1000];
}

const residentBytes = () => 1024 * process.resourceUsage().maxRSS;

function describeLevels(octree: Octree): string {
  return [...validateOctree(octree)].map((count, level) => `${2 ** (10 - level)}: ${count}`).join(', ');
}

function benchMesh(name: string, sizing: Sizing): { rows: RefereeRow[]; mesh: BackgroundMesh } {
  const before = residentBytes();
  const [octree, octreeSeconds] = timed(() => buildOctree(BOX, { sizing }));
  const [mesh, meshSeconds] = timed(() => buildBackground(octree));
  const peak = residentBytes() - before;
  const [levels, levelSeconds] = timed(() => describeLevels(octree));
  const [report, checkSeconds] = timed(() => validateBackground(mesh));
  const rows = [
    reportRow(`${name}: leaves`, octree.leafCount, ''),
    reportRow(`${name}: leaves by cells across`, levels, ''),
    reportRow(`${name}: tets`, mesh.tetCount, ''),
    reportRow(`${name}: vertices`, mesh.vertexCount, ''),
    reportRow(`${name}: octree`, octreeSeconds, 's'),
    reportRow(`${name}: tets of leaves`, meshSeconds, 's'),
    reportRow(`${name}: tets per second`, Math.round(mesh.tetCount / (octreeSeconds + meshSeconds)), '1/s'),
    atMost(`${name}: octree`, bytesOf(octree), BYTES_BOUND, 'bytes'),
    atMost(`${name}: octree, mesh and index`, bytesOf(octree) + bytesOf(mesh), BYTES_BOUND, 'bytes'),
    reportRow(`${name}: resident set grew at most by`, peak, 'bytes'),
    atLeast(`${name}: tets of the rarest form`, Math.min(...report.shapeCount), 1, ''),
    atLeast(`${name}: least dihedral angle`, report.minDihedral, 45 - 1e-9, 'degrees', 45),
    atMost(`${name}: largest dihedral angle`, report.maxDihedral, 120 + 1e-9, 'degrees', 120),
    reportRow(
      `${name}: found tiling, balanced, conforming, oriented and full in`,
      levelSeconds + checkSeconds,
      's',
    ),
  ];
  return { rows, mesh };
}

function benchOctree(name: string, sizing: Sizing): RefereeRow[] {
  const [octree, seconds] = timed(() => buildOctree(BOX, { sizing }));
  return [
    reportRow(`${name}: leaves`, octree.leafCount, ''),
    reportRow(`${name}: leaves by cells across`, describeLevels(octree), ''),
    reportRow(`${name}: octree`, seconds, 's'),
    atMost(`${name}: octree`, bytesOf(octree), BYTES_BOUND, 'bytes'),
  ];
}

/** Points of random leaves, each leaf as likely as any other; in Z-order, as particles are kept, or not. */
function samplePoints({ octree }: BackgroundMesh, isSorted: boolean): Float64Array {
  const random = createRandom(1);
  const leaves = Array.from({ length: POINTS }, () => random.nextInt(octree.leafCount));
  if (isSorted) leaves.sort((a, b) => a - b);
  const point = new Float64Array(3 * POINTS);
  for (let p = 0; p < POINTS; p++)
    for (let a = 0; a < 3; a++) {
      const low = octree.leafCorner[3 * leaves[p] + a];
      point[3 * p + a] =
        octree.origin[a] + octree.size * (low + 2 ** octree.leafLevel[leaves[p]] * random.next());
    }
  return point;
}

/** Points per second, best of many batches: other work on the machine only takes away. */
function measureLocation(mesh: BackgroundMesh, point: Float64Array): number {
  const tet = new Int32Array(POINTS);
  const barycentric = new Float64Array(4 * POINTS);
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < REPEATS; n++)
    best = Math.min(best, timed(() => locatePoints(mesh, 0, POINTS, point, tet, barycentric))[1]);
  return Math.round(POINTS / best);
}

export const backgroundCases: RefereeCase[] = [
  {
    name: 'background-mesh',
    method: 'mesh',
    title:
      'octree and background tets of a sizing function, 1024 cells across, 8 in the far field; point location',
    async run({ note }) {
      note('splash');
      const { rows, mesh } = benchMesh('splash', splash);
      note('points');
      const small = buildBackground(
        buildOctree({ ...BOX, size: 1 / 64, maxLevel: 3 }, { sizing: createBall(1 / 64) }),
      );
      const speeds = [
        atLeast(
          `points in ${small.octree.leafCount} leaves`,
          measureLocation(small, samplePoints(small, false)),
          POINTS_BOUND,
          '1/s',
        ),
        reportRow('points in the splash, in Z-order', measureLocation(mesh, samplePoints(mesh, true)), '1/s'),
        reportRow('points in the splash, shuffled', measureLocation(mesh, samplePoints(mesh, false)), '1/s'),
      ];
      note('surface of a ball');
      return [...rows, ...speeds, ...benchOctree('surface of a ball', createBall(BOX.size))];
    },
  },
];
