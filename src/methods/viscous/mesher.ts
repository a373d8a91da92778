/**
 * How the mesh of a viscous liquid is made: stuffed, so that it follows the liquid, or embedded, the paper's
 * own.
 */
import { embedLiquid } from '../../flow/mesh/embed-liquid.ts';
import { createStuffer, type Mesher } from '../../flow/mesh/mesher.ts';
import type { ViscousModel } from './model.ts';

export function createMesher(model: ViscousModel): Mesher {
  const { mesh, sizing } = model.options;
  if (mesh === 'stuffed') return createStuffer(model, () => undefined);
  return ({ surroundings, contour, index }, scope, scratch) =>
    embedLiquid(model, surroundings, contour, index, sizing, scope, scratch);
}
