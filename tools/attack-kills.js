/**
 * Kills runs with SIGKILL at moments drawn by a seed and resumes them, and lets two resumes of one run start
 * at once. A finding is a byte that differs from the straight run, or a second resume that wrote a frame.
 * Usage: node tools/attack-kills.js [--seed 1] [--kills 100] [--pairs 50] [--minutes 20] [--only
 * lattice,flip,...]
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from '../dist/src/core/random.js';
import { composeScenes } from './attack/scenes.js';
import { readRun } from './compare/outcome.js';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '100' },
    pairs: { type: 'string', default: '50' },
    minutes: { type: 'string', default: 'Infinity' },
    only: { type: 'string' },
  },
});
const random = createRandom(Number(flags.seed));
/** After this no run is begun: a long attack is done in parts, each with a seed of its own. */
const end = performance.now() + 60_000 * Number(flags.minutes);
const hasTime = () => performance.now() < end;
const bin = fileURLToPath(new URL('../bin/meniscus.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'meniscus-kills-'));

const all = composeScenes(2, 0.005);
const only = flags.only?.split(',') ?? Object.keys(all);
const scenes = Object.fromEntries(Object.entries(all).filter(([name]) => only.includes(name)));
const FRAMES = 8;
/** Pairs that may miss each other before it is a finding. */
const MOST_IN_TURN = 200;

/** Runs the command line; `killAfter` ms it gets SIGKILL. Its `frames` are those it wrote. */
function run(args, killAfter) {
  const start = performance.now();
  // One thread or two: the bytes are the same.
  const threads = String(1 + (random.nextInt(4) === 0 ? 1 : 0));
  const child = spawn(process.execPath, [bin, ...args, '--quiet', '--json', '--threads', threads], {
    cwd: folder,
  });
  let text = '';
  let records = '';
  child.stdout.on('data', (chunk) => {
    records += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const frames = records
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).frame);
      resolve({ code, signal, text, frames, ms: performance.now() - start });
    });
  });
}

const findings = [];
const tally = { kills: 0, pairs: 0, inTurn: 0, runs: 0, refusedResumes: 0, differingFiles: 0, doubleRuns: 0 };
try {
  const names = Object.keys(scenes);
  const straight = {};
  for (const name of names) {
    const scene = { version: 1, method: name, duration: 1, fps: 20, ...scenes[name] };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(scene));
    const done = await run(['run', `${name}.json`, '-o', `${name}-straight`, '--frames', String(FRAMES)]);
    if (done.code !== 0) throw new Error(done.text);
    straight[name] = { files: readRun(join(folder, `${name}-straight`)), ms: done.ms };
  }
  await killRuns(names, straight);
  await pairResumes(names, straight);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify(tally)}\n`);
for (const finding of findings) process.stdout.write(`FINDING ${finding}\n`);
process.stdout.write(`${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** Each run is killed up to four times on its way, then left to end. */
async function killRuns(names, straight) {
  for (let n = 0; tally.kills < Number(flags.kills) && hasTime(); n++) {
    const name = names[n % names.length];
    const dir = `killed-${n}`;
    const args = ['run', `${name}.json`, '-o', dir, '--resume', '--frames', String(FRAMES)];
    for (let k = 0; k < 4 && tally.kills < Number(flags.kills); k++) {
      const { signal, code, text, ms } = await run(args, random.next() * straight[name].ms);
      // The machine may have been busier when the straight run was timed: kills come on the way, not after it.
      if (k === 0 && signal !== 'SIGKILL') straight[name].ms = Math.min(straight[name].ms, ms);
      if (signal === 'SIGKILL') tally.kills++;
      else if (code !== 0) findings.push(`${dir}: resume after a kill: ${text.slice(0, 300)}`);
    }
    const last = await run(args);
    if (last.code !== 0)
      findings.push(
        `${dir}: last resume: ${last.text.slice(0, 300)}; there: ${readdirSync(join(folder, dir))}`,
      );
    else compare(dir, straight[name].files);
    rmSync(join(folder, dir), { recursive: true, force: true });
  }
}

/** A run stopped half way, and two resumes at the same moment or nearly: one runs, the other is refused. */
async function pairResumes(names, straight) {
  const half = {};
  for (const name of names) {
    half[name] = `${name}-half`;
    await run(['run', `${name}.json`, '-o', half[name], '--frames', String(FRAMES / 2)]);
    // As after a kill: nobody has said that it ended.
    const file = join(folder, half[name], 'run.json');
    const info = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...info, status: 'running', lastFrame: FRAMES }));
  }
  for (let n = 0; tally.pairs < Number(flags.pairs) && hasTime(); n++) {
    const name = names[n % names.length];
    const dir = `pair-${n}`;
    cpSync(join(folder, half[name]), join(folder, dir), { recursive: true });
    const args = ['resume', dir, '--frames', String(FRAMES)];
    const second = new Promise((resolve) => setTimeout(resolve, 30 * random.next())).then(() => run(args));
    const results = await Promise.all([run(args), second]);
    const wrote = results.filter(({ code, frames }) => code === 0 && frames.length === FRAMES / 2);
    const idle = results.filter(({ code, frames }) => code === 0 && frames.length === 0);
    const refused = results.filter(({ code, text }) => code === 2 && /is still writing this run/.test(text));
    tally.refusedResumes += refused.length;
    // On a busy machine one may end before the other has looked, which then finds nothing left to do: no
    // meeting.
    const inTurn = wrote.length === 1 && idle.length === 1 && tally.inTurn < MOST_IN_TURN;
    if (inTurn) tally.inTurn++;
    else tally.pairs++;
    if (!inTurn && (wrote.length !== 1 || refused.length !== 1)) {
      tally.doubleRuns++;
      findings.push(
        `${dir}: ${results.map(({ code, frames, text }) => `exit ${code}, frames [${frames}] ${text.slice(0, 200)}`).join(' | ')}`,
      );
    }
    compare(dir, straight[name].files);
    rmSync(join(folder, dir), { recursive: true, force: true });
  }
}

function compare(dir, expected) {
  tally.runs++;
  const found = readRun(join(folder, dir));
  for (const file of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    if (expected[file] === found[file]) continue;
    tally.differingFiles++;
    findings.push(`${dir}: ${file} differs`);
  }
}
