/**
 * Runs the bundled scenes with two commits and compares what they write, byte by byte: every file of every
 * frame, and every record of stats.jsonl without wall times and heap bytes.
 *
 *   node tools/compare-commits.js REV_A REV_B [--scenes GLOB] [--threads 1,2] [--frames N] [--volume] [--jobs N] [--cache DIR]
 *
 * To be run from a checkout. A revision is anything git knows, or `.` for the working tree as it is. In GLOB
 * `*` stands for anything, `/` too. Scenes run at their setting `small`; those without one run at a few
 * frames. `--frames` cuts all runs. `--volume` writes the tetrahedra of every frame too. What a commit's runs
 * wrote is kept as checksums in the cache, by the sources they depend on: a base is run once. The cache can
 * be deleted at any time.
 *
 * A scene that both refuse, before anything is written, counts by itself and not as the same.
 * Threads must not matter either, so all runs of a scene are held to the first: A on the first number of
 * threads. Exit code 0: all the same. 3: something differs. 2: bad arguments. 1: a build or git failed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOut, resolveTree } from './compare/checkout.js';
import { findDifference, isRefused, readOutcome } from './compare/outcome.js';

/** Frames of scenes without a small setting. */
const FEW_FRAMES = 8;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        scenes: { type: 'string', default: '*' },
        threads: { type: 'string', default: '1,2' },
        frames: { type: 'string' },
        volume: { type: 'boolean', default: false },
        jobs: { type: 'string', default: '1' },
        cache: { type: 'string', default: join(tmpdir(), 'meniscus-compare') },
      },
    });
    if (positionals.length !== 2) throw new Error(`${positionals.length} revisions given; give two`);
    const count = (text, what) => {
      if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${what} "${text}": give a whole number from 1 on`);
      return Number(text);
    };
    return {
      revisions: positionals,
      scenes: values.scenes,
      threads: values.threads.split(',').map((text) => count(text, '--threads')),
      frames: values.frames === undefined ? undefined : count(values.frames, '--frames'),
      volume: values.volume,
      jobs: count(values.jobs, '--jobs'),
      cache: values.cache,
    };
  } catch (error) {
    console.error(`compare-commits: ${error.message}`);
    process.exit(2);
  }
}

/** Runs the program of a commit; collects what it prints. */
function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(program, 'bin/meniscus.js'), ...args], { cwd: program });
    const text = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].on('data', (part) => (text[stream] += part));
    child.on('close', (code) => resolve({ code, ...text }));
  });
}

async function listScenes({ program }, glob) {
  const { code, stdout, stderr } = await run(program, ['scenes', '--json']);
  if (code !== 0) throw new Error(`meniscus scenes: ${stderr}`);
  const pattern = new RegExp(`^${glob.replaceAll(/[.+^$(){}|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`);
  return new Map(
    JSON.parse(stdout)
      .filter(({ name }) => pattern.test(name))
      .map((scene) => [scene.name, scene]),
  );
}

/** What a run wrote, from the cache or by running it. */
async function takeOutcome(side, { name, settings }, threads, options) {
  const small = settings.includes('small');
  const frames = options.frames ?? (small ? undefined : FEW_FRAMES);
  const args = [
    ...(small ? ['--setting', 'small'] : []),
    ...(frames === undefined ? [] : ['--frames', String(frames)]),
    ...(options.volume ? ['--set', 'output.volume=1'] : []),
  ];
  const kept = join(side.folder, `${[name, ...args, threads].join(' ').replaceAll(/[^\w.=]+/g, '_')}.json`);
  if (existsSync(kept)) return { ...JSON.parse(readFileSync(kept, 'utf8')), seconds: 0 };
  const dir = mkdtempSync(join(tmpdir(), 'meniscus-run-'));
  const out = join(dir, 'run');
  try {
    const start = performance.now();
    const done = await run(side.program, [
      'run',
      name,
      ...args,
      '-o',
      out,
      '--threads',
      String(threads),
      '--quiet',
    ]);
    const end = done.code === 0 ? 'done' : done.stderr.trim().split('\n').at(-1).replaceAll(out, 'DIR');
    const written = existsSync(join(out, 'stats.jsonl')) ? readOutcome(out) : { files: {}, records: [] };
    const outcome = { end, ...written };
    writeFileSync(`${kept}.${process.pid}`, JSON.stringify(outcome));
    renameSync(`${kept}.${process.pid}`, kept);
    return { ...outcome, seconds: (performance.now() - start) / 1000 };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

process.on('uncaughtException', (error) => {
  console.error(`compare-commits: ${error.message}`);
  process.exit(1);
});

const options = readArguments();
const started = performance.now();
const sides = options.revisions.map((revision, n) => {
  const tree = resolveTree(revision);
  console.error(
    `compare-commits: ${'AB'[n]} is ${revision}, tree ${tree.tree.slice(0, 12)}, sources ${tree.key}`,
  );
  mkdirSync(options.cache, { recursive: true });
  const program = checkOut(tree, options.cache);
  return { label: 'AB'[n], program, folder: dirname(program) };
});
const [scenesA, scenesB] = [
  await listScenes(sides[0], options.scenes),
  await listScenes(sides[1], options.scenes),
];
const names = [...new Set([...scenesA.keys(), ...scenesB.keys()])];
const tally = { same: 0, different: 0, refused: 0, new: 0 };
const total = names.length * sides.length * options.threads.length;
let finished = 0;

async function compareScene(name) {
  if (!scenesA.has(name)) {
    tally.new++;
    return `${name}: only in B`;
  }
  let first;
  let seconds = 0;
  for (const threads of options.threads)
    for (const [n, side] of sides.entries()) {
      const scene = (n === 0 ? scenesA : scenesB).get(name);
      const who = `${side.label} on ${threads} thread${threads === 1 ? '' : 's'}`;
      if (!scene) return differs(name, 'not in B');
      const outcome = await takeOutcome(side, scene, threads, options);
      seconds += outcome.seconds;
      const elapsed = ((performance.now() - started) / 1000).toFixed(0);
      const took = outcome.seconds === 0 ? 'cached' : `${outcome.seconds.toFixed(1)} s`;
      console.error(`[${++finished}/${total}, ${elapsed} s] ${name}, ${who}: ${took}`);
      first ??= outcome;
      const difference = findDifference(first, outcome);
      if (difference) return differs(name, `${who} against A on ${options.threads[0]}: ${difference}`);
    }
  if (isRefused(first)) {
    tally.refused++;
    return `${name}: refused by both: ${first.end}`;
  }
  tally.same++;
  const { files, records, end } = first;
  const what = `${Object.keys(files).length} files, ${records.length} records`;
  return `${name}: same (${what}${end === 'done' ? '' : `; ${end}`}; ${seconds.toFixed(1)} s)`;
}

function differs(name, how) {
  tally.different++;
  return `${name}: DIFFERENT: ${how}`;
}

let next = 0;
await Promise.all(
  Array.from({ length: options.jobs }, async () => {
    while (next < names.length) console.log(await compareScene(names[next++]));
  }),
);
const others = [
  tally.refused === 0 ? '' : `, ${tally.refused} refused by both`,
  tally.new === 0 ? '' : `, ${tally.new} only in B`,
].join('');
console.log(`${tally.same} scenes the same, ${tally.different} different${others}`);
process.exit(tally.different === 0 && tally.same > 0 ? 0 : 3);
