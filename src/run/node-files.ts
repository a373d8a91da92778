import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { InputError, RunError } from '../core/errors.ts';
import { refuseBeyond } from '../core/limits.ts';

/** Files that are whole or not there, and the system's errors in words. */

/**
 * Writes beside the target, flushes, then renames over it: a reader, or the next run after a kill at any
 * moment, finds the old bytes or the new ones, never a part. `safe` says what is not lost when it fails.
 */
export function writeFileWhole(path: string, content: Uint8Array | string, safe: string): void {
  stageFile(path, content, safe).commit();
}

/** The first half: the bytes are beside the target. `commit` puts them there, `drop` takes them away. */
export function stageFile(path: string, content: Uint8Array | string, safe: string): StagedFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  const drop = () => rmSync(temporary, { force: true });
  let isOpened = false;
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (isOpened) drop();
      throw describeSystemError(error, path, safe);
    }
  };
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(temporary, 'wx');
    isOpened = true;
    try {
      writeFully(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
  return { commit: () => attempt(() => renameSync(temporary, path)), drop };
}

export interface StagedFile {
  commit(): void;
  drop(): void;
}

/** Whether a file is what a killed writer left behind. */
export const isTemporary = (path: string): boolean => /\.[0-9a-f]{8}\.tmp$/.test(path);

/** One line at the end of an open file. */
export function appendLine(file: number, path: string, line: string, safe: string): void {
  try {
    writeFully(file, new TextEncoder().encode(`${line}\n`));
  } catch (error) {
    throw describeSystemError(error, path, safe);
  }
}

/** writeSync may write less than it was given, as on a disk that is filling up. */
function writeFully(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done);
}

/** Throws where a path is a link: what is written or cut there would be elsewhere. */
export function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new InputError(
    path,
    'it is a link, and a run writes into its own folder only',
    'replace it by what it points to',
  );
}

function describeReadError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === '' || error instanceof InputError) return error;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  const reason = isMissing ? `${code}: there is no such file` : code;
  const remedy = isMissing ? 'check the name' : 'check the file and who may read it';
  return new InputError(path, `cannot be read (${reason})`, remedy, { cause: error });
}

export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw describeSystemError(error, path, 'nothing was written');
  }
}

/** The bytes of an ordinary file of limited size. */
export function readRegularFile(path: string, mostBytes: number): Uint8Array<ArrayBuffer> {
  const { file, size } = openRegularFile(path);
  try {
    refuseBeyond(
      mostBytes,
      size,
      path,
      (n, most) => `it has ${n} bytes, more than ${most}`,
      'give a smaller one',
    );
    return readFileSync(file);
  } catch (error) {
    throw describeReadError(error, path);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a file to read it. Folders, devices and pipes are refused: they may never end, and opening a pipe
 * waits for a writer.
 */
export function openRegularFile(path: string): { file: number; size: number } {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = fstatSync(file);
    if (info.isFile()) return { file, size: info.size };
    throw new InputError(path, `it is ${describeKind(info)}, not a file`, 'give the name of a file');
  } catch (error) {
    if (file !== undefined) closeSync(file);
    throw describeReadError(error, path);
  }
}

function describeKind(info: Stats): string {
  if (info.isDirectory()) return 'a folder';
  if (info.isFIFO()) return 'a pipe';
  return info.isSocket() ? 'a socket' : 'a device';
}

/** A system error as one of ours; errors of other kinds pass unchanged. */
export function describeSystemError(error: unknown, path: string, safe: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new RunError(path, `the disk is full (${code})`, `${safe}; free some space, then resume`, {
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
    case 'ENAMETOOLONG':
    case 'ENOENT':
      return new InputError(
        path,
        `cannot be written (${code})`,
        `${safe}; choose a folder you may write to with -o`,
        { cause: error },
      );
    case 'EIO':
    case 'EFBIG':
    case 'EMFILE':
      return new RunError(path, `writing failed (${code})`, `${safe}; check the disk, then resume`, {
        cause: error,
      });
    default:
      return error;
  }
}
