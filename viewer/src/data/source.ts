/**
 * Where frames come from. A run folder over HTTP (`meniscus view`, or any static server), the same folder dropped
 * onto the page, or a live run in a worker: one interface, so the rest of the viewer never asks which.
 */
import type { FrameData, RunInfo, StatsRecord } from './types.ts';

export interface RunSource {
  readonly info: RunInfo;
  readonly stats: readonly StatsRecord[];
  load(frame: number, withVolume: boolean): Promise<FrameData>;
  /** A file that came with the run: the meshes its solids name. */
  readAsset(path: string): Promise<Uint8Array>;
  /** Looks for news of a run that is still going; true when there are some. */
  refresh(): Promise<boolean>;
  close(): void;
  /** A run in this page whose method answers to clicks on its surface, at the moment. */
  readonly canPoke?: boolean;
  poke?(point: readonly [number, number, number]): void;
}

/** A file of the run folder, by address or dropped onto the page; both pass to a worker as they are. */
export type FileRef = string | File;

export const frameFile = (folder: 'surface' | 'volume', frame: number): string =>
  `${folder}/${String(frame).padStart(6, '0')}.${folder === 'surface' ? 'ply' : 'vtu'}`;

/** run.json as far as the viewer reads it (src/run/node-folder.ts writes it). */
interface RunFile {
  status?: string;
  balance?: { within?: boolean };
  method?: string;
  name?: string;
  title?: string;
  fps?: number;
  /** Number of the last frame the run will write. */
  lastFrame?: number;
  scene?: {
    gravity?: [number, number, number];
    domain?: { min: [number, number, number]; max: [number, number, number] };
    solids?: unknown[];
    films?: { wires?: unknown[] };
  };
}

export function parseRunInfo(text: string, fallbackName: string, frameCount: number): RunInfo {
  const run = JSON.parse(text) as RunFile;
  return {
    name: run.title || run.name || fallbackName,
    method: run.method ?? '',
    status: run.status ?? 'unknown',
    outOfBounds: run.balance?.within === false,
    frameCount,
    framesPlanned: Math.max(frameCount, (run.lastFrame ?? -1) + 1),
    fps: run.fps ?? 30,
    domain: run.scene?.domain ?? null,
    solids: run.scene?.solids ?? [],
    wires: run.scene?.films?.wires ?? [],
    gravity: run.scene?.gravity ?? [0, 0, -9.81],
  };
}

/** Frames that run.json counts. */
export function readFrameTotal(text: string): number {
  return (JSON.parse(text) as { totals?: { frames?: number } }).totals?.frames ?? 0;
}

/** A line half written by a run that is still going ends the table; a broken line before the end is an error. */
export function parseStats(text: string): StatsRecord[] {
  const lines = text.split('\n');
  const records: StatsRecord[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].trim() === '') continue;
    try {
      records.push(JSON.parse(lines[i]) as StatsRecord);
    } catch (cause) {
      if (i === lines.length - 1) break;
      throw new Error(`stats.jsonl:${i + 1}: not a JSON record; the file may be damaged`, { cause });
    }
  }
  return records;
}

export const isRunning = (info: RunInfo): boolean => info.status === 'running';

/** Frame indices that volume.pvd names, or an empty set. */
export function parsePvd(text: string): Set<number> {
  const frames = new Set<number>();
  for (const match of text.matchAll(/volume\/(\d+)\.vtu/g)) frames.add(Number(match[1]));
  return frames;
}
