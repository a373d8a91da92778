/**
 * Attacks the built program with damaged input, by a seed: mutated scenes through `check` and `run --frames
 * 2`, mutated mesh files through `check` and `mesh`, and kinds of input that must be refused. A finding is a
 * stack trace, a process that dies, a check above 10 s (of the clock and of the CPU) or 1 GB, an exit code
 * that means nothing, or a kind that is accepted. Usage: node tools/attack.js [--seed 1] [--scenes 5000]
 * [--runs 300] [--meshes 2000] [--from 0] [--only flip/] [--minutes 20] [--kinds] [--keep FOLDER]
 * [--progress]
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'jsonc-parser';
import { prepareKinds } from './attack/kinds.js';
import { mutateMesh } from './attack/mutate-mesh.js';
import { mutateScene } from './attack/mutate-scene.js';
import { Session } from './attack/session.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const library = await import(join(root, 'dist/src/index.js'));
const { buildBoundary } = await import(join(root, 'dist/cases/geometry/tet-boundary.js'));
const { createRandom } = await import(join(root, 'dist/src/core/random.js'));

/** Bounds of a check; runs are stopped after a while, which is no finding. */
const MOST_MS = 10_000;
const MOST_BYTES = 2 ** 30;
const RUN_MS = 60_000;
/**
 * A check is too slow by the clock and by its CPU seconds: that other programs keep it waiting is not its
 * fault. It hangs after this many times as long.
 */
const PATIENCE = 6;

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    scenes: { type: 'string', default: '0' },
    from: { type: 'string', default: '0' },
    runs: { type: 'string', default: '0' },
    meshes: { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: 'Infinity' },
    kinds: { type: 'boolean', default: false },
    progress: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
const seed = Number(flags.seed);
/** Number of the first case of each sort: a finding is run again by its own. */
const first = Number(flags.from);
const folder = flags.keep ?? mkdtempSync(join(tmpdir(), 'meniscus-attack-'));
mkdirSync(folder, { recursive: true });
/** After this no case is begun: a long attack is done in parts. */
const end = performance.now() + 60_000 * Number(flags.minutes);
const session = new Session();
const findings = [];
const tally = {};

try {
  if (flags.kinds) await attackKinds();
  await attackScenes(Number(flags.scenes));
  await attackRuns(Number(flags.runs));
  await attackMeshes(Number(flags.meshes));
} finally {
  session.close();
  if (!flags.keep) rmSync(folder, { recursive: true, force: true });
}
for (const [what, counts] of Object.entries(tally))
  process.stdout.write(`${what}: ${JSON.stringify(counts)}\n`);
for (const finding of findings) process.stdout.write(`FINDING ${finding}\n`);
process.stdout.write(`${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

async function attackKinds() {
  for (const [name, args] of prepareKinds(folder)) {
    const result = await session.run(args, folder, PATIENCE * MOST_MS);
    judge('kinds', name, result, { isCheck: true, mustRefuse: true });
  }
}

/** The numbers of the cases of a sort, as far as the time allows. */
function* countCases(what, count) {
  for (let n = first; n < count; n++) {
    if (performance.now() > end) {
      process.stdout.write(`${what}: no time left, go on with --from ${n}\n`);
      return;
    }
    yield n;
  }
}

async function attackScenes(count) {
  const bases = listScenes();
  for (const n of countCases('scenes', count)) {
    const random = createRandom(1_000_003 * seed + n);
    const [name, scene, place] = bases[n % bases.length];
    const file = writeCase(`scene-${n}.jsonc`, mutateScene(random, scene), place);
    judge('scenes', `${n} of ${name}`, await session.run(['check', file], folder, PATIENCE * MOST_MS), {
      isCheck: true,
    });
    drop(file);
  }
}

async function attackRuns(count) {
  const bases = listScenes();
  for (const n of countCases('runs', count)) {
    const random = createRandom(2_000_003 * seed + n);
    const [name, scene, place] = bases[n % bases.length];
    const small = { ...scene, ...(scene.settings?.small ?? {}) };
    delete small.settings;
    const file = writeCase(`run-${n}.jsonc`, mutateScene(random, small), place);
    const out = join(folder, `out-${n}`);
    const args = ['run', file, '--frames', '2', '--threads', '1', '--quiet', '-o', out];
    judge('runs', `${n} of ${name}`, await session.run(args, folder, RUN_MS), { isCheck: false });
    rmSync(out, { recursive: true, force: true });
    drop(file);
  }
}

async function attackMeshes(count) {
  const bases = buildMeshes();
  const scene = {
    version: 1,
    method: 'lattice',
    duration: 0.1,
    domain: { min: [-1, -1, -1], max: [1, 1, 1] },
    resolution: 0.2,
  };
  for (const n of countCases('meshes', count)) {
    const random = createRandom(3_000_003 * seed + n);
    const [kind, bytes] = bases[n % bases.length];
    const file = join(folder, `mesh-${n}.${kind}`);
    writeFileSync(file, mutateMesh(random, bytes, kind));
    if (n % 5 === 0) {
      const args = ['mesh', file, '--size', '0.2', '-o', join(folder, 'mesh.ply')];
      // A corner flung far away is a mesh of millions of tets: to make them is no fault.
      judge('mesh', `${n}`, await session.run(args, folder, RUN_MS), { isCheck: false });
    } else {
      const name = join(folder, `mesh-${n}.jsonc`);
      writeFileSync(name, JSON.stringify({ ...scene, liquids: [{ shape: { type: 'mesh', file } }] }));
      judge('meshes', `${n}`, await session.run(['check', name], folder, PATIENCE * MOST_MS), {
        isCheck: true,
      });
      drop(name);
    }
    drop(file);
  }
}

function judge(what, name, { code, out = '', ms, cpuMs, rss, died, hung }, { isCheck, mustRefuse = false }) {
  tally[what] ??= {
    cases: 0,
    accepted: 0,
    refused: 0,
    failed: 0,
    stopped: 0,
    slowestMs: 0,
    mostCpuMs: 0,
    mostMB: 0,
  };
  const counts = tally[what];
  counts.cases++;
  if (flags.progress && counts.cases % 100 === 0)
    process.stderr.write(`${what}: ${JSON.stringify(counts)}, ${findings.length} findings\n`);
  const find = (text) => {
    findings.push(`${what} ${name}: ${text}`);
    if (flags.progress) process.stderr.write(`FINDING ${findings.at(-1)}\n`);
  };
  if (died !== undefined) {
    find(`the process died (${died})`);
    return;
  }
  if (hung) {
    counts.stopped++;
    if (isCheck) find(`no end after ${(PATIENCE * MOST_MS) / 1000} s`);
    return;
  }
  counts[code === 0 ? 'accepted' : code === 2 ? 'refused' : 'failed']++;
  if (isCheck) {
    counts.slowestMs = Math.max(counts.slowestMs, Math.round(ms));
    counts.mostCpuMs = Math.max(counts.mostCpuMs, Math.round(cpuMs));
    counts.mostMB = Math.max(counts.mostMB, Math.round(rss / 1e6));
    if (Math.min(ms, cpuMs) > MOST_MS) find(`took ${(ms / 1000).toFixed(1)} s: ${firstLine(out)}`);
    if (rss > MOST_BYTES) find(`took ${(rss / 1e6).toFixed(0)} MB: ${firstLine(out)}`);
  }
  if (/^\s+at .*[:(]/m.test(out) || /UNCAUGHT|UNHANDLED|THROWN/.test(out))
    find(`a stack trace: ${out.slice(0, 600)}`);
  else if (code !== 0 && code !== 2 && (isCheck || code > 3)) find(`exit code ${code}: ${firstLine(out)}`);
  else if (code === 2 && !/^error: .+: .+; .+/m.test(out) && !/^error: /m.test(out))
    find(`no error line: ${firstLine(out)}`);
  if (mustRefuse && code !== 2) find(`accepted (exit ${code}): ${firstLine(out)}`);
}

function firstLine(text) {
  return text.split('\n')[0].slice(0, 300);
}

/** A case on disk; mesh files of bundled scenes are found from there. */
function writeCase(name, text, place) {
  const file = join(folder, name);
  writeFileSync(file, text.replaceAll('"bunny.ply"', JSON.stringify(join(place, 'bunny.ply'))));
  return file;
}

function drop(file) {
  if (!flags.keep && existsSync(file)) rmSync(file);
}

function listScenes() {
  const scenes = join(root, 'scenes');
  const found = readdirSync(scenes, { recursive: true })
    .filter((name) => name.endsWith('.jsonc') && name.startsWith(flags.only))
    .sort()
    .map((name) => {
      const place = join(scenes, name, '..');
      return [name, absolute(parse(readFileSync(join(scenes, name), 'utf8')), place), place];
    });
  if (found.length === 0) throw new Error(`no scene begins with ${flags.only}`);
  return found;
}

/** Mesh files named from anywhere. */
function absolute(value, place) {
  if (Array.isArray(value)) return value.map((v) => absolute(v, place));
  if (value === null || typeof value !== 'object') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, absolute(v, place)]));
  if (copy.type === 'mesh') copy.file = join(place, copy.file);
  return copy;
}

/** Small closed surfaces in every format and encoding. */
function buildMeshes() {
  const { mesh } = library.meshShape(library.sphere([0, 0, 0], 0.5), { size: 0.25, interior: 'uniform' });
  const surface = buildBoundary(mesh);
  const ascii = asciiPly(surface);
  return [
    ['ply', library.writePly(surface)],
    ['ply', library.writePly(surface, {}, {}, { double: true })],
    ['ply', ascii],
    ['obj', library.writeObj(surface)],
    ['stl', library.writeStl ? library.writeStl(surface) : binaryStl(surface)],
    [
      'obj',
      Buffer.from(
        'v 0 0 0\nv 0.5 0 0\nv 0.5 0.5 0\nv 0 0.5 0\nv 0 0 0.5\nv 0.5 0 0.5\nv 0.5 0.5 0.5\nv 0 0.5 0.5\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n',
      ),
    ],
  ];
}

function asciiPly({ vertexCount, triangleCount, position, triangle }) {
  const lines = [
    'ply',
    'format ascii 1.0',
    `element vertex ${vertexCount}`,
    'property float x',
    'property float y',
    'property float z',
    `element face ${triangleCount}`,
    'property list uchar int vertex_indices',
    'end_header',
  ];
  for (let v = 0; v < vertexCount; v++) lines.push([...position.subarray(3 * v, 3 * v + 3)].join(' '));
  for (let t = 0; t < triangleCount; t++)
    lines.push(`3 ${[...triangle.subarray(3 * t, 3 * t + 3)].join(' ')}`);
  return Buffer.from(`${lines.join('\n')}\n`);
}

function binaryStl({ triangleCount, position, triangle }) {
  const out = Buffer.alloc(84 + 50 * triangleCount);
  out.writeUInt32LE(triangleCount, 80);
  for (let t = 0; t < triangleCount; t++)
    for (let i = 0; i < 9; i++)
      out.writeFloatLE(position[3 * triangle[3 * t + Math.floor(i / 3)] + (i % 3)], 84 + 50 * t + 12 + 4 * i);
  return out;
}
