/**
 * Frames in memory: least recently used go first when the budget is spent; a window ahead is fetched early.
 */
import { listBuffers } from './decoder.ts';
import type { RunSource } from './source.ts';
import type { FrameData } from './types.ts';

/** Decoded frames kept, bytes. A 100k-triangle frame with velocity takes about 4 MB. */
const DEFAULT_BUDGET = 600e6;

interface Entry {
  readonly promise: Promise<FrameData>;
  frame: FrameData | null;
  bytes: number;
}

export class FrameStore {
  /** In order of use: the first is the one to drop. */
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(
    readonly source: RunSource,
    private readonly budget = DEFAULT_BUDGET,
  ) {}

  /** The frame if it is here already. */
  peek(index: number, withVolume: boolean): FrameData | null {
    return this.entries.get(key(index, withVolume))?.frame ?? null;
  }

  get(index: number, withVolume: boolean): Promise<FrameData> {
    const name = key(index, withVolume);
    const known = this.entries.get(name);
    if (known) {
      this.entries.delete(name);
      this.entries.set(name, known);
      return known.promise;
    }
    const promise = this.source.load(index, withVolume);
    const entry: Entry = { promise, frame: null, bytes: 0 };
    this.entries.set(name, entry);
    promise.then(
      (frame) => {
        entry.frame = frame;
        for (const buffer of listBuffers(frame)) entry.bytes += buffer.byteLength;
        this.bytes += entry.bytes;
        this.shrink(name);
      },
      // Forgotten, so that the next request tries again; whoever asked gets the error.
      () => this.entries.delete(name),
    );
    return promise;
  }

  /** Starts loading frames that will soon be wanted; failures surface when they are. */
  prefetch(indices: readonly number[], withVolume: boolean): void {
    for (const index of indices) {
      if (!this.entries.has(key(index, withVolume))) this.get(index, withVolume).catch(() => undefined);
    }
  }

  private shrink(keep: string): void {
    for (const [name, entry] of this.entries) {
      if (this.bytes <= this.budget) return;
      if (name === keep || !entry.frame) continue;
      this.bytes -= entry.bytes;
      this.entries.delete(name);
    }
  }
}

const key = (index: number, withVolume: boolean): string => `${index}${withVolume ? ' with tets' : ''}`;
