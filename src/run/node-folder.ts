import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import { InputError } from '../core/errors.ts';
import { writePly } from '../io/ply.ts';
import { writePvd, writeVtu } from '../io/vtu.ts';
import type { LoadedScene } from '../scene/load.ts';
import type { Balance } from './balance.ts';
import { assetFile, nameAssets } from './folder-files.ts';
import { appendLine, isTemporary, makeFolder, writeFileWhole } from './node-files.ts';
import { listNotes } from './notes.ts';
import type { RunEvent, StepRecord } from './runner.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './snapshot.ts';

/**
 * The run folder: everything a run leaves on disk, and all that another process needs to continue it.
 *   run.json  stats.jsonl  surface/000000.ply  volume/000000.vtu  volume.pvd  checkpoint/FRAME-STEP.ckpt  assets/
 * Every file but stats.jsonl is written whole or not at all; stats.jsonl grows by a line per step. A kill at any moment
 * leaves the finished frames and a checkpoint; what a resumed run writes again has the same bytes.
 */
export type RunStatus = 'running' | 'interrupted' | 'done' | 'failed';

export interface RunInfo {
  readonly format: 1;
  readonly name: string;
  readonly title: string;
  readonly method: string;
  /** Version of meniscus that wrote it. */
  readonly version: string;
  threads: number;
  readonly seed: number;
  status: RunStatus;
  error?: string;
  /** Who writes it while it is running. */
  process: { pid: number; host: string };
  fps: number;
  /** The last frame the run aims at. */
  lastFrame: number;
  /** What the method leaves out of the scene. */
  notes: readonly string[];
  /** How well volume and energy were kept up to the last write. */
  balance?: Balance;
  totals: { frames: number; steps: number; time: number; wallSeconds: number; peakHeapBytes: number };
  /** The scene with setting and --set applied; mesh files are in assets/. */
  readonly scene: Record<string, unknown>;
}

const OWN_ENTRIES = ['run.json', 'stats.jsonl', 'surface', 'volume', 'volume.pvd', 'checkpoint', 'assets'];
const KEPT_CHECKPOINTS = 2;
const number6 = (n: number) => String(n).padStart(6, '0');

export class RunFolder {
  #stats: number | undefined;
  #lastFrame = -1;

  private constructor(
    readonly path: string,
    readonly info: RunInfo,
  ) {}

  /** Refuses a folder that holds something else; with `overwrite`, one that holds a run may be replaced. */
  static check(path: string, overwrite: boolean): void {
    const entries = existsSync(path) ? listFolder(path) : [];
    if (entries.length === 0) return;
    const isRun = entries.includes('run.json');
    if (!overwrite) {
      const remedy = isRun
        ? 'continue it with --resume, replace it with --overwrite,'
        : 'choose an empty one';
      const what = isRun
        ? 'the folder already holds a run'
        : `the folder is not empty (${entries.length} entries)`;
      throw new InputError(path, what, `${remedy} or choose another with -o`);
    }
    if (!isRun) {
      throw new InputError(
        path,
        'the folder holds no run, so nothing in it is replaced',
        'choose another with -o',
      );
    }
    refuseIfRunning(path, readInfo(path));
  }

  /** A new folder for a run. */
  static create(path: string, loaded: LoadedScene, start: NewRun): RunFolder {
    RunFolder.check(path, start.overwrite);
    if (start.overwrite)
      for (const entry of OWN_ENTRIES) rmSync(join(path, entry), { recursive: true, force: true });
    const { scene } = loaded;
    const info: RunInfo = {
      format: 1,
      name: scene.name,
      title: loaded.title,
      method: scene.method,
      version: start.version,
      threads: start.threads,
      seed: scene.seed,
      status: 'running',
      process: { pid: process.pid, host: hostname() },
      fps: scene.fps,
      lastFrame: start.lastFrame,
      notes: listNotes(loaded),
      balance: { within: true },
      totals: { frames: 0, steps: 0, time: 0, wallSeconds: 0, peakHeapBytes: 0 },
      scene: nameAssets(loaded),
    };
    const folder = new RunFolder(path, info);
    makeFolder(path);
    for (const [file, bytes] of loaded.assets) {
      writeFileWhole(join(path, assetFile(file, loaded.assets)), bytes, 'nothing else was written');
    }
    folder.writeInfo();
    return folder;
  }

  /** An existing run, to read it or to go on with it. */
  static open(path: string): RunFolder {
    if (!existsSync(join(path, 'run.json'))) {
      throw new InputError(
        path,
        'no run.json, so this is not a run folder',
        'give the folder that `meniscus run -o DIR` wrote',
      );
    }
    const folder = new RunFolder(path, readInfo(path));
    folder.#lastFrame = folder.listFrames('surface').at(-1) ?? -1;
    return folder;
  }

  /** Takes the run over: throws when another live process is writing it, and sweeps up what a killed one left. */
  claim(): void {
    refuseIfRunning(this.path, this.info);
    for (const file of readdirSync(this.path, { recursive: true }) as string[]) {
      if (isTemporary(file)) rmSync(join(this.path, file), { force: true });
    }
    this.info.process = { pid: process.pid, host: hostname() };
  }

  writeInfo(): void {
    writeFileWhole(
      join(this.path, 'run.json'),
      `${JSON.stringify(this.info, null, 2)}\n`,
      this.describeSafe(),
    );
  }

  appendStats(record: StepRecord): void {
    const path = join(this.path, 'stats.jsonl');
    this.#stats ??= openSync(path, 'a');
    appendLine(this.#stats, path, JSON.stringify(record), this.describeSafe());
  }

  writeFrame(event: RunEvent & { type: 'frame' }): void {
    const { frame, time, surface, volume } = event;
    const name = number6(frame);
    if (surface)
      writeFileWhole(
        join(this.path, 'surface', `${name}.ply`),
        writePly(surface.mesh, surface.vertexFields, surface.faceFields),
        this.describeSafe(),
      );
    if (volume) {
      writeFileWhole(
        join(this.path, 'volume', `${name}.vtu`),
        writeVtu(volume.mesh, volume.vertexFields, volume.cellFields),
        this.describeSafe(),
      );
      const frames = this.listFrames('volume').filter((f) => f <= frame);
      const entries = frames.map((f) => ({
        file: `volume/${number6(f)}.vtu`,
        time: f === frame ? time : f / this.info.fps,
      }));
      writeFileWhole(join(this.path, 'volume.pvd'), writePvd(entries), this.describeSafe());
    }
    this.#lastFrame = frame;
  }

  /** Writes a checkpoint, then removes all but the newest two. */
  writeCheckpoint(snapshot: Snapshot): void {
    const file = `${number6(Math.max(0, snapshot.frame))}-${String(snapshot.step).padStart(9, '0')}.ckpt`;
    writeFileWhole(join(this.path, 'checkpoint', file), encodeSnapshot(snapshot), this.describeSafe());
    for (const old of this.listCheckpoints().slice(0, -KEPT_CHECKPOINTS)) {
      rmSync(join(this.path, 'checkpoint', old.file), { force: true });
    }
  }

  /** Oldest first. */
  listCheckpoints(): { file: string; frame: number; step: number }[] {
    const folder = join(this.path, 'checkpoint');
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .flatMap((file) => {
        const match = /^(\d+)-(\d+)\.ckpt$/.exec(file);
        return match ? [{ file, frame: Number(match[1]), step: Number(match[2]) }] : [];
      })
      .sort((a, b) => a.step - b.step || a.frame - b.frame);
  }

  /**
   * The newest checkpoint that is whole, or the one of a frame, not of an interrupt after it; `warn` hears of damaged ones passed over. Undefined when
   * there is none at all: the run was killed before its first, and starts anew.
   */
  readCheckpoint(from: number | undefined, warn: (message: string) => void): Snapshot | undefined {
    const all = this.listCheckpoints();
    const wanted = from === undefined ? all : all.filter((c) => c.frame === from);
    if (all.length === 0 && from === undefined) return undefined;
    if (wanted.length === 0) {
      const names = all.map((c) => `frame ${c.frame}`).join(', ') || 'none';
      throw new InputError(
        this.path,
        `there is no checkpoint of frame ${from}`,
        `checkpoints exist for: ${names}`,
      );
    }
    const failures: string[] = [];
    for (const { file } of from === undefined ? wanted.toReversed() : wanted) {
      const path = join(this.path, 'checkpoint', file);
      try {
        return decodeSnapshot(readFileSync(path), path);
      } catch (error) {
        failures.push(error instanceof InputError ? `${error.where}: ${error.what}` : `${path}: ${error}`);
        if (failures.length < wanted.length) warn(`${failures.at(-1)}; falling back to the one before`);
      }
    }
    const remedy =
      'the frames written so far are untouched; start again into another folder with -o, or here with --overwrite';
    throw new InputError(this.path, `no checkpoint can be read: ${failures.join(' and ')}`, remedy);
  }

  /** Drops the records after a checkpoint: the resumed run writes them again. */
  truncateStats(step: number): void {
    this.close();
    const path = join(this.path, 'stats.jsonl');
    if (!existsSync(path)) return;
    const kept = readStats(this.path).filter((r) => r.record.step <= step);
    writeFileWhole(path, kept.map((r) => `${r.line}\n`).join(''), this.describeSafe());
  }

  /** Removes frames and checkpoints after a frame: for going back and on from there. */
  dropAfter(snapshot: Snapshot): void {
    for (const kind of ['surface', 'volume'] as const) {
      for (const frame of this.listFrames(kind)) {
        if (frame > snapshot.frame) rmSync(this.framePath(kind, frame), { force: true });
      }
    }
    for (const { file, step } of this.listCheckpoints()) {
      if (step > snapshot.step) rmSync(join(this.path, 'checkpoint', file), { force: true });
    }
  }

  /** Frames on disk, ascending. */
  listFrames(kind: 'surface' | 'volume'): number[] {
    const folder = join(this.path, kind);
    if (!existsSync(folder)) return [];
    const pattern = kind === 'surface' ? /^(\d+)\.ply$/ : /^(\d+)\.vtu$/;
    return readdirSync(folder)
      .flatMap((file) => pattern.exec(file)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
  }

  framePath(kind: 'surface' | 'volume', frame: number): string {
    return join(this.path, kind, `${number6(frame)}.${kind === 'surface' ? 'ply' : 'vtu'}`);
  }

  close(): void {
    if (this.#stats !== undefined) closeSync(this.#stats);
    this.#stats = undefined;
  }

  /** What a failure while writing has not touched. */
  describeSafe(): string {
    if (this.#lastFrame < 0) return 'no frame was written yet';
    const checkpoint = this.listCheckpoints().at(-1);
    const kept = checkpoint ? ` and the checkpoint of frame ${checkpoint.frame}` : '';
    return `frames 0 to ${this.#lastFrame}${kept} are safe in ${relative('', this.path) || '.'}`;
  }
}

export interface NewRun {
  readonly version: string;
  readonly threads: number;
  readonly lastFrame: number;
  readonly overwrite: boolean;
}

/** The records of a run with their text; a last line cut short by a kill is left out. */
export function readStats(path: string): { line: string; record: StepRecord }[] {
  const lines = readFileSync(join(path, 'stats.jsonl'), 'utf8').split('\n');
  const records: { line: string; record: StepRecord }[] = [];
  lines.forEach((line, i) => {
    if (line === '') return;
    try {
      records.push({ line, record: JSON.parse(line) });
    } catch (cause) {
      if (i === lines.length - 1) return;
      throw new InputError(
        `${join(path, 'stats.jsonl')}:${i + 1}`,
        'not a JSON record',
        'the file is damaged; restore it',
        { cause },
      );
    }
  });
  return records;
}

function readInfo(path: string): RunInfo {
  const file = join(path, 'run.json');
  try {
    const info = JSON.parse(readFileSync(file, 'utf8')) as RunInfo;
    if (info.format !== 1) throw new Error(`format ${info.format}`);
    return info;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InputError(file, `cannot be read (${reason})`, 'give the folder of a run of this version', {
      cause,
    });
  }
}

function refuseIfRunning(path: string, info: RunInfo): void {
  const { pid, host } = info.process;
  if (info.status !== 'running' || host !== hostname() || pid === process.pid) return;
  try {
    process.kill(pid, 0);
  } catch {
    return; // No such process: the run was killed.
  }
  throw new InputError(
    path,
    `process ${pid} is still writing this run`,
    'wait for it, stop it, or choose another folder with -o',
  );
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    throw new InputError(path, 'is not a folder that can be read', 'choose another with -o');
  }
}
