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
  /**
   * Difference of a vertex's velocity from the mean of its neighbours', a quarter of the Laplacian times the
   * square of the edge, that the target length aims at, m/s; infinite: not looked at
   */
  readonly velocityBend: number;
  /**
   * Do creases count? Those of the shape bend however short their edges are, and are refined to the least
   * length; those of a liquid are places that are not resolved.
   */
  readonly creases: boolean;
  /** Greatest ratio between neighbours. */
  readonly grading: number;
}

export const sizingDefaults: SizingOptions = {
  least: 0.25,
  most: 1,
  bend: 15,
  velocityChange: Infinity,
  velocityBend: Infinity,
  creases: false,
  grading: 1.2,
};

/** Sets the values of all vertices and hands them to the tracker. `velocity`: (vertexFill x 3) m/s. */
export function computeSizing(
  tracker: Tracker,
  sizing: VertexValues,
  options: SizingOptions = sizingDefaults,
  velocity?: Float64Array,
): void {
  const { mesh, features, policy, length } = tracker;
  sizing.reserve(mesh.vertexFill);
  const { data } = sizing;
  const wantedBend = (options.bend * Math.PI) / 180;
  data.fill(options.most);
  for (let e = 0; e < mesh.edgeFill; e++) {
    if (!mesh.isEdge(e)) continue;
    const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
    const edge = Math.sqrt(distance2(mesh.position, a, b));
    let target = options.most;
    const isLooked = options.creases
      ? features.isManifold(e) && !policy.isHeldEdge?.(a, b)
      : !features.isCrease(e);
    if (isLooked) {
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
  if (velocity && options.velocityBend < Infinity) limitVelocityBend(tracker, data, options, velocity);
  limitGrading(tracker, data, options.grading);
  tracker.sizing = sizing;
}

/** Lowers values where the velocity bends over an edge by more than is wanted. */
function limitVelocityBend(
  { mesh, length }: Tracker,
  data: Float64Array,
  { velocityBend, least }: SizingOptions,
  velocity: Float64Array,
): void {
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    let [x, y, z, edges, count] = [0, 0, 0, 0, 0];
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d]) {
      const w = mesh.edgeVertex[d ^ 1];
      x += velocity[3 * w] - velocity[3 * v];
      y += velocity[3 * w + 1] - velocity[3 * v + 1];
      z += velocity[3 * w + 2] - velocity[3 * v + 2];
      edges += Math.sqrt(distance2(mesh.position, v, w));
      count++;
    }
    const bend = Math.sqrt(x * x + y * y + z * z) / count;
    const target = (edges / count / length) * Math.sqrt(velocityBend / bend);
    if (target < data[v]) data[v] = Math.max(target, least);
  }
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
