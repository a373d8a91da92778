/**
 * What walls and solids make of velocities at nodes: none into them, or their own where the liquid sticks.
 */
import { NONE } from '../../core/types.ts';
import { findNormal } from './level.ts';
import type { FlipMesh } from './mesh.ts';
import type { FlipModel } from './model.ts';
import type { Obstacles } from './obstacles.ts';

/** Plain lists, a row for each wall of each node at or behind it. */
export interface WallNodes {
  readonly node: Int32Array;
  /** (rows x 3) out of the wall */
  readonly normal: Float64Array;
  /** (rows x 3) of the wall there, m/s */
  readonly velocity: Float64Array;
  readonly sticks: Uint8Array;
}

/** Walls at nodes that open tets touch. */
export function findWallNodes(model: FlipModel, mesh: FlipMesh, obstacles: Obstacles): WallNodes {
  const { clearance, open, values } = mesh;
  const { node, cornerStart, corner } = values;
  const { min, max } = model.domain;
  const near = 1e-7 * model.finest;
  const nodes: number[] = [];
  const normals: number[] = [];
  const velocities: number[] = [];
  const sticky: number[] = [];
  const normal = [0, 0, 0];
  const u = new Float64Array(3);
  const add = (v: number, solid: number) => {
    nodes.push(v);
    normals.push(normal[0], normal[1], normal[2]);
    obstacles.velocityAt(solid, node[3 * v], node[3 * v + 1], node[3 * v + 2], u);
    velocities.push(u[0], u[1], u[2]);
    sticky.push(obstacles.sticks(solid) ? 1 : 0);
  };
  for (let v = 0; v < clearance.length; v++) {
    if (clearance[v] > 0) continue;
    let isOpen = false;
    for (let c = cornerStart[v]; c < cornerStart[v + 1] && !isOpen; c++) isOpen = open[corner[c] >> 2] > 0;
    if (!isOpen) continue;
    const x = node[3 * v];
    const y = node[3 * v + 1];
    const z = node[3 * v + 2];
    const at = [x, y, z];
    for (let a = 0; a < 3; a++) {
      if (at[a] > min[a] + near && at[a] < max[a] - near) continue;
      normal.fill(0);
      normal[a] = at[a] <= min[a] + near ? 1 : -1;
      add(v, NONE);
    }
    if (!obstacles.hasSolids || obstacles.solidClearanceAt(x, y, z) > 0) continue;
    const solid = obstacles.findSolid(x, y, z);
    if (solid === NONE) continue;
    findNormal(obstacles.solidClearanceAt, x, y, z, 1e-3 * model.finest, normal);
    add(v, solid);
  }
  return {
    node: Int32Array.from(nodes),
    normal: Float64Array.from(normals),
    velocity: Float64Array.from(velocities),
    sticks: Uint8Array.from(sticky),
  };
}

/** Takes out what goes into the walls; `moves`: relative to the velocities of the walls. */
export function slideAlongWalls(walls: WallNodes, outVelocity: Float64Array, moves: boolean): void {
  const { node, normal, velocity, sticks } = walls;
  for (let n = 0; n < node.length; n++) {
    const o = 3 * node[n];
    const m = 3 * n;
    let into = 0;
    for (let a = 0; a < 3; a++) into += normal[m + a] * (outVelocity[o + a] - (moves ? velocity[m + a] : 0));
    if (sticks[n] === 1 && moves) {
      for (let a = 0; a < 3; a++) outVelocity[o + a] = velocity[m + a];
      continue;
    }
    if (into >= 0) continue;
    for (let a = 0; a < 3; a++) outVelocity[o + a] -= into * normal[m + a];
  }
}
