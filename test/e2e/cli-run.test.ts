import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countFrames as countFramesIn,
  createFolder,
  readRun,
  runCli,
  startCli,
  waitFor,
} from './cli-harness.ts';

const folder = createFolder();
const cwd = folder.path;
const at = (...path: string[]) => join(cwd, ...path);
const info = (dir: string) => JSON.parse(readFileSync(at(dir, 'run.json'), 'utf8'));
const countFrames = (dir: string) => countFramesIn(at(dir));

let straight: Record<string, string>;
beforeAll(async () => {
  const { code, stderr } = await runCli(['run', 'ball.jsonc', '-o', 'straight'], { cwd });
  expect(stderr).toContain('done');
  expect(code).toBe(0);
  straight = readRun(at('straight'));
});
afterAll(() => folder.remove());

describe('a run', () => {
  test('leaves the run folder of the plan and says how to look at it', async () => {
    const { stderr } = await runCli(['run', 'ball.jsonc', '-o', 'said'], { cwd });
    expect(stderr).toMatch(/frame 10\/10 .*s\/frame .*ETA .*1 tets {2}8 triangles/);
    expect(stderr).toMatch(
      /done: 11 frames, \d+ steps[\s\S]*result in said; look at it with: npx meniscus view said/,
    );
    expect(readdirSync(at('straight')).sort()).toEqual([
      'checkpoint',
      'run.json',
      'stats.jsonl',
      'surface',
      'volume',
      'volume.pvd',
    ]);
    expect(readdirSync(at('straight', 'surface'))).toHaveLength(11);
    expect(readdirSync(at('straight', 'volume'))).toEqual([
      '000000.vtu',
      '000003.vtu',
      '000006.vtu',
      '000009.vtu',
    ]);
    expect(readdirSync(at('straight', 'checkpoint'))).toHaveLength(2);
    expect(info('straight')).toMatchObject({
      method: 'ball',
      status: 'done',
      lastFrame: 10,
      totals: { frames: 11, time: 0.5 },
    });
    expect(info('straight').scene).toMatchObject({ duration: 0.5, gravity: [0, 0, -9.81] });
  });

  test('repeats bit for bit, also on two threads', async () => {
    await runCli(['run', 'ball.jsonc', '-o', 'again', '--quiet', '--threads', '2'], { cwd });
    expect(readRun(at('again'))).toEqual(straight);
  });

  test('--json prints a record per frame, --frames and --set take effect', async () => {
    const args = [
      'run',
      'ball.jsonc',
      '-o',
      'json',
      '--json',
      '--frames',
      '4',
      '--set',
      'resolution=0.05',
      '--set',
      'gravity=[0,0,-1]',
    ];
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map((r) => r.frame)).toEqual([0, 1, 2, 3, 4]);
    expect(records[4]).toMatchObject({ time: 0.2, triangles: 8, volume: (4 / 3) * 0.05 ** 3 });
    expect(info('json').scene).toMatchObject({ resolution: 0.05, gravity: [0, 0, -1] });
  });

  test('refuses a folder that is taken, replaces it with --overwrite, but never what is no run', async () => {
    await runCli(['run', 'ball.jsonc', '-o', 'taken', '--quiet', '--frames', '3'], { cwd });
    const again = await runCli(['run', 'ball.jsonc', '-o', 'taken'], { cwd });
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(
      /taken: the folder already holds a run; continue it with --resume, replace it with --overwrite/,
    );
    expect(
      (await runCli(['run', 'ball.jsonc', '-o', 'taken', '--overwrite', '--frames', '2'], { cwd })).code,
    ).toBe(0);
    expect(countFrames('taken')).toBe(3);
    mkdirSync(at('mine'));
    writeFileSync(at('mine', 'thesis.txt'), 'do not touch');
    const refused = await runCli(['run', 'ball.jsonc', '-o', 'mine', '--overwrite'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('the folder holds no run, so nothing in it is replaced');
    expect(readdirSync(at('mine'))).toEqual(['thesis.txt']);
  });
});

describe('resume', () => {
  /** Starts a slow run and calls `then` once it has written a few frames. */
  async function startSlow(dir: string, frames: number, delay = 4) {
    const started = startCli(['run', 'ball.jsonc', '-o', dir, '--set', `ball.delay=${delay}`], { cwd });
    await waitFor(`${frames} frames`, () => countFrames(dir) >= frames);
    return started;
  }

  test('after kill -9 gives the bytes of the straight run', async () => {
    for (const [dir, frames] of [
      ['killed1', 1],
      ['killed4', 4],
      ['killed7', 7],
    ] as const) {
      const { child, result } = await startSlow(dir, frames);
      child.kill('SIGKILL');
      await result;
      expect(info(dir).status).toBe('running');
      const { code, stderr } = await runCli(['resume', dir], { cwd });
      expect(stderr).toContain('done');
      expect(code).toBe(0);
      expect(readRun(at(dir))).toEqual(straight);
      expect(readdirSync(at(dir, 'surface')).filter((f) => f.endsWith('.tmp'))).toEqual([]);
    }
  });

  test('after Ctrl-C, which finishes the step, writes a checkpoint and says how to go on', async () => {
    const { child, result } = await startSlow('interrupted', 3);
    child.kill('SIGINT');
    const { code, stderr } = await result;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /stopping after this step[\s\S]*stopped at t = .* s; continue with: npx meniscus resume interrupted/,
    );
    expect(info('interrupted').status).toBe('interrupted');
    const done = await runCli(
      ['run', 'ball.jsonc', '-o', 'interrupted', '--set', 'ball.delay=4', '--resume', '--quiet'],
      { cwd },
    );
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(readRun(at('interrupted'))).toEqual(straight);
  });

  test('a second Ctrl-C quits at once, and nothing finished is lost', async () => {
    const started = startCli(['run', 'ball.jsonc', '-o', 'twice', '--set', 'ball.delay=400'], { cwd });
    await waitFor('frame 0', () => countFrames('twice') >= 1);
    started.child.kill('SIGINT');
    // The step is busy; both signals are heard as soon as it ends, or the first alone suffices.
    started.child.kill('SIGINT');
    const { code } = await started.result;
    expect([0, 130]).toContain(code);
    expect(countFrames('twice')).toBeGreaterThanOrEqual(1);
  });

  test('goes on for longer with --until, as a longer run would', async () => {
    await runCli(['run', 'ball.jsonc', '-o', 'long', '--quiet', '--frames', '4'], { cwd });
    expect((await runCli(['resume', 'long', '--until', '0.5'], { cwd })).code).toBe(0);
    expect(readRun(at('long'))).toEqual(straight);
    const done = await runCli(['resume', 'long'], { cwd });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('long is complete: frame 10 of 10');
  });

  test('--from goes back to a frame that has a checkpoint, and names those that have', async () => {
    await runCli(['run', 'ball.jsonc', '-o', 'back', '--quiet'], { cwd });
    const none = await runCli(['resume', 'back', '--from', '3'], { cwd });
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(
      'there is no checkpoint of frame 3; checkpoints exist for: frame 9, frame 10',
    );
    expect((await runCli(['resume', 'back', '--from', '9'], { cwd })).code).toBe(0);
    expect(readRun(at('back'))).toEqual(straight);
  });

  test('a damaged checkpoint: falls back to the one before, with a warning; both damaged: exit 2, frames untouched', async () => {
    await runCli(['run', 'ball.jsonc', '-o', 'damaged', '--quiet', '--frames', '6'], { cwd });
    const [older, newer] = readdirSync(at('damaged', 'checkpoint')).sort();
    const spoil = (file: string) => {
      const bytes = readFileSync(at('damaged', 'checkpoint', file));
      bytes[bytes.length - 5] ^= 1;
      writeFileSync(at('damaged', 'checkpoint', file), bytes);
    };
    spoil(newer);
    const { code, stderr } = await runCli(['resume', 'damaged', '--until', '0.5'], { cwd });
    expect(stderr).toMatch(
      new RegExp(`warning: .*${newer}: the checkpoint is damaged: checksum .*falling back`),
    );
    expect(code).toBe(0);
    expect(readRun(at('damaged'))).toEqual(straight);
    for (const file of readdirSync(at('damaged', 'checkpoint'))) spoil(file);
    const both = await runCli(['resume', 'damaged', '--until', '1'], { cwd });
    expect(both.code).toBe(2);
    expect(both.stderr).toMatch(
      /no checkpoint can be read: .*damaged.* and .*damaged.*; the frames written so far are untouched; start again/,
    );
    expect(readRun(at('damaged'))).toEqual(straight);
    expect(older).not.toBe(newer);
  });

  test('refuses another scene, and a run that is still going', async () => {
    const other = await runCli(
      ['run', 'ball.jsonc', '-o', 'straight', '--resume', '--set', 'resolution=0.2'],
      { cwd },
    );
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('the run in this folder has another "resolution" than the scene');
    const { child, result } = await startSlow('busy', 1, 400);
    const second = await runCli(['resume', 'busy'], { cwd });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`process ${child.pid} is still writing this run`);
    child.kill('SIGKILL');
    await result;
  });
});

describe('the balance', () => {
  const leak = ['run', 'ball.jsonc', '--set', 'ball.leak=0.001'];

  test('is told at the end and kept in run.json', async () => {
    const { code, stderr } = await runCli(['run', 'ball.jsonc', '-o', 'kept', '--strict'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('volume kept 100 %');
    expect(info('kept').balance).toMatchObject({ within: true, volume: { kept: 1 } });
    expect(info('kept').notes).toEqual([]);
  });

  test('beyond a bound it is said with the frame, also with --quiet; --strict fails the run', async () => {
    const loose = await runCli([...leak, '-o', 'loose'], { cwd });
    expect(loose.code).toBe(0);
    expect(loose.stderr).toContain('done, out of bounds: 11 frames');
    const line =
      /volume kept 8\d\.?\d* % of what should be there: off by more than 1 % from frame 1 on, at worst 8\d\.?\d* % in frame 10/;
    expect(loose.stderr).toMatch(line);
    expect(info('loose')).toMatchObject({
      status: 'done',
      balance: { within: false, volume: { beyondFrom: 1 } },
    });
    const strict = await runCli([...leak, '-o', 'strict', '--strict', '--quiet'], { cwd });
    expect(strict.code).toBe(3);
    expect(strict.stderr).toMatch(line);
    const complete = await runCli(['resume', 'loose', '--strict'], { cwd });
    expect([complete.code, complete.stderr]).toEqual([3, expect.stringMatching(line)]);
  });

  test('a run that ends without liquid says so', async () => {
    const { code, stderr } = await runCli(['run', 'ball.jsonc', '--set', 'ball.leak=0.02', '-o', 'dry'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stderr).not.toContain('done:');
    expect(stderr).toMatch(/nothing is left from frame \d+ on, though it should be there/);
  });

  test('goes on over a stop: the resumed run has the books, the balance and the exit code of the straight one', async () => {
    await runCli([...leak, '-o', 'parts', '--frames', '4', '--quiet'], { cwd });
    const { code } = await runCli(['resume', 'parts', '--frames', '10', '--strict', '--quiet'], { cwd });
    expect(code).toBe(3);
    expect(readRun(at('parts'))).toEqual(readRun(at('loose')));
    expect(info('parts').balance).toEqual(info('loose').balance);
  });
});

test('what the method leaves out is said where the run begins, and in run.json', async () => {
  const args = ['run', 'lattice/falling-blob', '--setting', 'small', '--frames', '1', '-o', 'honey'];
  const { stderr } = await runCli([...args, '--set', 'liquids[0].material="honey"'], { cwd });
  expect(stderr).toContain('note: the lattice method is inviscid: honey with 10 Pa s');
  expect(info('honey').notes[0]).toContain('honey');
  const resumed = await runCli(['resume', 'honey', '--frames', '2'], { cwd });
  expect(resumed.stderr).toContain('note: the lattice method is inviscid');
});

test('a full disk stops the run with exit code 1, says what is safe, and the run goes on when there is space', async () => {
  const { code, stderr } = await runCli(['run', 'ball.jsonc', '-o', 'full'], {
    cwd,
    imports: ['with-full-disk.js'],
    env: { FULL_AFTER: '40000' },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /error: full.*: the disk is full \(ENOSPC\); frames 0 to \d and the checkpoint of frame \d are safe in full; free some space/,
  );
  expect(countFrames('full')).toBeGreaterThan(1);
  expect(countFrames('full')).toBeLessThan(11);
  const resumed = await runCli(['resume', 'full', '--quiet'], { cwd });
  expect(resumed.code).toBe(0);
  expect(readRun(at('full'))).toEqual(straight);
});
