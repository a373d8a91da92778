/**
 * The longest stable step. Explicit integration stands waves up to omega dt = 2. A vertex rocked against its
 * neighbours feels the stiffness sigma w / a, with w the sum of its cotangent weights and a its area, and
 * moves air of about its own width, of mobility 1 / (rho sqrt(a)):
 *     omega^2 = SHORTEST_WAVE sigma w / (rho a^(3/2))
 * SHORTEST_WAVE stands for all films, and JUNCTION for what vertices on curves have more: by power iteration
 * (test/methods/films/air/time-step.test.ts) the fastest wave allows 1.5 times this step on smooth bubbles
 * and 0.66 times at the worst junctions, so that the share of 0.6 that is taken by default is stable.
 * Diffusion of circulation has its own bound, and no vertex shall cross more than half the shortest edge in a
 * step. A swing of kneading takes some steps at least. Cost: linear.
 */
import { type Metres, NONE, type Seconds } from '../../../core/types.ts';
import { CORNER, setCorner, UU, UW, WW } from '../../../math/triangle.ts';
import { nextCorner, previousCorner } from '../../../tracking/multimaterial/mesh.ts';
import { PART_OF_PERIOD } from '../events/kneading.ts';
import { type FilmsModel, findFineness } from '../model.ts';
import type { FilmsState } from '../state.ts';

const SHORTEST_WAVE = 1.65;
/** Without it the worst junction seen allowed 0.59 times the step. */
const JUNCTION = 1.25;
/** Share of the shortest edge a vertex may cross in a step. */
const CROSSING = 0.5;

/**
 * Stiffness over area^(3/2) of a vertex among six equilateral triangles with unit edges: 6 / sqrt(3) over
 * (sqrt(3) / 2)^(3/2).
 */
const EVEN = 6 / Math.sqrt(3) / (Math.sqrt(3) / 2) ** 1.5;

/** The longest step of even triangles with edges of a length, before `cfl`. */
export function computeShortestStep(tension: number, density: number, edge: Metres): Seconds {
  return 2 / Math.sqrt((SHORTEST_WAVE * JUNCTION * tension * EVEN) / (density * edge ** 3));
}

export function computeStableStep(model: FilmsModel, state: FilmsState): Seconds {
  const { mesh } = state.tracker;
  const { position: p, face, label } = mesh;
  const { bounds, constants } = findFineness(model, state.time);
  const { tension, density, damping } = constants;
  let fastest = 0;
  let stiffest = 0;
  const seen = new Float64Array(CORNER);
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v) || state.hold.isHeld(v)) continue;
    let weight = 0;
    let area = 0;
    let isJunction = false;
    let h: number = NONE;
    for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c]) {
      const f = (c / 3) | 0;
      if (model.isOpening(label[2 * f]) || model.isOpening(label[2 * f + 1])) continue;
      if (h === NONE) h = 2 * f;
      const isSame = label[2 * f] === label[h] && label[2 * f + 1] === label[h + 1];
      const isTurned = label[2 * f] === label[h + 1] && label[2 * f + 1] === label[h];
      if (!isSame && !isTurned) isJunction = true;
      const a = 3 * v;
      const b = 3 * face[nextCorner(c)];
      const d = 3 * face[previousCorner(c)];
      const double = setCorner(p, a, b, d, seen);
      if (double === 0) continue;
      weight += (0.5 * (Math.abs(seen[UU] - seen[UW]) + Math.abs(seen[WW] - seen[UW]))) / double;
      area += double / 6;
    }
    if (area === 0) continue;
    fastest = Math.max(fastest, ((isJunction ? JUNCTION : 1) * weight) / (area * Math.sqrt(area)));
    stiffest = Math.max(stiffest, weight / area);
  }
  if (fastest === 0) return Infinity;
  const omega = Math.sqrt((SHORTEST_WAVE * tension * fastest) / density);
  // Wires may set out faster than anything went in the last step.
  const speed = Math.max(state.maxSpeed, state.hold.measureSpeed(state.time), Number.MIN_VALUE);
  const cross = (CROSSING * bounds.minEdge) / speed;
  const diffuse = damping > 0 ? 1 / (damping * stiffest) : Infinity;
  const { kneading } = model.options;
  const knead = kneading && state.time < kneading.end ? PART_OF_PERIOD * kneading.period : Infinity;
  return Math.min(knead, model.options.cfl * Math.min(2 / omega, cross, diffuse));
}
