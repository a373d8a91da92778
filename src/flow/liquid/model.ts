/** What a scene fixes for liquids on a stuffed mesh: lattice, contouring grid, solids, constants. */
import { InputError } from '../../core/errors.ts';
import type { Heap, HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Seconds, Vec3 } from '../../core/types.ts';
import type { Lattice } from '../../mesh/lattice/lattice.ts';
import type { Scene } from '../../scene/scene.ts';
import type { ContourSpace } from '../../tracking/contouring/space.ts';
import { measureSources, type Sources } from '../boundary/sources.ts';
import { buildSurroundings, buildVessel, type Surroundings, type Vessel } from '../boundary/surroundings.ts';
import type { ExtensionGrid } from '../velocity/extension.ts';
import type { LiquidOptions } from './options.ts';

/**
 * Contouring cells around the domain, so that the contour closes outside its walls; layers of the extension
 * beyond the cells that a step may cross.
 */
const MARGIN = { contour: 3, extension: 3 };

export interface LiquidModel extends Sources, Pick<Scene, 'gravity' | 'liquids'> {
  readonly heap: Heap;
  readonly threads: Threads;
  readonly options: LiquidOptions;
  /** kg/m^3 */
  readonly density: number;
  /**
   * Liquid too thick to let go of drops: what a piece lacks after the largest shift, or has too much, waits
   * for the next one, and scraps cling to slopes.
   */
  readonly clings?: boolean;
  readonly lattice: Lattice;
  /** The contouring grid, with what stands still. */
  readonly contour: ContourSpace;
  /** Walls and solids at a time; where nothing moves always the same. */
  surroundingsAt(time: Seconds, lead: Seconds): Surroundings;
  /** [min x, y, z, max x, y, z] m, on the heap */
  readonly domain: Float64Array;
  readonly extension: ExtensionGrid;
  readonly extensionLayers: number;
}

export function buildLiquidModel<Options extends LiquidOptions>(
  scene: Scene,
  options: Options,
  { heap, threads }: Pick<LiquidModel, 'heap' | 'threads'>,
): LiquidModel & { readonly options: Options } {
  const scope = heap.scope('flow model');
  const lattice = layLattice(scene);
  const spacing = lattice.size / options.surfaceRefinement;
  const origin = lattice.origin.map((o) => o - MARGIN.contour * spacing) as unknown as Vec3;
  const nodes = lattice.cells.map(
    (n) => n * options.surfaceRefinement + 1 + 2 * MARGIN.contour,
  ) as unknown as Vec3;
  const vessel = buildVessel(
    scene.domain,
    scene.solids,
    scene.wall === 'no-slip',
    lattice.size,
    { origin, spacing, nodes },
    scope,
  );
  const layers = Math.ceil(options.cfl) + MARGIN.extension;
  return {
    heap,
    threads,
    options,
    gravity: scene.gravity,
    density: commonDensity(scene),
    liquids: scene.liquids,
    lattice,
    ...measureSources(scene, vessel.standing.clearanceAt),
    contour: vessel.standing,
    surroundingsAt: createSurroundings(vessel, heap, scope),
    domain: copyDomain(scene, scope),
    extension: {
      origin: lattice.origin.map((o) => o - lattice.size) as unknown as Vec3,
      spacing: lattice.size,
      nodes: lattice.cells.map((n) => n + 3) as unknown as [number, number, number],
    },
    extensionLayers: layers,
  };
}

/**
 * Cells of the wanted size from the domain's low corner; its far walls fall on lattice planes where they fit.
 */
function layLattice(scene: Scene): Lattice {
  const { domain, resolution } = scene;
  const cells = [0, 1, 2].map((a) =>
    Math.max(1, Math.ceil((domain.max[a] - domain.min[a]) / resolution - 1e-6)),
  ) as [number, number, number];
  if (cells[0] * cells[1] * cells[2] > 2 ** 31)
    throw new InputError(
      'resolution',
      `${resolution} m divides the domain into ${cells.join(' x ')} cells, more than the lattice can number`,
      'use a coarser resolution or a smaller domain',
    );
  return { origin: domain.min, size: resolution, cells };
}

function commonDensity(scene: Scene): number {
  const materials = [...scene.liquids, ...scene.emitters].map((l) => l.material);
  const densities = new Set(materials.map((m) => m.density));
  if (densities.size > 1)
    throw new InputError(
      'liquids',
      `the ${scene.method} method has one density, but the materials have ${[...densities].join(' and ')} kg/m^3`,
      'give all liquids the same material density',
    );
  return materials[0].density;
}

/** Standing surroundings are built once and belong to the model; moving ones to whoever asks. */
function createSurroundings(vessel: Vessel, heap: Heap, scope: HeapScope): LiquidModel['surroundingsAt'] {
  if (vessel.moves)
    return (time, lead) => buildSurroundings(vessel, time, lead, heap.scope('flow surroundings'));
  const standing = buildSurroundings(vessel, 0, 0, scope);
  return () => standing;
}

function copyDomain(scene: Scene, scope: HeapScope): Float64Array {
  const domain = scope.f64(6);
  domain.set([...scene.domain.min, ...scene.domain.max]);
  return domain;
}
