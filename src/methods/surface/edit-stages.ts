/** The stages of both steps that edit the mesh, timed. */
import { type StageClock, timed } from '../../core/stages.ts';
import { improveMesh } from '../../tracking/multimaterial/improve.ts';
import { mergeSurfaces } from '../../tracking/multimaterial/merge.ts';
import { separateVertices } from '../../tracking/multimaterial/separate.ts';
import type { SurfaceLedger } from './ledger.ts';
import { LIQUID } from './liquid/body.ts';
import type { SurfaceModel } from './model.ts';
import type { SurfaceState } from './state.ts';

export const createEditStages = (
  { options }: SurfaceModel,
  { tracker }: SurfaceState,
  clock: StageClock,
  ledger: SurfaceLedger,
) => ({
  /** `motion`: the way of the vertices in this step. */
  merge: (motion: Float64Array | undefined) =>
    timed(clock, 'merging', () =>
      mergeSurfaces(tracker, motion, { region: LIQUID, thickness: options.ruptureThickness }),
    ),
  improveMesh: () => timed(clock, 'improvement', () => improveMesh(tracker)),
  separateVertices: () =>
    timed(clock, 'separation', () => {
      separateVertices(tracker, 'area');
      ledger.bookEdits();
    }),
});
