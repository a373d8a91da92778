import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countFrames, createFolder, readRun, runCli, runUntilKilled } from './cli-harness.ts';

/** The films method through the command line: the same bytes after a kill. */
const folder = createFolder();
const cwd = folder.path;
const at = (dir: string) => join(cwd, dir);
const args = ['run', 'films/popping', '--setting', 'small', '--set', 'resolution=0.012', '--threads', '1'];
const short = ['--set', 'fps=500', '--frames', '10'];
const pops = ['--set', 'films.randomPops={"start":0.004,"interval":0.008,"count":2}'];

afterAll(() => folder.remove());

test('killed with SIGKILL and resumed, the run gives the bytes of the straight one', async () => {
  const all = [...args, ...short, ...pops];
  const { code, stderr } = await runCli([...all, '-o', 'straight'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);
  expect(countFrames(at('straight'))).toBe(11);
  await runUntilKilled(all, cwd, 'killed', 4);
  expect(countFrames(at('killed'))).toBeLessThan(11);
  const resumed = await runCli(['resume', 'killed'], { cwd });
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('done')]);
  // The tracker's lists have grown by doubling, or were made for what is there.
  expect(readRun(at('killed'), 'heapBytes')).toEqual(readRun(at('straight'), 'heapBytes'));
});

test('export to VTU says that films have no tetrahedra, not that the run kept none', async () => {
  await runCli([...args, '--set', 'fps=500', '--frames', '1', '-o', 'exported'], { cwd });
  const { code, stderr } = await runCli(['export', 'exported', '--to', 'vtu'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toBe('note: the files hold the surface: the films method makes no tetrahedra\n');
});
