/** Energy of the surfaces of a liquid that touches walls. */
import { NONE } from '../../../core/types.ts';
import { computeFaceArea } from '../../../tracking/multimaterial/measure.ts';
import type { SurfaceState } from '../state.ts';

/**
 * Area of the free surface, and the area A_free - cos theta A_wet whose energy tension minimises, m^2. With
 * hysteresis the cosine is the mean of both.
 */
export function measureAreas({ tracker: { mesh }, walls }: SurfaceState): {
  free: number;
  effective: number;
} {
  let free = 0;
  let wet = 0;
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const n = walls ? walls.wallOfFace(f) : NONE;
    if (n === NONE) free += computeFaceArea(mesh, f);
    else if (walls!.isNozzle(n)) continue;
    else {
      const { advancing, receding } = walls!.walls[n].angles;
      wet += 0.5 * (advancing + receding) * computeFaceArea(mesh, f);
    }
  }
  return { free, effective: free - wet };
}
