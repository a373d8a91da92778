/**
 * Estimates against real runs: each scene is estimated as `meniscus check` does, then run, and what it took
 * is set beside it. Prints a table of estimate over measured; what is off by more than two is marked. Usage:
 * node tools/try-estimates.js [--unseen] [--threads N] [name...] The constants of the estimates were fitted to
 * the first list; `--unseen` runs the second, which they were not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = (path) => import(join(root, 'dist/src', path));
const { loadSceneFromDisk, readScene } = await load('cli/paths.js');
const { estimateRun } = await load('run/budget.js');
const { describeMachine } = await load('run/node-machine.js');
const { findMethod } = await load('run/registry.js');
const { countFrames } = await load('run/runner.js');

/** [scene, setting or '', frames or 0 for all] */
const FITTED = [
  ['lattice/falling-blob', '', 0],
  ['lattice/martin-moyce', '', 0],
  ['lattice/dam-break', 'small', 0],
  ['lattice/dam-break', '', 20],
  ['lattice/drop-into-pool', 'small', 0],
  ['lattice/still-pool', '', 0],
  ['lattice/hemisphere', '', 15],
  ['lattice/statue', '', 15],
  ['lattice/stirred-tank', '', 10],
  ['everyday/ball', '', 0],
  ['everyday/jet', '', 0],
  ['everyday/tap', '', 0],
  ['tracking/zalesak', '', 0],
  ['tracking/enright', 'small', 0],
  ['tracking/cyclic-flow', '', 0],
  ['tracking/voronoi', '', 30],
  ['films/cube', '', 20],
  ['films/double-bubble', '', 20],
  ['films/popping', '', 15],
  ['films/foam-125', '', 4],
  ['viscous/honey', 'small', 0],
  ['viscous/column', 'small', 20],
  ['viscous/toast', 'small', 0],
  ['surface/oscillating-drop', 'small', 0],
  ['surface/donut', 'small', 0],
  ['surface/head-on-40', 'small', 0],
  ['flip/dam-break', 'small', 15],
  ['flip/drop', 'small', 15],
];
const UNSEEN = [
  ['everyday/torus', '', 0],
  ['everyday/bunny', '', 0],
  ['everyday/thrown-ball', '', 0],
  ['everyday/two-jets', '', 0],
  ['everyday/edge', '', 0],
  ['everyday/step', '', 0],
  ['everyday/tilted-slab', '', 0],
  ['lattice/hemisphere', 'small', 0],
  ['lattice/spray', 'small', 0],
  ['lattice/basin', 'small', 60],
  ['lattice/plunge', 'small', 20],
  ['tracking/enright-four', 'small', 0],
  ['tracking/normal-flow-noise', 'small', 0],
  ['tracking/two-spheres', 'small', 0],
  ['tracking/t2', '', 20],
  ['films/net-motion', 'small', 0],
  ['films/sweeping-ring', 'small', 0],
  ['films/pulling-apart', 'small', 0],
  ['films/cluster', '', 8],
  ['films/live', '', 20],
  ['viscous/bunny', 'small', 0],
  ['viscous/ketchup', 'small', 0],
  ['viscous/tori', 'small', 0],
  ['surface/thread', 'small', 0],
  ['surface/off-centre', 'small', 0],
  ['flip/bunny', 'small', 10],
  ['flip/splash', 'small', 10],
];

const { values: flags, positionals: names } = parseArgs({
  options: { unseen: { type: 'boolean' }, threads: { type: 'string' } },
  allowPositionals: true,
});
const list = (flags.unseen ? UNSEEN : FITTED).filter(([name]) => names.length === 0 || names.includes(name));
const dir = mkdtempSync(join(tmpdir(), 'meniscus-estimates-'));
/**
 * Loaded into each run: leaves its peak memory and CPU seconds in a file. CPU seconds, unlike those on the
 * clock, do not depend on what else runs.
 */
const witness = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>{const{maxRSS,userCPUTime,systemCPUTime}=process.resourceUsage();writeFileSync(process.env.WITNESS,JSON.stringify({bytes:maxRSS*1024,cpu:(userCPUTime+systemCPUTime)/1e6}))})`;
let misses = 0;
try {
  for (const [name, setting, frames] of list) await tryOne(name, setting, frames);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.stdout.write(`${misses} of ${list.length} runs have a figure off by more than two\n`);

async function tryOne(name, setting, frames) {
  const { scene } = await loadSceneFromDisk(readScene(name), setting ? { setting } : {});
  const count = frames || countFrames(scene);
  const { slowness } = measureMachine();
  const method = findMethod(scene.method);
  const machine = {
    ...describeMachine(),
    slowness,
    ...(flags.threads && { threads: Number(flags.threads) }),
  };
  const budget = estimateRun(method, scene, count, machine);
  const work = estimateRun(method, scene, count, { ...machine, slowness: 1, threads: 1 });
  const out = join(dir, 'run');
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      ...[
        '--import',
        witness,
        join(root, 'bin/meniscus.js'),
        'run',
        name,
        '-o',
        out,
        '--overwrite',
        '--quiet',
      ],
      ...['--frames', String(count), ...(setting ? ['--setting', setting] : [])],
      ...(flags.threads ? ['--threads', flags.threads] : []),
    ],
    { env: { ...process.env, WITNESS: join(dir, 'seen') }, encoding: 'utf8' },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) {
    process.stdout.write(`${name}: the run failed, exit ${status}: ${stderr.split('\n')[0]}\n`);
    return;
  }
  const records = readFileSync(join(out, 'stats.jsonl'), 'utf8').trimEnd().split('\n').map(JSON.parse);
  const most = (key) => Math.max(...records.map((r) => r[key] ?? 0));
  const { totals } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'));
  const seen = JSON.parse(readFileSync(join(dir, 'seen'), 'utf8'));
  const figures = {
    ...Object.fromEntries(
      ['tets', 'triangles', 'particles']
        .filter((key) => budget.elements[key])
        .map((key) => [key, [budget.elements[key], most(key)]]),
    ),
    steps: [budget.steps, records.length - 1],
    'heap MB': [budget.heapBytes / 1e6, totals.peakHeapBytes / 1e6],
    'memory MB': [budget.memoryBytes / 1e6, seen.bytes / 1e6],
    'CPU s': [work.seconds, seen.cpu],
    'clock s': [budget.seconds, seconds],
  };
  const isOff = ([e, m]) => e > 2 * m || m > 2 * e;
  if (Object.values(figures).some(isOff)) misses++;
  const cells = Object.entries(figures).map(
    ([key, pair]) =>
      `${key} ${pair.map(round).join(' / ')} = ${(pair[0] / pair[1]).toFixed(2)}${isOff(pair) ? ' !' : ''}`,
  );
  const what = `${name}${setting ? ` ${setting}` : ''}, ${count} frames, slowness ${slowness.toFixed(1)}`;
  process.stdout.write(`${what}: ${cells.join('; ')}\n`);
}

/** In a process of its own, as a run would. */
function measureMachine() {
  const script = `import(${JSON.stringify(join(root, 'dist/src/run/node-machine.js'))}).then((m) => process.stdout.write(JSON.stringify(m.describeMachine())))`;
  return JSON.parse(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout);
}

function round(x) {
  return x >= 100 ? Math.round(x) : Number(x.toPrecision(2));
}
