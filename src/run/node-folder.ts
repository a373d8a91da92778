import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { InputError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { validateVolumeFrame } from '../io/check-frame.ts';
import {
  decodeParticles,
  decodeSurface,
  encodeParticles,
  encodeSurface,
  encodeVolume,
} from '../io/frame-files.ts';
import { readVtu, writePvd } from '../io/vtu.ts';
import type { ParticleFrame, SurfaceFrame } from '../mesh/fields.ts';
import type { LoadedScene } from '../scene/load.ts';
import { renameMeshFiles } from '../scene/shapes.ts';
import { type Fingerprint, findChange, fingerprintScene } from './fingerprint.ts';
import { assetFile, FRAME_KINDS, type FrameKind, frameFile, nameAssets } from './folder-files.ts';
import { parseRunInfo, type RunInfo } from './info.ts';
import {
  appendLine,
  isTemporary,
  makeFolder,
  readRegularFile,
  refuseLink,
  type StagedFile,
  stageFile,
  writeFileWhole,
} from './node-files.ts';
import { describeSelf, type FolderLock, lockFolder, mayBeWriting } from './node-lock.ts';
import { readStatsLines, truncateStats } from './node-stats.ts';
import { listNotes } from './notes.ts';
import { describePresentation } from './registry.ts';
import type { RunEvent, StepRecord } from './runner.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshot } from './snapshot.ts';

/**
 * The run folder: everything a run leaves on disk, and all that another process needs to continue it.
 *   run.json  stats.jsonl  surface/000000.ply  volume/000000.vtu  volume.pvd  particles/000000.ply  checkpoint/FRAME-STEP.ckpt  assets/
 * Every file but stats.jsonl is written whole or not at all; stats.jsonl grows by a line per step. A kill at
 * any moment leaves the finished frames and a checkpoint; what a resumed run writes again has the same bytes.
 */
const OWN_ENTRIES = [
  'run.json',
  'stats.jsonl',
  'surface',
  'volume',
  'volume.pvd',
  'particles',
  'checkpoint',
  'assets',
];
const KEPT_CHECKPOINTS = 2;
const ASSET = /^assets\/[^/\\]+$/;
const number6 = (n: number) => String(n).padStart(6, '0');

export class RunFolder {
  #stats: number | undefined;
  #lastFrame = -1;
  #lock: FolderLock | undefined;
  #info: RunInfo;
  /** Of the scene that it runs; goes into every checkpoint. */
  #fingerprint: Fingerprint | undefined;

  private constructor(
    readonly path: string,
    info: RunInfo,
  ) {
    this.#info = info;
  }

  get info(): RunInfo {
    return this.#info;
  }

  /** Refuses a folder that holds something else; with `overwrite`, one that holds a run may be replaced. */
  static check(path: string, overwrite: boolean, takeOver = false): void {
    checkEntries(path, overwrite);
    if (existsSync(path)) takeLock(path, takeOver).release();
  }

  /** A new folder for a run, locked. */
  static create(path: string, loaded: LoadedScene, start: NewRun): RunFolder {
    checkEntries(path, start.overwrite);
    makeFolder(path);
    const lock = takeLock(path, start.takeOver === true);
    try {
      return RunFolder.#createLocked(path, loaded, start, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static #createLocked(path: string, loaded: LoadedScene, wanted: NewRun, lock: FolderLock): RunFolder {
    // Another run may have come and gone since the first look.
    checkEntries(path, wanted.overwrite);
    if (wanted.overwrite) {
      // run.json goes last: cut short here, the folder still counts as a run and can be replaced.
      for (const entry of OWN_ENTRIES.toReversed())
        rmSync(join(path, entry), { recursive: true, force: true });
    }
    const { scene } = loaded;
    const info: RunInfo = {
      format: 1,
      name: scene.name,
      title: loaded.title,
      method: scene.method,
      version: wanted.version,
      threads: wanted.threads,
      seed: scene.seed,
      status: 'running',
      process: describeSelf(),
      fps: scene.fps,
      lastFrame: wanted.lastFrame,
      notes: listNotes(loaded),
      ...describePresentation(scene.method),
      balance: { within: true },
      totals: { frames: 0, steps: 0, time: 0, wallSeconds: 0, peakHeapBytes: 0 },
      scene: nameAssets(loaded),
    };
    const folder = new RunFolder(path, info);
    folder.#lock = lock;
    for (const entry of listFolder(path)) if (isStart(entry)) rmSync(join(path, entry), { force: true });
    const assetFolder = join(path, 'assets');
    refuseLink(assetFolder);
    for (const file of listIfFolder(assetFolder))
      if (isTemporary(file)) rmSync(join(assetFolder, file), { force: true });
    // Before all else run.json lies beside its place: a folder where a start was killed is known by it.
    const start = folder.#stageInfo();
    try {
      const assets = new Map<string, Uint8Array>();
      for (const [file, bytes] of loaded.assets) {
        const name = assetFile(file, loaded.assets);
        assets.set(name, bytes);
        writeFileWhole(join(path, name), bytes, 'nothing else was written');
      }
      folder.#fingerprint = fingerprintScene(info.scene, assets);
    } catch (error) {
      start.drop();
      throw error;
    }
    start.commit();
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

  /**
   * Takes the run over, to write it: throws when another process is at it, reads run.json as that one left
   * it, and sweeps up what a killed one left. `takeOver`: a writer on another machine, of which nothing can
   * be known from here, has ended.
   */
  claim(takeOver = false): void {
    this.#lock ??= takeLock(this.path, takeOver);
    for (const entry of OWN_ENTRIES) refuseLink(join(this.path, entry));
    this.#info = readInfo(this.path);
    for (const file of readdirSync(this.path, { recursive: true }) as string[]) {
      if (isTemporary(file)) rmSync(join(this.path, file), { force: true });
    }
    this.info.process = describeSelf();
    renameMeshFiles(this.info.scene, (file) => {
      if (ASSET.test(file)) return file;
      const what = `its scene names the mesh file ${JSON.stringify(file)}, outside of the run's assets`;
      throw new InputError(
        join(this.path, 'run.json'),
        what,
        'restore it from a copy, or run the scene anew',
      );
    });
  }

  /**
   * Holds the run to the scene that a checkpoint belongs to: throws when that has changed. `assets`: the mesh
   * files as they are now.
   */
  checkScene(snapshot: Snapshot | undefined, assets: ReadonlyMap<string, Uint8Array>): void {
    this.#fingerprint = fingerprintScene(this.info.scene, assets);
    const changed = snapshot?.scene && findChange(snapshot.scene, this.#fingerprint);
    if (changed === undefined) return;
    const where = ASSET.test(changed) ? changed : `"${changed}" of the scene in run.json`;
    throw new InputError(
      this.path,
      `${where} has changed since the checkpoint of frame ${snapshot!.frame} was written`,
      'restore it, or run the changed scene anew into another folder with -o',
    );
  }

  writeInfo(): void {
    this.#stageInfo().commit();
  }

  #stageInfo(): StagedFile {
    const text = `${JSON.stringify(this.info, null, 2)}\n`;
    return stageFile(join(this.path, 'run.json'), text, this.describeSafe());
  }

  appendStats(record: StepRecord): void {
    const path = join(this.path, 'stats.jsonl');
    this.#stats ??= openSync(path, 'a');
    appendLine(this.#stats, path, JSON.stringify(record), this.describeSafe());
  }

  writeFrame(event: RunEvent & { type: 'frame' }): void {
    const { frame, time, surface, volume, particles } = event;
    const write = (kind: FrameKind, bytes: Uint8Array) =>
      writeFileWhole(this.framePath(kind, frame), bytes, this.describeSafe());
    if (surface) write('surface', encodeSurface(surface));
    if (particles) write('particles', encodeParticles(particles));
    if (volume) {
      write('volume', encodeVolume(volume));
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
    // A checkpoint asks for all records up to its step, so that they must not be lost when it is not.
    if (this.#stats !== undefined) fsyncSync(this.#stats);
    const bytes = encodeSnapshot({ ...snapshot, ...(this.#fingerprint && { scene: this.#fingerprint }) });
    const file = nameCheckpoint(snapshot);
    writeFileWhole(join(this.path, 'checkpoint', file), bytes, this.describeSafe());
    for (const old of this.listCheckpoints().slice(0, -KEPT_CHECKPOINTS)) {
      rmSync(join(this.path, 'checkpoint', old.file), { force: true });
    }
  }

  /** Oldest first. */
  listCheckpoints(): { file: string; frame: number; step: number }[] {
    return listIfFolder(join(this.path, 'checkpoint'))
      .flatMap((file) => {
        const match = /^(\d+)-(\d+)\.ckpt$/.exec(file);
        return match ? [{ file, frame: Number(match[1]), step: Number(match[2]) }] : [];
      })
      .sort((a, b) => a.step - b.step || a.frame - b.frame);
  }

  /**
   * The newest checkpoint that is whole, or the one of a frame, not of an interrupt after it; `warn` hears of
   * damaged ones passed over. Undefined when there is none at all: the run was killed before its first, and
   * starts anew.
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
        return this.#decode(readRegularFile(path, LIMITS.heapBytes), path, file);
      } catch (error) {
        failures.push(error instanceof InputError ? `${error.where}: ${error.what}` : `${path}: ${error}`);
        if (failures.length < wanted.length) warn(`${failures.at(-1)}; falling back to the one before`);
      }
    }
    const remedy =
      'the frames written so far are untouched; start again into another folder with -o, or here with --overwrite';
    throw new InputError(this.path, `no checkpoint can be read: ${failures.join(' and ')}`, remedy);
  }

  /** A checkpoint must be of this run, and of the moment that its name says. */
  #decode(bytes: Uint8Array, path: string, file: string): Snapshot {
    const snapshot = decodeSnapshot(bytes, path);
    const { method, frame, step, time } = snapshot;
    const { method: expected, fps } = this.info;
    const remedy = 'resume from another checkpoint';
    if (method !== expected)
      throw new InputError(path, `it is of the method ${method}, the run of ${expected}`, remedy);
    if (nameCheckpoint(snapshot) !== file)
      throw new InputError(
        path,
        `it is of frame ${frame} and step ${step}, which its name does not say`,
        remedy,
      );
    if (!(time >= (frame - 1e-6) / fps && time < (frame + 1 + 1e-6) / fps))
      throw new InputError(path, `it is of ${time} s, which is not in frame ${frame}`, remedy);
    return snapshot;
  }

  /**
   * Drops the records after a checkpoint: the resumed run writes them again. Throws where records up to it
   * are damaged or missing.
   */
  truncateStats(step: number): void {
    this.#closeStats();
    truncateStats(join(this.path, 'stats.jsonl'), step);
  }

  /** Removes frames and checkpoints after a frame: for going back and on from there. */
  dropAfter(snapshot: Snapshot): void {
    for (const kind of Object.keys(FRAME_KINDS) as FrameKind[]) {
      for (const frame of this.listFrames(kind)) {
        if (frame > snapshot.frame) rmSync(this.framePath(kind, frame), { force: true });
      }
    }
    for (const { file, step } of this.listCheckpoints()) {
      if (step > snapshot.step) rmSync(join(this.path, 'checkpoint', file), { force: true });
    }
  }

  /** Frames on disk, ascending. */
  listFrames(kind: FrameKind): number[] {
    const pattern = FRAME_KINDS[kind] === 'ply' ? /^(\d+)\.ply$/ : /^(\d+)\.vtu$/;
    return listIfFolder(join(this.path, kind))
      .flatMap((file) => pattern.exec(file)?.[1] ?? [])
      .filter((digits) => number6(Number(digits)) === digits)
      .map(Number)
      .sort((a, b) => a - b);
  }

  framePath(kind: FrameKind, frame: number): string {
    return join(this.path, frameFile(kind, frame));
  }

  /** A frame as another program may have it: whole, and without NaN. */
  readSurface(frame: number): SurfaceFrame {
    const path = this.framePath('surface', frame);
    return decodeSurface(readRegularFile(path, LIMITS.heapBytes), path);
  }

  /** Likewise; undefined where the run kept none of that frame. */
  readParticles(frame: number): ParticleFrame | undefined {
    const path = this.framePath('particles', frame);
    if (!existsSync(path)) return undefined;
    return decodeParticles(readRegularFile(path, LIMITS.heapBytes), path);
  }

  /** Bytes of a VTU file that holds such a frame. */
  readVolumeBytes(frame: number): Uint8Array {
    const path = this.framePath('volume', frame);
    const bytes = readRegularFile(path, LIMITS.heapBytes);
    validateVolumeFrame(readVtu(bytes, path), path);
    return bytes;
  }

  /** Ends writing: others may claim the folder. */
  close(): void {
    this.#closeStats();
    this.#lock?.release();
    this.#lock = undefined;
  }

  #closeStats(): void {
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
  /** A writer on another machine has ended (RunFolder.claim). */
  readonly takeOver?: boolean;
}

/** The records of a run with their text; a last line cut short by a kill is left out. */
export function readStats(path: string): { line: string; record: StepRecord }[] {
  return [...readStatsLines(join(path, 'stats.jsonl'))];
}

function readInfo(path: string): RunInfo {
  const file = join(path, 'run.json');
  return parseRunInfo(new TextDecoder().decode(readRegularFile(file, 2 * LIMITS.sceneBytes)), file);
}

/** Whether an entry of a folder is a run.json that did not come to its place. */
const isStart = (entry: string): boolean => entry.startsWith('run.json.') && isTemporary(entry);

/** Refuses a folder that holds something else, or a run that is not to be replaced. */
function checkEntries(path: string, overwrite: boolean): void {
  const all = existsSync(path) ? listFolder(path) : [];
  // A start that was killed before its run.json stood holds nothing to lose.
  const entries = all.some(isStart) ? all.filter((entry) => !isStart(entry) && entry !== 'assets') : all;
  if (entries.length === 0) return;
  const isRun = entries.includes('run.json');
  if (!overwrite) {
    const remedy = isRun ? 'continue it with --resume, replace it with --overwrite,' : 'choose an empty one';
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
}

/** Makes this process the one that writes a folder, or throws. */
function takeLock(path: string, takeOver: boolean): FolderLock {
  const lock = lockFolder(path);
  // What cannot be read has no writer to ask for; whoever goes on with the run is told of the damage.
  let info: RunInfo | undefined;
  try {
    info = readInfo(path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  const writer = info?.status === 'running' ? info.process : undefined;
  const remedy = 'wait for it, stop it, or choose another folder with -o';
  if (!lock) {
    const who = writer ? `process ${writer.pid}` : 'another process';
    throw new InputError(path, `${who} is still writing this run`, remedy);
  }
  const found = writer && mayBeWriting(writer, lock);
  if (found === undefined || (found === 'elsewhere' && takeOver)) return lock;
  lock.release();
  if (found === 'here')
    throw new InputError(path, `process ${writer!.pid} is still writing this run`, remedy);
  throw new InputError(
    path,
    `process ${writer!.pid} on the machine "${writer!.host}" did not end this run and may still be writing it`,
    'when it is gone for certain, give --take-over',
  );
}

/** Names in a folder; none where there is no folder. */
function listIfFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

const nameCheckpoint = ({ frame, step }: Snapshot) =>
  `${number6(Math.max(0, frame))}-${String(step).padStart(9, '0')}.ckpt`;

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    throw new InputError(path, 'is not a folder that can be read', 'choose another with -o');
  }
}
