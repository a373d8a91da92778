/** Scenes of liquids without files: for tests, referees and benchmarks. */
import type { Box, Vec3 } from '../../src/core/types.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import type { RigidMotion } from '../../src/geometry/rigid-motion.ts';
import { materialPresets } from '../../src/scene/materials.ts';
import type { Drain, Emitter, Material, Scene } from '../../src/scene/scene.ts';

/** m/s^2 */
export const GRAVITY = 9.81;
export const STANDARD_GRAVITY: Vec3 = [0, 0, -GRAVITY];

export interface LiquidSetup {
  readonly domain: Box;
  readonly resolution: number;
  /** None where emitters bring it. */
  readonly liquid?: Implicit;
  readonly velocity?: Vec3;
  readonly solids?: readonly (Implicit | { readonly shape: Implicit; readonly motion: RigidMotion })[];
  readonly emitters?: readonly Emitter[];
  readonly drains?: readonly Drain[];
  readonly gravity?: Vec3;
  readonly options?: Record<string, unknown>;
  /** Absent: water */
  readonly material?: Material;
  /** Of the room; absent: slip */
  readonly wall?: Scene['wall'];
}

/** A room of a method with nothing in it and no gravity. */
export const emptyRoom = (method: string, domain: Box, resolution: number): Scene => ({
  name: 'case',
  method,
  duration: 1,
  fps: 25,
  gravity: [0, 0, 0],
  domain,
  wall: 'slip',
  resolution,
  liquids: [],
  solids: [],
  emitters: [],
  drains: [],
  options: {},
  seed: 1,
});

/** Water, solids and what else there is in a room. */
export function buildLiquidScene(method: string, setup: LiquidSetup): Scene {
  const { velocity = [0, 0, 0], material = materialPresets['water'], wall = 'slip' } = setup;
  return {
    ...emptyRoom(method, setup.domain, setup.resolution),
    gravity: setup.gravity ?? STANDARD_GRAVITY,
    wall,
    liquids: setup.liquid ? [{ shape: setup.liquid, material, velocity }] : [],
    solids: (setup.solids ?? []).map((solid, i) => ({
      name: `solid ${i}`,
      wall: 'slip',
      ...('shape' in solid ? solid : { shape: solid }),
    })),
    emitters: setup.emitters ?? [],
    drains: setup.drains ?? [],
    options: setup.options ?? {},
  };
}
