/** What a scene fixes for the lattice method: lattice, contouring grid, solids, constants. */
import { InputError } from '../../core/errors.ts';
import type { Heap, HeapScope } from '../../core/heap.ts';
import type { Threads } from '../../core/threads/task.ts';
import type { Vec3 } from '../../core/types.ts';
import type { Lattice } from '../../mesh/lattice/lattice.ts';
import type { Liquid, Scene, Solid } from '../../scene/scene.ts';
import { buildClearanceGrid, type ClearanceGrid } from '../../tracking/contouring/clearance.ts';
import {
  buildContourFrame,
  type ClearanceFunction,
  type ContourFrame,
} from '../../tracking/contouring/frame.ts';
import type { Resources } from '../method.ts';
import type { ExtensionFrame } from './extension.ts';
import { type LatticeOptions, latticeOptions } from './options.ts';

/** Contouring cells kept around the domain, so that the contour closes outside its walls. */
const CONTOUR_MARGIN = 3;
/** Extension layers beyond the cells that a step may cross. */
const EXTRA_LAYERS = 3;

export interface LatticeModel {
  readonly heap: Heap;
  readonly threads: Threads;
  readonly options: LatticeOptions;
  readonly gravity: Vec3;
  /** kg/m^3 */
  readonly density: number;
  readonly liquids: readonly Liquid[];
  readonly lattice: Lattice;
  readonly contour: ContourFrame;
  readonly clearanceAt: ClearanceFunction;
  readonly solids?: ClearanceGrid;
  /** [min x, y, z, max x, y, z] m, on the heap */
  readonly domain: Float64Array;
  readonly extension: ExtensionFrame;
  readonly extensionLayers: number;
}

export function buildModel(scene: Scene, { heap, threads }: Resources): LatticeModel {
  const options = latticeOptions.parse(scene.options);
  const scope = heap.scope('lattice model');
  const lattice = layLattice(scene);
  const clearanceAt = composeClearance(scene);
  const spacing = lattice.size / options.surfaceRefinement;
  const origin = lattice.origin.map((o) => o - CONTOUR_MARGIN * spacing) as unknown as Vec3;
  const nodes = lattice.cells.map(
    (n) => n * options.surfaceRefinement + 1 + 2 * CONTOUR_MARGIN,
  ) as unknown as Vec3;
  const contour = buildContourFrame(origin, spacing, nodes, clearanceAt, scope);
  const layers = Math.ceil(options.cfl) + EXTRA_LAYERS;
  return {
    heap,
    threads,
    options,
    gravity: scene.gravity,
    density: commonDensity(scene),
    liquids: scene.liquids,
    lattice,
    contour,
    clearanceAt,
    ...(scene.solids.length > 0 ? { solids: buildClearanceGrid(contour, scope) } : {}),
    domain: copyDomain(scene, scope),
    extension: {
      origin: lattice.origin.map((o) => o - lattice.size) as unknown as Vec3,
      spacing: lattice.size,
      nodes: lattice.cells.map((n) => n + 3) as unknown as [number, number, number],
    },
    extensionLayers: layers,
  };
}

/** Cells of the wanted size from the domain's low corner; its far walls fall on lattice planes where they fit. */
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
  const densities = new Set(scene.liquids.map((l) => l.material.density));
  if (densities.size > 1)
    throw new InputError(
      'liquids',
      `the lattice method has one density, but the materials have ${[...densities].join(' and ')} kg/m^3`,
      'give all liquids the same material density',
    );
  return scene.liquids[0].material.density;
}

/** Distance to the nearest wall or solid, positive in open space ([chentanez-2007] 3.3.1). */
function composeClearance(scene: Scene): ClearanceFunction {
  const { min, max } = scene.domain;
  const solids: readonly Solid[] = scene.solids;
  return (x, y, z) => {
    let clearance = Math.min(x - min[0], y - min[1], z - min[2], max[0] - x, max[1] - y, max[2] - z);
    for (const solid of solids) clearance = Math.min(clearance, -solid.shape.value(x, y, z));
    return clearance;
  };
}

function copyDomain(scene: Scene, scope: HeapScope): Float64Array {
  const domain = scope.f64(6);
  domain.set([...scene.domain.min, ...scene.domain.max]);
  return domain;
}
