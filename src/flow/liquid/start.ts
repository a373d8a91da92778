/** Surface and mesh of the liquids as the scene describes them. */
import { InputError } from '../../core/errors.ts';
import type { HeapScope } from '../../core/heap.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import { findPieces } from '../../tracking/contouring/pieces.ts';
import { buildSignGrid } from '../../tracking/contouring/signs.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import { contourInitial } from '../contour/advected-contour.ts';
import type { MeshParts } from '../mesh/mesh-parts.ts';
import type { Mesher } from '../mesh/mesher.ts';
import type { LiquidModel } from './model.ts';

export interface MeshedStart {
  readonly contour: Contour;
  readonly index: SurfaceIndex;
  readonly parts: MeshParts;
}

/** Refuses liquids of which the resolution leaves nothing. */
export function meshStart(
  model: LiquidModel,
  surroundings: Surroundings,
  mesher: Mesher,
  scope: HeapScope,
  scratch: HeapScope,
): MeshedStart {
  const contour = contourInitial(model, surroundings, scope, scratch);
  const { surface } = contour;
  const { size } = model.lattice;
  if (surface.triangleCount === 0)
    throw new InputError(
      'liquids',
      `no liquid is left inside the domain at a resolution of ${size} m`,
      'move or enlarge the liquids, or use a finer resolution',
    );
  const index = buildSurfaceIndex(surface, model.contour.walls, scope);
  const parts = mesher({ surroundings, contour, index }, scope, scratch);
  if (parts.mesh.tetCount === 0)
    throw new InputError(
      'resolution',
      `the liquids are thinner than the lattice cells of ${size} m, so they hold no tetrahedra`,
      'use a finer resolution or thicker liquids',
    );
  return { contour, index, parts };
}

/** What every state has alike at time 0: the surface as it is, and nothing in the air. */
export const beginState = ({ surface, signs }: Contour, { mesh }: MeshParts, scope: HeapScope) => ({
  scope,
  time: 0,
  surface,
  signs: buildSignGrid(signs, scope),
  mesh,
  lead: 0,
  pressureStep: 1,
  pieceTarget: findPieces(surface).volume,
  droplets: new Float64Array(0),
});
