/**
 * Spray, foam and bubbles of the liquid's particles (particles/whitewater.ts). They follow the liquid and do
 * not act on it: with them and without the liquid has the same bytes.
 */
import type { HeapScope } from '../../core/heap.ts';
import type { Seconds } from '../../core/types.ts';
import { radiusOfVolume } from '../../particles/particles.ts';
import {
  measureAeration,
  stepWhitewater,
  type Whitewater,
  type WhitewaterReport,
} from '../../particles/whitewater.ts';
import { type FlipMesh, interpolateTask, locateParticles, PARTICLE_GRAIN } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';
import type { ParticleArrays } from './resampling.ts';
import type { NodeVelocity } from './transfer.ts';

/** What the step's mesh knows of the liquid. */
export interface WhitewaterField {
  readonly mesh: FlipMesh;
  /** (vertexCount) m, positive in the liquid */
  readonly level: Float64Array;
  readonly nodes: NodeVelocity;
}

/** A step on; the same whitewater where the scene asks for none. */
export function advanceWhitewater(
  model: FlipModel,
  whitewater: Whitewater,
  { position, velocity, volume, depth, kind }: ParticleArrays,
  field: WhitewaterField,
  obstacles: Obstacles,
  dt: Seconds,
  scratch: HeapScope,
): { whitewater: Whitewater; report: WhitewaterReport } {
  const options = model.options.whitewater;
  if (!options) return { whitewater, report: { made: 0, gone: 0, refused: 0 } };
  const radius = scratch.f64(volume.length);
  for (let p = 0; p < volume.length; p++) radius[p] = radiusOfVolume(volume[p]);
  const sources = { position, velocity, radius, phi: depth, isBallistic: kind };
  const aeration = scratch.f64(volume.length);
  measureAeration(sources, model, aeration);
  const around = {
    gravity: model.gravity,
    clearance: obstacles.clearanceAt,
    sample: (point: Float64Array, count: number, outPhi: Float64Array, outVelocity: Float64Array) =>
      sampleField(model, field, point.subarray(0, 3 * count), outPhi, outVelocity),
  };
  return stepWhitewater(whitewater, sources, aeration, around, { dt, options });
}

/** Distance to the surface and velocity at points; outside the mesh it is air, at rest. */
function sampleField(
  model: FlipModel,
  { mesh, level, nodes }: WhitewaterField,
  point: Float64Array,
  outPhi: Float64Array,
  outVelocity: Float64Array,
): void {
  const scratch = model.heap.scope('flip whitewater');
  try {
    const count = outPhi.length;
    const position = scratch.f64(point.length);
    position.set(point);
    const { tet, barycentric } = locateParticles(model, mesh, position, scratch);
    const out = scratch.f64(count);
    const outside = -mesh.values.size * 2 ** mesh.values.maxLevel;
    const values = { mesh: mesh.values, tet, barycentric, value: level, outside, out };
    model.threads.run(interpolateTask, count, PARTICLE_GRAIN, values);
    outPhi.set(out);
    const corner = mesh.values.tet;
    for (let n = 0; n < count; n++) {
      if (tet[n] < 0) continue;
      for (let i = 0; i < 4; i++) {
        const v = corner[4 * tet[n] + i];
        if (nodes.known[v] === 0) continue;
        for (let a = 0; a < 3; a++)
          outVelocity[3 * n + a] += barycentric[4 * n + i] * nodes.velocity[3 * v + a];
      }
    }
  } finally {
    scratch.free();
  }
}
