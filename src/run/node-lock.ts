/**
 * One writer per run folder. The folder itself is locked by the kernel (flock), so a lock ends with its
 * process however that ends: a killed run blocks nobody, a number that another process got later means
 * nothing, and processes of other users count. Node has no call for it; the system's `flock` command locks a
 * file that it inherits open, and the lock stays with the file as long as this process has it open.
 *
 * Where the kernel cannot lock (some network disks, a system without `flock`) the writer named in run.json
 * decides. A writer on another machine, which no lock shows, is left alone unless a person says otherwise.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Writer } from './info.ts';

export interface FolderLock {
  /** False where the kernel could not say: then `mayBeWriting` asks for the process. */
  readonly isSure: boolean;
  release(): void;
}

/** The descriptor that `flock` inherits. */
const INHERITED = 3;
/** Its exit code when somebody else has the lock. */
const BUSY = 1;

/** Locks a folder for this process; undefined where another has it, or this one already. */
export function lockFolder(path: string): FolderLock | undefined {
  const file = openSync(path, 'r');
  const stdio = ['ignore', 'ignore', 'ignore', file] as const;
  const { status } = spawnSync('flock', ['-x', '-n', String(INHERITED)], { stdio: [...stdio] });
  if (status === BUSY) {
    closeSync(file);
    return undefined;
  }
  let isOpen = true;
  return {
    isSure: status === 0,
    release() {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}

/** This process, for run.json. */
export function describeSelf(): Writer {
  const boot = readBoot();
  const started = readStart(process.pid);
  return {
    pid: process.pid,
    host: hostname(),
    ...(boot !== undefined && { boot }),
    ...(started !== undefined && { started }),
  };
}

/** Whether the writer of a run that did not end may still be there, by a lock that nobody else has. */
export function mayBeWriting(writer: Writer, lock: FolderLock): 'here' | 'elsewhere' | undefined {
  const isThisBoot = writer.boot !== undefined && writer.boot === readBoot();
  // Containers on one machine have names of their own, and a machine started anew has the old one.
  if (!isThisBoot && writer.host !== hostname()) return 'elsewhere';
  if (isThisBoot && lock.isSure) return undefined;
  if (!isThisBoot && writer.boot !== undefined) return undefined;
  return isAlive(writer) ? 'here' : undefined;
}

function isAlive({ pid, started }: Writer): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be signalled, but it is there.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === undefined || started === readStart(pid);
}

/** Differs after every start of the machine. */
const readBoot = () => readSystem('/proc/sys/kernel/random/boot_id')?.trim();

/**
 * When a process started, in clock ticks after boot: the 22nd field, counted after the name, which may hold
 * spaces.
 */
function readStart(pid: number): string | undefined {
  const text = readSystem(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function readSystem(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Not Linux, or hidden.
  }
}
