/**
 * Bubbles that burst at random do so by the scene's seed: others with another, the same ones with the same.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/random.ts';
import { createRun, load, measureNow } from '../run-scene.ts';

const BUBBLES = 12;
const POPS = 3;

/** Labels of the bubbles in the order in which they burst. */
async function listBurst(seed: number): Promise<number[]> {
  const run = createRun(
    await load('popping', [
      `seed=${seed}`,
      'resolution=0.02',
      'duration=0.003',
      'fps=1000',
      'films.start=[{"type":"boxes","min":[0,0,0],"max":[0.06,0.04,0.04],"count":[3,2,2]}]',
      `films.randomPops={"start":0,"interval":0.001,"count":${POPS}}`,
    ]),
  );
  let left = measureNow(run).regions.map(({ label }) => label);
  expect(left.length).toBe(BUBBLES);
  const burst: number[] = [];
  for (const event of run.events()) {
    if (event.type !== 'step') continue;
    const now = event.record.regions!.map(({ label }) => label);
    burst.push(...left.filter((label) => !now.includes(label)));
    left = now;
  }
  return burst;
}

/** All bubbles are at the outside and open into it, so that each draw takes one label off the list. */
function drawBurst(seed: number): number[] {
  const random = createRandom(seed);
  const labels = Array.from({ length: BUBBLES }, (_, n) => n + 1);
  return Array.from({ length: POPS }, () => labels.splice(random.nextInt(labels.length), 1)[0]);
}

describe('random pops', () => {
  it('every seed has its own order, the same in every run, and all bubbles are drawn alike', async () => {
    const seeds = [1, 2, 3, 4, 5, 6];
    const orders: string[] = [];
    for (const seed of seeds) {
      const burst = await listBurst(seed);
      expect(burst).toEqual(drawBurst(seed));
      orders.push(burst.join());
    }
    expect(new Set(orders).size).toBe(seeds.length);
    expect((await listBurst(seeds[2])).join()).toBe(orders[2]);
  });
});
