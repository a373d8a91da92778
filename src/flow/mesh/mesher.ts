/**
 * How a method makes the mesh of its liquid: by stuffing, with what it adds to thin parts, or embedded
 * (embed-liquid.ts).
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Contour } from '../../tracking/contouring/contour.ts';
import type { SurfaceIndex } from '../../tracking/contouring/surface-index.ts';
import type { Surroundings } from '../boundary/surroundings.ts';
import type { LiquidModel } from '../liquid/model.ts';
import { buildMeshParts, type MeshParts } from './mesh-parts.ts';
import { type MeshThickening, stuffLiquid } from './stuff-liquid.ts';

/** What is to be meshed. */
export interface Shape {
  readonly surroundings: Surroundings;
  readonly contour: Contour;
  readonly index: SurfaceIndex;
}

/** The mesh lives in `scope`, what it is made with in `scratch`. */
export type Mesher = (shape: Shape, scope: HeapScope, scratch: HeapScope) => MeshParts;

/** What a method adds to the liquid's function before it is meshed. */
export type Thicken = (index: SurfaceIndex, scratch: HeapScope) => MeshThickening | undefined;

export const createStuffer =
  (model: LiquidModel, thicken: Thicken): Mesher =>
  ({ surroundings, contour, index }, scope, scratch) => {
    const thickening = thicken(index, scratch);
    return buildMeshParts(
      model,
      stuffLiquid(model, surroundings, contour, index, scope, scratch, thickening),
      scope,
    );
  };
