/**
 * Front door of the mesher for a shape on its own: chooses the lattice, stuffs it, and measures the result.
 */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { Metres, Vec3 } from '../../core/types.ts';
import type { Implicit } from '../../geometry/implicit.ts';
import { type MeshQuality, measureQuality } from '../quality.ts';
import type { Lattice, StuffedMesh } from './lattice.ts';
import { stuff } from './stuff.ts';

export interface MeshShapeOptions {
  /** Edge of the finest lattice cells: boundary edges are about this long, m. */
  readonly size: Metres;
  /** Coarser tets away from the surface, or the same size throughout. */
  readonly interior: 'graded' | 'uniform';
  /** Coarsest level of a graded interior (cells of size 2^maxLevel); as far as the shape allows if absent. */
  readonly maxLevel?: number;
}

export interface ShapeMesh {
  readonly mesh: StuffedMesh;
  readonly quality: MeshQuality;
  readonly lattice: Lattice;
  readonly timings: { readonly distanceSeconds: number; readonly stuffingSeconds: number };
}

export const DEFAULT_MAX_LEVEL = 6;

/** Meshes the shape; throws InputError if it is unbounded, empty, or thinner than the lattice can see. */
export function meshShape(
  implicit: Implicit,
  options: MeshShapeOptions,
  resources?: { readonly scope?: HeapScope },
): ShapeMesh {
  const lattice = chooseLattice(implicit, options.size);
  const maxLevel = options.interior === 'uniform' ? 0 : (options.maxLevel ?? DEFAULT_MAX_LEVEL);
  const mesh = stuff(implicit, lattice, { maxLevel, ...(resources?.scope && { scope: resources.scope }) });
  if (mesh.tetCount === 0)
    throw new InputError(
      'mesh',
      `size ${options.size} m is larger than the shape's thickness: no tetrahedron fits`,
      'give a smaller size',
    );
  const { distanceSeconds, stuffingSeconds } = mesh.report;
  return { mesh, quality: measureQuality(mesh), lattice, timings: { distanceSeconds, stuffingSeconds } };
}

/** A lattice of cells of the given size, centred on the shape's bounds and a cell wider on every side. */
export function chooseLattice(implicit: Implicit, size: Metres): Lattice {
  if (!(size > 0) || !Number.isFinite(size))
    throw new InputError('mesh', `size is ${size} m`, 'give a positive finite size');
  const { min, max } = implicit.bounds;
  const cells: number[] = [];
  const origin: number[] = [];
  for (let a = 0; a < 3; a++) {
    const extent = max[a] - min[a];
    if (!Number.isFinite(extent))
      throw new InputError(
        'mesh',
        `the shape reaches from ${min[a]} to ${max[a]} m along ${'xyz'[a]}`,
        'bound it with a box',
      );
    if (extent < 0) throw new InputError('mesh', 'the shape is empty', 'check its definition');
    const n = Math.ceil(extent / size) + 2;
    cells.push(n);
    origin.push(0.5 * (min[a] + max[a]) - 0.5 * n * size);
  }
  return { origin: origin as unknown as Vec3, size, cells: cells as [number, number, number] };
}
