/**
 * The bundled scenes, coarse and short: free of intersections after every step, and each doing what it is
 * there to show.
 */
import { describe, expect, it } from 'vitest';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { countEvents, createRun, load, measureBetween, readMesh, referee, runChecked } from './run-scene.ts';

const volumes = (records: { regions?: { label: number; volume: number }[] }) =>
  new Map((records.regions ?? []).map(({ label, volume }) => [label, volume]));

describe('prescribed flows', () => {
  it('Enright with four materials: stretched, and every volume kept', async () => {
    const run = createRun(await load('enright-four', ['resolution=0.04', 'tracking.timeStep=0.025']));
    const records = runChecked(run, 10);
    const [first, last] = [records[0], records.at(-1)!];
    expect(last.surfaceArea!).toBeGreaterThan(1.1 * first.surfaceArea!);
    for (const [label, volume] of volumes(first))
      expect(Math.abs(volumes(last).get(label)! / volume - 1)).toBeLessThan(5e-3);
  });

  it('Enright with one material turns round at half time', async () => {
    const run = createRun(
      await load('enright', [
        'resolution=0.05',
        'tracking.start[0].levels=2',
        'tracking.timeStep=0.05',
        'fps=10',
      ]),
    );
    let widest = 0;
    const records = runChecked(run, undefined, ({ surfaceArea }) => {
      widest = Math.max(widest, surfaceArea!);
    });
    expect(widest).toBeGreaterThan(1.8 * records[0].surfaceArea!);
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(1.4 * records[0].surfaceArea!);
  });

  it.each(['small', 'one'])('Zalesak (%s): the ball turns as a body', async (setting) => {
    const sets = ['resolution=0.025', 'tracking.timeStep=0.02', 'duration=0.4'];
    const run = createRun(await load('zalesak', sets, setting));
    const records = runChecked(run, undefined);
    expect(volumes(records[0]).size).toBe(setting === 'one' ? 1 : 2);
    for (const [label, volume] of volumes(records[0]))
      expect(Math.abs(volumes(records.at(-1)!).get(label)! / volume - 1)).toBeLessThan(5e-3);
    // About (0.5, 0.5) by an angle that depends on time alone.
    const angle = 2 * Math.PI * records.at(-1)!.time;
    const [x, y] = [0.5 - 0.25 * Math.sin(angle), 0.5 + 0.25 * Math.cos(angle)];
    const { position } = readMesh(run.snapshot());
    for (let v = 0; v < position.length; v += 3)
      expect(Math.hypot(position[v] - x, position[v + 1] - y, position[v + 2] - 0.5)).toBeLessThan(0.152);
  });

  it('27 spheres swirl and meet', async () => {
    const run = createRun(await load('swirl', ['resolution=0.09', 'tracking.timeStep=0.03333']));
    const records = runChecked(run, 8);
    expect(volumes(records[0]).size).toBe(9);
    expect(records.at(-1)!.volume! / records[0].volume!).toBeCloseTo(1, 2);
    expect(records[0].maxSpeed!).toBeGreaterThan(0.3);
  });
});

describe('normal flows', () => {
  it.each(['small', 'same'])(
    'two spheres (%s) meet, share a disk or not, and part again',
    async (setting) => {
      const sets = ['resolution=0.35', 'tracking.timeStep=0.04', 'duration=1.8'];
      const run = createRun(await load('two-spheres', sets, setting));
      let disk = 0;
      let joined = 0;
      const records = runChecked(run, undefined, (_, snapshot) => {
        disk = Math.max(disk, measureBetween(snapshot, 1, 2));
        if (countParts(readMesh(snapshot)) === 1) joined++;
      });
      expect(joined).toBeGreaterThan(10);
      expect(countParts(readMesh(run.snapshot()))).toBe(2);
      // At most two balls of radius 1.3 at distance 2.1 share a disk of radius 0.77.
      if (setting === 'same') expect(disk).toBe(0);
      else {
        expect(disk).toBeGreaterThan(0.6 * Math.PI * 0.77 ** 2);
        expect(disk).toBeLessThan(1.2 * Math.PI * 0.77 ** 2);
      }
      expect(countEvents(records, 'snap')).toBeGreaterThan(3);
    },
  );

  it('spheres of five materials grow into each other', async () => {
    const run = createRun(await load('growing-spheres', ['resolution=0.15', 'tracking.timeStep=0.03333']));
    const records = runChecked(run, 22);
    expect(records.at(-1)!.volume!).toBeGreaterThan(1.5 * records[0].volume!);
    let shared = 0;
    for (let a = 1; a <= 5; a++)
      for (let b = a + 1; b <= 5; b++) shared += measureBetween(run.snapshot(), a, b);
    expect(shared).toBeGreaterThan(0.1);
  });

  it('four spheres grow in curl noise', async () => {
    const run = createRun(await load('normal-flow-noise', ['resolution=0.14', 'tracking.timeStep=0.01667']));
    const records = runChecked(run, 8);
    expect(records.at(-1)!.volume!).toBeGreaterThan(1.2 * records[0].volume!);
    expect(volumes(records.at(-1)!).size).toBe(4);
  });

  it('a cycle turns the disk and the spheres about a triple curve that stays', async () => {
    const loaded = await load('cyclic-flow', ['resolution=0.15', 'tracking.timeStep=0.01667']);
    const run = createRun(loaded);
    const records = runChecked(run, 10);
    const [first, last] = [volumes(records[0]), volumes(records.at(-1)!)];
    // 1 loses to 2 through the disk and gains nothing from the outside, which flows into it.
    expect(last.get(1)!).toBeLessThan(first.get(1)!);
    expect(last.get(2)!).toBeGreaterThan(first.get(2)!);
  });
});

describe('mean curvature flow', () => {
  it('T1: the wall between left and right gives way to one between top and bottom', async () => {
    const run = createRun(
      await load('t1', ['resolution=0.08', 'tracking.timeStep=0.0002', 'duration=0.014']),
    );
    const start = { side: 0, level: 0 };
    const records = runChecked(run, undefined, ({ step }, snapshot) => {
      if (step === 0) start.side = measureBetween(snapshot, 1, 2);
      if (step === 0) start.level = measureBetween(snapshot, 3, 4);
    });
    expect(start.side).toBeGreaterThan(0.02);
    expect(start.level).toBe(0);
    expect(measureBetween(run.snapshot(), 1, 2)).toBe(0);
    expect(measureBetween(run.snapshot(), 3, 4)).toBeGreaterThan(0);
    expect(countEvents(records, 'separate')).toBeGreaterThan(2);
  });

  it('T2: the cell in the middle vanishes, its neighbours stay', async () => {
    const seeds = [
      [0.5, 0.5, 0.5],
      [0.563, 0.558, 0.561],
      [0.557, 0.441, 0.438],
      [0.442, 0.562, 0.443],
      [0.439, 0.437, 0.564],
    ];
    const cells = `tracking.start[0].cells=${JSON.stringify(seeds)}`;
    // The default bound on volume change lets a cell of half an edge linger for long.
    const box = ['tracking.start[0].min=[0.2,0.2,0.2]', 'tracking.start[0].max=[0.8,0.8,0.8]'];
    const sets = [cells, ...box, 'duration=0.018', 'tracking.bounds.maxVolumeChange=0.01'];
    const records = runChecked(createRun(await load('t2', sets)), undefined);
    expect([...volumes(records[0]).keys()]).toEqual([1, 2, 3, 4, 5]);
    expect([...volumes(records.at(-1)!).keys()]).toEqual([2, 3, 4, 5]);
  });

  it('Voronoi cells lose area, and the smallest of them vanish', async () => {
    const run = createRun(await load('voronoi', ['resolution=0.12', 'tracking.timeStep=0.0004']));
    const records = runChecked(run, 10);
    let area = Infinity;
    for (const record of records) {
      expect(record.surfaceArea!).toBeLessThan(area);
      area = record.surfaceArea!;
    }
    expect(countEvents(records, 'separate') + countEvents(records, 'collapse')).toBeGreaterThan(20);
  });
});

it('every scene builds in all its settings but the largest, and starts sound', async () => {
  const names = ['enright', 'enright-four', 'zalesak', 'normal-flow-noise', 'growing-spheres', 'cyclic-flow'];
  for (const name of [...names, 't1', 't2', 'swirl', 'two-spheres']) {
    const loaded = await load(name);
    const run = createRun(loaded);
    referee(run.snapshot());
    const regions = measureRegions(buildMultiMesh(readMesh(run.snapshot())));
    expect(regions.length).toBeGreaterThan(1);
    expect(regions.every(({ label, volume }) => (label === 0 ? volume < 0 : volume > 0))).toBe(true);
  }
});

/** Connected parts of the surface. */
function countParts({ position, triangle }: { position: Float64Array; triangle: Int32Array }): number {
  const root = Int32Array.from({ length: position.length / 3 }, (_, v) => v);
  const find = (v: number): number => {
    while (root[v] !== v) v = root[v] = root[root[v]];
    return v;
  };
  for (let c = 0; c < triangle.length; c++) root[find(triangle[c])] = find(triangle[c - (c % 3)]);
  return root.filter((r, v) => r === v).length;
}
