/**
 * Target edge lengths that vary over the surface ([da-2017] 23.1): short where the surface bends or the
 * velocity varies, long elsewhere, and between neighbours never different by more than a factor. Values are
 * held by vertex in units of the edge bounds, follow edits like any attribute, and are put to use by setting
 * `tracker.sizing`.
 *
 *   const sizing = new VertexValues(1);
 *   const tracker = new Tracker(mesh, options, combinePolicies(own, sizing));
 *   computeSizing(tracker, sizing, sizingDefaults, velocity);
 */
import { NONE } from '../../core/types.ts';
import { distance2 } from './edit.ts';
import { computeBendCosine } from './features.ts';
import type { VertexValues } from './policy.ts';
import type { Tracker } from './tracker.ts';

export interface SizingOptions {
  /** Range of the values. */
  readonly least: number;
  readonly most: number;
  /** Bend over an edge that the target length aims at, degrees */
  readonly bend: number;
  /** Change of velocity over an edge that the target length aims at, m/s; infinite: not looked at */
  readonly velocityChange: number;
  /** Greatest ratio between neighbours. */
  readonly grading: number;
}

export const sizingDefaults: SizingOptions = {
  least: 0.25,
  most: 1,
  bend: 15,
  velocityChange: Infinity,
  grading: 1.2,
};

/** Sets the values of all vertices and hands them to the tracker. `velocity`: (vertexFill x 3) m/s. */
export function computeSizing(
  tracker: Tracker,
  sizing: VertexValues,
  options: SizingOptions = sizingDefaults,
  velocity?: Float64Array,
): void {
  const { mesh, features, length } = tracker;
  sizing.reserve(mesh.vertexFill);
  const { data } = sizing;
  const wantedBend = (options.bend * Math.PI) / 180;
  data.fill(options.most);
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
    const edge = Math.sqrt(distance2(mesh.position, a, b));
    let target = options.most;
    // Creases bend however short their edges are; refining them would not end.
    if (!features.isCrease(e)) {
      const bend = Math.acos(Math.min(1, Math.max(-1, computeBendCosine(mesh, e))));
      target = Math.min(target, (wantedBend / bend) * (edge / length));
    }
    if (velocity && options.velocityChange < Infinity) {
      const change = Math.sqrt(distance2(velocity, a, b));
      target = Math.min(target, (options.velocityChange / change) * (edge / length));
    }
    target = Math.max(target, options.least);
    data[a] = Math.min(data[a], target);
    data[b] = Math.min(data[b], target);
  }
  limitGrading(tracker, data, options.grading);
  tracker.sizing = sizing;
}

/**
 * Lowers values until no neighbours differ by more than the ratio: small values spread outwards from a queue.
 */
function limitGrading(tracker: Tracker, data: Float64Array, grading: number): void {
  const { mesh } = tracker;
  const queue: number[] = [];
  for (let v = 0; v < mesh.vertexFill; v++) if (mesh.isVertex(v)) queue.push(v);
  for (let n = 0; n < queue.length; n++) {
    const v = queue[n];
    const bound = grading * data[v];
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const w = mesh.edgeVertex[d ^ 1];
      if (data[w] <= bound) continue;
      data[w] = bound;
      queue.push(w);
    }
  }
}
