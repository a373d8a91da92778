/**
 * The budget of a run: estimates against what is built, and refusals whose remedies fit. Nothing here meshes
 * but the starts to compare with.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import { costOf } from '../../src/geometry/implicit.ts';
import { estimateRun, isQuicklyBuilt, type Machine, planRun } from '../../src/run/budget.ts';
import { describeMachine } from '../../src/run/node-machine.ts';
import { findMethod, methods } from '../../src/run/registry.ts';
import { countFrames } from '../../src/run/runner.ts';
import { loadScene } from '../../src/scene/load.ts';

const machine: Machine = { memoryBytes: 16 * 2 ** 30, plainBytes: 4 * 2 ** 30, threads: 2, slowness: 1 };

async function load(name: string, sets: string[] = [], setting?: string) {
  const file = new URL(`../../scenes/${name}.jsonc`, import.meta.url).pathname;
  const text = await readFile(file, 'utf8');
  const { scene } = await loadScene({ file, text }, { methods, readFile, sets, setting });
  return { scene, method: findMethod(scene.method)!, frames: countFrames(scene) };
}

const plan = async (name: string, sets: string[] = [], on = machine) => {
  const { scene, method, frames } = await load(name, sets);
  return planRun(method, scene, frames, on);
};
const refusal = (name: string, sets: string[] = [], on = machine) =>
  plan(name, sets, on).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('what estimates ask', () => {
  // Each question to a mesh takes microseconds: 300 statues took minutes.
  test.each(['everyday/bunny', 'flip/bunny', 'viscous/bunny'])(
    '%s: a crowd of liquids no more than a few of them',
    async (name) => {
      const { scene, method, frames } = await load(name);
      const countFor = (crowd: number) => {
        let asked = 0;
        const [liquid] = scene.liquids;
        const shape = {
          bounds: liquid.shape.bounds,
          cost: costOf(liquid.shape),
          value: (x: number, y: number, z: number) => {
            asked++;
            return liquid.shape.value(x, y, z);
          },
        };
        const liquids = Array.from({ length: crowd }, () => ({ ...liquid, shape }));
        estimateRun(method, { ...scene, liquids }, frames, machine);
        return asked;
      };
      const few = countFor(3);
      expect(few).toBeGreaterThan(10_000);
      expect(countFor(300)).toBeLessThan(2 * few);
    },
  );

  test('cells of air count in flip: a large domain takes memory, and its start is not built by check', async () => {
    const { scene, method, frames } = await load('flip/dam-break', [], 'small');
    const domain = { min: [0, 0, 0], max: [22, 22, 22] } as const;
    const near = estimateRun(method, scene, frames, machine);
    const wide = estimateRun(method, { ...scene, domain }, frames, machine);
    // 69 of the largest cells along each side, 12 tets in each.
    expect(wide.elements.tets! - near.elements.tets!).toBeGreaterThan(0.9 * 12 * 69 ** 3);
    expect(isQuicklyBuilt(near)).toBe(true);
    expect(isQuicklyBuilt(wide)).toBe(false);
  });
});

describe('what moves fast', () => {
  const room = { version: 1, domain: { min: [0, 0, 0], max: [1, 1, 1] }, duration: 0.1, resolution: 0.1 };
  const ball = (z: number, radius: number) => ({ type: 'sphere', centre: [0.5, 0.5, z], radius });
  const parse = async (more: Record<string, unknown>) => {
    const text = JSON.stringify({ ...room, liquids: [{ shape: ball(0.3, 0.2) }], ...more });
    const { scene } = await loadScene({ file: 'a.jsonc', text }, { methods, readFile });
    return { scene, method: findMethod(scene.method)!, frames: countFrames(scene) };
  };
  const said = async (more: Record<string, unknown>) => {
    const { scene, method, frames } = await parse(more);
    return () => planRun(method, scene, frames, machine);
  };

  test.each(['lattice', 'viscous', 'flip'])('%s: solids and jets take steps', async (method) => {
    const solid = { shape: ball(0.8, 0.15), motion: { translate: { velocity: [1e9, 0, 0] } } };
    expect(await said({ method, solids: [solid] })).toThrow(/a frame would take [\d,]+ steps/);
    const jet = { shape: ball(0.8, 0.16), direction: [0, 0, -1] };
    expect(await said({ method, emitters: [{ ...jet, flow: 1e-3 }] })).not.toThrow();
    // As lists in time, so that it is the speed and not the volume that is too much.
    const flow = [
      [0, 0],
      [0.05, 1e4],
      [0.1, 0],
    ];
    expect(await said({ method, emitters: [{ ...jet, flow }] })).toThrow();
  });

  test('surface: drops between walls, not what flies in the open', async () => {
    const drop = { method: 'surface', gravity: [0, 0, 0], resolution: 0.05 };
    const thrown = { ...drop, liquids: [{ shape: ball(0.5, 0.2), velocity: [1e6, 0, 0] }] };
    expect(await said(thrown)).toThrow(/a frame would take [\d,]+ steps/);
    const open = ['-x', '+x', '-y', '+y', '-z', '+z'];
    expect(await said({ ...thrown, surface: { open } })).not.toThrow();
  });

  test.each(['lattice', 'viscous', 'flip'])('%s: check builds no start with 400 nozzles', async (method) => {
    const emitter = { shape: ball(0.8, 0.16), direction: [0, 0, -1], flow: 1e-6 };
    const plan = async (count: number) => {
      const {
        scene,
        method: run,
        frames,
      } = await parse({ method, emitters: Array.from({ length: count }, () => emitter) });
      return estimateRun(run, scene, frames, machine);
    };
    expect(isQuicklyBuilt(await plan(1))).toBe(true);
    expect(isQuicklyBuilt(await plan(400))).toBe(false);
  });
});

describe('elements of the start', () => {
  // Runs so short that nothing has moved: what is estimated is what is built.
  const cases: [string, string | undefined][] = [
    ['lattice/dam-break', 'small'],
    ['lattice/drop-into-pool', 'small'],
    ['lattice/falling-blob', 'small'],
    ['lattice/hemisphere', 'small'],
    ['everyday/torus', undefined],
    ['tracking/zalesak', 'small'],
    ['tracking/cyclic-flow', 'small'],
    ['tracking/voronoi', 'small'],
    ['tracking/growing-spheres', 'small'],
    ['tracking/enright-four', 'small'],
    ['films/cube', 'small'],
    ['films/double-bubble', 'small'],
    ['films/octahedron', 'small'],
    ['films/catenoid', 'small'],
    ['films/foam-125', 'small'],
    ['films/cluster', 'small'],
  ];
  test.each(cases)('%s', async (name, setting) => {
    const { scene, method } = await load(name, [], setting);
    const resources = { heap: createHeap(), threads: createSingleThread() };
    const model = method.build(scene, resources);
    const state = method.start(model);
    const seen = method.measure(model, state);
    const { elements } = method.estimate(scene, 1e-6);
    for (const [kind, count] of Object.entries(elements)) {
      const real = seen[kind as 'tets']!;
      expect(count / real, `${kind}: ${count} for ${real}`).toBeGreaterThan(0.5);
      expect(count / real, `${kind}: ${count} for ${real}`).toBeLessThan(2);
    }
  });
});

describe('estimates', () => {
  test('take a second at most and touch no heap, at any resolution', async () => {
    for (const name of ['lattice/dam-break', 'films/foam-512', 'tracking/voronoi']) {
      const { scene, method, frames } = await load(name);
      const start = performance.now();
      for (const resolution of [1e-12, 1e-3, 0.1])
        estimateRun(method, { ...scene, resolution }, frames, machine);
      expect(performance.now() - start).toBeLessThan(3000);
    }
  });

  test('grow with the inverse cube of the cells, or its square', async () => {
    const { scene, method, frames } = await load('lattice/still-pool');
    const at = (resolution: number) => estimateRun(method, { ...scene, resolution }, frames, machine);
    const ratio = at(0.005).elements['tets'] / at(0.01).elements['tets'];
    expect(ratio).toBeGreaterThan(4);
    expect(ratio).toBeLessThan(8);
    expect(at(0.005).elements['triangles'] / at(0.01).elements['triangles']).toBeCloseTo(4, 1);
  });

  test('time goes with the speed of the machine and its threads', async () => {
    const { scene, method, frames } = await load('lattice/dam-break');
    const on = (more: Partial<Machine>) =>
      estimateRun(method, scene, frames, { ...machine, ...more }).seconds;
    expect(on({ slowness: 3 }) / on({})).toBeCloseTo(3, 9);
    expect(on({ threads: 1 })).toBeGreaterThan(1.2 * on({}));
    expect(describeMachine().slowness).toBeGreaterThan(0.05);
  });
});

describe('what is beyond a limit is refused', () => {
  test('the heap, with a resolution that fits', async () => {
    const message = await refusal('lattice/dam-break', ['resolution=0.002']);
    expect(message).toMatch(
      /^resolution 0\.002 m: the run needs about [\d.]+ GiB, the heap holds at most 4 GiB \(about [\d,]+ tets, [\d,]+ triangles\); make the resolution/,
    );
    const fits = /make the resolution ([\d.]+) m or coarser/.exec(message)![1];
    expect(Number(fits)).toBeGreaterThan(0.002);
    expect(await refusal('lattice/dam-break', [`resolution=${fits}`])).toBe('accepted');
  });

  test("the machine's memory and the engine's", async () => {
    const sets = ['resolution=0.01'];
    expect(await refusal('lattice/dam-break', sets)).toBe('accepted');
    expect(await refusal('lattice/dam-break', sets, { ...machine, memoryBytes: 2 ** 30 })).toContain(
      "of the machine's 1 GiB a run may take 819 MiB",
    );
    expect(await refusal('lattice/dam-break', sets, { ...machine, plainBytes: 2 ** 27 })).toContain(
      "the engine's plain arrays hold at most 128 MiB",
    );
  });

  test('films and tracking, whatever is large about them', async () => {
    const start = (spec: unknown) => [`films.start=${JSON.stringify([spec])}`];
    expect(
      await refusal('films/cube', start({ type: 'boxes', min: [0, 0, 0], max: [1e9, 1e9, 1e9] })),
    ).toContain('the heap holds at most');
    expect(await refusal('tracking/voronoi', ['resolution=1e-9'])).toContain('the heap holds at most');
    expect(await refusal('tracking/voronoi', ['tracking.start[0].cells=1000000000'])).toContain(
      'the heap holds',
    );
  });

  test('planned steps, by frames or by small steps', async () => {
    expect(await refusal('lattice/dam-break', ['duration=1e9'])).toMatch(
      /^duration 1000000000 s: the run would take 3\.00e\+10 steps at 30 frames per second, more than 10,000,000; shorten/,
    );
    const small = await refusal('tracking/voronoi', ['duration=1e6', 'fps=1']);
    expect(small).toMatch(/steps of about 0\.000050 s, more than 10,000,000; shorten it to 5\.0e\+2 s/);
    expect(await refusal('tracking/voronoi', ['duration=450', 'fps=1'])).toBe('accepted');
  });

  test('steps of a frame, with frames that fit', async () => {
    const message = await refusal('tracking/voronoi', ['duration=100', 'fps=0.1']);
    expect(message).toMatch(
      /^fps 0\.1: a frame would take 200,000 steps of about .* more than 20,000; ask for 1\.0 frames per second or more/,
    );
    expect(await refusal('tracking/voronoi', ['duration=100', 'fps=1.01'])).toBe('accepted');
  });

  test('walls that the cells of the surface step over, and no thicker ones', async () => {
    const plate = (thickness: number) => [
      `solids=[{"name":"plate","shape":{"type":"box","min":[0.8,0,0],"max":[${0.8 + thickness},0.8,0.8]}}]`,
    ];
    expect(await refusal('lattice/dam-break', plate(0.002))).toMatch(
      /^solid "plate": it is at most 0\.00\d+ m thick, less than a cell of the surface, 0\.02 m: liquid would get through; make it 0\.02 m thick/,
    );
    expect(await refusal('lattice/dam-break', plate(0.02))).toBe('accepted');
    expect(
      await refusal('lattice/dam-break', [...plate(0.002), 'resolution=0.004', 'duration=0.01']),
    ).toContain('GiB');
  });

  test('starts of tracking outside the domain', async () => {
    const at = (x: number) => [
      `tracking.start=[{"type":"sphere","centre":[${x},0.5,0.5],"radius":0.2}]`,
      'resolution=0.05',
    ];
    expect(await refusal('tracking/enright', at(5))).toMatch(
      /^tracking\.start\[0\]: it reaches from .* out of the domain; move it/,
    );
    expect(await refusal('tracking/enright', at(0.9))).toContain('out of the domain');
    expect(await refusal('tracking/enright', at(0.8))).toBe('accepted');
  });
});

test('check builds what is quickly built, and all bundled scenes of everyday size are', async () => {
  expect(isQuicklyBuilt(await plan('lattice/dam-break'))).toBe(true);
  expect(isQuicklyBuilt(await plan('films/foam-512'))).toBe(true);
  expect(isQuicklyBuilt(await plan('lattice/dam-break', ['resolution=0.01']))).toBe(false);
  expect(LIMITS.checkBytes).toBeLessThan(2 ** 30);
});
