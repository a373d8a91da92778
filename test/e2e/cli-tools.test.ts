import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listBundledScenes } from '../../src/cli/paths.ts';
import { readObj } from '../../src/io/obj.ts';
import { readPly, readPlyPoints } from '../../src/io/ply.ts';
import { readVtu } from '../../src/io/vtu.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { createFolder, runCli } from './cli-harness.ts';
import { readGlb } from './glb.ts';

const folder = createFolder();
const cwd = folder.path;
afterAll(() => folder.remove());

const bundled = listBundledScenes().map((scene) => scene.name);

test('scenes lists the bundled scenes', async () => {
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
  }
  expect(scenes.map((s) => s.name)).toEqual(bundled);
  expect((await runCli(['scenes'], { cwd })).stdout).toContain('lattice/dam-break');
});

test.each(bundled)('check accepts %s', async (name) => {
  const check = await runCli(['check', name, '--json'], { cwd });
  expect(check.stderr).toBe('');
  expect(check.code).toBe(0);
});

test('check tells frames, memory, time step and the dimensionless numbers with their scale', async () => {
  const { code, stdout } = await runCli(['check', 'ball.jsonc', '--json'], { cwd });
  expect(code).toBe(0);
  const { frames, estimate, liquids } = JSON.parse(stdout);
  expect(frames).toBe(10);
  expect(estimate).toMatchObject({ heapBytes: 1000, timeStep: 0.004 });
  // Water, L = 0.4 m, U = sqrt(9.81 * 0.4): Re = rho U L / mu, We = rho U^2 L / sigma, Bo = rho g L^2 /
  // sigma.
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
    expect(code).toBe(0);
    if (to === 'vtu') expect(stderr).toMatch(/^note: 1 of 4 frames have tetrahedra, the others the surface/);
    else expect(stderr).toBe('');
    expect(stdout).toContain('4 frames -> run/export/');
    expect(existsSync(join(cwd, file))).toBe(true);
  }
  const pvd = readFileSync(join(cwd, 'run/export/vtu/frames.pvd'), 'utf8');
  expect(pvd.match(/file="00000\d\.vtu"/g)?.length).toBe(4);
  const types = [2, 3].map((n) => readCellTypes(join(cwd, `run/export/vtu/00000${n}.vtu`)));
  expect(types).toEqual([5, 10]); // VTK's triangle and tetrahedron
  const none = await runCli(['export', 'run', '--to', 'ply', '--frames', '50:60'], { cwd });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('run: no such frames; the run has frames 0 to 6');
});

/** VTK's type of the first cell of a grid of ours. */
function readCellTypes(file: string): number {
  const bytes = readFileSync(file);
  const head = bytes.toString('latin1');
  const offset = Number(/Name="types"[^>]*offset="(\d+)"/.exec(head)![1]);
  return bytes[head.indexOf('_', head.indexOf('<AppendedData')) + 1 + offset + 8];
}

test('export carries particles, as far as the run kept them', async () => {
  const run = ['run', 'ball.jsonc', '-o', 'spray', '--frames', '4', '--quiet'];
  expect((await runCli([...run, '--set', 'output.particles=2'], { cwd })).code).toBe(0);
  const at = (file: string) => join(cwd, 'spray/export', file);
  for (const to of ['ply', 'vtu', 'usda', 'glb'])
    expect((await runCli(['export', 'spray', '--to', to], { cwd })).code).toBe(0);
  const ply = readPlyPoints(readFileSync(at('ply/particles/000002.ply')), 'ply');
  expect(ply.count).toBe(2);
  expect(existsSync(at('ply/particles/000001.ply'))).toBe(false);
  expect(readFileSync(at('vtu/particles.pvd'), 'utf8').match(/file="[^"]*"/g)).toEqual([
    'file="particles/000000.vtu"',
    'file="particles/000002.vtu"',
    'file="particles/000004.vtu"',
  ]);
  expect(readFileSync(at('vtu/particles/000004.vtu'), 'latin1')).toContain('NumberOfCells="2"');
  expect(readFileSync(at('spray.usda'), 'utf8')).toContain('def Points "particles"');
  const { document: glb } = await readGlb(at('spray.glb'));
  const points = glb
    .getRoot()
    .listNodes()
    .filter((node) => node.getName().startsWith('particles'));
  expect(points.map((node) => node.getParentNode()?.getName())).toEqual(['frame 0', 'frame 2', 'frame 4']);
  const obj = await runCli(['export', 'spray', '--to', 'obj'], { cwd });
  expect(obj.stderr).toContain('the particles are left out');
  // A method without any says so.
  const none = await runCli(['check', 'films/cube', '--set', 'output.particles=1', '--json'], { cwd });
  expect(JSON.parse(none.stdout).notes.at(-1)).toContain('no particles');
});

test('export turns up what should be up, and carries frames per second', async () => {
  const run = readPly(readFileSync(join(cwd, 'run/surface/000002.ply')), 'run');
  const height = (mesh: { position: Float64Array }, k: number) =>
    Math.max(...mesh.position.filter((_, i) => i % 3 === k));
  const lines = readFileSync(join(cwd, 'run/export/obj/000002.obj'), 'utf8').split('\n');
  expect(lines.slice(0, 3)).toEqual(['# frame 2', '# time 0.1 s', '# fps 20']);
  // OBJ is y up unless told otherwise; the run is z up.
  const obj = readObj(readFileSync(join(cwd, 'run/export/obj/000002.obj')), 'obj');
  expect(height(obj, 1)).toBeCloseTo(height(run, 2), 6);
  expect(measureVolume(obj)).toBeCloseTo(measureVolume(run), 9);
  await runCli(['export', 'run', '--to', 'obj', '--up', 'z', '--frames', '2', '-o', 'z'], { cwd });
  expect(readObj(readFileSync(join(cwd, 'z/000002.obj')), 'obj').position).toEqual(run.position);
  await runCli(['export', 'run', '--to', 'vtu', '--up', 'y', '--frames', '3', '-o', 'y'], { cwd });
  const grid = readVtu(readFileSync(join(cwd, 'y/000003.vtu')), 'vtu');
  const kept = readVtu(readFileSync(join(cwd, 'run/volume/000003.vtu')), 'vtu');
  expect(height(grid.mesh, 1)).toBe(height(kept.mesh, 2));
  await runCli(['export', 'run', '--to', 'usda', '--up', 'y', '--frames', '2', '-o', 'y.usda'], { cwd });
  expect(readFileSync(join(cwd, 'y.usda'), 'utf8')).toContain('upAxis = "Y"');
  expect(readFileSync(join(cwd, 'run/export/run.usda'), 'utf8')).toContain('upAxis = "Z"');
  const refused = await runCli(['export', 'run', '--to', 'glb', '--up', 'z'], { cwd });
  expect([refused.code, refused.stderr.includes('--up z: glTF has y up by definition')]).toEqual([2, true]);
});

test('an exported PLY is text with all fields, face fields too', async () => {
  const bytes = readFileSync(join(cwd, 'run/export/ply/000002.ply'));
  expect(bytes.toString('latin1', 0, 22)).toBe('ply\nformat ascii 1.0\nc');
  const exported = readPly(bytes, 'export');
  const run = readPly(readFileSync(join(cwd, 'run/surface/000002.ply')), 'run');
  // Text says what each float is; the run's file has the floats themselves.
  expect({ ...exported, position: exported.position.map(Math.fround) }).toEqual(run);
});

test('usda and glb have the solids of the scene, also those that move', async () => {
  const scene = {
    version: 1,
    method: 'lattice',
    duration: 0.1,
    fps: 20,
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.1,
    liquids: [{ shape: { type: 'box', min: [-1, -1, -1], max: [2, 2, 0.3] } }],
    solids: [
      { name: 'post', shape: { type: 'box', min: [0.6, 0.6, -1], max: [0.8, 0.8, 2] } },
      {
        name: 'ram',
        shape: { type: 'sphere', centre: [0.3, 0.3, 0.6], radius: 0.2 },
        motion: { translate: { velocity: [0, 0, -1] } },
      },
    ],
  };
  writeFileSync(join(cwd, 'solids.jsonc'), JSON.stringify(scene));
  const ran = await runCli(['run', 'solids.jsonc', '-o', 'solids', '--quiet', '--threads', '1'], { cwd });
  expect(ran.code).toBe(0);
  for (const to of ['usda', 'glb']) {
    const { code, stderr } = await runCli(['export', 'solids', '--to', to], { cwd });
    expect([code, stderr]).toEqual([0, '']);
  }
  const usda = readFileSync(join(cwd, 'solids/export/solids.usda'), 'utf8');
  expect(usda).toContain('def Mesh "post"');
  expect(usda).toMatch(
    /def Mesh "ram"[\s\S]*xformOp:translate\.timeSamples = \{\n[^}]*\b2: \(0, 0, -0\.1\),/,
  );
  const { document, names } = await readGlb(join(cwd, 'solids/export/solids.glb'));
  expect(names).toEqual(expect.arrayContaining(['post', 'ram', 'frame 2']));
  const moving = document
    .getRoot()
    .listAnimations()[0]
    .listChannels()
    .find((c) => c.getTargetPath() === 'translation')!;
  expect(moving.getTargetNode()!.getName()).toBe('ram');
  expect(moving.getSampler()!.getOutput()!.getArray()!.at(-1)).toBeCloseTo(-0.1, 6);
});

test('export reads no mesh file outside the run folder', async () => {
  const file = join(cwd, 'solids/run.json');
  const info = JSON.parse(readFileSync(file, 'utf8'));
  info.scene.solids[0].shape = { type: 'mesh', file: '../ball.obj' };
  writeFileSync(file, JSON.stringify(info));
  const { code, stderr } = await runCli(['export', 'solids', '--to', 'glb'], { cwd });
  expect([code, stderr]).toEqual([
    0,
    'note: solid post is left out: its mesh file is not in the run folder\n',
  ]);
});

test('help names every command', async () => {
  const { code, stdout } = await runCli(['--help'], { cwd });
  expect(code).toBe(0);
  for (const name of 'scenes run resume check mesh view export render validate bench'.split(' '))
    expect(stdout).toMatch(new RegExp(`^ +${name} `, 'm'));
});
