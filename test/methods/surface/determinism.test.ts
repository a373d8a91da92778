/**
 * Kill and resume anywhere, one thread and two: the same bytes, also while drops merge and with multipole
 * sums.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { MOST_FULL } from '../../../src/integrals/panels/first-kind.ts';
import { surface } from '../../../src/methods/surface/surface.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../../src/run/snapshot.ts';
import { openScenes } from '../bundled-scenes.ts';

const { heap, load, createRun } = openScenes(surface);
const pair = createThreads({ heap, count: 2 });
afterAll(async () => (await pair).close());

const cases = [
  {
    // Merges within the first frames.
    name: 'head-on-80',
    sets: ['resolution=0.0006', 'duration=0.0008', 'fps=10000'],
    isLarge: false,
  },
  {
    // With edges that vary (23.1), which are sized anew after a kill.
    name: 'head-on-80',
    sets: ['resolution=0.0007', 'duration=0.0006', 'fps=10000', 'surface.sizing.least=0.5'],
    isLarge: false,
  },
  {
    name: 'oscillating-drop',
    sets: ['resolution=0.0001', 'duration=0.00002', 'fps=200000'],
    isLarge: true,
  },
];

function run(loaded: Awaited<ReturnType<typeof load>>, threads?: Threads, from?: Snapshot) {
  const states: Uint8Array[] = [];
  let merges = 0;
  let triangles = 0;
  const going = createRun(loaded, threads, from);
  for (const event of going.events()) {
    if (event.type !== 'step') continue;
    states.push(encodeSnapshot(going.snapshot()));
    merges += event.record.events['merges'] ?? 0;
    triangles = event.record.triangles!;
  }
  return { states, merges, triangles };
}

describe.each(cases)('$name', ({ name, sets, isLarge }) => {
  it('goes on after a kill as if nothing had been, and gives the same bytes on two threads', async () => {
    const loaded = await load(name, sets);
    const { states: straight, merges, triangles } = run(loaded);
    if (isLarge) expect(triangles).toBeGreaterThan(MOST_FULL);
    else expect(merges).toBeGreaterThan(0);
    expect(straight.length).toBeGreaterThan(3);
    const cut = Math.floor(straight.length / 2) - 1;
    const { states: resumed } = run(loaded, undefined, decodeSnapshot(straight[cut], 'test'));
    expect(resumed.length).toBe(straight.length - cut - 1);
    for (let n = 0; n < resumed.length; n++)
      expect(Buffer.compare(resumed[n], straight[cut + 1 + n])).toBe(0);
    expect(Buffer.compare(straight[0], straight.at(-1)!)).not.toBe(0);
    const { states: two } = run(loaded, await pair);
    expect(two.length).toBe(straight.length);
    for (let n = 0; n < two.length; n++) expect(Buffer.compare(two[n], straight[n])).toBe(0);
  });
});
