/** Meshes of shapes by contouring, remeshed and drawn onto the surface in turns. */
import { InputError } from '../../../core/errors.ts';
import type { Metres, Vec3 } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import { computeClearanceNormal } from '../../../geometry/sharp-edges.ts';
import { contourShape } from '../../../mesh/contour-shape.ts';
import {
  buildMultiMesh,
  extractTriangles,
  type LabelledTriangles,
} from '../../../tracking/multimaterial/build.ts';
import { improveMesh } from '../../../tracking/multimaterial/improve.ts';
import { resolveOptions } from '../../../tracking/multimaterial/options.ts';
import { Tracker } from '../../../tracking/multimaterial/tracker.ts';
import { LIQUID } from '../liquid/body.ts';

/** Step of the differences that give normals, in resolutions. */
const NORMAL_STEP = 1e-3;
/** Turns of remeshing and drawing. */
const TURNS = 6;
/** Cells of the contour for an edge. */
const CELLS = 1.1;

export function contour(shape: Implicit, edge: Metres, where: string): LabelledTriangles {
  const { min, max } = shape.bounds;
  const longest = Math.max(...max.map((x, k) => x - min[k]));
  const { position, triangle, triangleCount } = contourShape(shape, Math.ceil((CELLS * longest) / edge));
  if (triangleCount === 0) throw new InputError(where, 'is thinner than the resolution', 'make it thicker');
  const label = Int32Array.from({ length: 2 * triangleCount }, (_, h) => (h % 2 === 0 ? 0 : LIQUID));
  const mesh = buildMultiMesh({ position, triangle, label });
  const tracker = new Tracker(
    mesh,
    resolveOptions({ minEdge: 0.6 * edge, maxEdge: 1.4 * edge, topology: false, smoothAngle: 60 }),
  );
  for (let turn = 0; turn < TURNS; turn++) {
    improveMesh(tracker);
    tracker.compact();
    drawOnto(shape, mesh.position, mesh.vertexFill, edge);
    tracker.rebuildGrid();
  }
  tracker.free();
  const { debt: _, ...surface } = extractTriangles(mesh);
  return surface;
}

/** Moves points onto the surface along its normal, by half an edge at most. */
export function drawOnto(
  shape: Implicit,
  position: Float64Array,
  count: number,
  edge: Metres,
  isDrawn: (v: number) => boolean = () => true,
): void {
  const value = (x: number, y: number, z: number) => shape.value(x, y, z);
  for (let v = 0; v < 3 * count; v += 3)
    for (let n = 0; n < 3 && isDrawn(v / 3); n++) {
      const at: Vec3 = [position[v], position[v + 1], position[v + 2]];
      const height = Math.max(-edge / 2, Math.min(edge / 2, value(...at)));
      // Normals of clearances point away from the shape, along which values fall.
      const normal = computeClearanceNormal(value, at, NORMAL_STEP * edge);
      const sign =
        value(
          at[0] + 1e-3 * edge * normal[0],
          at[1] + 1e-3 * edge * normal[1],
          at[2] + 1e-3 * edge * normal[2],
        ) > value(...at)
          ? -1
          : 1;
      for (let k = 0; k < 3; k++) position[v + k] += sign * height * normal[k];
    }
}
