/** What every program of the comparison is given: boxes of water and of solid in a box, in SI units. */
import { InputError } from '../../src/core/errors.ts';
import type { Box, Metres, Seconds, Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { Scene } from '../../src/scene/scene.ts';

export interface BoxFlow {
  readonly domain: Box;
  readonly water: Box;
  readonly solids: readonly Box[];
  readonly gravity: Vec3;
  /** Edge of the finest cells */
  readonly spacing: Metres;
  readonly fps: number;
  readonly frames: number;
}

/** What a program made of it. */
export interface PeerResult {
  readonly program: string;
  readonly seconds: Seconds;
  readonly frames: readonly PeerFrame[];
}

export interface PeerFrame {
  readonly time: Seconds;
  /** m^3 */
  readonly volume: number;
  /** Largest x of the water */
  readonly front: Metres;
}

/** The boxes of a scene of boxes at rest. The other programs are given these, and no shapes of ours. */
export function readBoxFlow(scene: Scene, duration: Seconds): BoxFlow {
  if (scene.liquids.length !== 1 || scene.emitters.length > 0 || scene.drains.length > 0)
    throw new InputError(scene.name, 'is not one body of water in a closed box', 'compare on another scene');
  return {
    domain: scene.domain,
    water: readBox(scene.name, scene.liquids[0].shape, scene.domain),
    solids: scene.solids.map((solid) => readBox(solid.name, solid.shape, scene.domain)),
    gravity: scene.gravity,
    spacing: scene.resolution,
    fps: scene.fps,
    frames: Math.round(duration * scene.fps),
  };
}

/**
 * The part of a box inside the domain; a shape is a box where its surface passes all corners of its bounds.
 */
function readBox(name: string, { bounds, value }: Implicit, domain: Box): Box {
  const size = Math.hypot(...bounds.max.map((x, axis) => x - bounds.min[axis]));
  for (let corner = 0; corner < 8; corner++) {
    const [x, y, z] = [0, 1, 2].map((axis) => (corner & (1 << axis) ? bounds.max : bounds.min)[axis]);
    if (Math.abs(value(x, y, z)) > 1e-6 * size)
      throw new InputError(name, 'is not a box along the axes', 'compare on a scene of boxes');
  }
  const clip = (corner: Vec3) =>
    corner.map((x, axis) => Math.min(Math.max(x, domain.min[axis]), domain.max[axis])) as unknown as Vec3;
  return { min: clip(bounds.min), max: clip(bounds.max) };
}
