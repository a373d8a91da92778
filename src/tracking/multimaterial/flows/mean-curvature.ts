/**
 * Mean curvature flow on non-manifold meshes ([da-2017] 10.2): vertices go down the gradient of the area of
 * all their faces, divided by their mixed area (Meyer et al. 2002). A sphere shrinks by dR/dt = -2/R.
 *
 * Deviation: the midpoint rule, where the thesis has forward Euler. Curvature grows as a surface shrinks, and
 * Euler, which takes it at the start of the step, loses dt log(R0^2 / R^2) of R^2 on a sphere: 2.7 % of the
 * radius at R = 0.3 with steps of 2e-3. The bound on stable steps is the same.
 *
 * Faces on walls (walls.ts) have no tension and no weight: surfaces come to meet a wall at right angles.
 */
import { defineTask } from '../../../core/threads/task.ts';
import { NONE, type Seconds } from '../../../core/types.ts';
import { CORNER, COT_B, COT_C, setCorner, U, UU, UW, W, WW } from '../../../math/triangle.ts';
import { faceOf, type MultiMesh, nextCorner, previousCorner } from '../mesh.ts';
import type { SeparationCues } from '../separation-cues.ts';
import type { Tracker } from '../tracker.ts';
import { OUTSIDE } from '../walls.ts';

/** Share of the stable step of the stiffest vertex that `computeStableStep` grants. */
const SAFETY = 0.5;

const seen = new Float64Array(CORNER);

type Stars = Pick<MultiMesh, 'face' | 'label' | 'vertexCorner' | 'cornerNextAtVertex' | 'position'>;

/**
 * Velocity of a vertex into `out`, m/s, with the vertices at `p`; returns the stiffness of its row, 1/s.
 * `hasWalls`: faces with the outside beyond do not count.
 */
export function computeCurvatureVelocity(
  mesh: Stars,
  v: number,
  out: Float64Array,
  hasWalls: boolean,
  p: Float64Array = mesh.position,
): number {
  const { face, label, cornerNextAtVertex } = mesh;
  let area = 0;
  let weights = 0;
  let sx = 0;
  let sy = 0;
  let sz = 0;
  for (let corner = mesh.vertexCorner[v]; corner !== NONE; corner = cornerNextAtVertex[corner]) {
    const f = faceOf(corner);
    if (hasWalls && (label[2 * f] === OUTSIDE || label[2 * f + 1] === OUTSIDE)) continue;
    const b = 3 * face[nextCorner(corner)];
    const c = 3 * face[previousCorner(corner)];
    const double = setCorner(p, 3 * v, b, c, seen);
    if (double === 0) continue;
    const cotB = seen[COT_B];
    const cotC = seen[COT_C];
    // The gradient of this face's area is -(cot C u + cot B w) / 2; the vertex goes down it.
    sx += 0.5 * (cotC * seen[U] + cotB * seen[W]);
    sy += 0.5 * (cotC * seen[U + 1] + cotB * seen[W + 1]);
    sz += 0.5 * (cotC * seen[U + 2] + cotB * seen[W + 2]);
    weights += 0.5 * (Math.abs(cotB) + Math.abs(cotC));
    if (seen[UW] < 0) area += double / 4;
    else if (cotB < 0 || cotC < 0) area += double / 8;
    else area += (cotC * seen[UU] + cotB * seen[WW]) / 8;
  }
  const scale = area === 0 ? 0 : 1 / area;
  out[0] = scale * sx;
  out[1] = scale * sy;
  out[2] = scale * sz;
  return scale * weights;
}

/** Largest step that forward Euler stands on the whole mesh. */
export function computeStableStep(tracker: Tracker): Seconds {
  const { mesh } = tracker;
  const u = new Float64Array(3);
  let stiffest = 0;
  for (let v = 0; v < mesh.vertexFill; v++)
    if (mesh.isVertex(v))
      stiffest = Math.max(stiffest, computeCurvatureVelocity(mesh, v, u, tracker.walls !== undefined));
  return stiffest > 0 ? SAFETY / stiffest : Infinity;
}

/**
 * Positions after dt, (vertexFill x 3) m. No vertex goes farther than `longest`, m: slivers have no bound of
 * their own.
 */
export function proposeByCurvature(
  tracker: Tracker,
  dt: Seconds,
  longest = 0.25 * tracker.options.minEdge,
): Float64Array {
  const { mesh, buffers } = tracker;
  const { vertexFill, faceFill } = mesh;
  const face = buffers.copyI32('faces', mesh.face, 3 * faceFill);
  const label = buffers.copyI32('labels', mesh.label, 2 * faceFill);
  const first = buffers.copyI32('vertex corners', mesh.vertexCorner, vertexFill);
  const next = buffers.copyI32('next corners', mesh.cornerNextAtVertex, 3 * faceFill);
  const start = buffers.copyF64('starts', mesh.position, 3 * vertexFill);
  const middle = buffers.copyF64('curvature middle', mesh.position, 3 * vertexFill);
  const end = buffers.copyF64('ends', mesh.position, 3 * vertexFill);
  const { threads } = buffers;
  const hasWalls = tracker.walls ? 1 : 0;
  const stars = { face, label, vertexCorner: first, cornerNextAtVertex: next, hasWalls };
  // Both of one shape, columns in one order, or the loops are compiled for two.
  const half = { ...stars, position: start, dt: 0.5 * dt, longest: 0.5 * longest, out: middle };
  const whole = { ...stars, position: middle, dt, longest, out: end };
  threads.sum(stepTask, vertexFill, STEP_GRAIN, half);
  const shortened = threads.sum(stepTask, vertexFill, STEP_GRAIN, whole);
  if (shortened > 0)
    tracker.events['curvature step shortened'] =
      (tracker.events['curvature step shortened'] ?? 0) + shortened;
  return end.slice(0, 3 * vertexFill);
}

const STEP_GRAIN = 2048;

/** Adds dt times the velocity at the positions to `out`; gives how many steps were cut to the longest. */
const stepTask = defineTask(
  'tracking/step-curvature',
  {
    ...{ face: 'i32', label: 'i32', vertexCorner: 'i32', cornerNextAtVertex: 'i32' },
    ...{ hasWalls: 'number', position: 'f64', dt: 'number', longest: 'number', out: 'f64' },
  },
  (begin, end, values) => {
    const { vertexCorner, hasWalls, position, dt, longest, out } = values;
    const u = new Float64Array(3);
    let shortened = 0;
    for (let v = begin; v < end; v++) {
      // Dead rows are below NONE (mesh.ts).
      if (vertexCorner[v] < NONE) continue;
      computeCurvatureVelocity(values, v, u, hasWalls === 1, position);
      const length = dt * Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      const scale = length > longest ? (dt * longest) / length : dt;
      if (length > longest) shortened++;
      for (let k = 0; k < 3; k++) out[3 * v + k] += scale * u[k];
    }
    return shortened;
  },
);

/** T1 by area; an edge is not collapsed into an irregular vertex while curvature pulls its ends apart. */
export function createCurvatureFlow(tracker: Tracker): SeparationCues {
  const ua = new Float64Array(3);
  const ub = new Float64Array(3);
  return {
    isParting(a, b) {
      const { mesh, walls } = tracker;
      const p = mesh.position;
      computeCurvatureVelocity(mesh, a, ua, walls !== undefined);
      computeCurvatureVelocity(mesh, b, ub, walls !== undefined);
      let opening = 0;
      for (let k = 0; k < 3; k++) opening += (ub[k] - ua[k]) * (p[3 * b + k] - p[3 * a + k]);
      return opening > 0;
    },
  };
}
