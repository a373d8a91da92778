/**
 * Run folders as untrusted input: what is damaged, changed or in use by another is refused with its place,
 * and nothing is touched.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { computeCrc32 } from '../../src/run/crc32.ts';
import { driveRun } from '../../src/run/node-drive.ts';
import { RunFolder, readStats } from '../../src/run/node-folder.ts';
import { describeSelf, lockFolder, mayBeWriting } from '../../src/run/node-lock.ts';
import { Run } from '../../src/run/runner.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from '../../src/run/snapshot.ts';
import type { LoadedScene } from '../../src/scene/load.ts';
import { type BallRuns, createBallRuns } from './ball-runs.ts';
import { box, resources } from './ball-scene.ts';
import { bouncingBall } from './bouncing-ball.js';

let runs: BallRuns;
let dir: string;
let loaded: LoadedScene;
const at = (...path: string[]) => runs.at(...path);
const start = { version: '1', threads: 1, lastFrame: 3, overwrite: false };

beforeEach(async () => {
  runs = await createBallRuns('untrusted', 'box.obj');
  ({ dir, loaded } = runs);
  await driveRun({ run: runs.createRun(), folder: RunFolder.create(at(), loaded, start), resources });
});

const readInfo = () => JSON.parse(readFileSync(at('run.json'), 'utf8'));
const editInfo = (edit: (info: ReturnType<typeof readInfo>) => void) => {
  const info = readInfo();
  edit(info);
  writeFileSync(at('run.json'), JSON.stringify(info));
};

describe('run.json', () => {
  test.each<[string, (info: ReturnType<typeof readInfo>) => void, RegExp]>([
    ['totals', (i) => delete i.totals, /missing "totals", expected an object/],
    [
      'a total',
      (i) => delete i.totals.steps,
      /missing "steps" in totals, expected a finite number \(steps done\)/,
    ],
    [
      'threads',
      (i) => Object.assign(i, { threads: 1e5 }),
      /threads is 100000, expected a number of at most 128/,
    ],
    [
      'a name that leads out',
      (i) => Object.assign(i, { name: '../x' }),
      /name is "..\/x", expected a name for a folder/,
    ],
    [
      'a title that steers the terminal',
      (i) => Object.assign(i, { title: 'a\u001bb' }),
      /title is .*one line without control/,
    ],
    ['fps', (i) => Object.assign(i, { fps: 7 }), /fps is 7, expected what its scene says: 20/],
    [
      'method',
      (i) => Object.assign(i, { method: 'films' }),
      /method is "films", expected what its scene says: "ball"/,
    ],
    ['pid', (i) => Object.assign(i.process, { pid: -1 }), /process\.pid is -1/],
  ])('%s', (_, edit, message) => {
    editInfo(edit);
    expect(() => RunFolder.open(at())).toThrow(InputError);
    expect(() => RunFolder.open(at())).toThrow(message);
    expect(() => RunFolder.open(at())).toThrow(
      /run\.json: .*; restore it from a copy, or run the scene anew/,
    );
  });

  test.each([
    ['null', /it holds null/],
    ['[]', /it holds a list/],
    ['', /cannot be read/],
    ['{"a": [\n  \u000e1,\n 2]}', /run\.json: cannot be read \(.*\); restore it/],
    [`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`, /nested more than 101 deep/],
    ['{"scene":{"__proto__":{}}}', /it has a key "__proto__"/],
  ])('%.20j', (content, message) => {
    writeFileSync(at('run.json'), content);
    expect(() => RunFolder.open(at())).toThrow(message);
    // It can still be replaced.
    RunFolder.create(at(), loaded, { ...start, overwrite: true }).close();
    expect(RunFolder.open(at()).info.status).toBe('running');
  });

  test('a folder, a link or a mesh from elsewhere', () => {
    editInfo((i) => Object.assign(i.scene.liquids[0].shape, { file: '/etc/hostname' }));
    expect(() => RunFolder.open(at()).claim()).toThrow(
      /names the mesh file "\/etc\/hostname", outside of the run's assets/,
    );
    rmSync(at('run.json'));
    mkdirSync(at('run.json'));
    expect(() => RunFolder.open(at())).toThrow(/run\.json: it is a folder, not a file/);
  });
});

describe('stats.jsonl', () => {
  const { step, file } = { step: 5, file: 'stats.jsonl' };
  const editLines = (edit: (lines: string[]) => void) => {
    const lines = readFileSync(at(file), 'utf8').trimEnd().split('\n');
    edit(lines);
    writeFileSync(at(file), `${lines.join('\n')}\n`);
  };
  test.each<[string, (lines: string[]) => void, RegExp]>([
    ['a line is missing', (l) => l.splice(2, 1), /step 3 stands where step 2 should/],
    ['a line twice', (l) => l.splice(2, 0, l[2]), /step 2 stands where step 3 should/],
    ['null', (l) => l.splice(2, 1, 'null'), /stats\.jsonl:3: not the record of a step: the line/],
    [
      'no number',
      (l) => l.splice(2, 1, l[2].replace('"dt":', '"dx":')),
      /stats\.jsonl:3: not the record of a step: "dt"/,
    ],
    ['half a line', (l) => l.splice(2, 1, l[2].slice(0, 30)), /stats\.jsonl:3: not a JSON record/],
    ['too few', (l) => l.splice(3), /its last record is of step 2, but the checkpoint is of step 5/],
    ['none', (l) => l.splice(0), /it has no record, but the checkpoint is of step 5/],
  ])('%s', (_, edit, message) => {
    editLines(edit);
    const before = readFileSync(at(file));
    expect(() => RunFolder.open(at()).truncateStats(step)).toThrow(InputError);
    expect(() => RunFolder.open(at()).truncateStats(step)).toThrow(message);
    expect(readFileSync(at(file))).toEqual(before);
  });

  test('gone, or a link to the file of somebody', () => {
    rmSync(at(file));
    expect(() => RunFolder.open(at()).truncateStats(step)).toThrow(
      /it is missing, and the checkpoint is of step 5/,
    );
    RunFolder.open(at()).truncateStats(-1);
    writeFileSync(join(dir, 'mine'), 'mine');
    symlinkSync(join(dir, 'mine'), at(file));
    expect(() => RunFolder.open(at()).claim()).toThrow(/stats\.jsonl: it is a link/);
    expect(readFileSync(join(dir, 'mine'), 'utf8')).toBe('mine');
  });

  test('later records go, bytes that are no text do not move the cut, and a lost line break is put back', () => {
    const whole = readStats(at());
    writeFileSync(at(file), Buffer.from([0xff, 0xfe, 10]), { flag: 'a' });
    RunFolder.open(at()).truncateStats(step);
    expect(readStats(at())).toHaveLength(step + 1);
    writeFileSync(at(file), readFileSync(at(file), 'utf8').trimEnd());
    RunFolder.open(at()).truncateStats(step);
    expect(readFileSync(at(file), 'utf8')).toBe(
      whole
        .slice(0, step + 1)
        .map(({ line }) => `${line}\n`)
        .join(''),
    );
  });
});

describe('checkpoints', () => {
  const newest = () => at('checkpoint', readdirSync(at('checkpoint')).sort().at(-1)!);
  const read = (): Snapshot => decodeSnapshot(readFileSync(newest()), 'x');
  const assets = () => new Map([['assets/box.obj', readFileSync(at('assets', 'box.obj'))]]);

  test('belong to one scene and its meshes; title and duration may change', () => {
    const check = () => RunFolder.open(at()).checkScene(read(), assets());
    check();
    editInfo((i) => Object.assign(i.scene, { title: 'other', duration: 9 }));
    check();
    editInfo((i) => Object.assign(i.scene, { gravity: [0, 0, -1] }));
    expect(check).toThrow(/"gravity" of the scene in run\.json has changed since the checkpoint of frame 3/);
    editInfo((i) => Object.assign(i.scene, { gravity: [0, 0, -9.81] }));
    check();
    writeFileSync(at('assets', 'box.obj'), box.replace('0.8', '0.7'));
    expect(check).toThrow(/assets\/box\.obj has changed since/);
  });

  test.each<[string, (s: Snapshot) => Snapshot, RegExp]>([
    ['another method', (s) => ({ ...s, method: 'films' }), /it is of the method films, the run of ball/],
    [
      'another moment',
      (s) => ({ ...s, step: 99 }),
      /it is of frame 3 and step 99, which its name does not say/,
    ],
    ['another time', (s) => ({ ...s, time: 0.7 }), /it is of 0\.7 s, which is not in frame 3/],
    ['no time', (s) => ({ ...s, time: Number.NaN }), /it is of NaN s/],
  ])('%s: passed over with a word', (_, edit, message) => {
    writeFileSync(newest(), encodeSnapshot(edit(read())));
    const warnings: string[] = [];
    expect(RunFolder.open(at()).readCheckpoint(undefined, (w) => warnings.push(w))!.frame).toBe(2);
    expect(warnings[0]).toMatch(message);
  });

  /** With a checksum that fits: only intent does that. */
  function forge(edit: (header: Record<string, never>) => void): Uint8Array {
    const bytes = readFileSync(newest());
    const length = bytes.readUInt32LE(12);
    const header = JSON.parse(bytes.toString('utf8', 16, 16 + length));
    edit(header);
    const json = Buffer.from(JSON.stringify(header));
    const from = 8 * Math.ceil((16 + length) / 8);
    const to = 8 * Math.ceil((16 + json.length) / 8);
    const out = Buffer.concat([
      bytes.subarray(0, 16),
      json,
      Buffer.alloc(to - 16 - json.length),
      bytes.subarray(from),
    ]);
    out.writeUInt32LE(json.length, 12);
    out.writeUInt32LE(computeCrc32(out.subarray(12)), 8);
    return out;
  }

  test.each<[string, (h: Record<string, never>) => void, RegExp]>([
    [
      'a length of 1e12',
      (h) => Object.assign(h['arrays'][1], { length: 1e12 }),
      /reach beyond its \d+ bytes/,
    ],
    [
      'a type that is none',
      (h) => Object.assign(h['arrays'][1], { type: 'constructor' }),
      /header cannot be read \(arrays\.1\.type/,
    ],
    ['no arrays', (h) => Object.assign(h, { arrays: [] }), /header cannot be read/],
    ['no numbers', (h) => Object.assign(h, { numbers: ['a', 'b', 'c', 'd'] }), /plain numbers, expected/],
    ['a frame that is none', (h) => Object.assign(h, { frame: 'x' }), /header cannot be read \(frame/],
  ])('forged: %s', (_, edit, message) => {
    expect(() => decodeSnapshot(forge(edit), 'x')).toThrow(InputError);
    expect(() => decodeSnapshot(forge(edit), 'x')).toThrow(message);
  });

  test('that do not fit the scene are bad input', () => {
    const from = { ...read(), record: { numbers: {}, arrays: {} } };
    const options = { method: bouncingBall, scene: loaded.scene, output: loaded.output, resources, from };
    expect(() => new Run(options)).toThrow(InputError);
    expect(() => new Run(options)).toThrow(/checkpoint of frame 3: it does not fit the scene/);
  });
});

describe('one writer', () => {
  test('a folder that a process has is refused whatever run.json says; when it is gone, the folder is free', async () => {
    const child = spawn(
      process.execPath,
      [
        '-e',
        `const fs = require('fs'); const fd = fs.openSync(process.argv[1], 'r');
         require('child_process').spawnSync('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
         console.log('held'); setTimeout(() => {}, 60000);`,
        at(),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const folder = RunFolder.open(at());
    expect(() => folder.claim()).toThrow(/another process is still writing this run; wait for it/);
    expect(() => folder.claim(true)).toThrow(/is still writing/);
    expect(() => RunFolder.check(at(), true)).toThrow(/is still writing/);
    expect(() => RunFolder.create(at(), loaded, { ...start, overwrite: true })).toThrow(/is still writing/);
    editInfo((i) => Object.assign(i, { status: 'running', process: { pid: child.pid, host: 'x' } }));
    expect(() => folder.claim()).toThrow(new RegExp(`process ${child.pid} is still writing this run`));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    folder.claim(true);
    expect(folder.info.process).toEqual(describeSelf());
    folder.close();
  });

  test('a number that another process got, a machine started anew, and another machine', () => {
    const claim = (process: Record<string, unknown>, takeOver = false) => {
      editInfo((i) => Object.assign(i, { status: 'running', process }));
      const folder = RunFolder.open(at());
      folder.claim(takeOver);
      folder.close();
    };
    const self = describeSelf();
    // Process 1 is alive, but it does not have the folder.
    claim({ ...self, pid: 1 });
    claim({ ...self, pid: 1, boot: 'an earlier one' });
    const elsewhere = { pid: 1, host: 'another', boot: 'another' };
    expect(() => claim(elsewhere)).toThrow(
      /process 1 on the machine "another" did not end this run .*; when it is gone for certain, give --take-over/,
    );
    claim(elsewhere, true);
  });

  test('where the kernel cannot lock, the process is asked for, by its start too', () => {
    const unsure = { isSure: false, release() {} };
    const self = describeSelf();
    const other = { ...self, pid: process.ppid };
    const startOf = (pid: number) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    };
    expect(mayBeWriting({ ...other, started: startOf(process.ppid) }, unsure)).toBe('here');
    expect(mayBeWriting({ ...other, started: '1' }, unsure)).toBeUndefined();
    expect(mayBeWriting({ ...other, pid: 2 ** 22 + 1 }, unsure)).toBeUndefined();
  });

  test('a lock is one, is given back, and leaves nothing in the folder', () => {
    const before = readdirSync(at()).sort();
    const lock = lockFolder(at())!;
    expect(lock.isSure).toBe(true);
    expect(lockFolder(at())).toBeUndefined();
    lock.release();
    lockFolder(at())!.release();
    expect(readdirSync(at()).sort()).toEqual(before);
  });
});

test('frames with NaN or ids that are not there are not handed on; strange names are no frames', () => {
  const folder = RunFolder.open(at());
  writeFileSync(at('surface', '7.ply'), 'x');
  writeFileSync(at('surface', '0000000008.ply'), 'x');
  expect(folder.listFrames('surface')).toEqual([0, 1, 2, 3]);
  const file = at('surface', '000001.ply');
  const bytes = readFileSync(file);
  const from = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  bytes.fill(0xff, from, from + 8);
  writeFileSync(file, bytes);
  expect(() => folder.readSurface(1)).toThrow(/000001\.ply: the position of vertex 0 is NaN/);
  rmSync(at('surface', '000002.ply'));
  expect(() => folder.readSurface(2)).toThrow(/000002\.ply: cannot be read \(ENOENT/);
  expect(existsSync(at('surface', '000000.ply'))).toBe(true);
});
