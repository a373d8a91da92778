import type { Box, KilogramsPerCubicMetre, Metres, PascalSeconds, Seconds, Vec3 } from '../core/types.ts';
import type { Implicit } from '../geometry/implicit.ts';

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
  /** Edge length of the finest simulation cells. */
  readonly resolution: Metres;
  readonly liquids: readonly Liquid[];
  readonly solids: readonly Solid[];
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
}

export interface Liquid {
  readonly shape: Implicit;
  readonly material: Material;
  /** Initial velocity, m/s */
  readonly velocity: Vec3;
}

export interface Solid {
  readonly name: string;
  readonly shape: Implicit;
}
