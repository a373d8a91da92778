/** Kill and resume anywhere, one thread and two: the same bytes. */
import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { MULTIPOLE_PAIRS_SINGLE } from '../../../src/integrals/kernel-sum.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../../src/run/snapshot.ts';
import { createRun, heap, load, takeFilms } from './run-scene.ts';

const pair = createThreads({ heap, count: 2 });
afterAll(async () => (await pair).close());

const cases: readonly { name: string; sets: string[]; isLarge?: boolean }[] = [
  {
    name: 'popping',
    sets: [
      'resolution=0.016',
      'duration=0.006',
      'fps=1000',
      'films.randomPops={"start":0.001,"interval":0.002,"count":2}',
    ],
  },
  {
    // Amid kneading.
    name: 'foam-125',
    sets: [
      'resolution=0.012',
      'duration=0.008',
      'fps=1000',
      'films.kneading={"amplitude":0.6,"period":0.004,"end":0.02}',
    ],
  },
  {
    // Kneaded coarse, then refined.
    name: 'foam-125',
    sets: [
      'resolution=0.009',
      'duration=0.004',
      'fps=1000',
      'films.kneading={"amplitude":0.6,"period":0.002,"end":0.002,"resolution":0.014}',
    ],
  },
  { name: 'pulling-apart', sets: ['resolution=0.011', 'duration=0.006', 'fps=1000'] },
  // Openings, and wires that move.
  { name: 'sweeping-ring', sets: ['resolution=0.009', 'duration=0.01', 'fps=500'] },
  {
    name: 'catenoid',
    sets: ['resolution=0.009', 'duration=0.01', 'fps=500', 'films.integrator="runge-kutta"'],
  },
  {
    name: 'blowing',
    sets: [
      'resolution=0.007',
      'duration=0.008',
      'fps=1000',
      'films.sources=[{"region":2,"rate":1.5e-4,"start":0.002,"end":0.006},{"region":1,"rate":-5e-5,"end":0.005}]',
    ],
  },
  {
    // Large enough for multipoles.
    name: 'cluster',
    sets: ['resolution=0.0036', 'duration=0.0005', 'fps=10000'],
    isLarge: true,
  },
];

function run(loaded: Awaited<ReturnType<typeof load>>, threads?: Threads, from?: Snapshot): Uint8Array[] {
  const states: Uint8Array[] = [];
  const going = createRun(loaded, threads, from);
  for (const event of going.events())
    if (event.type === 'step') states.push(encodeSnapshot(going.snapshot()));
  return states;
}

describe.each(cases)('$name', ({ name, sets, isLarge }) => {
  it('goes on after a kill as if nothing had been, and gives the same bytes on two threads', async () => {
    const loaded = await load(name, sets);
    if (isLarge) {
      const faces = takeFilms(createRun(loaded)).triangle.length / 3;
      expect(faces ** 2).toBeGreaterThan(MULTIPOLE_PAIRS_SINGLE.vectorPotential);
    }
    const straight = run(loaded);
    expect(straight.length).toBeGreaterThan(5);
    const cut = Math.floor(straight.length / 2) - 1;
    const resumed = run(loaded, undefined, decodeSnapshot(straight[cut], 'test'));
    expect(resumed.length).toBe(straight.length - cut - 1);
    for (let n = 0; n < resumed.length; n++)
      expect(Buffer.compare(resumed[n], straight[cut + 1 + n])).toBe(0);
    expect(Buffer.compare(straight[0], straight.at(-1)!)).not.toBe(0);
    const two = run(loaded, await pair);
    expect(two.length).toBe(straight.length);
    for (let n = 0; n < two.length; n++) expect(Buffer.compare(two[n], straight[n])).toBe(0);
  });
});
