import type { Box, KilogramsPerCubicMetre, Metres, PascalSeconds, Seconds, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';
import type { RigidMotion } from '../geometry/rigid-motion.ts';

/**
 * A scene after validation: units resolved, files read, shapes built. What `Method.build` gets.
 * The file format and its schema live beside this file (schema.ts).
 */
export interface Scene {
  readonly name: string;
  readonly method: string;
  readonly duration: Seconds;
  /** Frames per second of output. */
  readonly fps: number;
  readonly gravity: Vec3;
  /** The box the liquid lives in. Its walls are solid. */
  readonly domain: Box;
  /** What the liquid does at the domain's own walls. */
  readonly wall: WallKind;
  /** Edge length of the finest simulation cells. */
  readonly resolution: Metres;
  readonly liquids: readonly Liquid[];
  readonly solids: readonly Solid[];
  readonly emitters: readonly Emitter[];
  readonly drains: readonly Drain[];
  /** Method options under the method's own key, validated by `Method.options`. */
  readonly options: unknown;
  readonly seed: number;
}

export interface Material {
  readonly name: string;
  readonly density: KilogramsPerCubicMetre;
  readonly viscosity: PascalSeconds;
  /** N/m */
  readonly surfaceTension: number;
  /** What methods add (MethodInfo.materialFields), as far as the scene says it. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface Liquid {
  readonly shape: Implicit;
  readonly material: Material;
  /** Initial velocity, m/s */
  readonly velocity: Vec3;
}

/** Slides along it, or sticks to it. */
export type WallKind = 'slip' | 'no-slip';

export interface Solid {
  readonly name: string;
  /** In its rest pose; where the solid moves, `motion` carries it from there. */
  readonly shape: Implicit;
  readonly motion?: RigidMotion;
  /** What the liquid does at its surface. */
  readonly wall: WallKind;
  /** Of one that a person may lead by hand in the page: its number among the scene file's solids. */
  readonly handle?: number;
}

/** A nozzle: a region kept full of liquid that leaves it along `direction`. */
export interface Emitter {
  readonly name: string;
  readonly shape: Implicit;
  readonly material: Material;
  /** Unit vector. */
  readonly direction: Vec3;
  /** m^3/s at time t, 0 where it is off. */
  flowAt(time: Seconds): number;
  /** Volume emitted from time 0 to t, m^3. */
  emittedUntil(time: Seconds): number;
  /**
   * From then on it is shut for good, and what stands in its region is liquid like any other; Infinity:
   * never.
   */
  readonly shutFrom: Seconds;
  /** Carries shape and direction from where they are given. */
  readonly motion?: RigidMotion;
}

/** A region out of which liquid is taken, as far as there is any. */
export interface Drain {
  readonly name: string;
  readonly shape: Implicit;
  /** m^3/s at time t, 0 where it is off. */
  flowAt(time: Seconds): number;
  /** Volume taken from time 0 to t where there is enough, m^3. */
  drainedUntil(time: Seconds): number;
}
