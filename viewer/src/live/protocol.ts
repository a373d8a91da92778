/** What the page and the live worker say to each other. */

import type { Leg } from '../../../src/geometry/hand-motion.ts';
import type { Balance, BalanceLine } from '../../../src/run/balance.ts';
import type { FrameData, RunInfo, StatsRecord } from '../data/types.ts';

export interface LiveScene {
  readonly file: string;
  readonly text: string;
  readonly setting?: string | undefined;
  /** `path=value` edits, as on the command line. */
  readonly sets: readonly string[];
}

export type LiveRequest =
  | { readonly type: 'describe' | 'run'; readonly scene: LiveScene }
  /** A click on the surface, in metres; only for methods that take it. */
  | { readonly type: 'poke'; readonly point: readonly [number, number, number] }
  /** Where a person leads a solid, by its number in the scene: displacement from its place at rest, m. */
  | { readonly type: 'lead'; readonly solid: number; readonly to: readonly [number, number, number] }
  /** The page has drawn the last preview, and would like another. */
  | { readonly type: 'ready' };

/** A method option that a control can change. */
export interface OptionSpec {
  /** `lattice.cfl` */
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly kind: 'number' | 'integer' | 'boolean' | 'choice';
  readonly choices: readonly string[];
  readonly value: unknown;
}

export interface SceneDescription {
  readonly title: string;
  readonly takes: string;
  /** What the method leaves out of the scene. */
  readonly notes: readonly string[];
  readonly settings: readonly string[];
  /** The scene with its defaults filled in. */
  readonly document: Record<string, unknown>;
  readonly options: readonly OptionSpec[];
}

/** A file of the run folder. */
export interface SavedFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface FolderStart {
  /** run.json as far as it is known before the first step. */
  readonly info: Readonly<Record<string, unknown>>;
  readonly assets: readonly SavedFile[];
}

/** A frame as `meniscus run` would have written it, byte by byte, and the run's figures up to it. */
export interface SavedFrame {
  readonly files: readonly SavedFile[];
  readonly balance: Balance;
  readonly peakHeapBytes: number;
}

export type LiveReply =
  | { readonly type: 'description'; readonly description: SceneDescription }
  | {
      readonly type: 'started';
      readonly info: RunInfo;
      readonly threads: number;
      readonly note: string;
      /** Whether the method takes clicks on its surface. */
      readonly takesPokes: boolean;
      /** What a run folder of it begins with. */
      readonly folder: FolderStart;
    }
  /** `at`: the worker's clock, milliseconds. */
  | { readonly type: 'step'; readonly record: StatsRecord; readonly at: number }
  | { readonly type: 'frame'; readonly frame: FrameData; readonly saved: SavedFrame }
  /** The state at the end, from which the run can go on. */
  | { readonly type: 'checkpoint'; readonly file: SavedFile }
  /** The surface between two frames, to be shown and forgotten. */
  | { readonly type: 'preview'; readonly frame: FrameData; readonly time: number }
  /** A click arrived and changed the run. */
  | { readonly type: 'poked'; readonly step: number }
  /** A solid is on its way. */
  | { readonly type: 'led'; readonly solid: number; readonly leg: Leg }
  /** The run's balance in words. */
  | { readonly type: 'done'; readonly balance: readonly BalanceLine[] }
  | { readonly type: 'failed'; readonly message: string };
