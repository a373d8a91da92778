import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { buildFlowRate } from '../../src/scene/flow-rate.ts';
import { loadScene } from '../../src/scene/load.ts';
import type { MethodInfo } from '../../src/scene/method-info.ts';

const method: MethodInfo = {
  name: 'lattice',
  options: z.object({}),
  features: ['liquids', 'solids', 'moving solids', 'no-slip walls', 'emitters', 'drains'],
};

/** A scene of one line per key, so that places are easy to name. */
function compose(parts: Record<string, unknown> = {}): string {
  const scene: Record<string, unknown> = {
    version: 1,
    method: 'lattice',
    duration: 2,
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.05,
    liquids: [{ shape: { type: 'box', min: [0, 0, 0], max: [1, 1, 0.3] } }],
    ...parts,
  };
  const lines = Object.entries(scene).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}
const load = (parts: Record<string, unknown>) =>
  loadScene(
    { file: 'a.jsonc', text: compose(parts) },
    { methods: [method], readFile: () => Promise.reject(new Error('no files here')) },
  );
async function problems(parts: Record<string, unknown>): Promise<string[]> {
  const error = await load(parts).then(
    () => new Error('the scene was accepted'),
    (e: Error) => e,
  );
  return error.message.split('\n');
}

const ball = { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.1 };
const nozzle = { type: 'cylinder', from: [0.5, 0.5, 0.7], to: [0.5, 0.5, 0.9], radius: 0.1 };
const tap = { shape: nozzle, direction: [0, 0, -3], flow: 0.01 };
const moving = (motion: unknown, shape: unknown = ball) => ({ solids: [{ shape, motion }] });

describe('moving solids', () => {
  test('are read with their motion and wall', async () => {
    const { scene, document } = await load({
      walls: 'no-slip',
      solids: [
        { name: 'still', shape: ball },
        {
          name: 'turning',
          shape: ball,
          wall: 'no-slip',
          motion: { rotate: { axis: [0, 0, 1], pivot: [0.5, 0.5, 0], revolutionsPerSecond: 0.5, ramp: 0.1 } },
        },
      ],
    });
    expect(scene.wall).toBe('no-slip');
    expect(scene.solids[0]).toMatchObject({ name: 'still', wall: 'slip' });
    expect(scene.solids[0].motion).toBeUndefined();
    expect(scene.solids[1].wall).toBe('no-slip');
    expect(scene.solids[1].motion?.velocityAt(1).angular[2]).toBeCloseTo(Math.PI, 12);
    const again = await loadScene(
      { file: 'a.jsonc', text: JSON.stringify(document) },
      { methods: [method], readFile: () => Promise.reject(new Error()) },
    );
    expect(again.document).toEqual(document);
  });

  test('turn first, are displaced next, and keyframes carry all of that', async () => {
    const { scene } = await load(
      moving({
        rotate: { axis: [0, 0, 1], pivot: [0, 0, 0], revolutionsPerSecond: 0.25 },
        translate: { velocity: [0.1, 0, 0] },
        oscillate: { direction: [0, 0, 1], amplitude: 0.05, frequency: 0.5, phase: 90 },
        keyframes: [{ time: 0 }, { time: 1, rotate: { axis: [1, 0, 0], degrees: 90 } }],
      }),
    );
    const { rotation: r, translation: t } = scene.solids[0].motion!.poseAt(1);
    const x = [0, 1, 2].map((a) => r[3 * a] * 1 + t[a]);
    // [1, 0, 0] turns to [0, 1, 0], is displaced by [0.1, 0, -0.05], and a quarter turn about x makes y z and
    // z -y.
    [0.1, 0.05, 1].forEach((value, a) => {
      expect(x[a]).toBeCloseTo(value, 12);
    });
  });

  test('a union becomes one solid per part, each where the transforms put it', async () => {
    const { scene } = await load({
      solids: [
        {
          name: 'paddle',
          wall: 'no-slip',
          shape: {
            type: 'union',
            transform: { translate: [0, 0, 0.2] },
            shapes: [
              ball,
              {
                type: 'union',
                transform: { scale: 0.5 },
                shapes: [ball, { type: 'difference', from: ball, minus: [ball] }],
              },
            ],
          },
          motion: { translate: { velocity: [0, 0, 0.1] } },
        },
      ],
    });
    expect(scene.solids.map((s) => s.name)).toEqual(['paddle', 'paddle', 'paddle']);
    expect(scene.solids.every((s) => s.wall === 'no-slip' && s.motion === scene.solids[0].motion)).toBe(true);
    expect(scene.solids[0].shape.value(0.5, 0.5, 0.7)).toBeCloseTo(0.1, 12);
    expect(scene.solids[1].shape.value(0.25, 0.25, 0.45)).toBeCloseTo(0.05, 12);
  });

  test('may leave the domain, or come in late', async () => {
    const outside = { ...ball, centre: [0.5, 0.5, 3] };
    await load(moving({ translate: { velocity: [0, 0, 2] } }));
    await load(moving({ translate: { velocity: [0, 0, -2], start: 1 } }, outside));
    const lines = await problems(moving({ translate: { velocity: [0, 0, -2], start: 1.9 } }, outside));
    expect(lines[0]).toMatch(
      /^a\.jsonc:8:21: the solid is outside the domain during all 2 s of its motion; move/,
    );
  });

  const cases: [string, unknown, RegExp][] = [
    ['nothing', {}, /:8:.*motion is \{\}; expected at least one of keyframes, rotate, oscillate, translate/],
    [
      'unknown key',
      { rotat: 1 },
      /^a\.jsonc:8:\d+: unknown key "rotat" in solids\[0\]\.motion; did you mean "rotate"\?/,
    ],
    [
      'unknown key in a part',
      { rotate: { axis: [0, 0, 1], pivot: [0, 0, 0], revolutionsPerSecond: 1, speed: 2 } },
      /unknown key "speed" in solids\[0\]\.motion\.rotate; .*revolutionsPerSecond/,
    ],
    [
      'keyframes out of order',
      { keyframes: [{ time: 1 }, { time: 2 }, { time: 2 }] },
      /keyframes\[2\]\.time is 2; expected a time after that of the entry before, 2 s/,
    ],
    ['one keyframe', { keyframes: [{ time: 1 }] }, /keyframes is .*; expected at least 2 entries/],
    [
      'no axis',
      { rotate: { axis: [0, 0, 0], pivot: [0, 0, 0], revolutionsPerSecond: 1 } },
      /rotate\.axis is \[0,0,0\]; expected a direction other than \[0, 0, 0\]/,
    ],
    [
      'end before start',
      { translate: { velocity: [1, 0, 0], start: 1, end: 0.5 } },
      /translate\.end is 0\.5; expected a time after the start, 1 s/,
    ],
    [
      'long ramp',
      { translate: { velocity: [1, 0, 0], end: 1, ramp: 0.6 } },
      /translate\.ramp is 0\.6; expected at most half the time from start to end: 0\.5 s/,
    ],
    [
      'unit',
      { translate: { velocity: [1, '20 cm/s', 0] } },
      /velocity\[1\] is "20 cm\/s"; .*write 0\.2 without quotes/,
    ],
    [
      'number that is none',
      { oscillate: { direction: [0, 0, 1], amplitude: null, frequency: 1 } },
      /oscillate\.amplitude is null; expected a finite number \(greatest displacement/,
    ],
    [
      'pivot without keyframes',
      { pivot: [0, 0, 0], translate: { velocity: [1, 0, 0] } },
      /motion\.pivot is \[0,0,0\]; expected no "pivot" here, since it belongs to keyframes/,
    ],
    [
      'repeated without return',
      { keyframes: [{ time: 0 }, { time: 1, translate: [1, 0, 0] }], repeat: true },
      /8:\d+: keyframes: the last one leaves the solid elsewhere than the first/,
    ],
  ];
  test.each(cases)('mistake: %s', async (_, motion, message) => {
    const lines = await problems(moving(motion));
    expect(lines.join('\n')).toMatch(message);
    expect(lines).toHaveLength(1);
  });

  test('mistake: a wall of another kind', async () => {
    expect(await problems({ walls: 'noslip' })).toEqual([
      expect.stringMatching(/^a\.jsonc:8:10: walls is "noslip"; did you mean "no-slip"\?/),
    ]);
  });
});

describe('emitters and drains', () => {
  test('are read; an emitter makes liquids at the start unnecessary', async () => {
    const { scene } = await load({
      liquids: [],
      emitters: [{ ...tap, name: 'tap', material: 'honey', start: 0.5, end: 1.5 }],
      drains: [
        {
          shape: ball,
          flow: [
            [0, 0],
            [1, 0.02],
          ],
        },
      ],
    });
    const [emitter] = scene.emitters;
    expect(emitter).toMatchObject({ name: 'tap', direction: [0, 0, -1], material: { name: 'honey' } });
    expect([0, 0.5, 1, 1.5].map(emitter.flowAt)).toEqual([0, 0.01, 0.01, 0]);
    expect(emitter.emittedUntil(1)).toBeCloseTo(0.005, 15);
    expect(emitter.emittedUntil(9)).toBeCloseTo(0.01, 15);
    expect(
      buildFlowRate([
        [0, 1],
        [2, 0],
      ]).over,
    ).toBe(2);
    expect(
      buildFlowRate([
        [0, 1],
        [2, 0.1],
      ]).over,
    ).toBe(Number.POSITIVE_INFINITY);
    expect(emitter.shutFrom).toBe(1.5);
    const [drain] = scene.drains;
    expect(drain.name).toBe('drain 1');
    expect(drain.flowAt(0.25)).toBeCloseTo(0.005, 15);
    expect(drain.drainedUntil(3)).toBeCloseTo(0.01 + 0.04, 15);
  });

  const cases: [string, Record<string, unknown>, RegExp][] = [
    [
      'outside',
      { ...tap, shape: { ...nozzle, from: [3, 0, 0], to: [4, 0, 0] } },
      /8:23: the emitter from \[3, -0\.1, -0\.1\] to \[4, 0\.1, 0\.1\] is wholly outside the domain; move it into/,
    ],
    [
      'thin',
      { ...tap, shape: { ...nozzle, radius: 0.05 } },
      /8:23: the emitter is 0\.1 m thick inside the domain, less than 3 cells of 0\.05 m; make it 0\.15 m thick/,
    ],
    [
      'thick only outside',
      { ...tap, shape: { ...nozzle, from: [0.5, 0.5, 0.9], to: [0.5, 0.5, 1.5] } },
      /the emitter is 0\.1 m thick inside the domain/,
    ],
    [
      'negative flow',
      { ...tap, flow: -1 },
      /emitters\[0\]\.flow is -1; expected a number of at least 0 \(volume per second, m\^3\/s/,
    ],
    [
      'negative flow at a time',
      {
        ...tap,
        flow: [
          [0, 1],
          [1, -1],
        ],
      },
      /emitters\[0\]\.flow\[1\]\[1\] is -1; expected a number of at least 0 \(volume per second, m\^3\/s\)/,
    ],
    [
      'times that do not increase',
      {
        ...tap,
        flow: [
          [0, 1],
          [0, 2],
        ],
      },
      /emitters\[0\]\.flow\[1\]\[0\] is 0; expected a time after that of the entry before, 0 s/,
    ],
    [
      'flow as text',
      { ...tap, flow: '1 l/s' },
      /flow is "1 l\/s"; expected volume per second, m\^3\/s; or a list/,
    ],
    ['no flow', { ...tap, flow: undefined }, /missing "flow" in emitters\[0\]; expected volume per second/],
    ['unknown key', { ...tap, speed: 1 }, /8:\d+: unknown key "speed" in emitters\[0\]; expected/],
    ['material', { ...tap, material: 'watre' }, /unknown material "watre"; did you mean "water"\?/],
    [
      'ended before it starts',
      { ...tap, start: 2, end: 1 },
      /emitters\[0\]\.end is 1; expected a time after the/,
    ],
  ];
  test.each(cases)('mistake: %s', async (_, emitter, message) => {
    const lines = await problems({ emitters: [emitter] });
    expect(lines.join('\n')).toMatch(message);
    expect(lines).toHaveLength(1);
  });

  test('mistake: inside a solid, where that is at time 0', async () => {
    const block = { type: 'box', min: [0.3, 0.3, 0.6], max: [0.7, 0.7, 0.95] };
    const inside = { emitters: [tap], solids: [{ shape: block }] };
    expect((await problems(inside))[0]).toMatch(
      /the emitter is wholly inside solids; move it, or the solids/,
    );
    const motion = { oscillate: { direction: [1, 0, 0], amplitude: 0.45, frequency: 1, phase: 90 } };
    await load({ emitters: [tap], solids: [{ shape: block, motion }] });
    expect((await problems({ drains: [{ shape: nozzle, flow: 1 }], solids: [{ shape: block }] }))[0]).toMatch(
      /the drain is wholly inside solids/,
    );
  });
});

test('a flow and its integral agree', () => {
  // fc.double prefers tiny numbers.
  const number = (min: number, max: number) =>
    fc.integer({ min: 0, max: 1e6 }).map((n) => min + (n / 1e6) * (max - min));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number(0.1, 1), number(0, 2)), { minLength: 1, maxLength: 5 }),
      number(-1, 2),
      number(0.1, 3),
      number(0, 6),
      (gaps, start, length, time) => {
        let t = -0.5;
        const knots = gaps.map(([gap, flow]): [number, number] => {
          t += gap;
          return [t, flow];
        });
        const flow = buildFlowRate(knots, start, start + length);
        const count = 2000;
        let sum = 0;
        for (let i = 0; i < count; i++) sum += flow.at(((i + 0.5) * time) / count) * (time / count);
        // The midpoint rule misses at most a step's worth at start and end.
        expect(Math.abs(flow.until(time) - sum)).toBeLessThan((2 * 2 * time) / count + 1e-6);
        expect(flow.until(0)).toBe(0);
      },
    ),
    { seed: 3, numRuns: 100 },
  );
});
