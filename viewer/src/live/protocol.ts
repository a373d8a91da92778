/** What the page and the live worker say to each other. */
import type { BalanceLine } from '../../../src/run/balance.ts';
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

export type LiveReply =
  | { readonly type: 'description'; readonly description: SceneDescription }
  | {
      readonly type: 'started';
      readonly info: RunInfo;
      readonly threads: number;
      readonly note: string;
      /** Whether the method takes clicks on its surface. */
      readonly takesPokes: boolean;
    }
  /** `at`: the worker's clock, milliseconds. */
  | { readonly type: 'step'; readonly record: StatsRecord; readonly at: number }
  | { readonly type: 'frame'; readonly frame: FrameData }
  /** The surface between two frames, to be shown and forgotten. */
  | { readonly type: 'preview'; readonly frame: FrameData; readonly time: number }
  /** A click arrived and changed the run. */
  | { readonly type: 'poked'; readonly step: number }
  /** The run's balance in words. */
  | { readonly type: 'done'; readonly balance: readonly BalanceLine[] }
  | { readonly type: 'failed'; readonly message: string };
