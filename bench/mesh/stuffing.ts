/**
 * Speed of the lattice mesher on a ball: tets, seconds in the field, in stuffing and in topology, and bytes
 * held.
 */
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { createLocator } from '../../src/mesh/locate.ts';
import { buildTopology } from '../../src/mesh/topology.ts';

export interface StuffingRow {
  readonly case: string;
  readonly tets: number;
  readonly distanceSeconds: number;
  readonly stuffingSeconds: number;
  readonly tetsPerSecond: number;
  readonly topologySeconds: number;
  readonly locatorSeconds: number;
  /** Bytes of the mesh, its topology and its locator. */
  readonly bytes: number;
}

/** Cells across the ball for about 10 thousand, 100 thousand and 1 million tets. */
const UNIFORM = [11, 25, 54];
const GRADED = [11, 29, 82];
const REPEATS = 3;

function bytesOf(...tables: object[]): number {
  let bytes = 0;
  for (const table of tables)
    for (const value of Object.values(table)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes;
}

/** One ball of radius 1, off the lattice's centre; best of a few runs. */
export function measureBall(across: number, maxLevel: number): StuffingRow {
  const size = 2 / across;
  const cells = across + 4;
  const origin = -0.5 * size * cells;
  const field = {
    value: (x: number, y: number, z: number) => 1 - Math.sqrt((x - 0.3 * size) ** 2 + y * y + z * z),
  };
  let best: StuffingRow | undefined;
  for (let run = 0; run < REPEATS; run++) {
    const mesh = stuff(
      field,
      { origin: [origin, origin, origin], size, cells: [cells, cells, cells] },
      { maxLevel },
    );
    const t0 = performance.now();
    const topology = buildTopology(mesh);
    const t1 = performance.now();
    const locator = createLocator(mesh, topology);
    const t2 = performance.now();
    const { distanceSeconds, stuffingSeconds } = mesh.report;
    if (best && best.stuffingSeconds <= stuffingSeconds) continue;
    best = {
      case: `ball, ${maxLevel === 0 ? 'uniform' : 'graded'}, ${across} cells across`,
      tets: mesh.tetCount,
      distanceSeconds,
      stuffingSeconds,
      tetsPerSecond: mesh.tetCount / stuffingSeconds,
      topologySeconds: (t1 - t0) / 1000,
      locatorSeconds: (t2 - t1) / 1000,
      bytes: bytesOf(mesh, mesh.index, topology, {
        cellListed: locator.data.cellListed,
        listedTet: locator.data.listedTet,
        listedFrame: locator.data.listedFrame,
        offset: locator.data.cellOffset,
      }),
    };
  }
  return best!;
}

export function benchStuffing(): StuffingRow[] {
  return [...UNIFORM.map((n) => measureBall(n, 0)), ...GRADED.map((n) => measureBall(n, 6))];
}
