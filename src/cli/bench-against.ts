import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pc from 'picocolors';
import { InputError, RunError } from '../core/errors.ts';
import type { RefereeCase } from '../run/referee.ts';
import { type ComparedFigure, compareFigures, type Figure } from './compare-rows.ts';
import { EXIT_GATE_FAILED } from './exit-codes.ts';
import { formatNumber, renderTable } from './format.ts';
import { packageFolder } from './paths.ts';

/**
 * `meniscus bench --against REV`: builds another commit beside this one and runs the same benchmarks with
 * both, a process for each case, in turns (old, new, new, old, ...), so that what else the machine does falls
 * on both. Prints what got slower or larger beyond the noise. Processor seconds stand beside the clock: a
 * machine shared with others lengthens the clock only.
 */
export interface AgainstFlags {
  readonly against: string;
  readonly repeats: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

interface Side {
  readonly program: string;
  /** Figures of each run so far */
  readonly runs: Figure[][];
}

export async function benchAgainst(cases: readonly RefereeCase[], flags: AgainstFlags): Promise<void> {
  const old = buildCommit(flags.against);
  const known = listCaseNames(old);
  const results: { name: string; figures: ComparedFigure[] }[] = [];
  for (const { name } of cases) {
    if (!known.has(name)) {
      note(`${name}: not in ${flags.against}, left out`);
      continue;
    }
    const before: Side = { program: old, runs: [] };
    const now: Side = { program: packageFolder, runs: [] };
    for (let n = 0; n < flags.repeats; n++) {
      note(`${name}: ${n + 1} of ${flags.repeats}`);
      for (const side of n % 2 === 0 ? [before, now] : [now, before])
        side.runs.push(await runCase(side.program, name));
    }
    const figures = compareFigures(before.runs, now.runs);
    results.push({ name, figures });
    if (!flags.json) print(name, figures, flags);
  }
  const all = results.flatMap(({ figures }) => figures);
  const worse = all.filter(({ verdict }) => verdict === 'worse').length;
  const better = all.filter(({ verdict }) => verdict === 'better').length;
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else {
    const text = `${all.length} figures against ${flags.against}: ${worse} worse, ${better} better, the rest within noise`;
    process.stdout.write(`${worse === 0 ? pc.green(text) : pc.red(text)}\n`);
  }
  if (worse > 0) process.exitCode = EXIT_GATE_FAILED;
}

function note(text: string): void {
  process.stderr.write(`${pc.dim(`bench: ${text}`)}\n`);
}

/** The folder of the built commit. Builds are kept in the temporary folder by their sources. */
function buildCommit(revision: string): string {
  const tool = join(packageFolder, 'tools', 'build-commit.js');
  if (!existsSync(tool) || !existsSync(join(packageFolder, '.git')))
    throw new InputError(
      '--against',
      `${packageFolder} is no checkout`,
      'clone the repository to compare its commits',
    );
  note(`building ${revision}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, revision], {
    cwd: packageFolder,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new InputError(`--against ${revision}`, stderr.trim(), 'give a commit, branch or tag that builds');
  return stdout.trim();
}

function listCaseNames(program: string): Set<string> {
  const args = [join(program, 'bin/meniscus.js'), 'bench', '--list', '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new RunError('bench --list', stderr.trim(), 'the other commit has no benchmarks');
  return new Set((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name));
}

/** One case in a process of its own: its rows, and what the process needed in all. */
async function runCase(program: string, name: string): Promise<Figure[]> {
  // Told by a module that the other commit need not have; the process writes it to its fourth file as it
  // ends.
  const usage = pathToFileURL(join(packageFolder, 'tools', 'compare', 'tell-usage.js')).href;
  const args = ['--import', usage, join(program, 'bin/meniscus.js'), 'bench', name, '--json'];
  const start = performance.now();
  const child = spawn(process.execPath, args, { cwd: program, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const [out, errors, told] = await Promise.all([1, 2, 3].map((file) => readAll(child, file)));
  const clock = (performance.now() - start) / 1000;
  const [result] = JSON.parse(out || '[]') as {
    rows: { what: string; unit: string; measured: number | string }[];
    error?: string;
  }[];
  if (!result || result.error !== undefined)
    throw new RunError(`${name} in ${program}`, result?.error ?? errors.trim(), 'leave this case out');
  const { processor, residentBytes } = JSON.parse(told) as { processor: number; residentBytes: number };
  return [
    { what: 'whole case, clock', unit: 's', value: clock },
    { what: 'whole case, processor', unit: 's', value: processor },
    { what: 'whole case, resident at most', unit: 'MiB', value: residentBytes / 2 ** 20 },
    ...result.rows.flatMap(({ what, unit, measured }) =>
      typeof measured === 'number' ? [{ what, unit, value: measured }] : [],
    ),
  ];
}

function readAll(child: ChildProcess, file: number): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const stream = child.stdio[file] as NodeJS.ReadableStream;
    stream.setEncoding('utf8');
    stream.on('data', (part: string) => {
      text += part;
    });
    stream.on('close', () => resolve(text));
  });
}

function print(name: string, figures: readonly ComparedFigure[], { all, against }: AgainstFlags): void {
  const shown = figures.filter(({ verdict }) => all || verdict === 'worse');
  if (shown.length === 0) return;
  const color = { worse: pc.red, better: pc.green, same: pc.dim };
  const rows = shown.map(({ what, unit, before, now, ratio, noise, verdict }) => [
    what,
    formatNumber(before),
    formatNumber(now),
    unit,
    ratio.toFixed(3),
    `${(100 * noise).toFixed(1)} %`,
    color[verdict](verdict === 'same' ? 'within noise' : verdict),
  ]);
  process.stdout.write(
    `\n${pc.bold(name)}\n${renderTable(['what', against, 'now', 'unit', 'ratio', 'noise', ''], rows)}\n`,
  );
}
