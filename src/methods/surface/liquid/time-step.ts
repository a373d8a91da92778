/**
 * The longest stable step. Leapfrog stands waves up to omega dt = 2. A vertex rocked against its neighbours
 * feels the stiffness sigma w / a, with w the sum of its cotangent weights and a its area, and moves liquid
 * of about its own width:
 *     omega^2 = SHORTEST_WAVE sigma w / (rho a^(3/2)).
 * Even triangles with edges h then have 0.46 sqrt(rho h^3 / sigma), as measured on spheres with one Neumann
 * term. Damping has its own bound, and no vertex goes farther than a part of the shortest edge against the
 * others. Motes have no waves. Cost: linear.
 */
import type { Metres, Seconds } from '../../../core/types.ts';
import { NONE } from '../../../core/types.ts';
import { CORNER, setCorner, UU, UW, WW } from '../../../math/triangle.ts';
import { type MultiMesh, nextCorner, previousCorner } from '../../../tracking/multimaterial/mesh.ts';
import type { LiquidConstants } from './integrate.ts';

const SHORTEST_WAVE = 4.4;
/** Share of the shortest edge a vertex may cross in a step. */
export const CROSSING = 0.5;
/**
 * Part of a speed beside walls that counts as speed: liquid may come a shortest edge nearer to them in a
 * step.
 */
export const TO_WALLS = 0.5;
/** What part of its length an edge may change by in a step: |u|^2 / 2 is integrated explicitly. */
const STRAIN = 0.4;
/** Stiffness over area^(3/2) of a vertex among six equilateral triangles with unit edges. */
const EVEN = 6 / Math.sqrt(3) / (Math.sqrt(3) / 2) ** 1.5;

/** The longest step of even triangles with edges of a length, before `cfl`. */
export function computeShortestStep(tension: number, density: number, edge: Metres): Seconds {
  return 2 / Math.sqrt((SHORTEST_WAVE * tension * EVEN) / (density * edge ** 3));
}

export interface StepBounds {
  readonly cfl: number;
  readonly minEdge: Metres;
  /** m/s */
  readonly speed: number;
  /** (vertices x 3) m/s, of the last step */
  readonly velocity: Float64Array;
  /** Has vertex v waves? */
  hasWaves(v: number): boolean;
}

export function computeLongestStep(
  mesh: MultiMesh,
  { tension, density, viscosity }: LiquidConstants,
  { cfl, minEdge, speed, velocity, hasWaves }: StepBounds,
): Seconds {
  const { position: p, face } = mesh;
  let fastest = 0;
  let stiffest = 0;
  let strain = 0;
  const seen = new Float64Array(CORNER);
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || !hasWaves(v)) continue;
    let weight = 0;
    let area = 0;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const double = setCorner(p, 3 * v, 3 * face[nextCorner(c)], 3 * face[previousCorner(c)], seen);
      if (double === 0) continue;
      weight += (0.5 * (Math.abs(seen[UU] - seen[UW]) + Math.abs(seen[WW] - seen[UW]))) / double;
      area += double / 6;
      strain = Math.max(strain, measureRise(velocity, v, face[nextCorner(c)]) / seen[UU]);
    }
    if (area === 0) continue;
    fastest = Math.max(fastest, weight / (area * Math.sqrt(area)));
    stiffest = Math.max(stiffest, weight / area);
  }
  const cross = (CROSSING * minEdge) / Math.max(speed, Number.MIN_VALUE);
  if (fastest === 0) return cfl * cross;
  const omega = Math.sqrt((SHORTEST_WAVE * tension * fastest) / density);
  const diffuse = viscosity > 0 ? 1 / (4 * viscosity * stiffest) : Infinity;
  const stretch = STRAIN / Math.max(Math.sqrt(strain), Number.MIN_VALUE);
  return cfl * Math.min(2 / omega, cross, diffuse, stretch);
}

/** Square of the difference of two vertices' velocities. */
function measureRise(u: Float64Array, v: number, w: number): number {
  let sum = 0;
  for (let k = 0; k < 3; k++) sum += (u[3 * w + k] - u[3 * v + k]) ** 2;
  return sum;
}
