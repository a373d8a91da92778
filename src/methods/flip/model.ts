/** What a scene fixes for the flip method. */
import { InputError } from '../../core/errors.ts';
import type { Heap } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Box, Metres, Vec3 } from '../../core/types.ts';
import { measureRoom } from '../../flow/boundary/sources.ts';
import { measureShadow } from '../../geometry/shapes.ts';
import type { OctreeBox } from '../../mesh/octree/octree.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Drain, Emitter, Liquid, Scene, Solid } from '../../scene/scene.ts';
import type { Resources } from '../method.ts';
import { type FlipOptions, flipOptions } from './options.ts';
import { layCells } from './sizing.ts';

export interface FlipModel {
  readonly heap: Heap;
  readonly threads: Threads;
  readonly options: FlipOptions;
  readonly gravity: Vec3;
  /** kg/m^3 */
  readonly density: number;
  /** Kinematic, m^2/s */
  readonly viscosity: number;
  readonly liquids: readonly Liquid[];
  readonly emitters: readonly Emitter[];
  /** Cross-section of each emitter, m^2 */
  readonly emitterSection: readonly number[];
  readonly drains: readonly Drain[];
  /** What each drain's region can hold, m^3 */
  readonly drainRoom: readonly number[];
  readonly domain: Box;
  readonly solids: readonly Solid[];
  readonly moves: boolean;
  /** Whether liquid sticks to the domain's own walls. */
  readonly sticky: boolean;
  /** Where the octree lies: the domain, grown at its high sides to whole roots. */
  readonly box: OctreeBox;
  /** Edge of the finest cells, and of the largest ones at the surface, m. */
  readonly finest: Metres;
  readonly coarsestSurface: Metres;
  /** Largest side of the domain, m */
  readonly extent: Metres;
  readonly seed: number;
}

export function buildModel(scene: Scene, { heap, threads }: Resources): FlipModel {
  const options = flipOptions.parse(scene.options);
  const { domain, solids } = scene;
  const standing = poseSolids(solids, 0);
  const wall = (x: number, y: number, z: number) =>
    standing.reduce((least, s) => Math.min(least, -s.value(x, y, z)), Number.POSITIVE_INFINITY);
  const { material, density } = commonMaterial(scene);
  return {
    heap,
    threads,
    options,
    gravity: scene.gravity,
    density,
    viscosity: material.viscosity / density,
    liquids: scene.liquids,
    emitters: scene.emitters,
    emitterSection: scene.emitters.map((e) => measureShadow(e.shape, e.direction, domain)),
    drains: scene.drains,
    drainRoom: scene.drains.map((d) => measureRoom(d.shape, wall)),
    domain,
    solids,
    moves: solids.some((s) => s.motion),
    sticky: scene.wall === 'no-slip',
    ...layCells(scene, options),
    extent: Math.max(...domain.max.map((x, a) => x - domain.min[a])),
    seed: scene.seed,
  };
}

function commonMaterial(scene: Scene) {
  const materials = [...scene.liquids, ...scene.emitters].map((l) => l.material);
  for (const key of ['density', 'viscosity'] as const) {
    const values = new Set(materials.map((m) => m[key]));
    if (values.size > 1)
      throw new InputError(
        'liquids',
        `the flip method has one ${key}, but the materials have ${[...values].join(' and ')}`,
        'give all liquids the same material',
      );
  }
  return { material: materials[0], density: materials[0].density };
}
