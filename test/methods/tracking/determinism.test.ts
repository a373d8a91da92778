/**
 * Kill and resume anywhere, one thread and two: the same bytes (issue 4, row 11). Scenes with volume debts,
 * topology changes and edge lengths that vary.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../../src/core/threads/node.ts';
import type { Threads } from '../../../src/core/threads/task.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../../src/run/snapshot.ts';
import { createRun, heap, load } from './run-scene.ts';

const pair = createThreads({ heap, count: 2 });
afterAll(async () => (await pair).close());

const cases = [
  { name: 'enright-four', sets: ['resolution=0.07', 'tracking.timeStep=0.025'], frames: 6 },
  { name: 'growing-spheres', sets: ['resolution=0.16', 'tracking.timeStep=0.03333'], frames: 8 },
  { name: 'voronoi', sets: ['resolution=0.14', 'tracking.timeStep=0.0004'], frames: 6 },
  {
    name: 'normal-flow-noise',
    sets: ['resolution=0.14', 'tracking.timeStep=0.01667', 'tracking.sizing={"least":0.6}'],
    frames: 5,
  },
];

/** What every step of a run leaves behind, as bytes. */
function run(
  loaded: Awaited<ReturnType<typeof load>>,
  frames: number,
  threads?: Threads,
  from?: Snapshot,
): { snapshot: Snapshot; bytes: Uint8Array; figures: string }[] {
  const states: { snapshot: Snapshot; bytes: Uint8Array; figures: string }[] = [];
  const going = createRun(loaded, threads, from);
  for (const event of going.events(frames)) {
    if (event.type !== 'step') continue;
    // Scratch on the heap has the size of the largest mesh so far, which a resumed run has not seen.
    const { wall: _, heapBytes: __, ...figures } = event.record;
    const snapshot = going.snapshot();
    states.push({ snapshot, bytes: encodeSnapshot(snapshot), figures: JSON.stringify(figures) });
  }
  return states;
}

describe.each(cases)('$name', ({ name, sets, frames }) => {
  it('goes on after a kill in the middle of a frame as if nothing had been', async () => {
    const loaded = await load(name, sets);
    const straight = run(loaded, frames);
    expect(straight.length).toBeGreaterThan(5);
    const cut = Math.floor(straight.length / 2) - 1;
    const resumed = run(loaded, frames, undefined, decodeSnapshot(straight[cut].bytes, 'test'));
    expect(resumed.length).toBe(straight.length - cut - 1);
    resumed.forEach(({ bytes, figures }, n) => {
      expect(figures).toBe(straight[cut + 1 + n].figures);
      expect(Buffer.compare(bytes, straight[cut + 1 + n].bytes)).toBe(0);
    });
    const moved = Buffer.compare(straight[0].bytes, straight.at(-1)!.bytes);
    expect(moved).not.toBe(0);
  });

  it('gives the same bytes on two threads', async () => {
    const loaded = await load(name, sets);
    const one = run(loaded, frames);
    const two = run(loaded, frames, await pair);
    expect(two.map(({ figures }) => figures)).toEqual(one.map(({ figures }) => figures));
    for (let n = 0; n < one.length; n++) expect(Buffer.compare(one[n].bytes, two[n].bytes)).toBe(0);
  });
});
