/**
 * Row 6 of issue 4: two spheres grow into each other by normal flow and shrink back ([da-2017] 10.2). Of one
 * material they become one region; of two they share a disk whose rim is the circle in which two spheres
 * meet. Shrinking, they part into two and vanish, without crumbs. Every step is checked for validity and
 * intersections.
 */
import { atLeast, atMost, equalTo } from '../../cases/shared/rows.ts';
import { findMeshIntersections } from '../../cases/tracking/intersection-referee.ts';
import { NONE } from '../../src/core/types.ts';
import type { RefereeCase, RefereeRow } from '../../src/run/referee.ts';
import { buildMultiMesh, extractTriangles } from '../../src/tracking/multimaterial/build.ts';
import { createGrowth, proposeByNormals } from '../../src/tracking/multimaterial/flows/normal.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import type { MultiMesh } from '../../src/tracking/multimaterial/mesh.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import { findShells } from '../../src/tracking/multimaterial/return-volume.ts';
import { findIrregularVertices } from '../../src/tracking/multimaterial/separate.ts';
import { buildSpheres } from '../../src/tracking/multimaterial/shapes.ts';
import { trackStep } from '../../src/tracking/multimaterial/step.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../src/tracking/multimaterial/validate.ts';

/** m: centres not on a line of symmetry, so that nothing meets exactly. */
const CENTRES = [
  [-1.05, 0, 0],
  [1.05, 0.02, 0.01],
] as const;
/** m and s. */
const GROWING = {
  edge: 0.3,
  /** s; the speed is 1 m/s: a thirtieth of an edge, as face offsetting asks for small steps (10.2). */
  step: 0.01,
  growth: 0.3,
};
/** Distance from the circle at most, in edges, as the issue asks of sharp corners. */
const ROUND = 0.2;

export interface SpheresReport {
  /** After growing. */
  readonly regions: number;
  readonly shells: number;
  readonly rim: Rim;
  /** Greatest number of shells while shrinking, after the two parted, and steps in which they were apart. */
  readonly mostShells: number;
  readonly partedSteps: number;
  readonly facesLeft: number;
  readonly irregular: number;
  readonly intersections: number;
}

export interface Rim {
  readonly vertices: number;
  /** Vertices on other than two rim edges. */
  readonly branches: number;
  /** Greatest distance from the circle, in edges. */
  readonly off: number;
  /** Greatest turn between neighbouring rim edges over that of a regular polygon. */
  readonly turn: number;
}

export function growAndShrink(label: number, levels: number): SpheresReport {
  const edge = GROWING.edge / 2 ** (levels - 2);
  const dt = GROWING.step / 2 ** (levels - 2);
  const source = buildSpheres(CENTRES.map((centre, n) => ({ levels, centre, label: n === 0 ? 1 : label })));
  const options = resolveOptions({ minEdge: 0.5 * edge, maxEdge: 1.5 * edge });
  const tracker = new Tracker(buildMultiMesh(source), options);
  let intersections = 0;
  const march = (speed: number) => {
    const flow = { speed: createGrowth(speed), curves: 'outer' as const };
    trackStep(tracker, proposeByNormals(tracker, flow, dt), { strength: 'area', volume: 'none' });
    validateMesh(tracker.mesh);
    const { position, triangle } = extractTriangles(tracker.mesh);
    if (triangle.length > 0) intersections += findMeshIntersections(position, triangle).count;
  };
  for (let n = 0; n < Math.round(GROWING.growth / dt); n++) march(1);
  const grown = {
    regions: measureRegions(tracker.mesh).length - 1,
    shells: findShells(tracker.mesh).count,
    rim: measureRim(tracker.mesh, 1 + GROWING.growth, edge),
  };
  const irregular = findIrregularVertices(tracker).length;
  let mostShells = 0;
  let partedSteps = 0;
  for (let n = 0; n < Math.round(2 / dt) && tracker.mesh.faceCount > 0; n++) {
    march(-1);
    const { count } = findShells(tracker.mesh);
    if (count === 4) partedSteps++;
    mostShells = Math.max(mostShells, count);
  }
  return { ...grown, mostShells, partedSteps, facesLeft: tracker.mesh.faceCount, irregular, intersections };
}

/**
 * Measures the curve of edges with other than two faces against the circle where spheres of this radius meet.
 */
function measureRim(mesh: MultiMesh, radius: number, edge: number): Rim {
  const p = mesh.position;
  const middle = [0, 1, 2].map((k) => (CENTRES[0][k] + CENTRES[1][k]) / 2);
  const axis = [0, 1, 2].map((k) => CENTRES[1][k] - CENTRES[0][k]);
  const distance = Math.hypot(...axis);
  const circle = Math.sqrt(radius ** 2 - (distance / 2) ** 2);
  let vertices = 0;
  let branches = 0;
  let off = 0;
  let turn = 0;
  for (let v = 0; v < mesh.vertexFill; v++) {
    if (!mesh.isVertex(v)) continue;
    const ring: number[] = [];
    for (let d = mesh.vertexEnd[v]; d !== NONE; d = mesh.endNext[d])
      if (mesh.edgeValence[d >> 1] !== 2) ring.push(mesh.edgeVertex[d ^ 1]);
    if (ring.length === 0) continue;
    vertices++;
    if (ring.length !== 2) {
      branches++;
      continue;
    }
    const q = [0, 1, 2].map((k) => p[3 * v + k] - middle[k]);
    const height = (q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]) / distance;
    const out = Math.hypot(...q.map((x, k) => x - (height * axis[k]) / distance));
    off = Math.max(off, Math.hypot(height, out - circle) / edge);
    const [u, w] = ring.map((r) => [0, 1, 2].map((k) => p[3 * r + k] - p[3 * v + k]));
    const cosine = (u[0] * w[0] + u[1] * w[1] + u[2] * w[2]) / (Math.hypot(...u) * Math.hypot(...w));
    turn = Math.max(turn, Math.PI - Math.acos(Math.max(-1, cosine)));
  }
  return { vertices, branches, off, turn: (turn * vertices) / (2 * Math.PI) };
}

function listRows(report: SpheresReport, regions: number): RefereeRow[] {
  const { rim } = report;
  const rows = [
    equalTo('regions after growing', String(report.regions), String(regions)),
    // Inside and outside of one body, or two insides and the outside.
    equalTo('shells after growing', String(report.shells), String(regions + 1)),
    atMost('irregular vertices', report.irregular, 0, ''),
    atMost('shells at most while shrinking: two bodies', report.mostShells, 4, ''),
    atLeast('steps as two bodies', report.partedSteps, 10, ''),
    atMost('faces in the end', report.facesLeft, 0, ''),
    atMost('intersections, all steps', report.intersections, 0, ''),
  ];
  if (regions === 1) return [...rows, atMost('vertices on a rim', rim.vertices, 0, '')];
  return [
    ...rows,
    atLeast('vertices of the rim', rim.vertices, 8, ''),
    atMost('branches of the rim', rim.branches, 0, ''),
    atMost('distance of the rim from the circle', rim.off, ROUND, 'edges'),
    atMost('greatest turn of the rim over that of a polygon', rim.turn, 2, ''),
  ];
}

export const trackingSpheresCases: RefereeCase[] = [1, 2].map((label) => ({
  name: label === 1 ? 'tracking/spheres-one-material' : 'tracking/spheres-two-materials',
  method: 'tracking',
  title: `two spheres of ${label === 1 ? 'one material' : 'two materials'} grow together, shrink, part and vanish`,
  async run() {
    return listRows(growAndShrink(label, 2), label);
  },
}));
