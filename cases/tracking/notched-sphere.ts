/** Zalesak's notched sphere turned once about an axis outside it ([da-2017] 10.1). */
import { buildMultiMesh, extractTriangles } from '../../src/tracking/multimaterial/build.ts';
import {
  createFieldFlow,
  createRotationField,
  proposeAlong,
} from '../../src/tracking/multimaterial/flows/velocity-field.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import { buildNotchedSphere } from '../../src/tracking/multimaterial/shapes.ts';
import { type TrackOptions, trackStep } from '../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../src/tracking/multimaterial/validate.ts';
import { findMeshIntersections } from './intersection-referee.ts';
import { computeMeanEdge } from './mean-edge.ts';

/** Enright et al. 2002, in units of their box; turned about the middle of the box. */
const CENTRE = [0.5, 0.75, 0.5] as const;
const AXIS = [0.5, 0.5] as const;
/** The sphere, and the notch in it. */
const NOTCHED = { radius: 0.15, width: 0.05, depth: 0.125 };

export interface TurnReport {
  /** Greatest relative change of a region's volume. */
  readonly volume: number;
  /** Greatest distance of a corner of the notch from the nearest vertex, in edges. */
  readonly corner: number;
  /** How far it was away after half the turn, in edges: it did move. */
  readonly halfway: number;
  readonly intersections: number;
  readonly edge: number;
}

export function turnNotchedSphere(
  materials: 1 | 2,
  edge: number,
  steps: number,
  volume: TrackOptions['volume'],
): TurnReport {
  const mesh = buildMultiMesh(
    buildNotchedSphere({
      centre: CENTRE,
      radius: NOTCHED.radius,
      width: NOTCHED.width,
      depth: NOTCHED.depth,
      materials,
      edge,
    }),
  );
  const mean = computeMeanEdge(mesh);
  const tracker = new Tracker(mesh, resolveOptions({ minEdge: 0.5 * mean, maxEdge: 1.5 * mean }));
  const field = createRotationField(AXIS, 1);
  const start = measureRegions(mesh);
  let halfway = 0;
  let intersections = 0;
  tracker.flow = createFieldFlow(tracker, field, 0);
  for (let n = 0; n < steps; n++) {
    trackStep(tracker, proposeAlong(tracker, field, n / steps, 1 / steps), { strength: 'velocity', volume });
    if (n + 1 === steps >> 1) halfway = measureCorners(tracker.mesh) / mean;
    if ((n + 1) % 10 > 0) continue;
    validateMesh(tracker.mesh);
    const { position, triangle } = extractTriangles(tracker.mesh);
    intersections += findMeshIntersections(position, triangle).count;
  }
  const change = measureRegions(tracker.mesh).map((region, n) =>
    Math.abs(region.volume / start[n].volume - 1),
  );
  return {
    volume: Math.max(...change),
    corner: measureCorners(tracker.mesh) / mean,
    halfway,
    intersections,
    edge: mean,
  };
}

/** The four corners where the roof of the notch, its walls and the sphere meet. */
function measureCorners(mesh: MultiMesh): number {
  const top = NOTCHED.depth - NOTCHED.radius;
  const reach = Math.sqrt(NOTCHED.radius ** 2 - top ** 2 - (NOTCHED.width / 2) ** 2);
  let worst = 0;
  for (const sx of [-1, 1]) {
    for (const sz of [-1, 1]) {
      const corner = [CENTRE[0] + (sx * NOTCHED.width) / 2, CENTRE[1] + top, CENTRE[2] + sz * reach];
      let nearest = Infinity;
      for (let v = 0; v < mesh.vertexFill; v++) {
        if (!mesh.isVertex(v)) continue;
        nearest = Math.min(nearest, Math.hypot(...corner.map((x, k) => mesh.position[3 * v + k] - x)));
      }
      worst = Math.max(worst, nearest);
    }
  }
  return worst;
}
