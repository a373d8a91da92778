import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFolder, startCli } from './cli-harness.ts';

const folder = createFolder();
afterAll(() => folder.remove());

/** Bytes a step: what the engine's compiled code grows by shows below it, a kept record of a step above. */
const MOST_GROWTH = 1000;
const FIRST = 2000;
const LAST = 6000;

test('a long run of films keeps nothing of its steps', async () => {
  const stats = join(folder.path, 'run', 'stats.jsonl');
  const count = () => (existsSync(stats) ? readFileSync(stats, 'utf8').split('\n').length - 1 : 0);
  const scene = ['films/bubble-in-ring', '--setting', 'small', '--set', 'resolution=0.009'];
  const { child, result } = startCli(['run', ...scene, '--until', '1000', '-o', 'run', '--quiet'], {
    cwd: folder.path,
    imports: ['with-heap-probe.js'],
  });
  const samples: { steps: number; heapUsed: number }[] = [];
  child.stderr!.on('data', (text) => {
    for (const [, heapUsed] of String(text).matchAll(/\{"heapUsed":(\d+)\}/g))
      samples.push({ steps: count(), heapUsed: Number(heapUsed) });
    if ((samples.at(-1)?.steps ?? 0) > LAST) child.kill('SIGTERM');
  });
  await result;
  const used = samples.filter(({ steps }) => steps >= FIRST);
  const [first, last] = [used[0], used.at(-1)!];
  expect(last.steps).toBeGreaterThan(LAST);
  expect(last.steps - first.steps).toBeGreaterThan(2000);
  expect((last.heapUsed - first.heapUsed) / (last.steps - first.steps)).toBeLessThan(MOST_GROWTH);
});
