/**
 * The films' safety nets (docs/notebook/films-safety.md): what happens without each. The others have their
 * tests in air/air.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { buildFilms } from '../../../cases/films/march.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { move, updateGradients } from '../../../src/methods/films/air/air.ts';
import type { RunEvent } from '../../../src/run/runner.ts';
import type { LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { keepVolumes, measureMeant } from '../../../src/tracking/multimaterial/conservation/volumes.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { createRun, heap, load } from './run-scene.ts';
import { createTestAir } from './sheets.ts';

/**
 * Faces of a closed surface above a height get a second film, a blister over them: region 2, as thick as
 * `gap` in radii.
 */
function blister(
  closed: LabelledTriangles,
  isCovered: (z: number) => boolean,
  gap: number,
): LabelledTriangles {
  const position = Array.from(closed.position);
  const triangle = Array.from(closed.triangle);
  const label = Array.from(closed.label);
  const faces = triangle.length / 3;
  const cornersOf = (f: number) => triangle.slice(3 * f, 3 * f + 3);
  const covered = Array.from({ length: faces }, (_, f) =>
    cornersOf(f).every((v) => isCovered(position[3 * v + 2])),
  );
  const open = new Set(covered.flatMap((is, f) => (is ? [] : cornersOf(f))));
  const copies = new Map<number, number>();
  for (let f = 0; f < faces; f++) {
    if (!covered[f]) continue;
    const outside = label[2 * f] === 0 ? 0 : 1;
    const copy = cornersOf(f).map((v) => {
      if (open.has(v)) return v;
      const known = copies.get(v);
      if (known !== undefined) return known;
      const fresh = position.length / 3;
      for (let k = 0; k < 3; k++) position.push((1 + gap) * position[3 * v + k]);
      copies.set(v, fresh);
      return fresh;
    });
    triangle.push(...copy);
    label.push(outside === 0 ? 0 : 2, outside === 0 ? 2 : 0);
    label[2 * f + outside] = 2;
  }
  expect(copies.size).toBeGreaterThan(5);
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
    label: Int32Array.from(label),
  };
}

/** Largest pressure, Pa, and the largest speed, m/s, that it makes in a hundredth of a second. */
function measureExtremes(surface: LabelledTriangles): { pressure: number; speed: number } {
  const air = createTestAir(surface);
  updateGradients(air);
  const largest = (values: Float64Array) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const pressure = largest(air.pressure);
  for (let n = 0; n < air.sheet.entryCount; n++) air.sheet.potential[n] -= 0.01 * air.pressure[n];
  move(air);
  return { pressure, speed: largest(air.velocity) };
}

describe('floors', () => {
  it.each([1e-2, 1e-4, 1e-8])(
    'where two films leave a curve %d apart, it has no pressure out of all measure',
    (gap) => {
      const { pressure, speed } = measureExtremes(
        blister(buildSpheres([{ levels: 2 }]), (z) => z > 0.3, gap),
      );
      expect(pressure).toBeGreaterThan(1);
      expect(pressure).toBeLessThan(100);
      expect(speed).toBeLessThan(10);
    },
  );

  it.each([1e-4, 1e-6, 1e-8])('where all films at a curve lie on each other, %d apart, likewise', (gap) => {
    const sphere = buildSpheres([{ levels: 2 }]);
    const flat = {
      ...sphere,
      position: Float64Array.from(sphere.position, (x, n) => (n % 3 === 2 ? gap * x : x)),
    };
    const { pressure, speed } = measureExtremes(blister(flat, (z) => z > -1e-12, 1e-9));
    expect(pressure).toBeLessThan(100);
    expect(speed).toBeLessThan(10);
  });
});

describe('volumes', () => {
  it.each([100, 1e-9])(
    'a bubble that should have %d times its volume moves its films by a little a round',
    (share) => {
      const start = [{ type: 'voronoi', min: [-1, -1, -1], max: [1, 1, 1], cells: 6 }];
      const { tracker } = buildFilms({ heap, threads: createSingleThread() }, 0.25, { start }).state;
      const { mesh } = tracker;
      const meant = measureMeant(tracker, undefined);
      meant.set(1, share * meant.get(1)!);
      const before = mesh.position.slice(0, 3 * mesh.vertexFill);
      const rounds = keepVolumes(tracker, undefined, meant);
      expect(rounds).toBe(4);
      let longest = 0;
      for (let n = 0; n < before.length; n += 3)
        longest = Math.max(
          longest,
          Math.hypot(...[0, 1, 2].map((k) => mesh.position[n + k] - before[n + k])),
        );
      expect(longest).toBeGreaterThan(0.05 * tracker.length);
      expect(longest).toBeLessThan(0.41 * tracker.length);
    },
  );
});

describe('undo', () => {
  it('a step that fails half-way leaves the films as they were, and the run goes on with the same bytes', async () => {
    const scene = await load('cluster', ['duration=0.001', 'fps=1000']);
    const strip = (events: RunEvent[]) =>
      events.flatMap((e) => (e.type === 'step' ? [{ ...e.record, wall: {}, heapBytes: 0 }] : []));
    const straight = createRun(scene);
    const expected = strip([...straight.events()]);
    expect(expected.length).toBeGreaterThan(4);

    const single = createSingleThread();
    let moves = 0;
    let hasFailed = false;
    // In the fourth step, when films have moved and are remeshed.
    const failing: Threads = {
      ...single,
      run(task, ...more) {
        if (task.name === 'films/impose-flux') moves++;
        if (moves === 4 && !hasFailed && task.name === 'tracking/scan-edges') {
          hasFailed = true;
          throw new Error('half-way');
        }
        single.run(task, ...more);
      },
    };
    const run = createRun(scene, failing);
    const seen: RunEvent[] = [];
    let before = run.surface();
    expect(() => {
      for (const event of run.events()) {
        seen.push(event);
        before = run.surface();
      }
    }).toThrow('half-way');
    expect(strip(seen).length).toBe(4); // with the record of the start
    expect(run.surface()).toEqual(before);
    seen.push(...run.events());
    expect(strip(seen)).toEqual(expected);
    expect(run.snapshot().record).toEqual(straight.snapshot().record);
  });
});
