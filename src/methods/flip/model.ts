/** What a scene fixes for the flip method. */
import { InputError } from '../../core/errors.ts';
import type { Heap } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Box, Metres } from '../../core/types.ts';
import { measureSources, type Sources } from '../../flow/boundary/sources.ts';
import type { OctreeBox } from '../../mesh/octree/octree.ts';
import { poseSolids } from '../../scene/build.ts';
import type { Scene, Solid } from '../../scene/scene.ts';
import type { Resources } from '../method.ts';
import { type FlipOptions, flipOptions } from './options.ts';
import { layCells } from './sizing.ts';

export interface FlipModel extends Sources, Pick<Scene, 'gravity' | 'liquids'> {
  readonly heap: Heap;
  readonly threads: Threads;
  readonly options: FlipOptions;
  /** kg/m^3 */
  readonly density: number;
  /** Kinematic, m^2/s */
  readonly viscosity: number;
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
    ...measureSources(scene, wall),
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
