import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countFrames, createFolder, readRun, runCli, runUntilKilled } from './cli-harness.ts';

/** The lattice method through the command line: the same bytes on any number of threads, and after a kill. */
const folder = createFolder();
const cwd = folder.path;
const at = (...path: string[]) => join(cwd, ...path);
const args = [
  'run',
  'lattice/dam-break',
  '--set',
  'resolution=0.1',
  '--set',
  'output.volume=2',
  '--frames',
  '6',
];

let straight: Record<string, string>;
beforeAll(async () => {
  const { code, stderr } = await runCli([...args, '--threads', '1', '-o', 'straight'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);
  straight = readRun(at('straight'));
  expect(Object.keys(straight)).toEqual(expect.arrayContaining(['volume.pvd', 'surface/000000.ply']));
});
afterAll(() => folder.remove());

test('the liquid falls and keeps its volume', () => {
  const lines = readFileSync(at('straight', 'stats.jsonl'), 'utf8').trim().split('\n');
  const first = JSON.parse(lines[0]);
  const last = JSON.parse(lines.at(-1)!);
  expect(last.time).toBeCloseTo(0.2, 12);
  expect(last.centreOfMass[2]).toBeLessThan(first.centreOfMass[2] - 0.02);
  expect(Math.abs(last.volume / first.volume - 1)).toBeLessThan(0.02);
  expect(last.solver.pressure.iterations).toBeGreaterThan(0);
});

test('two threads give the bytes of one', async () => {
  const { code, stderr } = await runCli([...args, '--threads', '2', '-o', 'two'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);
  expect(readRun(at('two'))).toEqual(straight);
});

test('killed with SIGKILL and resumed, the run gives the bytes of the straight one', async () => {
  await runUntilKilled([...args, '--threads', '1'], cwd, 'killed', 3);
  expect(countFrames(at('killed'))).toBeLessThan(7);
  const { code, stderr } = await runCli(['resume', 'killed'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);
  expect(readRun(at('killed'))).toEqual(straight);
});
