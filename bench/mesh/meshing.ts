/**
 * The mesher's speed: balls of 10 thousand to 1 million tets, seconds in the distance field and in stuffing
 * apart; and the bunny at 1 million with a uniform interior through the command line, a process of its own,
 * so that its memory is its own. The bunny of the npm package has 3,700 triangles; with every triangle cut
 * into 16 on the same surface it has as many as the one quartet was measured on (70k triangles: 16.0 s
 * distance, 0.42 s stuffing, 1.04M tets).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import { packageFolder } from '../../src/cli/paths.ts';
import { RunError } from '../../src/core/errors.ts';
import { buildTriangleEdges, type Triangles } from '../../src/geometry/triangles.ts';
import { writeObj } from '../../src/io/obj.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { benchStuffing } from './stuffing.ts';

const TETS = 1.03e6;
/** Tets per cubic cell of the lattice in the interior. */
const TETS_PER_CELL = 12;
const THREADS = 2;
/** The acceptance table: seconds with the distance included, and bytes. */
const SECONDS_BOUND = 8;
const BYTES_BOUND = 1.5e9;
/** The whole command on a quiet machine. */
const QUARTET_SECONDS = 11.8;

function loadBunny(): Triangles {
  const { positions, cells } = createRequire(import.meta.url)('bunny') as {
    positions: number[][];
    cells: number[][];
  };
  return {
    vertexCount: positions.length,
    triangleCount: cells.length,
    position: Float64Array.from(positions.flat()),
    triangle: Int32Array.from(cells.flat()),
  };
}

/** Every triangle into four at the middles of its edges: the same surface. */
function subdivide(mesh: Triangles): Triangles {
  const { edgeCount, edgeVertex, halfEdgeToEdge } = buildTriangleEdges(mesh);
  const { vertexCount, triangleCount } = mesh;
  const position = new Float64Array(3 * (vertexCount + edgeCount));
  position.set(mesh.position);
  for (let e = 0; e < edgeCount; e++)
    for (let a = 0; a < 3; a++)
      position[3 * (vertexCount + e) + a] =
        0.5 * (mesh.position[3 * edgeVertex[2 * e] + a] + mesh.position[3 * edgeVertex[2 * e + 1] + a]);
  const triangle = new Int32Array(12 * triangleCount);
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = mesh.triangle.subarray(3 * t, 3 * t + 3);
    const [ab, bc, ca] = [0, 1, 2].map((i) => vertexCount + halfEdgeToEdge[3 * t + i]);
    triangle.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 12 * t);
  }
  return { vertexCount: vertexCount + edgeCount, triangleCount: 4 * triangleCount, position, triangle };
}

interface MeshFigures {
  tets: number;
  minDihedral: number;
  maxDihedral: number;
  distanceSeconds: number;
  stuffingSeconds: number;
  tetsPerSecond: number;
  peakBytes: number;
}

/** Makes the command print its processor time, all threads together, as it ends. */
const CPU_REPORTER = `data:text/javascript,import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => process.stderr.write('cpu ' + JSON.stringify(process.cpuUsage()) + '\\n'));`;

/** `meniscus mesh` on the mesh, as a user runs it. */
function runMeshCommand(
  mesh: Triangles,
  size: number,
): MeshFigures & { wallSeconds: number; processorSeconds: number } {
  const folder = mkdtempSync(join(tmpdir(), 'meniscus-bench-'));
  try {
    const input = join(folder, 'bunny.obj');
    writeFileSync(input, writeObj(mesh));
    const command = [join(packageFolder, 'bin', 'meniscus.js'), 'mesh', input, '--size', String(size)];
    const options = ['--interior', 'uniform', '--threads', String(THREADS), '--json'];
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', CPU_REPORTER, ...command, ...options, '-o', join(folder, 'bunny.vtu')],
      { encoding: 'utf8' },
    );
    const wallSeconds = (performance.now() - start) / 1000;
    if (status !== 0)
      throw new RunError('meniscus mesh', `exit code ${status}: ${stderr}`, 'see its message');
    const { user, system } = JSON.parse(/cpu (.*)/.exec(stderr)![1]) as NodeJS.CpuUsage;
    return { ...(JSON.parse(stdout) as MeshFigures), wallSeconds, processorSeconds: (user + system) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function benchBunny(mesh: Triangles, reference: number | ''): RefereeRow[] {
  const size = Math.cbrt((TETS_PER_CELL * measureVolume(mesh)) / TETS);
  const figures = runMeshCommand(mesh, size);
  const { distanceSeconds, stuffingSeconds } = figures;
  const name = `${mesh.triangleCount} triangles`;
  return [
    reportRow(`${name}: tets`, figures.tets, ''),
    reportRow(`${name}: reading and distance`, distanceSeconds, 's', reference === '' ? '' : 16),
    reportRow(`${name}: stuffing`, stuffingSeconds, 's', reference === '' ? '' : 0.42),
    atMost(`${name}: together`, distanceSeconds + stuffingSeconds, SECONDS_BOUND, 's', reference),
    reportRow(`${name}: tets per second`, Math.round(figures.tetsPerSecond), '1/s'),
    reportRow(`${name}: the whole command, files written`, figures.wallSeconds, 's'),
    reportRow(`${name}: processor time of the whole command`, figures.processorSeconds, 's'),
    atMost(`${name}: memory at most`, figures.peakBytes, BYTES_BOUND, 'bytes'),
    reportRow(
      `${name}: dihedral angles`,
      `${figures.minDihedral.toFixed(1)} to ${figures.maxDihedral.toFixed(1)}`,
      'degrees',
      reference === '' ? '' : '13.1 to 149.4',
    ),
  ];
}

export const meshingCases: RefereeCase[] = [
  {
    name: 'mesh-ball',
    method: 'mesh',
    title: 'stuffing of a ball on one thread: tets per second, distance and stuffing apart',
    run: async () =>
      benchStuffing().flatMap((row) => [
        reportRow(`${row.case}: tets`, row.tets, ''),
        reportRow(`${row.case}: distance`, row.distanceSeconds, 's'),
        reportRow(
          `${row.case}: distance, tets per second`,
          Math.round(row.tets / row.distanceSeconds),
          '1/s',
        ),
        reportRow(`${row.case}: stuffing`, row.stuffingSeconds, 's'),
        reportRow(`${row.case}: stuffing, tets per second`, Math.round(row.tetsPerSecond), '1/s'),
        reportRow(`${row.case}: topology`, row.topologySeconds, 's'),
        reportRow(`${row.case}: locator`, row.locatorSeconds, 's'),
        reportRow(
          `${row.case}: mesh, topology and locator`,
          Math.round(row.bytes / row.tets),
          'bytes per tet',
        ),
      ]),
  },
  {
    name: 'mesh-bunny',
    method: 'mesh',
    title: 'meniscus mesh of the bunny, 1M tets, uniform interior, on 2 threads; reference: quartet',
    async run({ note }) {
      const bunny = loadBunny();
      note(`${bunny.triangleCount} triangles`);
      const rows = benchBunny(bunny, '');
      const fine = subdivide(subdivide(bunny));
      note(`${fine.triangleCount} triangles`);
      return [...rows, ...benchBunny(fine, QUARTET_SECONDS)];
    },
  },
];
