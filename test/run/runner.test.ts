import { describe, expect, test } from 'vitest';
import { RunError } from '../../src/core/errors.ts';
import { countFrames, Run, type RunEvent, type StepRecord } from '../../src/run/runner.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../src/run/snapshot.ts';
import type { OutputOptions } from '../../src/scene/load.ts';
import { buildBall, resources } from './ball-scene.ts';
import { bouncingBall } from './bouncing-ball.js';

const everything: OutputOptions = { surface: true, volume: 2, checkpoint: 1 };

function createRun(options: Record<string, unknown> = {}, from?: Snapshot, output = everything): Run {
  return new Run({ method: bouncingBall, scene: buildBall(options), output, resources, from, now: () => 0 });
}

const records = (events: RunEvent[]): StepRecord[] =>
  events.flatMap((e) => (e.type === 'step' ? [e.record] : []));

describe('frames and steps', () => {
  test('frames fall on k / fps exactly, frame 0 is the start, the last covers the duration', () => {
    const events = [...createRun().events()];
    const frames = events.flatMap((e) => (e.type === 'frame' ? [e] : []));
    expect(frames.map((f) => f.frame)).toEqual([...Array(16).keys()]);
    for (const f of frames) expect(f.time).toBe(f.frame / 30);
    expect(frames[0].surface?.mesh.position[2]).toBe(0.5);
    expect(frames.map((f) => f.volume !== undefined)).toEqual(frames.map((f) => f.frame % 2 === 0));
    expect(events.at(-1)).toEqual({ type: 'done', frame: 15, time: 0.5 });
    expect(countFrames({ duration: 0.51, fps: 30 })).toBe(16);
  });

  test('steps stay within the stable step, are even over a frame, and are numbered without gaps', () => {
    const all = records([...createRun().events()]);
    expect(all.map((r) => r.step)).toEqual([...all.keys()]);
    let time = 0;
    for (const r of all.slice(1)) {
      expect(r.dt).toBeGreaterThan(0);
      expect(r.dt).toBeLessThanOrEqual(0.004 * 1.25);
      time += r.dt;
      expect(Math.abs(r.time - time)).toBeLessThan(1e-12);
      expect(r.frame).toBe(Math.ceil(r.time * 30 - 1e-9));
    }
    expect(all.length).toBeGreaterThan(100);
    // The ball really falls and bounces.
    expect(all.some((r) => r.events['bounces'] === 1)).toBe(true);
  });

  test('a record has the names of stats.jsonl, and nothing the method cannot have', () => {
    const record = records([...createRun().events(1)])[1];
    expect(Object.keys(record).sort()).toEqual(
      'centreOfMass cfl dt events frame heapBytes ledger maxSpeed solver step tets time triangles vertices volume wall'.split(
        ' ',
      ),
    );
    expect(record.solver).toEqual({ motion: { iterations: 3, residual: 1e-9 } });
    expect(Object.keys(record.wall).sort()).toEqual(['move', 'total']);
    expect(Object.keys(record.ledger)).toEqual(['volume', 'total', 'volumeMeant']);
    expect(record.cfl).toBeCloseTo((record.maxSpeed! * record.dt) / 0.1, 12);
  });
});

test('particles come with the frames that the output asks for', () => {
  const frames = (particles?: number | false) =>
    [...createRun({}, undefined, { ...everything, particles }).events(4)].filter((e) => e.type === 'frame');
  expect(frames(2).map((f) => f.particles?.count)).toEqual([2, undefined, 2, undefined, 2]);
  expect(frames().some((f) => 'particles' in f)).toBe(false);
  expect(frames(false).some((f) => 'particles' in f)).toBe(false);
});

describe('resuming', () => {
  test('from any event, also within a frame, continues with the same records and frames', () => {
    const strip = (e: RunEvent) => (e.type === 'step' ? { ...e, record: { ...e.record, wall: {} } } : e);
    const straight = [...createRun().events()].map(strip);
    for (const stopAt of [3, 8, 41, 90, straight.length - 2]) {
      const first = createRun();
      let seen = 0;
      for (const _ of first.events()) if (++seen === stopAt) break;
      const bytes = encodeSnapshot(first.snapshot());
      const rest = [...createRun({}, decodeSnapshot(bytes, 'x')).events()].map(strip);
      // The frame or checkpoint event on which the run was left may come again; nothing is missing.
      const lastStep = first.snapshot().step;
      const stepsAfter = (events: ReturnType<typeof strip>[]) =>
        events.filter((e) => e.type === 'step' && e.record.step > lastStep);
      expect(stepsAfter(rest)).toEqual(stepsAfter(straight));
      const tail = rest.filter((e) => e.type === 'frame');
      expect(tail).toEqual(straight.filter((e) => e.type === 'frame').slice(-tail.length));
    }
  });

  test('a snapshot is not changed by later steps', () => {
    const run = createRun();
    const events = run.events();
    for (let i = 0; i < 10; i++) events.next();
    const before = run.snapshot();
    const bytes = encodeSnapshot(before);
    for (let i = 0; i < 10; i++) events.next();
    expect(encodeSnapshot(before)).toEqual(bytes);
  });
});

describe('the ledger', () => {
  test('what a method does not book is unexplained, and the balance names the frame', () => {
    const run = createRun({ leak: 0.01 });
    const all = records([...run.events()]);
    const volumes = all.map((r) => r.ledger.total.volume!);
    expect(volumes[0]).toEqual({ start: all[0].volume });
    all.slice(1).forEach((r, n) => {
      expect(r.ledger.volume).toEqual({ unexplained: r.volume! - all[n].volume! });
    });
    const { volume, within } = run.balance();
    expect(within).toBe(false);
    expect(volume!.kept).toBeCloseTo(all.at(-1)!.volume! / all[0].volume!, 12);
    expect(volume!.beyondFrom).toBe(1);
    expect(createRun().balance()).toEqual({ within: true });
  });

  test('goes on from a snapshot without books as from a start', () => {
    const first = createRun({ leak: 0.01 });
    for (const event of first.events()) if (event.type === 'checkpoint' && event.frame === 3) break;
    const { books: _, ...snapshot } = first.snapshot();
    const rest = records([...createRun({ leak: 0.01 }, snapshot).events()]);
    const { start, unexplained } = rest.at(-1)!.ledger.total.volume!;
    expect(start).toBeGreaterThan(rest[0].volume!);
    expect(start + unexplained).toBeCloseTo(rest.at(-1)!.volume!, 14);
  });
});

describe('trouble', () => {
  test('NaN stops the run with step, time, array, element and the last good checkpoint', () => {
    const run = createRun({ nanAtStep: 30 });
    const seen: RunEvent[] = [];
    const go = () => {
      for (const event of run.events()) seen.push(event);
    };
    expect(go).toThrow(RunError);
    expect(records(seen).at(-1)?.step).toBe(29);
    try {
      for (const _ of createRun({ nanAtStep: 30 }).events());
    } catch (error) {
      expect(String(error)).toMatch(
        /test, step 29, t = 0\.1\d+ s: velocity\[1\] is NaN in step 30, dt 0\.00\d+ s; the last good checkpoint is frame 3;/,
      );
    }
  });

  test('a solve that does not converge is retried with half the dt, and counted', () => {
    const all = records([...createRun({ divergeAtStep: 20, divergeAbove: 0.0015 }).events(6)]);
    expect(all.at(-1)?.time).toBe(0.2);
    const retried = all.filter((r) => r.events['retriedSteps'] !== undefined);
    expect(retried.length).toBeGreaterThan(5);
    for (const r of retried) expect(r.dt).toBeLessThanOrEqual(0.0015);
    expect(all.filter((r) => r.step < 20).every((r) => r.events['retriedSteps'] === undefined)).toBe(true);
  });

  test('after a bounded number of halvings it stops with the residual', () => {
    const run = createRun({ divergeAtStep: 20 });
    expect(() => [...run.events()]).toThrow(
      /step 19.*the motion solve does not converge: residual 1 after 3 iterations, dt .* after 4 halvings/,
    );
  });

  test('where a shorter step does not help, the step is accepted as it is', () => {
    const all = records([...createRun({ divergeAtStep: 20, shorterStepHelps: false }).events(6)]);
    expect(all.at(-1)?.time).toBe(0.2);
    expect(all.some((r) => r.events['retriedSteps'] !== undefined)).toBe(false);
    expect(all.filter((r) => r.step >= 20).every((r) => r.solver['motion'].residual === 1)).toBe(true);
  });

  test('a step that throws is undone: surface and snapshot are those before it, and the run can go on', () => {
    const straight = [...createRun().events()];
    bouncingBall.throws = 1;
    const run = createRun({ throwAtStep: 30 });
    const seen: RunEvent[] = [];
    let before = run.surface();
    const { released } = bouncingBall;
    expect(() => {
      for (const event of run.events()) {
        seen.push(event);
        before = run.surface();
      }
    }).toThrow('half-way');
    expect(records(seen).at(-1)?.step).toBe(29);
    expect(bouncingBall.released).toBe(released + 1);
    expect(run.surface()).toEqual(before);
    expect(run.snapshot().step).toBe(29);
    seen.push(...run.events());
    const strip = (events: RunEvent[]) => records(events).map((record) => ({ ...record, wall: {} }));
    expect(strip(seen)).toEqual(strip(straight));
    expect(seen.filter((e) => e.type === 'frame')).toEqual(straight.filter((e) => e.type === 'frame'));
  });

  test('a state that is not finite is undone too', () => {
    const run = createRun({ nanAtStep: 30 });
    expect(() => [...run.events()]).toThrow('NaN');
    expect(run.surface().vertexFields['velocity'].values.every(Number.isFinite)).toBe(true);
  });
});
