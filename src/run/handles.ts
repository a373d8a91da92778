/** Solids that a person leads by hand while a run goes on in the page. */
import type { Box, Vec3 } from '../core/types.ts';
import { HandMotion } from '../geometry/hand-motion.ts';
import type { Scene, Solid } from '../scene/scene.ts';

/** Cells that a hand may lead a solid in a frame: a step or two. */
const CELLS_PER_FRAME = 2;
/** Cells that stay between it and the domain's walls. */
const CLEAR = 2;

export interface LedScene {
  readonly scene: Scene;
  /** By their numbers among the scene file's solids. */
  readonly handles: ReadonlyMap<number, HandMotion>;
}

/** The scene with a motion for each solid that may be led; they hold still until somebody does. */
export function attachHandles(scene: Scene): LedScene {
  const parts = new Map<number, Solid[]>();
  for (const solid of scene.solids)
    if (solid.handle !== undefined) parts.set(solid.handle, [...(parts.get(solid.handle) ?? []), solid]);
  const fastest = CELLS_PER_FRAME * scene.resolution * scene.fps;
  const handles = new Map(
    [...parts].map(([n, solids]) => [n, new HandMotion(fastest, findReach(solids, scene))]),
  );
  const solids = scene.solids.map((solid) => {
    const motion = solid.handle === undefined ? undefined : handles.get(solid.handle);
    return motion ? { ...solid, motion } : solid;
  });
  return { scene: { ...scene, solids }, handles };
}

/** Displacements that keep a solid clear of the walls it does not pass through at rest. */
function findReach(solids: readonly Solid[], { domain, resolution }: Scene): Box {
  const clear = CLEAR * resolution;
  const min: number[] = [];
  const max: number[] = [];
  for (let a = 0; a < 3; a++) {
    const low = Math.min(...solids.map(({ shape }) => shape.bounds.min[a]));
    const high = Math.max(...solids.map(({ shape }) => shape.bounds.max[a]));
    const size = domain.max[a] - domain.min[a];
    min.push(low < domain.min[a] ? -size : Math.min(0, domain.min[a] + clear - low));
    max.push(high > domain.max[a] ? size : Math.max(0, domain.max[a] - clear - high));
  }
  return { min: min as unknown as Vec3, max: max as unknown as Vec3 };
}
