/**
 * Attacks the built program with damaged run folders, by a seed: each is resumed, exported or replaced. A
 * finding is a stack trace, a process that dies or hangs, an exit code that means nothing, a kind of damage
 * that is accepted though it must not be, or a resume that goes on and gives other bytes than the straight
 * run. Usage: node tools/attack-folders.js [--seed 1] [--folders 300] [--from 0] [--only
 * lattice,mesh,spray,...] [--keep FOLDER] [--progress]
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../dist/src/core/random.js';
import { damageFolder } from './attack/damage-folder.js';
import { composeScenes } from './attack/scenes.js';
import { Session } from './attack/session.js';
import { readRun } from './compare/outcome.js';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    folders: { type: 'string', default: '300' },
    from: { type: 'string', default: '0' },
    progress: { type: 'boolean', default: false },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
});
const seed = Number(flags.seed);
/** Longest time of a command, ms. */
const PATIENCE = 60_000;
const folder = flags.keep ?? mkdtempSync(join(tmpdir(), 'meniscus-folders-'));
mkdirSync(folder, { recursive: true });
const bunny = fileURLToPath(new URL('../scenes/meshes/bunny.obj', import.meta.url));

/** Runs of all methods, stopped half way: what is damaged, and what a resume must come to. */
const all = {
  ...composeScenes(1, 0.01),
  mesh: {
    method: 'lattice',
    domain: { min: [-1, -1, -0.5], max: [1, 1, 1.5] },
    resolution: 0.2,
    liquids: [{ shape: { type: 'mesh', file: bunny } }],
    output: { volume: 2 },
  },
  // A ball among drops that the cells cannot hold: particles in every frame that is damaged.
  spray: {
    method: 'lattice',
    domain: { min: [0, 0, 0], max: [1, 1, 1] },
    resolution: 0.125,
    liquids: [
      { shape: { type: 'sphere', centre: [0.5, 0.5, 0.3], radius: 0.2 }, velocity: [0, 0, -3] },
      { shape: { type: 'sphere', centre: [0.2, 0.2, 0.8], radius: 0.05 } },
      { shape: { type: 'sphere', centre: [0.7, 0.3, 0.83], radius: 0.04 } },
    ],
    output: { volume: 2, particles: 1 },
  },
};
const only = flags.only?.split(',') ?? Object.keys(all);
const bases = Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name)));
const FRAMES = 6;
const DONE = 3;

const session = new Session();
const findings = [];
const tally = { cases: 0, accepted: 0, refused: 0, failed: 0, slowestMs: 0 };
try {
  const straight = {};
  for (const [name, scene] of Object.entries(bases)) {
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ version: 1, duration: 1, fps: 20, ...scene }),
    );
    for (const [kind, frames] of [
      ['straight', FRAMES],
      ['half', DONE],
    ]) {
      const out = `${name}-${kind}`;
      const args = [
        'run',
        `${name}.json`,
        '-o',
        out,
        '--frames',
        String(frames),
        '--threads',
        '1',
        '--quiet',
      ];
      // What is to be damaged must be there, however busy the machine is.
      const { code, out: text, hung } = await session.run(args, folder, 10 * PATIENCE);
      if (code !== 0) throw new Error(`${out}: ${hung ? 'no end' : text}`);
    }
    straight[name] = readRun(join(folder, `${name}-straight`));
  }
  for (let n = Number(flags.from); n < Number(flags.folders); n++) {
    await attack(n, straight);
    if (flags.progress && n % 20 === 0)
      process.stderr.write(`${n}: ${JSON.stringify(tally)}, ${findings.length} findings\n`);
  }
} finally {
  session.close();
  if (!flags.keep) rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`folders: ${JSON.stringify(tally)}\n`);
for (const finding of findings) process.stdout.write(`FINDING ${finding}\n`);
process.stdout.write(`${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

async function attack(n, straight) {
  const random = createRandom(1_000_003 * seed + n);
  const names = Object.keys(bases);
  const base = names[n % names.length];
  const dir = `case-${n}`;
  cpSync(join(folder, `${base}-half`), join(folder, dir), { recursive: true });
  const damage = damageFolder(random, join(folder, dir));
  const command = random.next() < 0.65 ? 'resume' : 'export';
  const formats = ['ply', 'obj', 'vtu', 'usda', 'glb'];
  const args =
    command === 'resume'
      ? [
          'resume',
          dir,
          '--frames',
          String(FRAMES),
          '--quiet',
          ...(random.next() < 0.5 ? ['--threads', '1'] : []),
        ]
      : ['export', dir, '--to', formats[random.nextInt(formats.length)]];
  const result = await session.run(args, folder, PATIENCE);
  // Volumes are VTU already: where each frame has one, its surface is not read.
  const isRead = !(
    (damage.name.startsWith('particles') && args.at(-1) === 'obj') ||
    (damage.name.startsWith('surface') && args.at(-1) === 'vtu' && bases[base].output?.volume === 1)
  );
  judge(`${n} ${base}, ${damage.name}, ${args.join(' ')}`, command, { ...damage, isRead }, result);
  if (result.code === 0 && command === 'resume' && damage.isHarmless) {
    const difference = findDifferentFile(straight[base], readRun(join(folder, dir)));
    if (difference)
      findings.push(`${n} ${base}, ${damage.name}: ${difference} differs from the straight run`);
  }
  const victim = join(folder, 'victim.txt');
  if (existsSync(victim) && readFileSync(victim, 'utf8') !== 'do not touch\n')
    findings.push(`${n}: ${damage.name}: a file outside was changed`);
  if (!flags.keep) rmSync(join(folder, dir), { recursive: true, force: true });
}

function judge(name, command, damage, { code, out = '', ms = 0, died, hung }) {
  tally.cases++;
  tally.slowestMs = Math.max(tally.slowestMs, Math.round(ms));
  const find = (text) => findings.push(`${name}: ${text}`);
  if (died !== undefined) return find(`the process died (${died})`);
  if (hung) return find(`no end after ${PATIENCE / 1000} s`);
  tally[code === 0 ? 'accepted' : code === 2 ? 'refused' : 'failed']++;
  if (/^\s+at .*[:(]/m.test(out) || /UNCAUGHT|UNHANDLED|THROWN/.test(out))
    return find(`a stack trace: ${out.slice(0, 700)}`);
  if (![0, 1, 2].includes(code)) return find(`exit code ${code}: ${out.slice(0, 300)}`);
  if (code !== 0 && !/^error: .+: .+; .+/m.test(out)) return find(`no error line: ${out.slice(0, 300)}`);
  const mustRefuse = command === 'resume' ? damage.mustRefuse : damage.mustRefuseExport && damage.isRead;
  if (mustRefuse && code !== 2) return find(`accepted (exit ${code}): ${out.slice(0, 300)}`);
  return undefined;
}

function findDifferentFile(a, b) {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].find((file) => a[file] !== b[file]);
}
