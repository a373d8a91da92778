import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Drives the built command line in a folder of its own, with the bouncing ball as a method. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = join(root, 'bin/meniscus.js');

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface StartOptions {
  readonly cwd: string;
  readonly imports?: readonly string[];
  readonly env?: Record<string, string>;
}

export function startCli(
  args: readonly string[],
  options: StartOptions,
): { child: ChildProcess; result: Promise<Result> } {
  const imports = ['with-bouncing-ball.js', ...(options.imports ?? [])].flatMap((f) => [
    '--import',
    join(root, 'test/e2e', f),
  ]);
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...options.env };
  const child = spawn(process.execPath, [...imports, bin, ...args], { cwd: options.cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const result = new Promise<Result>((resolve) =>
    child.on('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, result };
}

export const runCli = (args: readonly string[], options: StartOptions) => startCli(args, options).result;

export const ballScene = `{
  "version": 1,
  "method": "ball",
  "duration": 0.5,
  "fps": 20,
  "domain": { "min": [0, 0, 0], "max": [1, 1, 1] },
  "resolution": 0.1,
  "liquids": [{ "shape": { "type": "sphere", "centre": [0.5, 0.5, 0.6], "radius": 0.2 }, "velocity": [0.3, 0.1, 0] }],
  "output": { "volume": 3 },
  "ball": { "delay": 0 }
}
`;

export function createFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'meniscus-'));
  writeFileSync(join(path, 'ball.jsonc'), ballScene);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const hash = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/**
 * All that a run must give again bit for bit: frames, pvd, and stats without wall times and what else belongs
 * to the process.
 */
export function readRun(dir: string, ...others: readonly string[]): Record<string, string> {
  const files: Record<string, string> = {};
  const leftOut = ['wall', ...others];
  for (const kind of ['surface', 'volume'].filter((kind) => existsSync(join(dir, kind)))) {
    for (const file of readdirSync(join(dir, kind)).sort())
      files[`${kind}/${file}`] = hash(readFileSync(join(dir, kind, file)));
  }
  const pvd = join(dir, 'volume.pvd');
  if (existsSync(pvd)) files['volume.pvd'] = readFileSync(pvd, 'utf8');
  const stats = readFileSync(join(dir, 'stats.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) =>
      JSON.stringify(JSON.parse(line), (key, value) => (leftOut.includes(key) ? undefined : value)),
    )
    .join('\n');
  files['stats.jsonl'] = hash(stats);
  return files;
}

/** Waits until a condition holds; fails after half a minute. */
export async function waitFor(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`waited 30 s for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function countFrames(dir: string): number {
  const surface = join(dir, 'surface');
  return existsSync(surface) ? readdirSync(surface).filter((file) => file.endsWith('.ply')).length : 0;
}

/** Runs into a folder until it has this many frames, then SIGKILL. */
export async function runUntilKilled(
  args: readonly string[],
  cwd: string,
  dir: string,
  frames: number,
): Promise<void> {
  const { child, result } = startCli([...args, '-o', dir], { cwd });
  await waitFor(`${frames} frames`, () => countFrames(join(cwd, dir)) >= frames);
  child.kill('SIGKILL');
  await result;
}
