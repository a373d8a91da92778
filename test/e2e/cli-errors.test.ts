import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ballScene, createFolder, runCli } from './cli-harness.ts';

const folder = createFolder();
const cwd = folder.path;
afterAll(() => folder.remove());

// A tetrahedron without its last face: open along three edges.
const openMesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n';
const closedMesh = `${openMesh}f 2 3 4\n`;
writeFileSync(join(cwd, 'open.obj'), openMesh);
writeFileSync(join(cwd, 'closed.obj'), closedMesh);
writeFileSync(
  join(cwd, 'far.obj'),
  closedMesh.replaceAll(/^v (\d)/gm, (_, x) => `v ${1e15 + Number(x)}`),
);

let count = 0;
/** Runs a changed scene; returns exit code and message. */
async function runChanged(from: string | RegExp, to: string) {
  const text = ballScene.replace(from, to);
  expect(text).not.toBe(ballScene);
  const file = `changed${count++}.jsonc`;
  writeFileSync(join(cwd, file), text);
  const { code, stderr } = await runCli(['run', file, '-o', 'out'], { cwd });
  return { code, stderr: stderr.replaceAll(file, 'S') };
}

describe('bad scenes end with exit code 2 and a message with place, value, expectation and remedy', () => {
  const sphere = /\{ "type": "sphere"[^}]*\}/;
  test.each([
    [
      'unknown key',
      '"duration"',
      '"durration"',
      'error: S:4:3: unknown key "durration"; did you mean "duration"?',
    ],
    [
      'wrong unit',
      '"resolution": 0.1',
      '"resolution": "5 cm"',
      'error: S:7:17: resolution is "5 cm"; expected a plain number in SI units: write 0.05 without quotes',
    ],
    [
      'wrong type',
      '"fps": 20',
      '"fps": [20]',
      'error: S:5:10: fps is [20]; expected a finite number (output frames per second)',
    ],
    [
      'zero duration',
      '"duration": 0.5',
      '"duration": 0',
      'error: S:4:15: duration is 0; expected a number greater than 0 (simulated time, seconds)',
    ],
    [
      'NaN',
      '"duration": 0.5',
      '"duration": NaN',
      'error: S:4:15: NaN is not a number; expected a finite number in SI units',
    ],
    [
      'liquid outside',
      '[0.5, 0.5, 0.6]',
      '[0.5, 0.5, 3]',
      'error: S:8:26: the liquid from [0.3, 0.3, 2.8] to [0.7, 0.7, 3.2] is wholly outside the domain; move',
    ],
    [
      'missing mesh file',
      sphere,
      '{ "type": "mesh", "file": "none.obj" }',
      'none.obj: cannot be read (ENOENT',
    ],
    ['open mesh', sphere, '{ "type": "mesh", "file": "open.obj" }', 'open.obj: '],
    [
      'unknown material',
      '"velocity"',
      '"material": "wter", "velocity"',
      'unknown material "wter"; did you mean "water"?',
    ],
  ] as const)('%s', async (_, from, to, message) => {
    const { code, stderr } = await runChanged(from, to);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });

  test('the open mesh is named with its open edges', async () => {
    const { stderr } = await runChanged(sphere, '{ "type": "mesh", "file": "open.obj" }');
    expect(stderr).toMatch(/S:8:\d+: open\.obj: .*(open|boundary).*3/);
  });

  test('a closed mesh runs, and its file goes into the run folder', async () => {
    writeFileSync(
      join(cwd, 'mesh.jsonc'),
      ballScene.replace(
        sphere,
        '{ "type": "mesh", "file": "closed.obj", "transform": { "scale": 0.5, "translate": [0.2, 0.2, 0.2] } }',
      ),
    );
    const { code, stderr } = await runCli(['run', 'mesh.jsonc', '-o', 'mesh', '--frames', '2'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('done')]);
    expect(readdirSync(join(cwd, 'mesh', 'assets'))).toEqual(['closed.obj']);
    const more = await runCli(['resume', 'mesh', '--until', '0.2', '--quiet'], { cwd });
    expect(more).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('other bad input', () => {
  test('NaN in the state: exit code 1 with step, time, element and checkpoint', async () => {
    const { code, stderr } = await runCli(['run', 'ball.jsonc', '-o', 'nan', '--set', 'ball.nanAtStep=40'], {
      cwd,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error: ball, step 39, t = 0\.\d+ s: velocity\[1\] is NaN in step 40.*; the last good checkpoint is frame \d/,
    );
  });
  test('an unwritable folder', async () => {
    writeFileSync(join(cwd, 'a-file'), '');
    const { code, stderr } = await runCli(['run', 'ball.jsonc', '-o', 'a-file/run'], { cwd });
    expect(stderr).toMatch(
      /error: a-file\/run.*: cannot be written \((ENOTDIR|EEXIST)\); nothing was written; choose a folder you may write to with -o/,
    );
    expect(code).toBe(2);
  });
  test.each([
    [['rum', 'x'], /unknown command 'rum'[\s\S]*Did you mean run\?/],
    [['run', 'ball.jsonc', '--frame', '3'], /unknown option '--frame'[\s\S]*Did you mean --frames\?/],
    [
      ['run', 'ball.jsonc', '--frames', 'x'],
      /--frames <n>' argument 'x' is invalid\. expected a whole number, 1 or more/,
    ],
    [['run', 'lattice/dam-brake'], /lattice\/dam-brake: no such scene; did you mean "lattice\/dam-break"\?/],
    [['run', 'none.jsonc'], /none\.jsonc: no such scene file/],
    [
      ['run', 'ball.jsonc', '--set', 'resolutoin=1'],
      /--set resolutoin=1: unknown key "resolutoin"; did you mean "resolution"\?/,
    ],
    [['resume', 'nowhere'], /nowhere: no run\.json, so this is not a run folder/],
    [['export', 'nowhere', '--to', 'ply'], /nowhere: no run\.json/],
    [
      ['export', 'nowhere', '--to', 'fbx'],
      /argument 'fbx' is invalid\. Allowed choices are ply, obj, vtu, usda, glb/,
    ],
    [
      ['mesh', 'spere:1', '--size', '0.2', '-o', 'x.vtu'],
      /spere:1: neither a mesh file nor a shape; did you mean "sphere"\?/,
    ],
    [['mesh', 'sphere:-1', '--size', '0.2', '-o', 'x.vtu'], /expected sphere:RADIUS in metres/],
    [['mesh', 'open.obj', '--size', '0.2', '-o', 'x.vtu'], /open\.obj: /],
    [['mesh', '.', '--size', '0.2', '-o', 'x.vtu'], /error: \.: it is a folder, not a file/],
    [
      ['mesh', '{"type":"mesh","file":"none.obj"}', '--size', '0.2', '-o', 'x.vtu'],
      /error: none\.obj: cannot be read \(ENOENT/,
    ],
    [
      ['mesh', 'far.obj', '--size', '0.1', '-o', 'x.vtu'],
      /far\.obj: it lies so far from the origin that numbers are 0\.222 m apart, 0\.222 of its size/,
    ],
    [
      ['run', 'ball.jsonc', '--set', 'name="../../../escaped"'],
      /--set name="\.\.\/\.\.\/\.\.\/escaped": name is .*expected a name for a folder/,
    ],
    [['run', 'ball.jsonc', '--set', 'title="\u001b[31m"'], /title is .*\\u001b\[31m.*; expected one line/],
    [['mesh', 'sphere:1', '--size', '0.2', '-o', 'x.stl'], /cannot write "\.stl" files/],
    [
      ['check', 'ball.jsonc', '--set', 'ball.needsBytes=5e9'],
      /resolution 0\.1 m: the run needs about 4\.66 GiB, the heap holds at most 4 GiB/,
    ],
    [['validate', 'latice'], /latice: no such method or case/],
  ] as const)('%j', async (args, message) => {
    const { code, stderr } = await runCli(args, { cwd });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
