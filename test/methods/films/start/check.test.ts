/**
 * Scenes that cannot be meant are refused where they are wrong, before anything runs; bundled scenes pass.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../src/core/errors.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { films } from '../../../../src/methods/films/films.ts';
import { LEAST_LEGENDRE } from '../../../../src/methods/films/start/options.ts';
import { computeLegendre } from '../../../../src/methods/films/start/start.ts';
import { loadScene } from '../../../../src/scene/load.ts';
import { load } from '../run-scene.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const readFile = () => Promise.reject(new Error('no files here'));

/** Loads and builds a scene with these options in a domain of 2 m. */
async function build(options: Record<string, unknown>, resolution = 0.3): Promise<void> {
  const text = JSON.stringify({
    version: 1,
    method: 'films',
    duration: 1,
    fps: 10,
    domain: { min: [-1, -1, -1], max: [1, 1, 1] },
    resolution,
    films: options,
  });
  const { scene } = await loadScene({ file: 'bad.jsonc', text }, { methods: [films], readFile });
  films.build(scene, resources);
}

async function refuse(options: Record<string, unknown>): Promise<string> {
  const error = await build(options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

const bubble = (x: number, radius: number, more = {}) => ({
  type: 'bubble',
  centre: [x, 0, 0],
  radius,
  ...more,
});
const one = { start: [bubble(0, 0.5)] };
const box = { type: 'boxes', min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };
const frame = { type: 'frame', solid: 'octahedron', centre: [0, 0, 0], radius: 0.5 };
const sheet = (profile: number[][], left: number, right: number) => ({ profile, left, right });
const revolution = (...sheets: unknown[]) => ({ type: 'revolution', sheets });
const BALL = [
  [0, -0.5],
  [0.5, 0],
  [0, 0.5],
];
/** The ball, and from its belt a second film over it with region `inner` inside. */
const forked = (inner: number) =>
  revolution(
    sheet([BALL[0], BALL[1]], 1, 0),
    sheet([BALL[1], BALL[2]], 1, 2),
    sheet([BALL[1], [0, 0.9]], inner, 0),
  );
const SMALL_BALL = BALL.map((x) => x.map((c) => 0.5 * c));
const ring = (radius: number, more = {}) => ({
  type: 'ring',
  centre: [0, 0, 0],
  axis: [0, 0, 1],
  radius,
  ...more,
});
const belted = revolution(sheet(BALL, 1, 0));

/** What is wrong, the options, and what the message must say. */
const BAD: [string, Record<string, unknown>, ...string[]][] = [
  ['a wire off the films', { ...one, wires: [ring(0.8)] }, 'films.wires[0]', 'the nearest vertex is 0.3'],
  [
    'the second wire off the films',
    { start: [belted], wires: [ring(0.5), ring(0.3)] },
    'films.wires[1]',
    '0.17 m away',
  ],
  [
    'a moving wire off the films',
    { start: [belted], wires: [ring(0.3, { motion: { translate: { velocity: [0, 0, 1] } } })] },
    'films.wires[0]',
  ],
  [
    'two wires in one place',
    { start: [belted], wires: [ring(0.5), ring(0.5)] },
    'films.wires[1]',
    'another wire',
  ],
  [
    'a wire on what closes an opening',
    {
      start: [forked(2)],
      openings: [2],
      wires: [ring(0.25, { centre: [0, 0, 0.25] })],
    },
    'films.wires[0]',
    'holds no film',
  ],
  [
    'a wire without length',
    {
      ...one,
      wires: [
        {
          type: 'polyline',
          points: [
            [0, 0, 0.5],
            [0, 0, 0.5],
          ],
        },
      ],
    },
    'films.wires[0].points',
    'two different points',
  ],
  [
    'a pop of no region',
    { ...one, pops: [{ time: 0.1, region: 99 }] },
    'films.pops[0].region',
    'region 99; there are 0, 1',
  ],
  [
    'a pop into no region',
    { ...one, pops: [{ time: 0.1, region: 1, into: 7 }] },
    'films.pops[0].into',
    'region 7',
  ],
  ['a pop into itself', { ...one, pops: [{ time: 0.1, region: 1, into: 1 }] }, 'films.pops[0].into'],
  [
    'a source in no region',
    { ...one, sources: [{ region: 99, rate: 1 }] },
    'films.sources[0].region',
    'region 99',
  ],
  [
    'a source in the air outside',
    { ...one, sources: [{ region: 0, rate: 1 }] },
    'films.sources[0].region is 0',
  ],
  [
    'a source that ends before it begins',
    { ...one, sources: [{ region: 1, rate: 1, start: 0.5, end: 0.2 }] },
    'films.sources[0].end is 0.2',
    'after the start, 0.5 s',
  ],
  [
    'a source out of the domain, if later',
    { ...one, sources: [{ region: 1, rate: 1, start: 0.5, position: [5, 5, 5] }] },
    'films.sources[0].position',
    '[5, 5, 5] m is outside the domain',
  ],
  [
    'a source out of its region',
    {
      start: [bubble(-0.5, 0.3), bubble(0.5, 0.3, { label: 2 })],
      sources: [{ region: 2, rate: 1, position: [-0.5, 0, 0] }],
    },
    'films.sources[0].position',
    'outside region 2',
  ],
  ['a box left out that is none', { start: [{ ...box, without: [99] }] }, 'films.start[0].without[0] is 99'],
  ['all boxes left out', { start: [{ ...box, without: [1] }] }, 'films.start[0].without'],
  [
    'films out of the domain',
    { start: [bubble(0, 0.4), bubble(0.8, 0.3, { label: 2 })] },
    'films.start[1]',
    'outside the domain',
  ],
  [
    'overlapping bubbles',
    { start: [bubble(-0.6, 0.1), bubble(0, 0.4, { label: 2 }), bubble(0.4, 0.4, { label: 3 })] },
    'films.start[1] and films.start[2]: overlap',
    'move them apart',
  ],
  ['the same bubble twice', { start: [bubble(0, 0.4), bubble(0, 0.4)] }, 'films.start[0] and films.start[1]'],
  [
    'a bubble in a bubble that says it is in the open',
    { start: [bubble(0, 0.2, { label: 2 }), bubble(0, 0.6)] },
    'films.start[0]: region 0 is around it, but it lies in region 1 of films.start[1]',
  ],
  ['a flat box', { start: [{ ...box, max: [0.5, 0.5, -0.5] }] }, 'films.start[0].max[2] is -0.5'],
  ['a box inside out', { start: [{ ...box, min: [0.6, -0.5, -0.5] }] }, 'films.start[0].max[0] is 0.5'],
  [
    'cells in a box inside out',
    { start: [{ type: 'voronoi', min: [0, 0.2, 0], max: [1, 0.1, 1], cells: 3 }] },
    'films.start[0].max[1] is 0.1',
  ],
  [
    'a seed outside of its box',
    { start: [bubble(0, 0.1), { type: 'voronoi', min: [0.2, 0, 0], max: [1, 1, 1], cells: [[0, 0, 0]] }] },
    'films.start[1], seed 0',
  ],
  [
    'a mode that turns the bubble inside out',
    { start: [bubble(0, 0.1, { mode: { order: 2, amplitude: 5 } })] },
    'films.start[0].mode.amplitude is 5',
    'between -1 and 2',
  ],
  [
    'a mode that closes one side',
    { start: [bubble(0, 0.1, { mode: { order: 3, amplitude: 1 } })] },
    'films.start[0].mode.amplitude is 1',
  ],
  ['spheres that do not meet', { start: [{ ...doubleBubble(1) }] }, 'films.start[0], double sphere'],
  ['a frame with roofs for films', { start: [frame] }, 'films.start[0]', 'add 0 to films.openings'],
  [
    'a frame beyond its face',
    { start: [{ ...frame, middle: [0.4, 0.4, 0] }], openings: [0] },
    'films.start[0], middle',
    'outside a face of the octahedron',
  ],
  [
    'a bubble that an opening takes for none',
    { start: [frame, bubble(0.8, 0.1, { label: 9 })], openings: [0] },
    'films.start[1]',
    'none of its faces is a film',
  ],
  ['an opening to no region', { ...one, openings: [4] }, 'films.openings[0]', 'region 4'],
  [
    'a profile that ends in the open',
    { start: [bubble(0.8, 0.1), revolution(sheet(BALL.slice(0, 2), 1, 0))] },
    'films.start[1]',
    'leave region 0 and 1 open',
    'end on the axis',
  ],
  [
    'regions that do not fit at a ring',
    {
      start: [forked(1)],
    },
    'films.start[0]',
  ],
  [
    'a profile along the axis',
    {
      start: [
        revolution(
          sheet(
            [
              [0, 0],
              [0, 1],
            ],
            1,
            0,
          ),
        ),
      ],
    },
    'films.start[0], sheets',
  ],
  [
    'a profile that stands still',
    { start: [revolution(sheet([BALL[0], BALL[1], BALL[1], BALL[2]], 1, 0))] },
    'films.start[0].sheets[0].profile[2]',
  ],
  ['one region on both sides', { start: [revolution(sheet(BALL, 1, 1))] }, 'films.start[0].sheets[0].right'],
  [
    'left and right swapped',
    { start: [revolution(sheet(BALL, 0, 1))] },
    'films.start[0]: region 1 is around',
  ],
  [
    'profiles that cross',
    {
      start: [
        revolution(
          sheet(BALL, 1, 0),
          sheet(
            BALL.map(([r, z]) => [r, z + 0.3]),
            2,
            0,
          ),
        ),
      ],
    },
    'films.start[0]: meets itself',
  ],
  [
    'a bubble labelled as the outside',
    { start: [bubble(0, 0.5, { label: 0 })] },
    'films.start[0].label is 0',
  ],
];

function doubleBubble(distance: number) {
  return { type: 'double-bubble', centre: [0, 0, 0], radius: 0.3, distance };
}

describe('refused with place, number and remedy', () => {
  it.each(BAD)('%s', async (_, options, ...says) => {
    const message = await refuse(options);
    for (const part of says) expect(message).toContain(part);
    // where: what; remedy
    expect(message).toMatch(/: .+; .+/);
  });
});

describe('accepted', () => {
  const good: [string, Record<string, unknown>][] = [
    ['bubbles near each other', { start: [bubble(-0.3, 0.29), bubble(0.3, 0.29, { label: 2 })] }],
    [
      'a bubble in a bubble that says so',
      { start: [revolution(sheet(BALL, 1, 0), sheet(SMALL_BALL, 2, 1))] },
    ],
    ['a hollow of boxes', { start: [{ ...box, count: [3, 3, 3], without: [14] }] }],
    [
      'a bubble in a hollow of boxes',
      { start: [{ ...box, count: [3, 3, 3], without: [14] }, bubble(0, 0.1, { label: 30 })] },
    ],
    [
      'a source in its bubble, and one that waits',
      {
        ...one,
        sources: [
          { region: 1, rate: 1, position: [0.2, 0, 0] },
          { region: 1, rate: 1, position: [0.9, 0, 0], start: 0.1 },
        ],
      },
    ],
    ['a peanut', { start: [bubble(0, 0.3, { mode: { order: 2, amplitude: 1.5 } })] }],
    ['a ring on a belt', { start: [belted], wires: [ring(0.5)] }],
    ['a frame with openings', { start: [frame], openings: [0] }],
  ];
  it.each(good)('%s', async (_, options) => {
    await build(options);
  });

  it('every bundled scene, as it stands and small', async () => {
    const names = readdirSync(new URL('../../../../scenes/films/', import.meta.url));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      for (const setting of [undefined, 'small']) {
        const { scene } = await load(name.replace('.jsonc', ''), [], setting);
        films.build(scene, resources);
      }
    }
  });
});

it('bounds of Legendre polynomials are below all their values, and not by much', () => {
  for (const [n, bound] of Object.entries(LEAST_LEGENDRE)) {
    let least = Infinity;
    for (let x = -1; x <= 1; x += 1e-4) least = Math.min(least, computeLegendre(Number(n), x));
    expect(bound).toBeLessThanOrEqual(least + 1e-12);
    expect(bound).toBeGreaterThan(least - 1e-4);
  }
});

it('64,000 faces, of which half lie within the others, are checked in no more than seconds', async () => {
  const divisions = 40;
  const before = process.cpuUsage();
  await expect(
    build({ start: [bubble(0, 0.8, { divisions }), bubble(0, 0.5, { divisions, label: 2 })] }, 0.02),
  ).rejects.toThrow('films.start[1]: region 0 is around it');
  // Building and checking take 0.7 s of a processor, all pairs of faces would take minutes.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(4);
}, 30_000);
