import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { InputError, RunError } from '../../src/core/errors.ts';
import { driveRun } from '../../src/run/node-drive.ts';
import { describeSystemError, writeFileWhole } from '../../src/run/node-files.ts';
import { RunFolder, readStats } from '../../src/run/node-folder.ts';
import { Run } from '../../src/run/runner.ts';
import type { Snapshot } from '../../src/run/snapshot.ts';
import type { LoadedScene } from '../../src/scene/load.ts';
import { type BallRuns, createBallRuns } from './ball-runs.ts';
import { box, resources } from './ball-scene.ts';
import { bouncingBall } from './bouncing-ball.js';

let runs: BallRuns;
let dir: string;
let loaded: LoadedScene;
beforeEach(async () => {
  runs = await createBallRuns('folder', 'shapes/box.obj');
  ({ dir, loaded } = runs);
});

const at = (...path: string[]) => runs.at(...path);
const start = { version: '1', threads: 1, lastFrame: 5, overwrite: false };
const createRun = (from?: Snapshot) => runs.createRun(from);

test('a run leaves what it needs to be read and resumed, assets included', async () => {
  const folder = RunFolder.create(at(), loaded, start);
  expect(await driveRun({ run: createRun(), folder, resources })).toBe('done');
  expect(readFileSync(at('assets', 'box.obj'), 'utf8')).toBe(box);
  const opened = RunFolder.open(at());
  expect(opened.info).toMatchObject({
    name: 'a',
    status: 'done',
    lastFrame: 5,
    totals: { frames: 6, time: 0.25 },
  });
  expect(JSON.stringify(opened.info.scene)).toContain('"assets/box.obj"');
  expect(opened.listFrames('surface')).toEqual([0, 1, 2, 3, 4, 5]);
  expect(opened.listFrames('volume')).toEqual([0, 2, 4]);
  expect(opened.listCheckpoints().map((c) => c.frame)).toEqual([4, 5]);
  const stats = readStats(at());
  expect(stats.map((s) => s.record.step)).toEqual([...stats.keys()]);
});

test('a start that was killed at any moment before its run.json stood may be made again', async () => {
  // What lies there when the first asset is about to be written: that is what a kill at that moment leaves.
  const seen: string[] = [];
  const assets = new Map(loaded.assets);
  const entries = assets[Symbol.iterator].bind(assets);
  assets[Symbol.iterator] = () => {
    if (existsSync(at())) seen.push(...readdirSync(at()));
    return entries();
  };
  RunFolder.create(at(), { ...loaded, assets }, start).close();
  const [left, ...others] = seen;
  expect(left).toMatch(/^run\.json\.[0-9a-f]{8}\.tmp$/);
  expect(others).toEqual([]);
  expect(readdirSync(at()).sort()).toEqual(['assets', 'run.json']);

  for (const assetsLeft of [false, true]) {
    const killed = join(dir, `killed-${assetsLeft}`);
    mkdirSync(join(killed, ...(assetsLeft ? ['assets'] : [])), { recursive: true });
    writeFileSync(join(killed, left), '{ "cut": ');
    if (assetsLeft) writeFileSync(join(killed, 'assets', 'box.obj.0123abcd.tmp'), 'v 0');
    if (assetsLeft) writeFileSync(join(killed, 'assets', 'box.obj'), box);
    RunFolder.check(killed, false);
    const folder = RunFolder.create(killed, loaded, start);
    expect(await driveRun({ run: createRun(), folder, resources })).toBe('done');
    expect(readdirSync(killed)).not.toContain(left);
    expect(readdirSync(join(killed, 'assets'))).toEqual(['box.obj']);
  }
  // What somebody else may have put there is not touched.
  mkdirSync(join(dir, 'other', 'assets'), { recursive: true });
  expect(() => RunFolder.check(join(dir, 'other'), false)).toThrow(/not empty/);
  writeFileSync(join(dir, 'other', left), '');
  writeFileSync(join(dir, 'other', 'mine.txt'), '');
  expect(() => RunFolder.check(join(dir, 'other'), false)).toThrow(/not empty/);
});

test('stopping writes a checkpoint within the frame; truncation drops later records and a line cut short', async () => {
  const folder = RunFolder.create(at(), loaded, start);
  let steps = 0;
  const end = await driveRun({
    run: createRun(),
    folder,
    resources,
    onStep: () => steps++,
    shouldStop: () => steps === 20,
  });
  expect(end).toBe('interrupted');
  const snapshot = folder.readCheckpoint(undefined, () => {})!;
  expect(snapshot.step).toBe(19);
  expect((snapshot.time * 20) % 1).not.toBe(0);
  // Going back to a frame means to the frame itself.
  const own = folder.readCheckpoint(snapshot.frame, () => {})!;
  expect(own.frame).toBe(snapshot.frame);
  expect(own.step).toBeLessThan(19);
  expect(own.time * 20).toBeCloseTo(own.frame, 9);
  const { length } = readStats(at());
  writeFileSync(at('stats.jsonl'), '{"step":20,"frame":2}\n{"step":21,"fra', { flag: 'a' });
  folder.truncateStats(snapshot.step);
  expect(readStats(at())).toHaveLength(length);
});

test('two processes, leftovers, and folders of others', async () => {
  const folder = RunFolder.create(at(), loaded, start);
  writeFileSync(at('run.json.0123abcd.tmp'), 'half');
  folder.claim();
  expect(existsSync(at('run.json.0123abcd.tmp'))).toBe(false);
  // Process 1 is always alive.
  folder.info.process = { ...folder.info.process, pid: 1 };
  folder.writeInfo();
  expect(() => RunFolder.open(at()).claim()).toThrow(/process 1 is still writing this run/);
  expect(() => RunFolder.create(at(), loaded, { ...start, overwrite: true })).toThrow(InputError);
  mkdirSync(join(dir, 'mine'));
  writeFileSync(join(dir, 'mine', 'x'), '');
  expect(() => RunFolder.check(join(dir, 'mine'), true)).toThrow(/holds no run/);
  expect(() => RunFolder.open(join(dir, 'mine'))).toThrow(/no run\.json/);
  writeFileSync(at('run.json'), '{');
  expect(() => RunFolder.open(at())).toThrow(/run\.json: cannot be read/);
});

test('system errors become ours, with what is safe; others pass', () => {
  const error = (code: string) => Object.assign(new Error(code), { code });
  expect(describeSystemError(error('ENOSPC'), 'f', 'all is safe')).toBeInstanceOf(RunError);
  expect(String(describeSystemError(error('ENOSPC'), 'f', 'all is safe'))).toContain(
    'the disk is full (ENOSPC); all is safe; free',
  );
  expect(describeSystemError(error('EROFS'), 'f', '')).toBeInstanceOf(InputError);
  const strange = new TypeError('x');
  expect(describeSystemError(strange, 'f', '')).toBe(strange);
});

test('a failed write leaves the old file and no leftovers', () => {
  const file = join(dir, 'a', 'b.txt');
  writeFileWhole(file, 'old', '');
  expect(() => writeFileWhole(join(file, 'c'), 'new', 'b.txt is safe')).toThrow(
    /cannot be written .*; b\.txt is safe/,
  );
  writeFileWhole(file, 'new', '');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(join(dir, 'a'))).toEqual(['b.txt']);
});

test('particles are kept as asked, read back, refused where damaged, and dropped with their frames', async () => {
  const { scene } = loaded;
  const output = { ...loaded.output, particles: 2 };
  const folder = RunFolder.create(at(), loaded, start);
  const snapshots: ReturnType<Run['snapshot']>[] = [];
  const run = new Run({ method: bouncingBall, scene, output, resources });
  await driveRun({ run, folder, resources, onFrame: () => void snapshots.push(run.snapshot()) });
  const opened = RunFolder.open(at());
  expect(opened.listFrames('particles')).toEqual([0, 2, 4]);
  expect(opened.readParticles(1)).toBeUndefined();
  const { count, fields } = opened.readParticles(4)!;
  expect(count).toBe(2);
  expect([...fields['radius'].values]).toEqual([Math.fround(0.025), Math.fround(0.05)]);
  const file = at('particles', '000002.ply');
  const bytes = readFileSync(file);
  bytes.writeFloatLE(Number.NaN, bytes.length - 4);
  writeFileSync(file, bytes);
  expect(() => opened.readParticles(2)).toThrow('the radius of particle 1 is NaN');
  // Taken while frame 3 was written: the last finished one is 2.
  opened.dropAfter(snapshots[3]);
  expect(opened.listFrames('particles')).toEqual([0, 2]);
});
