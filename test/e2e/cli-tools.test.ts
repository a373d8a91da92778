import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readPly } from '../../src/io/ply.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { createFolder, runCli } from './cli-harness.ts';

const folder = createFolder();
const cwd = folder.path;
afterAll(() => folder.remove());

test('scenes lists the bundled scenes, all of which check', async () => {
  const { code, stdout } = await runCli(['scenes', '--json'], { cwd });
  expect(code).toBe(0);
  const scenes = JSON.parse(stdout) as {
    name: string;
    method: string;
    title: string;
    takes: string;
    file: string;
  }[];
  expect(scenes.map((s) => s.name)).toContain('lattice/dam-break');
  for (const scene of scenes) {
    expect(scene.method).not.toBe('');
    expect(scene.title).not.toBe('');
    expect(scene.takes).not.toBe('');
    expect(existsSync(join(cwd, scene.file)) || existsSync(scene.file)).toBe(true);
    const check = await runCli(['check', scene.name, '--json'], { cwd });
    expect(check.stderr).toBe('');
    expect(check.code).toBe(0);
  }
  expect((await runCli(['scenes'], { cwd })).stdout).toContain('lattice/dam-break');
});

test('check tells frames, memory, time step and the dimensionless numbers with their scale', async () => {
  const { code, stdout } = await runCli(['check', 'ball.jsonc', '--json'], { cwd });
  expect(code).toBe(0);
  const { frames, estimate, liquids } = JSON.parse(stdout);
  expect(frames).toBe(10);
  expect(estimate).toMatchObject({ heapBytes: 1000, timeStep: 0.004 });
  // Water, L = 0.4 m, U = sqrt(9.81 * 0.4): Re = rho U L / mu, We = rho U^2 L / sigma, Bo = rho g L^2 / sigma.
  const U = Math.sqrt(9.81 * 0.4);
  expect(liquids[0].length).toBeCloseTo(0.4, 12);
  expect(liquids[0].Re).toBeCloseTo((998.2 * U * 0.4) / 1.002e-3, 3);
  expect(liquids[0].We).toBeCloseTo((998.2 * U * U * 0.4) / 0.0728, 6);
  expect(liquids[0].Bo).toBeCloseTo((998.2 * 9.81 * 0.16) / 0.0728, 6);
  expect(liquids[0].Fr).toBeCloseTo(1, 12);
  expect(liquids[0].Oh).toBeCloseTo(1.002e-3 / Math.sqrt(998.2 * 0.0728 * 0.4), 12);
  const text = (await runCli(['check', 'ball.jsonc'], { cwd })).stdout;
  expect(text).toMatch(/memory +about 1 KiB/);
  expect(text).toContain("length: the liquid's height along gravity");
});

test('mesh fills a ball, prints quality and speed, writes tetrahedra and boundary', async () => {
  const args = ['mesh', 'sphere:0.5', '--size', '0.05', '-o', 'ball.vtu', '--interior', 'uniform'];
  const { code, stdout } = await runCli(args, { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/tetrahedra .*\n *distance .*tets\/s.*\n *stuffing .*tets\/s/);
  const { tets, volume, minDihedral, maxDihedral } = JSON.parse(
    (await runCli([...args, '--json'], { cwd })).stdout,
  );
  expect(tets).toBeGreaterThan(5000);
  expect(minDihedral).toBeGreaterThan(10.7);
  expect(maxDihedral).toBeLessThan(164.8);
  expect(Math.abs(volume / ((Math.PI * 4) / 24) - 1)).toBeLessThan(0.02);
  const boundary = readPly(readFileSync(join(cwd, 'ball.ply')), 'ball.ply');
  expect(measureVolume(boundary)).toBeCloseTo(volume, 5);
  expect(readFileSync(join(cwd, 'ball.vtu'), 'latin1')).toContain(`NumberOfCells="${tets}"`);
});

test('mesh reads a shape as JSON', async () => {
  const shape = '{"type":"torus","centre":[0,0,0],"major":0.5,"minor":0.2,"transform":{"scale":2}}';
  const { code, stdout } = await runCli(['mesh', shape, '--size', '0.1', '-o', 'torus.ply', '--json'], {
    cwd,
  });
  expect(code).toBe(0);
  expect(Math.abs(JSON.parse(stdout).volume / (2 * Math.PI ** 2 * 1 * 0.4 ** 2) - 1)).toBeLessThan(0.03);
  expect(existsSync(join(cwd, 'torus.vtu'))).toBe(false);
});

test('export writes every format', async () => {
  await runCli(['run', 'ball.jsonc', '-o', 'run', '--quiet', '--frames', '6'], { cwd });
  for (const [to, file] of [
    ['ply', 'run/export/ply/000002.ply'],
    ['obj', 'run/export/obj/000002.obj'],
    ['vtu', 'run/export/vtu/000003.vtu'],
    ['usda', 'run/export/run.usda'],
    ['glb', 'run/export/run.glb'],
  ]) {
    const { code, stdout, stderr } = await runCli(['export', 'run', '--to', to, '--frames', '1:4'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`${to === 'vtu' ? 1 : 4} frames -> run/export/`);
    expect(existsSync(join(cwd, file))).toBe(true);
  }
  const none = await runCli(['export', 'run', '--to', 'ply', '--frames', '50:60'], { cwd });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('run: no such frames; the run has frames 0 to 6');
});

test('help names every command', async () => {
  const { code, stdout } = await runCli(['--help'], { cwd });
  expect(code).toBe(0);
  for (const name of 'scenes run resume check mesh view export render validate bench'.split(' '))
    expect(stdout).toMatch(new RegExp(`^ +${name} `, 'm'));
});
