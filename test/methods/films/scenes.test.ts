/**
 * The bundled scenes, coarse and short: each does what it is there to show, keeps its volumes and makes no
 * energy.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { computeSize, removeLinearPart } from '../../../src/methods/films/events/kneading.ts';
import {
  createRun,
  createScene,
  energyOf,
  load,
  measureClosedPieces,
  measureDrift,
  measureNow,
  measureReach,
  runChecked,
  takeFilms,
} from './run-scene.ts';

/** Films that start at rest can only lose energy; what remeshing and a finite step may add, as a share. */
const GAIN = 0.02;
/**
 * Change of any bubble's volume at the end of any step: issue 5, row 4, for one or two bubbles and for
 * clusters.
 */
const BUBBLE = 5e-3;
const CLUSTER = 5e-4;

describe('free bubbles', () => {
  it('the cube swings: its area falls and rises again, its volume stays', async () => {
    const run = await createScene('cube', ['resolution=0.009', 'duration=0.04']);
    const start = measureNow(run);
    const records = runChecked(run);
    const areas = records.map(({ surfaceArea }) => surfaceArea!);
    const least = areas.indexOf(Math.min(...areas));
    expect(areas[least]).toBeLessThan(0.9 * areas[0]);
    expect(Math.max(...areas.slice(least))).toBeGreaterThan(1.02 * areas[least]);
    for (const record of records) {
      expect(measureDrift(start, record)).toBeLessThan(BUBBLE);
      expect(energyOf(record)).toBeLessThan((1 + GAIN) * energyOf(records[0]));
    }
  });

  it('the double bubble wobbles and keeps both volumes', async () => {
    const run = await createScene('double-bubble', ['resolution=0.009', 'duration=0.03']);
    const start = measureNow(run);
    const records = runChecked(run);
    expect(Math.max(...records.map(({ maxSpeed }) => maxSpeed!))).toBeGreaterThan(0.2);
    for (const record of records) expect(measureDrift(start, record)).toBeLessThan(BUBBLE);
  });

  it.each(['cluster', 'foam-125', 'foam-512', 'live'])('%s: bubbles move, volumes stay', async (name) => {
    const run = await createScene(name, ['duration=0.004', 'resolution=0.012']);
    const start = measureNow(run);
    const records = runChecked(run);
    expect(records.length).toBeGreaterThan(2);
    // Remeshing alone takes 0.3 % of films that do not move.
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(0.96 * records[0].surfaceArea!);
    for (const record of records) {
      expect(measureDrift(start, record)).toBeLessThan(CLUSTER);
      expect(energyOf(record)).toBeLessThan((1 + GAIN) * energyOf(records[0]));
    }
  });
});

describe('kneading', () => {
  it('bubbles swell and shrink each in its way, the cluster stays where it is, and all end at their own volumes', async () => {
    const kneading = { amplitude: 0.4, period: 0.01, start: 0.001, end: 0.012 };
    const sets = ['duration=0.014', 'resolution=0.012', `films.kneading=${JSON.stringify(kneading)}`];
    const run = await createScene('foam-125', sets);
    const findMiddle = () => {
      const { position } = run.snapshot().record.arrays as { position: Float64Array };
      const sum = [0, 1, 2].map((k) =>
        position.reduce((total, x, i) => (i % 3 === k ? total + x : total), 0),
      );
      return sum.map((total) => (3 * total) / position.length);
    };
    const before = findMiddle();
    const records = runChecked(run);
    const own = new Map(records[0].regions!.map(({ label, volume }) => [label, volume]));
    let most = 0;
    for (const { regions, time } of records) {
      const swings = regions!.map(({ label, volume }) => volume / own.get(label)! - 1);
      const largest = Math.max(...swings.map(Math.abs));
      expect(largest).toBeLessThan(computeSize(kneading, time) + CLUSTER);
      most = Math.max(most, largest);
      const sum = regions!.reduce((total, { label, volume }) => total + volume - own.get(label)!, 0);
      expect(Math.abs(sum) / own.get(1)!).toBeLessThan(8 * CLUSTER);
      if (Math.abs(time - 0.005) < 5e-4)
        expect(new Set(swings.map((swing) => swing.toFixed(3))).size).toBe(swings.length);
    }
    expect(most).toBeGreaterThan(0.1);
    expect(measureDrift(records[0], records.at(-1)!)).toBeLessThan(CLUSTER);
    findMiddle().forEach((x, k) => {
      expect(Math.abs(x - before[k])).toBeLessThan(0.001);
    });
  });

  it('what is left of the swings has no sum and no first moment, whatever the places and weights', () => {
    const random = createRandom(3);
    const place = Array.from({ length: 30 }, (): [number, number, number] => [
      500 + random.next(),
      0.01 * random.next(),
      7, // flat
    ]);
    const weight = place.map(() => 0.5 + random.next());
    const start = Float64Array.from(place, () => 2 * random.next() - 1);
    const value = start.slice();
    removeLinearPart(value, place, weight);
    for (const f of [() => 1, (n: number) => place[n][0] - 500, (n: number) => 100 * place[n][1]])
      expect(Math.abs(weight.reduce((sum, w, n) => sum + w * value[n] * f(n), 0))).toBeLessThan(1e-9);
    const size = (of: Float64Array) => of.reduce((sum, x) => sum + x * x, 0);
    expect(size(value) / size(start)).toBeGreaterThan(0.6);
    const linear = Float64Array.from(place, ([x, y, z]) => 3 - x + 20 * y + z);
    removeLinearPart(linear, place, weight);
    expect(Math.max(...linear.map(Math.abs))).toBeLessThan(1e-9);
  });

  it('is full from its second swing until it fades, half way or when it is told', () => {
    const kneading = { amplitude: 0.5, period: 0.01, start: 1, end: 2 };
    for (const [fade, time, size] of [
      [undefined, 1, 0],
      [undefined, 1.005, 0.25],
      [undefined, 1.4, 0.5],
      [undefined, 1.75, 0.25],
      [1, 1.5, 0.25],
      [1, 1.9, 0.05],
      [1.8, 1.7, 0.5],
      [1.8, 1.9, 0.25],
      [1.8, 2, 0],
    ] as const)
      expect(computeSize({ ...kneading, ...(fade !== undefined && { fade }) }, time)).toBeCloseTo(size, 10);
  });

  it('films that were coarse while kneaded are as fine as the scene asks for afterwards', async () => {
    const kneading = { amplitude: 0.3, period: 0.002, start: 0, end: 0.003, resolution: 0.014 };
    const sets = ['duration=0.005', 'resolution=0.008', `films.kneading=${JSON.stringify(kneading)}`];
    const records = runChecked(await createScene('foam-125', sets));
    const [coarse] = records.filter(({ time }) => time >= 0.9 * kneading.end);
    expect(records.at(-1)!.vertices!).toBeGreaterThan(1.8 * coarse.vertices!);
    expect(measureDrift(records[0], records.at(-1)!)).toBeLessThan(CLUSTER);
  });
});

describe('kneading and what changes volumes', () => {
  const kneading = 'films.kneading={"amplitude":0.4,"period":0.01,"end":0.1}';
  it.each([
    ['films.pops[0].time', 'films.pops=[{"time":0.01,"region":1}]'],
    ['films.randomPops.start', 'films.randomPops={"start":0.05,"interval":0.1,"count":1}'],
    ['films.sources[0].start', 'films.sources=[{"region":1,"rate":1e-5}]'],
  ])('%s is refused before the kneading ends', async (where, set) => {
    const loaded = await load('foam-125', [kneading, set]);
    expect(() => createRun(loaded)).toThrow(where);
    await expect(load('foam-125', [kneading.replace('0.1}', '0}')])).rejects.toThrow('end');
    await expect(load('foam-125', [kneading.replace('}', ',"fade":0.1}')])).rejects.toThrow('fade');
  });
});

describe('integrators with wires', () => {
  it('Runge-Kutta takes a bubble through its ring as leapfrog does', async () => {
    const [leapfrog, rungeKutta] = await Promise.all(
      ['leapfrog', 'runge-kutta'].map(
        async (integrator) =>
          runChecked(
            await createScene('bubble-in-ring', [
              `films.integrator="${integrator}"`,
              'duration=0.03',
              'films.drag=0',
            ]),
          ).at(-1)!,
      ),
    );
    expect(Math.abs(rungeKutta.surfaceEnergy! / leapfrog.surfaceEnergy! - 1)).toBeLessThan(0.02);
    expect(rungeKutta.maxSpeed!).toBeLessThan(3 * leapfrog.maxSpeed!);
  });
});

describe('events', () => {
  it('popping: bubbles go one by one', async () => {
    const records = runChecked(
      await createScene('popping', [
        'resolution=0.014',
        'duration=0.012',
        'films.randomPops={"start":0.002,"interval":0.004,"count":2}',
      ]),
    );
    expect(records.at(-1)!.regions!.length).toBe(8);
    expect(records.at(-1)!.maxSpeed!).toBeGreaterThan(1);
    expect(records.reduce((sum, { events }) => sum + (events['bursts'] ?? 0), 0)).toBe(2);
  });

  it('popping all: the run goes on without films', async () => {
    const pops = Array.from({ length: 3 }, (_, n) => ({ time: 0.001 * (n + 1), region: n + 1 }));
    const sets = ['resolution=0.02', 'duration=0.006', 'fps=500', `films.pops=${JSON.stringify(pops)}`];
    const start = 'films.start=[{"type":"boxes","min":[0,0,0],"max":[0.06,0.02,0.02],"count":[3,1,1]}]';
    const records = runChecked(
      await createScene('popping', [...sets, start, 'films.randomPops={"start":1,"interval":1,"count":1}']),
    );
    expect(records.at(-1)!.triangles).toBe(0);
    expect(records.at(-1)!.time).toBeCloseTo(0.006, 9);
    expect(records.at(-1)!.kineticEnergy).toBe(0);
  });

  it('the small setting of the live scene lasts: a step takes some milliseconds, so that a person has half a minute', async () => {
    const { scene } = await load('live');
    const run = createRun({ ...(await load('live')), scene: { ...scene, duration: 0.02 } });
    const steps = [...run.events()].filter(({ type }) => type === 'step').length;
    expect((steps * scene.duration) / 0.02).toBeGreaterThan(10_000);
  });

  it('a touch bursts the film that was touched, next to a curve too', async () => {
    const run = await createScene('live');
    const { mesh, faceFields } = run.surface();
    const labelsOf = (f: number) => [faceFields!['front'].values[f], faceFields!['back'].values[f]];
    const inner = Array.from({ length: mesh.triangleCount }, (_, f) => f).find(
      (f) => !labelsOf(f).includes(0),
    )!;
    // All but at the corner that the most films share.
    const count = new Map<number, number>();
    for (const v of mesh.triangle) count.set(v, (count.get(v) ?? 0) + 1);
    const corners = [...mesh.triangle.slice(3 * inner, 3 * inner + 3)];
    const busiest = Math.max(...corners.map((v) => count.get(v)!));
    const weights = corners.map((v) => (count.get(v) === busiest ? 0.9 : 0.05));
    const total = weights.reduce((a, b) => a + b, 0);
    const at = [0, 1, 2].map((k) =>
      corners.reduce((sum, v, i) => sum + (weights[i] / total) * mesh.position[3 * v + k], 0),
    );
    expect(run.poke([at[0], at[1], at[2]])).toBe(true);
    const after = run.surface();
    const pairs = new Set<string>();
    for (let f = 0; f < after.mesh.triangleCount; f++)
      pairs.add([after.faceFields!['front'].values[f], after.faceFields!['back'].values[f]].sort().join());
    expect(pairs.has(labelsOf(inner).sort().join())).toBe(false);
    // The bubble that is left of the two still has its film to the outside.
    expect(pairs.has([0, Math.min(...labelsOf(inner))].join())).toBe(true);
  });

  it('free bubbles keep their momentum, which remeshing and T1s would change', async () => {
    const records = runChecked(await createScene('cluster', ['duration=0.02', 'resolution=0.014']));
    const mass = 1.2 * records[0].volume!;
    const liveliest = Math.max(...records.map(({ kineticEnergy }) => kineticEnergy!));
    // Issue 5, row 5: 1 %. Left alone it goes to 3.2 % here.
    for (const { momentum } of records)
      expect(Math.hypot(...momentum!)).toBeLessThan(0.01 * Math.sqrt(2 * mass * liveliest));
  });

  it('net motion: the large bubble fills its dent and comes to rest as a sphere farther from where the small one was', async () => {
    // At rest early, by drag, before what the mesh makes of momentum could carry the bubble along.
    const sets = ['resolution=0.008', 'duration=0.12', 'films.drag=40'];
    const run = await createScene('net-motion', [...sets, 'films.pops=[{"time":0.001,"region":2,"into":0}]']);
    const [large] = measureNow(run).regions;
    // The film between the two hangs into the large bubble, 8.6 mm short of its sphere about z = 0.
    expect(measureReach(run, (low, high) => low === 1 && high === 2).least).toBeCloseTo(0.0214, 4);
    const records = runChecked(run);
    expect(measureDrift({ regions: [large] }, records.at(-1)!)).toBeLessThan(BUBBLE);
    const sphere = fitSphere(takeFilms(run).position);
    expect(sphere.spread).toBeLessThan(0.02);
    // No force acts on the air as a whole, so the air of the bubble stays where it was: off the middle of the
    // sphere that had a dent.
    const [{ middle }] = measureNow(run).regions;
    expect(Math.abs(middle[2] - large.middle[2])).toBeLessThan(2e-4);
    expect(sphere.height).toBeLessThan(-4e-4);
    expect(sphere.height).toBeGreaterThan(-9e-4);
  });

  it('blowing: the bubble gains exactly what is blown in', async () => {
    const records = runChecked(
      await createScene('blowing', [
        'resolution=0.009',
        'duration=0.02',
        'films.sources=[{"region":2,"rate":1.5e-4,"start":0.005,"end":0.015}]',
      ]),
    );
    const volume = (n: number, label: number) =>
      records.at(n)!.regions!.find((r) => r.label === label)!.volume;
    expect((volume(-1, 2) - volume(0, 2)) / 1.5e-6).toBeCloseTo(1, 2);
    expect(volume(-1, 1) / volume(0, 1)).toBeCloseTo(1, 3);
  });
});

describe('wires and openings', () => {
  it('catenoid: the film narrows between its rings', async () => {
    const run = await createScene('catenoid', ['resolution=0.009', 'duration=0.02']);
    const records = runChecked(run);
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(0.99 * records[0].surfaceArea!);
    expect(records.at(-1)!.momentum!.every((p) => Math.abs(p) < 1e-6)).toBe(true);
  });

  it('octahedron: the middle opens into films and curves that are shorter in all', async () => {
    const records = runChecked(await createScene('octahedron', ['resolution=0.014', 'duration=0.03']));
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(0.97 * records[0].surfaceArea!);
  });

  it('bubble in a ring: squeezed, it slips out to the side where it has more air, held at the ring and with its volume', async () => {
    const run = await createScene('bubble-in-ring', ['resolution=0.007', 'duration=0.06']);
    const start = measureNow(run);
    const records = runChecked(run);
    for (const record of records) expect(measureDrift(start, record)).toBeLessThan(BUBBLE);
    expect(start.regions[0].middle[2]).toBeLessThan(0.003);
    expect(measureNow(run).regions[0].middle[2]).toBeGreaterThan(0.009);
    expect(records.at(-1)!.surfaceArea!).toBeLessThan(0.96 * records[0].surfaceArea!);
    const { position } = takeFilms(run);
    let onRing = 0;
    for (let v = 0; v < position.length; v += 3)
      if (
        Math.abs(position[v + 2]) < 1e-9 &&
        Math.abs(Math.hypot(position[v], position[v + 1]) - 0.014) < 1e-6
      )
        onRing++;
    expect(onRing).toBeGreaterThan(8);
  });

  it('pulling apart: the rings take the films along until the two bubbles part', async () => {
    const run = await createScene('pulling-apart', ['resolution=0.01', 'duration=0.38']);
    const start = measureNow(run);
    const areas: number[] = [];
    const records = runChecked(run, ({ surfaceArea }) => areas.push(surfaceArea!));
    for (const record of records) expect(measureDrift(start, record)).toBeLessThan(BUBBLE);
    // No film between them is left, and each has drawn back to its own ring, now at 48 mm.
    expect(measureReach(run, (low) => low > 0).least).toBe(Infinity);
    expect(measureReach(run, (_, high) => high === 1).least).toBeGreaterThan(0.005);
    expect(measureReach(run, (_, high) => high === 2).most).toBeLessThan(-0.005);
    // Films that are only drawn along grow by a third.
    expect(Math.max(...areas)).toBeLessThan(1.1 * areas[0]);
  });

  it('sweeping ring: the film trails behind and pinches off into a bubble', async () => {
    const run = await createScene('sweeping-ring', ['resolution=0.009', 'duration=0.165']);
    let tail = Number.NaN;
    const records = runChecked(run, ({ time }) => {
      if (Number.isNaN(tail) && time >= 0.03) tail = measureReach(run, (low) => low === 0).least;
    });
    // The ring is at 50 mm then. A film that it only draws out ends where it began.
    expect(tail).toBeGreaterThan(0.02);
    expect(tail).toBeLessThan(0.045);
    // What pinches off is a region of its own, under the first label that the start does not use.
    const bubbles = measureClosedPieces(run, 3, 2).filter((volume) => Math.abs(volume) > 1e-6);
    expect(bubbles.length).toBeGreaterThan(0);
    expect(Math.min(...bubbles)).toBeGreaterThan(0);
    expect(Math.max(...bubbles)).toBeGreaterThan(1e-4);
    expect(records.at(-1)!.surfaceArea!).toBeGreaterThan(10 * records[0].surfaceArea!);
  });
});

/**
 * The sphere about a point of the z axis that is nearest to the points, and how far off it they are, as a
 * share of its radius.
 */
function fitSphere(position: Float64Array): { height: number; spread: number } {
  // x^2 + y^2 + z^2 = 2 z h + k, by least squares.
  const count = position.length / 3;
  let [z1, z2, s1, sz] = [0, 0, 0, 0];
  for (let v = 0; v < position.length; v += 3) {
    const [x, y, z] = position.subarray(v, v + 3);
    const square = x * x + y * y + z * z;
    z1 += z / count;
    z2 += (z * z) / count;
    s1 += square / count;
    sz += (square * z) / count;
  }
  const height = (sz - s1 * z1) / (2 * (z2 - z1 * z1));
  const radius = Math.sqrt(s1 - 2 * z1 * height + height * height);
  let spread = 0;
  for (let v = 0; v < position.length; v += 3) {
    const [x, y, z] = position.subarray(v, v + 3);
    spread = Math.max(spread, Math.abs(Math.hypot(x, y, z - height) / radius - 1));
  }
  return { height, spread };
}
