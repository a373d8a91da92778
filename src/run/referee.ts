import type { Resources } from '../methods/method.ts';
import type { LoadedScene } from '../scene/load.ts';
import type { Run } from './runner.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Referees (validation/) and benchmarks (bench/): a case measures something and holds it to a bound. Each
 * file exports arrays of cases; `meniscus validate` and `meniscus bench` find them, run them and print the
 * rows.
 */
export interface RefereeRow {
  readonly what: string;
  readonly measured: number | string;
  /** What theory, experiment or another program says; '' where there is none. */
  readonly reference: number | string;
  /**
   * The bound that was held against the measured value, such as '<= 10 %'; '' for a figure that is only
   * reported.
   */
  readonly bound: number | string;
  readonly unit: string;
  readonly pass: boolean;
}

export interface RefereeContext {
  /** A fresh heap and threads (default: all cores); closed after the case. */
  createResources(threads?: number): Promise<Resources>;
  /** A bundled scene by name, with --set edits and a setting. */
  loadScene(name: string, edits?: { sets?: readonly string[]; setting?: string }): Promise<LoadedScene>;
  /** A run of it, not yet started, or ready to go on from a snapshot. */
  createRun(loaded: LoadedScene, resources: Resources, from?: Snapshot): Run;
  /** Progress for a person; not part of the result. */
  note(text: string): void;
}

export interface RefereeCase {
  readonly name: string;
  /**
   * The method, or the part of the library, that is on trial; where it is not said, what stands before a
   * slash in the name.
   */
  readonly method?: string;
  readonly title: string;
  /** Takes minutes: runs when it is named, and not with all the others. */
  readonly onRequest?: boolean;
  run(context: RefereeContext): Promise<RefereeRow[]>;
}

export const methodOnTrial = ({ name, method }: RefereeCase): string => method ?? name.split('/')[0];
