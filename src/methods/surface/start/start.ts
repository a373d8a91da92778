/**
 * The surface at time 0: a closed mesh of even triangles around each liquid of the scene.
 *
 *   shapes whose surface is seen from their middle   a geodesic sphere, drawn onto it along rays
 *   others                                           contoured, then remeshed and drawn onto the surface in turns
 *
 * Then relaxed: by surface diffusion of a few steps, which evens out curvature from vertex to vertex, where a
 * fresh mesh is off by some per cent, and leaves waves of many edges as they are; and scaled so that each has
 * the volume that its mesh on the surface had.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres, Vec3 } from '../../../core/types.ts';
import type { Implicit } from '../../../geometry/implicit.ts';
import type { Emitter, Liquid, Scene } from '../../../scene/scene.ts';
import { joinTriangles, type LabelledTriangles } from '../../../tracking/multimaterial/build.ts';
import {
  refuseCrossings,
  refuseFlat,
  type StartNames,
} from '../../../tracking/multimaterial/shapes/check.ts';
import { buildGeodesicSphere, countDivisions } from '../../../tracking/multimaterial/shapes/geodesic.ts';
import { LIQUID } from '../liquid/body.ts';
import { type BuiltNozzle, buildNozzle, feed } from '../walls/nozzles.ts';
import type { SolidWall } from '../walls/solids.ts';
import { buildBoxSurface, isBox } from './box.ts';
import { contour } from './contour.ts';
import { relaxSurface } from './relax.ts';
import { clipShape, measureMouth, type Settled, settleOnWalls } from './settle.ts';

/** Longest over shortest ray up to which a geodesic sphere is drawn out. */
const ROUND = 1.6;

const names: StartNames = {
  nameShape: (n) => `liquids[${n}]`,
  surfaces: 'their surfaces',
  apart: 'move them apart, or make one liquid of them: a union',
  out: 'move it out of there',
};

export interface Start {
  readonly surface: LabelledTriangles;
  /** (vertices x 3) m/s */
  readonly velocity: Float64Array;
  /** (vertices) walls that each is on, as bits: those given, then the nozzles' planes */
  readonly onWalls: Int32Array;
  readonly nozzles: readonly BuiltNozzle[];
}

export function buildStart(scene: Scene, walls: readonly SolidWall[]): Start {
  const { resolution, liquids, emitters } = scene;
  const drops = liquids.map((liquid, n) => buildLiquid(liquid, resolution, walls, n));
  const stubs = emitters.map((emitter, n) => buildStub(emitter, resolution, walls.length + n));
  const parts = [...drops, ...stubs.map(({ stub }) => stub)];
  const surface = joinTriangles(parts.map((part) => part.surface));
  const faceToShape = Int32Array.from(
    parts.flatMap(({ surface: { triangle } }, n) => new Array<number>(triangle.length / 3).fill(n)),
  );
  refuseFlat({ surface, faceToShape }, names);
  refuseCrossings({ surface, faceToShape }, names);
  refuseNested(
    liquids,
    drops.map((drop) => drop.surface),
  );
  const velocities = [...liquids.map((liquid) => liquid.velocity), ...stubs.map(({ velocity }) => velocity)];
  const velocity = parts.flatMap(({ surface: { position } }, n) =>
    Array.from(position, (_, c) => velocities[n][c % 3]),
  );
  return {
    surface,
    velocity: Float64Array.from(velocity),
    onWalls: Int32Array.from(parts.flatMap(({ onWalls }) => [...onWalls])),
    nozzles: stubs.map(({ built }) => built),
  };
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

function buildLiquid({ shape }: Liquid, edge: Metres, walls: readonly SolidWall[], n: number): Settled {
  const where = `liquids[${n}].shape`;
  const { min, max } = shape.bounds;
  if (![...min, ...max].every(Number.isFinite))
    throw new InputError(where, 'has no end', 'give the surface method closed drops');
  const pool = isBox(shape) ? buildPool(shape, edge, walls) : undefined;
  if (pool) return pool;
  const whole = drawGeodesic(shape, edge);
  const clipped = clipShape(shape, walls);
  const touching = walls.flatMap((wall, bit) => (touches(whole, shape, wall, edge) ? [{ wall, bit }] : []));
  if (touching.length > 0) return settleOnWalls(contour(clipped, edge, where), shape, touching, edge);
  const surface = relaxSurface(whole ?? contour(shape, edge, where));
  return { surface, onWalls: new Int32Array(surface.position.length / 3) };
}

/**
 * A box of liquid that ends on flat walls, where it would reach beyond them; undefined where it touches
 * others or none.
 */
function buildPool(shape: Implicit, edge: Metres, walls: readonly SolidWall[]): Settled | undefined {
  const [min, max] = [[...shape.bounds.min], [...shape.bounds.max]];
  for (const { side } of walls)
    if (side?.isHigh) max[side.axis] = Math.min(max[side.axis], side.place);
    else if (side) min[side.axis] = Math.max(min[side.axis], side.place);
  const surface = buildBoxSurface({ min: min as unknown as Vec3, max: max as unknown as Vec3 }, edge);
  const { position: p } = surface;
  const onWalls = new Int32Array(p.length / 3);
  for (const [bit, wall] of walls.entries())
    for (let v = 0; v < onWalls.length; v++) {
      if (wall.clearance(p[3 * v], p[3 * v + 1], p[3 * v + 2], 0) > TOUCHING * edge) continue;
      if (!wall.side) return undefined;
      onWalls[v] |= 1 << bit;
    }
  return onWalls.some((bits) => bits !== 0) ? { surface, onWalls } : undefined;
}

/** Nearer than this, in resolutions, liquid touches a wall at the start. */
const TOUCHING = 1e-3;

/** Does the shape reach the wall? By its surface where there is one, else by its box. */
function touches(
  whole: LabelledTriangles | undefined,
  { bounds: { min, max }, value }: Implicit,
  wall: SolidWall,
  edge: Metres,
): boolean {
  const near = TOUCHING * edge;
  if (whole) {
    const { position: p } = whole;
    for (let v = 0; v < p.length; v += 3) if (wall.clearance(p[v], p[v + 1], p[v + 2], 0) < near) return true;
    return false;
  }
  const count = max.map((high, k) => Math.max(1, Math.ceil((high - min[k]) / edge)));
  for (let i = 0; i <= count[0]; i++)
    for (let j = 0; j <= count[1]; j++)
      for (let k = 0; k <= count[2]; k++) {
        const [x, y, z] = [i, j, k].map((n, a) => min[a] + ((max[a] - min[a]) * n) / count[a]);
        if (wall.clearance(x, y, z, 0) < near && value(x, y, z) > -near) return true;
      }
  return false;
}

/** A short length of liquid at the emitter, held on the face that looks against its direction. */
function buildStub({ shape, direction, flowAt, emittedUntil, name }: Emitter, edge: Metres, bit: number) {
  const where = `emitter "${name}"`;
  const mesh = contour(shape, edge, where);
  let low = Infinity;
  for (let v = 0; v < mesh.position.length; v += 3)
    low = Math.min(
      low,
      direction[0] * mesh.position[v] +
        direction[1] * mesh.position[v + 1] +
        direction[2] * mesh.position[v + 2],
    );
  const built = buildNozzle(name, direction, low + FLAT * edge, bit);
  const clipped = clipShape(shape, [built.plane]);
  const stub = settleOnWalls(contour(clipped, edge, where), shape, [{ wall: built.plane, bit }], edge);
  const area = measureMouth(stub, bit);
  const speed = flowAt(0) / area;
  return {
    stub,
    velocity: direction.map((x) => speed * x) as unknown as Vec3,
    built: { ...built, nozzle: { ...built.nozzle, ...feed(area, flowAt, emittedUntil) } },
  };
}

/** How far into the emitter its mouth lies, in resolutions: a contour is off a flat face by less. */
const FLAT = 0.05;

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

/**
 * Distance of the surface from the middle along each direction (n x 3); undefined where one meets it more
 * than once, or not at all.
 */
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
