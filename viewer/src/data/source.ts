/**
 * Where frames come from. A run folder over HTTP (`meniscus view`, or any static server), the same folder
 * dropped onto the page, or a live run in a worker: one interface, so the rest of the viewer never asks
 * which.
 */
import type { RigidMotion } from '../../../src/geometry/rigid-motion.ts';
import type { FrameData, RunInfo, StatsRecord } from './types.ts';

export interface RunSource {
  readonly info: RunInfo;
  readonly stats: readonly StatsRecord[];
  /** Frames that come with tetrahedra, ascending. */
  readonly volumeFrames: readonly number[];
  /** What is wrong with the run's files, in words, where the run can be shown all the same. */
  readonly notes: readonly string[];
  load(frame: number, withVolume: boolean): Promise<FrameData>;
  /** A file that came with the run: the meshes its solids name. */
  readAsset(path: string): Promise<Uint8Array>;
  /** Looks for news of a run that is still going; true when there are some. */
  refresh(): Promise<boolean>;
  close(): void;
  /** A run in this page whose method answers to clicks on its surface, at the moment. */
  readonly canPoke?: boolean;
  poke?(point: readonly [number, number, number]): void;
  /** Solids of a run in this page that are led by hand, by their numbers in the scene, with how they move. */
  readonly handles?: ReadonlyMap<number, RigidMotion>;
  /** Whether they may be led at the moment. */
  readonly canLead?: boolean;
  /** Leads one to a displacement from its place at rest, m. */
  lead?(solid: number, to: readonly [number, number, number]): void;
}

/** A file of the run folder, by address or dropped onto the page; both pass to a worker as they are. */
export type FileRef = string | File;

export { frameFile } from '../../../src/run/folder-files.ts';

export const isRunning = (info: RunInfo): boolean => info.status === 'running';
