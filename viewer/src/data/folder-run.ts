/** A run folder as a source: files are found through a `Folder`, fetched and decoded in a worker. */
import type { Decoder } from './decoder.ts';
import { readBytes } from './read-bytes.ts';
import { parsePvd, parseRunFile, parseStats } from './run-file.ts';
import { type FileRef, frameFile, isRunning, type RunSource } from './source.ts';
import type { FrameData, RunInfo, StatsRecord } from './types.ts';

/** What a run folder must answer, whether it is an address or a dropped directory. */
export interface Folder {
  readonly name: string;
  /** Null when there is no such file. */
  readText(path: string): Promise<string | null>;
  exists(path: string): Promise<boolean>;
  ref(path: string): FileRef;
}

export class FolderRun implements RunSource {
  info!: RunInfo;
  stats: StatsRecord[] = [];
  volumeFrames: readonly number[] = [];
  notes: readonly string[] = [];

  private constructor(
    private readonly folder: Folder,
    private readonly decoder: Decoder,
  ) {}

  static async open(folder: Folder, decoder: Decoder): Promise<FolderRun> {
    const run = new FolderRun(folder, decoder);
    await run.read(0);
    return run;
  }

  async load(frame: number, withVolume: boolean): Promise<FrameData> {
    const volume =
      withVolume && this.volumeFrames.includes(frame) ? this.folder.ref(frameFile('volume', frame)) : null;
    const surface = this.folder.ref(frameFile('surface', frame));
    return this.decoder.decode(frame, { surface, volume, particles: await this.findParticles(frame) });
  }

  private async findParticles(frame: number): Promise<FileRef | null> {
    const { particlesEvery } = this.info;
    if (particlesEvery === 0 || frame % particlesEvery !== 0) return null;
    const path = frameFile('particles', frame);
    return (await this.folder.exists(path)) ? this.folder.ref(path) : null;
  }

  async readAsset(path: string): Promise<Uint8Array> {
    return readBytes(this.folder.ref(path));
  }

  async refresh(): Promise<boolean> {
    if (!isRunning(this.info)) return false;
    const before = this.describe();
    await this.read(this.info.frameCount);
    return before !== this.describe();
  }

  close(): void {}

  private describe(): string {
    return [this.info.status, this.info.frameCount, this.stats.length, this.volumeFrames.length].join(' ');
  }

  private async read(known: number): Promise<void> {
    const text = await this.folder.readText('run.json');
    if (text === null) {
      throw new Error(
        `${this.folder.name}: no run.json here; give the folder that "meniscus run -o DIR" wrote`,
      );
    }
    // run.json counts the frames; a folder put together by hand may not.
    const { frameTotal } = parseRunFile(text, this.folder.name);
    const frameCount = frameTotal || (await this.countFrames(known));
    this.info = parseRunFile(text, this.folder.name, frameCount).info;
    this.volumeFrames = parsePvd((await this.folder.readText('volume.pvd')) ?? '').filter(
      (frame) => frame < frameCount,
    );
    try {
      this.stats = parseStats((await this.folder.readText('stats.jsonl')) ?? '');
    } catch (error) {
      // Pictures can do without figures.
      this.notes = [`No plots: ${(error as Error).message}`];
    }
  }

  /**
   * Frames are numbered without gaps: doubling then halving finds the last in O(log n) questions to any
   * server.
   */
  private async countFrames(known: number): Promise<number> {
    const has = (frame: number) => this.folder.exists(frameFile('surface', frame));
    if (!(await has(known))) return known;
    let low = known;
    let step = 1;
    while (await has(low + step)) {
      low += step;
      step *= 2;
    }
    let high = low + step;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (await has(middle)) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** bytes of run.json or stats.jsonl: about a million steps */
const LARGEST_TEXT = 500e6;

export class HttpFolder implements Folder {
  readonly name: string;
  private readonly base: URL;

  constructor(address: string) {
    const base = new URL(address.endsWith('/') ? address : `${address}/`, location.href);
    // An address may be sent to anybody: it opens what this server has, and fetches nothing elsewhere.
    if (!/^https?:$/.test(base.protocol) || base.origin !== location.origin) {
      throw new Error(
        `${address}: not on this server, ${location.host}; put the run folder beside the viewer, or drop it here`,
      );
    }
    this.base = base;
    this.name = decodeURIComponent(base.pathname.split('/').filter(Boolean).at(-1) ?? base.host);
  }

  async readText(path: string): Promise<string | null> {
    const response = await fetch(this.ref(path), { cache: 'no-cache' });
    if (response.status === 404) return null;
    if (!response.ok)
      throw new Error(`${this.ref(path)}: the server answered ${response.status} ${response.statusText}`);
    const size = Number(response.headers.get('content-length') ?? 0);
    if (size > LARGEST_TEXT) {
      await response.body?.cancel();
      throw new Error(
        `${path}: ${Math.round(size / 1e6)} MB, more than the ${LARGEST_TEXT / 1e6} MB that a page can read`,
      );
    }
    return response.text();
  }

  async exists(path: string): Promise<boolean> {
    const response = await fetch(this.ref(path), { method: 'HEAD', cache: 'no-cache' });
    // A single-page host answers every address with its index page; that is no frame.
    return response.ok && !(response.headers.get('content-type') ?? '').startsWith('text/html');
  }

  ref(path: string): string {
    const { href } = new URL(path, this.base);
    if (!href.startsWith(this.base.href)) throw new Error(`${path}: not in the run folder`);
    return href;
  }
}

/** Files dropped onto the page, by path below the folder that holds run.json. */
export class DroppedFolder implements Folder {
  readonly name: string;

  constructor(
    private readonly files: ReadonlyMap<string, File>,
    name: string,
  ) {
    this.name = name;
  }

  async readText(path: string): Promise<string | null> {
    return (await this.files.get(path)?.text()) ?? null;
  }

  async exists(path: string): Promise<boolean> {
    return this.files.has(path);
  }

  ref(path: string): File {
    const file = this.files.get(path);
    if (!file)
      throw new Error(`${this.name}/${path}: not among the dropped files; drop the whole run folder`);
    return file;
  }
}

/** Reads a dropped directory (or loose files) through to the folder that holds run.json. */
export async function readDropped(transfer: DataTransfer): Promise<DroppedFolder> {
  const all = new Map<string, File>();
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  await Promise.all(roots.map((entry) => collect(entry, '', all)));
  const runFile = [...all.keys()].find((path) => path === 'run.json' || path.endsWith('/run.json'));
  if (!runFile)
    throw new Error('the dropped files hold no run.json; drop the folder that "meniscus run -o DIR" wrote');
  const prefix = runFile.slice(0, -'run.json'.length);
  const files = new Map<string, File>();
  for (const [path, file] of all) if (path.startsWith(prefix)) files.set(path.slice(prefix.length), file);
  return new DroppedFolder(files, prefix.split('/').filter(Boolean).at(-1) ?? 'dropped run');
}

async function collect(entry: FileSystemEntry, prefix: string, out: Map<string, File>): Promise<void> {
  const path = prefix + entry.name;
  if (entry.isFile) {
    out.set(path, await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // readEntries hands out directories in pieces; an empty piece is the end.
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (piece.length === 0) return;
    await Promise.all(piece.map((child) => collect(child, `${path}/`, out)));
  }
}
