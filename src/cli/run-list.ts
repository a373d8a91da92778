/**
 * The runs below a folder, as the viewer lists them. Run folders may hold anything: one that is damaged is
 * listed as such and hides no other.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findFile } from './find-file.ts';

export interface RunEntry {
  /** Path below the folder. */
  readonly name: string;
  readonly title: string;
  /** As in run.json, or why that cannot be read. */
  readonly status: string;
  /** Where the run is served, relative to the page. */
  readonly address: string;
}

/** Of what is read and shown of a run. */
const MOST = {
  /** bytes: a run.json with 100,000 solids has about 20 MB. */
  bytes: 64e6,
  /** Characters of a title. */
  title: 200,
};

/** The run folders in a folder and in the folders of that, newest first. */
export async function listRuns(folder: string | undefined): Promise<RunEntry[]> {
  if (folder === undefined || !existsSync(folder)) return [];
  const near = await listFolders(folder);
  const names = [...near];
  for (const name of near)
    for (const below of await listFolders(join(folder, name))) names.push(`${name}/${below}`);
  const found: { entry: RunEntry; changed: number }[] = [];
  for (const name of names) {
    const run = await describeRun(folder, name);
    if (run) found.push(run);
  }
  return found.sort((a, b) => b.changed - a.changed).map(({ entry }) => entry);
}

/** Folders that cannot be read have nothing to list. */
async function listFolders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Null where a folder holds no run.json. */
async function describeRun(
  folder: string,
  name: string,
): Promise<{ entry: RunEntry; changed: number } | null> {
  if (!existsSync(join(folder, name, 'run.json'))) return null;
  const address = `runs/${name.split('/').map(encodeURIComponent).join('/')}/`;
  try {
    // A link out of the folder, or what is no file, is not served and not read either.
    const file = findFile(folder, join(name, 'run.json'));
    if (!file) throw new Error('it is no file of the folder');
    const { size, mtimeMs } = await stat(file);
    if (size > MOST.bytes) throw new Error(`it has ${Math.round(size / 1e6)} MB`);
    const run = JSON.parse(await readFile(file, 'utf8')) as unknown;
    if (typeof run !== 'object' || run === null || Array.isArray(run)) throw new Error('it is no object');
    const { title, status } = run as Record<string, unknown>;
    const entry = { name, title: toLine(title, name), status: toLine(status, 'unknown'), address };
    return { entry, changed: mtimeMs };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The system's own message names folders of this machine.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : (code ?? message);
    return {
      entry: { name, title: name, status: `run.json cannot be read: ${reason}`, address },
      changed: 0,
    };
  }
}

/** A line of text for a list, or the other where there is none. */
function toLine(value: unknown, otherwise: string): string {
  if (typeof value !== 'string') return otherwise;
  const line = value.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > MOST.title ? `${line.slice(0, MOST.title)}…` : line || otherwise;
}
