/**
 * The surface at time 0: a closed mesh of even triangles around each liquid of the scene.
 *
 *   shapes whose surface is seen from their middle   a geodesic sphere, drawn onto it along rays
 *   others                                           contoured, then remeshed and drawn onto the surface in turns
 *
 * Then relaxed: by surface diffusion of a few steps, which evens out curvature from vertex to vertex, where a fresh mesh is off by some
 * per cent, and leaves waves of many edges as they are; and scaled so that each has the volume that its mesh on the surface had.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres, Vec3 } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import { computeClearanceNormal } from '../../../geometry/sharp-edges.ts';
import { contourShape } from '../../../mesh/contour-shape.ts';
import type { Liquid, Scene } from '../../../scene/scene.ts';
import {
  buildMultiMesh,
  extractTriangles,
  joinTriangles,
  type LabelledTriangles,
} from '../../../tracking/multimaterial/build.ts';
import { improveMesh } from '../../../tracking/multimaterial/improve.ts';
import { resolveOptions } from '../../../tracking/multimaterial/options.ts';
import {
  refuseCrossings,
  refuseFlat,
  type StartNames,
} from '../../../tracking/multimaterial/shapes/check.ts';
import { buildGeodesicSphere, countDivisions } from '../../../tracking/multimaterial/shapes/geodesic.ts';
import { Tracker } from '../../../tracking/multimaterial/tracker.ts';
import { LIQUID } from '../liquid/body.ts';
import { relaxSurface } from './relax.ts';

/** Longest over shortest ray up to which a geodesic sphere is drawn out. */
const ROUND = 1.6;
/** Step of the differences that give normals, in resolutions. */
const NORMAL_STEP = 1e-3;
/** Turns of remeshing and drawing. */
const TURNS = 6;
/** Cells of the contour for an edge. */
const CELLS = 1.1;

const names: StartNames = {
  nameShape: (n) => `liquids[${n}]`,
  surfaces: 'their surfaces',
  apart: 'move them apart, or make one liquid of them: a union',
  out: 'move it out of there',
};

export function buildStart(scene: Scene): { surface: LabelledTriangles; velocity: Float64Array } {
  const parts = scene.liquids.map((liquid, n) => buildLiquid(liquid, scene.resolution, n));
  const surface = joinTriangles(parts);
  const faceToShape = Int32Array.from(
    parts.flatMap(({ triangle }, n) => new Array<number>(triangle.length / 3).fill(n)),
  );
  refuseFlat({ surface, faceToShape }, names);
  refuseCrossings({ surface, faceToShape }, names);
  refuseNested(scene.liquids, parts);
  const velocity = new Float64Array(surface.position.length);
  let at = 0;
  parts.forEach(({ position }, n) => {
    for (let c = 0; c < position.length; c++) velocity[at++] = scene.liquids[n].velocity[c % 3];
  });
  return { surface, velocity };
}

function refuseNested(liquids: readonly Liquid[], parts: readonly LabelledTriangles[]): void {
  for (const [n, { position }] of parts.entries())
    for (const [m, { shape }] of liquids.entries())
      if (m !== n && shape.value(position[0], position[1], position[2]) > 0)
        throw new InputError(
          `liquids[${n}]`,
          `lies in liquids[${m}]`,
          'leave it out, or move it out of there',
        );
}

function buildLiquid({ shape }: Liquid, edge: Metres, n: number): LabelledTriangles {
  const { min, max } = shape.bounds;
  if (![...min, ...max].every(Number.isFinite))
    throw new InputError(`liquids[${n}].shape`, 'has no end', 'give the surface method closed drops');
  return relaxSurface(drawGeodesic(shape, edge) ?? contour(shape, edge, n));
}

/** Undefined where the shape's surface is not seen from its middle, or is far from round. */
function drawGeodesic(shape: Implicit, edge: Metres): LabelledTriangles | undefined {
  const { min, max } = shape.bounds;
  const centre = min.map((x, k) => 0.5 * (x + max[k])) as unknown as Vec3;
  const far = Math.hypot(...max.map((x, k) => x - min[k]));
  const first = buildGeodesicSphere(2, LIQUID);
  const coarse = castRays(shape, centre, first.position as Float64Array, far);
  if (!coarse) return undefined;
  const [least, most] = [Math.min(...coarse), Math.max(...coarse)];
  if (most > ROUND * least) return undefined;
  const mean = coarse.reduce((sum, r) => sum + r, 0) / coarse.length;
  const sphere = buildGeodesicSphere(countDivisions(mean, edge), LIQUID);
  const position = sphere.position as Float64Array;
  const radius = castRays(shape, centre, position, far);
  if (!radius) return undefined;
  return {
    ...sphere,
    position: position.map((x, c) => centre[c % 3] + radius[Math.floor(c / 3)] * x),
  };
}

/** Distance of the surface from the middle along each direction (n x 3); undefined where one meets it more than once, or not at all. */
function castRays(
  shape: Implicit,
  centre: Vec3,
  direction: Float64Array,
  far: Metres,
): Float64Array | undefined {
  const radius = new Float64Array(direction.length / 3);
  for (let v = 0; v < radius.length; v++) {
    const at = (r: number) =>
      shape.value(
        centre[0] + r * direction[3 * v],
        centre[1] + r * direction[3 * v + 1],
        centre[2] + r * direction[3 * v + 2],
      );
    if (!(at(0) > 0)) return undefined;
    const least = 1e-3 * far;
    let low = 0;
    while (low < far) {
      const next = low + Math.max(least, at(low));
      if (at(next) <= 0) break;
      low = next;
    }
    let high = low + Math.max(least, at(low));
    for (let n = 0; n < 60; n++) {
      const middle = 0.5 * (low + high);
      if (at(middle) > 0) low = middle;
      else high = middle;
    }
    for (let r = high + least; r < far; r += Math.max(least, -at(r))) if (at(r) > 0) return undefined;
    radius[v] = 0.5 * (low + high);
  }
  return radius;
}

function contour(shape: Implicit, edge: Metres, n: number): LabelledTriangles {
  const { min, max } = shape.bounds;
  const longest = Math.max(...max.map((x, k) => x - min[k]));
  const { position, triangle, triangleCount } = contourShape(shape, Math.ceil((CELLS * longest) / edge));
  if (triangleCount === 0)
    throw new InputError(`liquids[${n}].shape`, 'is thinner than the resolution', 'make it thicker');
  const label = Int32Array.from({ length: 2 * triangleCount }, (_, h) => (h % 2 === 0 ? 0 : LIQUID));
  const mesh = buildMultiMesh({ position, triangle, label });
  const tracker = new Tracker(
    mesh,
    resolveOptions({ minEdge: 0.6 * edge, maxEdge: 1.4 * edge, topology: false, smoothAngle: 60 }),
  );
  for (let turn = 0; turn < TURNS; turn++) {
    improveMesh(tracker);
    tracker.compact();
    drawOnto(shape, mesh.position, mesh.vertexFill, edge);
    tracker.rebuildGrid();
  }
  tracker.free();
  const { debt: _, ...surface } = extractTriangles(mesh);
  return surface;
}

/** Moves points onto the surface along its normal, by half an edge at most. */
function drawOnto(shape: Implicit, position: Float64Array, count: number, edge: Metres): void {
  const value = (x: number, y: number, z: number) => shape.value(x, y, z);
  for (let v = 0; v < 3 * count; v += 3)
    for (let n = 0; n < 3; n++) {
      const at: Vec3 = [position[v], position[v + 1], position[v + 2]];
      const height = Math.max(-edge / 2, Math.min(edge / 2, value(...at)));
      // Normals of clearances point away from the shape, along which values fall.
      const normal = computeClearanceNormal(value, at, NORMAL_STEP * edge);
      const sign =
        value(
          at[0] + 1e-3 * edge * normal[0],
          at[1] + 1e-3 * edge * normal[1],
          at[2] + 1e-3 * edge * normal[2],
        ) > value(...at)
          ? -1
          : 1;
      for (let k = 0; k < 3; k++) position[v + k] += sign * height * normal[k];
    }
}
