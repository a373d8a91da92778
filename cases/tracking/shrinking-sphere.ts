/** A sphere under mean curvature flow, against R^2 = R0^2 - 4 t ([da-2017] 10.2). */
import { buildMultiMesh } from '../../src/tracking/multimaterial/build.ts';
import {
  computeStableStep,
  createCurvatureFlow,
  proposeByCurvature,
} from '../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import { VertexValues } from '../../src/tracking/multimaterial/policy.ts';
import { buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';
import { computeSizing, sizingDefaults } from '../../src/tracking/multimaterial/sizing.ts';
import { trackStep } from '../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../src/tracking/multimaterial/validate.ts';

/**
 * Mean edge of the unit icosahedron's first refinement, and the bend over it at most, degrees: each further
 * one halves both.
 */
const FIRST = { edge: 0.6, bend: 32 };
/** R over R0, and the smallest edges over those at the start, with room below. */
const LAST = { radius: 0.3, size: 0.15 };

export interface ShrinkReport {
  /** Greatest relative errors of the two radii on the way. */
  readonly vertexRadius: number;
  readonly volumeRadius: number;
  readonly faces: number;
  readonly steps: number;
}

/** Shrinks a sphere of 20 * 4^levels faces to 0.3 of its radius. */
export function shrinkSphere(levels: number, isSized: boolean): ShrinkReport {
  const edge = FIRST.edge / 2 ** (levels - 1);
  const sizing = new VertexValues(1);
  const options = resolveOptions({ minEdge: 0.5 * edge, maxEdge: 1.5 * edge });
  const tracker = new Tracker(buildMultiMesh(buildSpheres([{ levels }])), options, isSized ? sizing : {});
  tracker.flow = createCurvatureFlow(tracker);
  const wanted = { ...sizingDefaults, bend: FIRST.bend / 2 ** (levels - 1), least: LAST.size };
  const duration = (1 - LAST.radius ** 2) / 4;
  let steps = 0;
  let vertexRadius = 0;
  let volumeRadius = 0;
  for (let t = 0; t < duration; steps++) {
    if (isSized) computeSizing(tracker, sizing, wanted);
    const dt = Math.min(computeStableStep(tracker), duration - t);
    trackStep(tracker, proposeByCurvature(tracker, dt), { strength: 'area', volume: 'none' });
    t += dt;
    const exact = Math.sqrt(1 - 4 * t);
    const volume = measureRegions(tracker.mesh).find((region) => region.label === 1)!.volume;
    vertexRadius = Math.max(vertexRadius, Math.abs(computeVertexRadius(tracker.mesh) / exact - 1));
    volumeRadius = Math.max(volumeRadius, Math.abs(Math.cbrt((0.75 * volume) / Math.PI) / exact - 1));
  }
  validateMesh(tracker.mesh);
  return { vertexRadius, volumeRadius, faces: tracker.mesh.faceCount, steps };
}

function computeVertexRadius(mesh: MultiMesh): number {
  let sum = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    sum += Math.hypot(mesh.position[3 * v], mesh.position[3 * v + 1], mesh.position[3 * v + 2]);
  }
  return sum / mesh.vertexCount;
}
