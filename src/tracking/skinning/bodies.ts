/**
 * Bodies of liquid in a mesh, and the balls that each of them is made of: what their surfaces should hold.
 */

import { NONE } from '../../core/types.ts';
import { locatePoints } from '../../mesh/background/locate.ts';
import type { BackgroundMesh } from '../../mesh/background/mesh.ts';
import type { OrderedBalls } from './order.ts';

export interface Bodies {
  /** (vertexCount) body of each node inside, NONE of the others */
  readonly nodeToBody: Int32Array;
  readonly count: number;
}

/** Nodes inside that tets join belong together. */
export function findBodies(
  { vertexCount, tetCount, tet }: Pick<BackgroundMesh, 'vertexCount' | 'tetCount' | 'tet'>,
  isInside: Uint8Array,
): Bodies {
  const parent = new Int32Array(vertexCount);
  for (let v = 0; v < vertexCount; v++) parent[v] = v;
  const find = (v: number): number => {
    let root = v;
    while (parent[root] !== root) root = parent[root];
    for (let w = v; parent[w] !== root; ) {
      const next = parent[w];
      parent[w] = root;
      w = next;
    }
    return root;
  };
  for (let t = 0; t < 4 * tetCount; t += 4) {
    let first = NONE;
    for (let i = t; i < t + 4; i++) {
      if (isInside[tet[i]] === 0) continue;
      if (first === NONE) first = find(tet[i]);
      else {
        const other = find(tet[i]);
        // The lesser number stays, so that numbers do not depend on the order of tets.
        if (other < first) {
          parent[first] = other;
          first = other;
        } else parent[other] = first;
      }
    }
  }
  const nodeToBody = new Int32Array(vertexCount).fill(NONE);
  let count = 0;
  for (let v = 0; v < vertexCount; v++) {
    if (isInside[v] === 0) continue;
    const root = find(v);
    if (root === v) nodeToBody[v] = count++;
    else nodeToBody[v] = nodeToBody[root];
  }
  return { nodeToBody, count };
}

/**
 * Volume of the balls of each body, and the mean of their radii by volume. A ball that no node lies in
 * belongs to none.
 */
export function measureBodies(
  mesh: BackgroundMesh,
  { nodeToBody, count }: Bodies,
  { ball, source }: OrderedBalls,
  volumeOf: (radius: number) => number,
): { volume: Float64Array; radius: Float64Array } {
  const balls = source.length;
  const point = new Float64Array(3 * balls);
  for (let a = 0; a < balls; a++) for (let k = 0; k < 3; k++) point[3 * a + k] = ball[4 * a + k];
  const at = new Int32Array(balls);
  locatePoints(mesh, 0, balls, point, at, new Float64Array(4 * balls));
  const volume = new Float64Array(count);
  const radius = new Float64Array(count);
  for (let a = 0; a < balls; a++) {
    if (at[a] === NONE) continue;
    let body = NONE;
    for (let i = 4 * at[a]; i < 4 * at[a] + 4; i++) body = Math.max(body, nodeToBody[mesh.tet[i]]);
    if (body === NONE) continue;
    const own = volumeOf(ball[4 * a + 3]);
    volume[body] += own;
    radius[body] += own * ball[4 * a + 3];
  }
  for (let b = 0; b < count; b++) if (volume[b] > 0) radius[b] /= volume[b];
  return { volume, radius };
}
