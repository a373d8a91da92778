/**
 * Thickening ([chentanez-2007] 3.4) as the stages of a step use it: which lengths go where.
 *
 * The particles are found anew on every surface; they live for one step and are no part of the state.
 */
import type { HeapScope } from '../../../core/heap.ts';
import type { Threads } from '../../../core/threads/task.ts';
import type { SurfaceIndex } from '../../../tracking/contouring/surface-index.ts';
import { findMedialAxis } from './medial-axis.ts';
import { buildMeshOffset, type MeshOffset } from './mesh-offset.ts';
import type { ThickeningOptions } from './options.ts';
import { buildParticleUnion, type ParticleUnion } from './particle-surface.ts';
import type { Particles } from './particles.ts';
import { computeGrowth, keepThickness, redistributeRadii, takeSurplus } from './surface-particles.ts';

/** 3.4.1: particles where the liquid inside a surface is thinner than `thinness` cells of edge `cell`, m. */
export function findThinParticles(
  index: SurfaceIndex,
  options: ThickeningOptions,
  cell: number,
  threads: Threads,
  scope: HeapScope,
): Particles {
  return findMedialAxis(index, options.thinness * cell, options.medialRatio, threads, scope);
}

/**
 * 3.4.3: the surface around advected particles, redistributed and grown; `spacing` is a contouring cell's
 * edge, m, and `deficit` the volume that is missing, m^3.
 */
export function thickenParticles(
  advected: Particles,
  options: ThickeningOptions,
  spacing: number,
  deficit: number,
  scope: HeapScope,
): ParticleUnion {
  const growth = options.guided ? computeGrowth(advected, options, spacing, deficit) : 1;
  const thickened = redistributeRadii(advected, options, spacing, growth, scope);
  keepThickness(thickened, options, spacing, thickened.radius);
  const surplus = options.guided ? -deficit : 0;
  const cut = takeSurplus(thickened, options, spacing, surplus, thickened.radius, scope);
  return buildParticleUnion(thickened, cut, options.kernelRadius, spacing, scope);
}

/**
 * 3.4.2: the offset that lets the mesh of edge `cell`, m, enclose the thin parts of a surface; absent where
 * there are none.
 */
export function findMeshOffset(
  index: SurfaceIndex,
  options: ThickeningOptions,
  cell: number,
  threads: Threads,
  scope: HeapScope,
): MeshOffset | undefined {
  const particles = findThinParticles(index, options, cell, threads, scope);
  if (particles.count === 0) return undefined;
  return buildMeshOffset(particles, cell, options.meshRadius * cell, options.meshOffset * cell, scope);
}
