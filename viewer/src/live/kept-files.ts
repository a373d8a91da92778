/**
 * The files of a live run as a run folder has them. Browsers keep blobs outside the page's own memory, on
 * disk where they are many.
 */
import type { HandMotion } from '../../../src/geometry/hand-motion.ts';
import type { Balance } from '../../../src/run/balance.ts';
import type { StatsRecord } from '../data/types.ts';
import type { FolderStart, SavedFile, SavedFrame } from './protocol.ts';

export class KeptFiles {
  private readonly files = new Map<string, Blob>();
  private frames = 0;
  private balance: Balance | undefined;
  private peakHeapBytes = 0;
  private readonly startedAt = performance.now();

  constructor(private readonly start: FolderStart) {
    for (const asset of start.assets) this.add(asset);
  }

  get name(): string {
    return String(this.start.info['name']);
  }

  get fps(): number {
    return Number(this.start.info['fps']);
  }

  add({ path, bytes }: SavedFile): void {
    this.files.set(path, new Blob([bytes]));
  }

  addFrame({ files, balance, peakHeapBytes }: SavedFrame): void {
    for (const file of files) this.add(file);
    this.frames++;
    this.balance = balance;
    this.peakHeapBytes = peakHeapBytes;
  }

  /** Paths and contents; run.json and the statistics are written now. */
  list(
    status: 'done' | 'failed' | 'stopped',
    stats: readonly StatsRecord[],
    error: string,
    handles: ReadonlyMap<number, HandMotion>,
  ): Map<string, Blob> {
    const last = stats.at(-1);
    const info = {
      ...this.start.info,
      scene: writePaths(this.start.info['scene'], handles),
      status: status === 'stopped' ? 'interrupted' : status,
      ...(status === 'failed' && { error }),
      balance: this.balance ?? { within: true },
      totals: {
        frames: this.frames,
        steps: last?.step ?? 0,
        time: last?.time ?? 0,
        wallSeconds: Math.round(performance.now() - this.startedAt) / 1000,
        peakHeapBytes: this.peakHeapBytes,
      },
    };
    return new Map([
      ['run.json', new Blob([`${JSON.stringify(info, null, 2)}\n`])],
      ['stats.jsonl', new Blob(stats.map((record) => `${JSON.stringify(record)}\n`))],
      ...this.files,
    ]);
  }
}

/**
 * The scene with what hands did as keyframes: the folder's run, and any other of the scene, moves likewise.
 */
function writePaths(scene: unknown, handles: ReadonlyMap<number, HandMotion>): unknown {
  const { solids, ...rest } = scene as { solids?: readonly Record<string, unknown>[] };
  if (!solids || handles.size === 0) return scene;
  const written = solids.map(({ handle, ...solid }, n) => {
    const keyframes = handles.get(n)?.waypoints ?? [];
    if (keyframes.length < 2) return handle === undefined ? solid : { ...solid, handle };
    return { ...solid, motion: { keyframes, interpolation: 'linear' } };
  });
  return { ...rest, solids: written };
}
