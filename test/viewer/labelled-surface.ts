/** The shapes of labelled-run.ts as the viewer draws them. */
import { prepareSurface, toFields } from '../../viewer/src/data/prepare.ts';
import type { RegionData, SurfaceData } from '../../viewer/src/data/types.ts';
import { buildLabelledFrame, type LabelledShape } from './labelled-run.ts';

export type LabelledSurface = SurfaceData & { regions: RegionData };

export function prepareShape(shape: LabelledShape): LabelledSurface {
  const { mesh, vertexFields, faceFields } = buildLabelledFrame({ shape }, 0);
  const surface = prepareSurface({
    position: mesh.position,
    triangle: mesh.triangle,
    fields: toFields(vertexFields, faceFields),
  });
  if (!surface.regions) throw new Error('no regions');
  return { ...surface, regions: surface.regions };
}
