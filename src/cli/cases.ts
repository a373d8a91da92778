import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import pc from 'picocolors';
import { InputError } from '../core/errors.ts';
import type { Resources } from '../methods/method.ts';
import { createResources } from '../run/node-resources.ts';
import { methodOnTrial, type RefereeCase, type RefereeContext, type RefereeRow } from '../run/referee.ts';
import { suggest } from '../scene/nearest.ts';
import { type AgainstFlags, benchAgainst } from './bench-against.ts';
import { EXIT_GATE_FAILED } from './exit-codes.ts';
import { formatNumber, formatSeconds, renderTable } from './format.ts';
import { parseCount } from './options.ts';
import { loadSceneFromDisk, packageFolder, readScene } from './paths.ts';
import { createRun } from './run.ts';

/**
 * `meniscus validate` and `meniscus bench`: find the cases, run them, print a table, exit 3 if one falls
 * short.
 */

export function registerValidate(program: Command): void {
  program
    .command('validate')
    .description('hold the solvers to formulas and experiments; exit code 3 if one falls short')
    .argument('[method or case...]', 'only these; default: all')
    .option('--json', 'as JSON on stdout')
    .option('--list', 'only list the cases')
    .action((names: string[], flags: CaseFlags) => runCases('validation', names, flags));
}

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('measure speed and memory')
    .argument('[case...]', 'only these; default: all')
    .option('--json', 'as JSON on stdout')
    .option('--list', 'only list the cases')
    .option('--against <rev>', 'build another commit beside this one and print what got slower or larger')
    .option('--repeats <n>', 'with --against: runs of each commit, 2 or more', parseCount, 3)
    .option('--all', 'with --against: print every figure')
    .action(async (names: string[], flags: CaseFlags & Partial<AgainstFlags>) => {
      const { against, repeats = 3 } = flags;
      if (against === undefined || flags.list) return runCases('bench', names, flags);
      await benchAgainst(selectCases(await findCases(join(packageFolder, 'dist', 'bench')), names), {
        ...flags,
        against,
        repeats: Math.max(2, repeats),
      });
    });
}

interface CaseFlags {
  json?: boolean;
  list?: boolean;
}

interface CaseResult {
  name: string;
  method: string;
  title: string;
  seconds: number;
  rows: RefereeRow[];
  error?: string;
}

async function runCases(folder: string, names: string[], flags: CaseFlags): Promise<void> {
  const all = await findCases(join(packageFolder, 'dist', folder));
  const chosen = flags.list && names.length === 0 ? all : selectCases(all, names);
  if (flags.list) {
    if (flags.json) process.stdout.write(`${JSON.stringify(chosen.map(describeCase), null, 2)}\n`);
    else
      process.stdout.write(
        `${renderTable(
          ['case', 'method', 'title'],
          chosen.map((c) => [c.name, methodOnTrial(c), c.title]),
        )}\n`,
      );
    return;
  }
  const results: CaseResult[] = [];
  for (const one of chosen) {
    const result = await runCase(one);
    results.push(result);
    if (!flags.json) print(result);
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  const short = results.filter((r) => r.error !== undefined || r.rows.some((row) => !row.pass));
  if (!flags.json) {
    const text = `${results.length - short.length} of ${results.length} cases hold`;
    process.stdout.write(
      `${short.length === 0 ? pc.green(text) : pc.red(`${text}; short: ${short.map((r) => r.name).join(', ')}`)}\n`,
    );
  }
  if (short.length > 0) process.exitCode = EXIT_GATE_FAILED;
}

/** Every exported array of cases in the files below a folder, in the order of their paths. */
export async function findCases(folder: string): Promise<RefereeCase[]> {
  const cases: RefereeCase[] = [];
  const files = existsSync(folder)
    ? readdirSync(folder, { encoding: 'utf8', recursive: true })
        .filter((f) => /(?<!\.d)\.[jt]s$/.test(f))
        .sort()
    : [];
  for (const file of files) {
    const module = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
    for (const exported of Object.values(module))
      if (Array.isArray(exported)) cases.push(...exported.filter(isCase));
  }
  return cases;
}

function isCase(value: unknown): value is RefereeCase {
  return (
    typeof value === 'object' &&
    value !== null &&
    'run' in value &&
    typeof value.run === 'function' &&
    'name' in value
  );
}

export function selectCases(all: readonly RefereeCase[], names: readonly string[]): RefereeCase[] {
  for (const name of names) {
    if (!all.some((c) => c.name === name || methodOnTrial(c) === name)) {
      throw new InputError(
        name,
        'no such method or case',
        suggest(name, new Set(all.flatMap((c) => [c.name, methodOnTrial(c)]))),
      );
    }
  }
  if (names.length === 0) return all.filter((c) => c.onRequest !== true);
  return all.filter((c) => names.includes(c.name) || names.includes(methodOnTrial(c)));
}

const describeCase = (one: RefereeCase) => ({ name: one.name, method: methodOnTrial(one), title: one.title });

async function runCase(one: RefereeCase): Promise<CaseResult> {
  const opened: Resources[] = [];
  const context: RefereeContext = {
    async createResources(threads) {
      const resources = await createResources(threads);
      opened.push(resources);
      return resources;
    },
    loadScene: (name, edits) => loadSceneFromDisk(readScene(name), edits),
    createRun,
    note: (text) => process.stderr.write(`${pc.dim(`${one.name}: ${text}`)}\n`),
  };
  const start = performance.now();
  const head = describeCase(one);
  const elapsed = () => (performance.now() - start) / 1000;
  try {
    const rows = await one.run(context);
    return { ...head, seconds: elapsed(), rows };
  } catch (error) {
    // One case that breaks must not hide the figures of the others; it counts as short.
    return {
      ...head,
      seconds: elapsed(),
      rows: [],
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    for (const resources of opened) await resources.threads.close();
  }
}

function print(result: CaseResult): void {
  const show = (x: number | string) => (typeof x === 'number' ? formatNumber(x) : x);
  process.stdout.write(
    `\n${pc.bold(result.name)}  ${result.title}  ${pc.dim(formatSeconds(result.seconds))}\n`,
  );
  if (result.error !== undefined) {
    process.stdout.write(`${pc.red('failed')}: ${result.error}\n`);
    return;
  }
  const rows = result.rows.map((r) => [
    r.what,
    show(r.measured),
    show(r.reference),
    show(r.bound),
    r.unit,
    r.bound === '' ? '' : r.pass ? pc.green('holds') : pc.red('short'),
  ]);
  process.stdout.write(`${renderTable(['what', 'measured', 'reference', 'bound', 'unit', ''], rows)}\n`);
}
