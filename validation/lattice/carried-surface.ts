/**
 * Semi-Lagrangian contouring alone: a surface carried by a velocity given as a formula, without tets or
 * walls, and without volume correction. Distance, contouring and thickening are the method's own; paths are
 * traced by the midpoint rule with the velocity at half time.
 */
import { atMost, reportRow } from '../../cases/shared/rows.ts';
import type { Implicit } from '../../src/geometry/implicit.ts';
import { type ThickeningOptions, thickeningOptions } from '../../src/methods/lattice/thickening/options.ts';
import { seedParticles, uniteWithParticles } from '../../src/methods/lattice/thickening/particle-surface.ts';
import { findThinParticles, thickenParticles } from '../../src/methods/lattice/thickening/thickening.ts';
import type { Resources } from '../../src/methods/method.ts';
import type { RefereeContext, RefereeRow } from '../../src/run/referee.ts';
import { type Contour, ContourBuilder, type SampleMany } from '../../src/tracking/contouring/contour.ts';
import { SurfaceDistance } from '../../src/tracking/contouring/distance.ts';
import { buildContourSpace, type ContourSpace } from '../../src/tracking/contouring/space.ts';
import { measureSurface } from '../../src/tracking/contouring/surface.ts';
import { buildSurfaceIndex, type SurfaceIndex } from '../../src/tracking/contouring/surface-index.ts';

/** Velocity at (x, y, z) and time t into out, m/s. */
export type VelocityField = (x: number, y: number, z: number, t: number, out: Float64Array) => void;

/** Rings of cells searched for the surface, as in the method. */
const SEARCH_RINGS = 5;
/** Rings searched when two surfaces are compared: parts farther off count as this far. */
const COMPARE_RINGS = 12;

export interface Carried {
  readonly volume: number;
  readonly area: number;
  /** Mean and largest distance between the surface and the shape's own contour, both ways, m */
  distanceTo(shape: Implicit): { mean: number; max: number };
  step(velocity: VelocityField, time: number, dt: number): void;
  free(): void;
}

/** A shape in the unit cube, contoured with `cells` cells along each edge. */
export function carrySurface(
  shape: Implicit,
  cells: number,
  thickening: ThickeningOptions,
  { heap, threads }: Resources,
): Carried {
  const spacing = 1 / cells;
  const frameScope = heap.scope('referee frame');
  const frame = buildContourSpace(
    [0, 0, 0],
    spacing,
    [cells + 1, cells + 1, cells + 1],
    () => 1e9,
    frameScope,
  );
  let scope = heap.scope('referee surface');
  let contour = contourShape(frame, shape, scope);
  let index = buildSurfaceIndex(contour.surface, frame.walls, scope);
  const start = measureSurface(contour.surface);

  const step = (velocity: VelocityField, time: number, dt: number) => {
    const scratch = heap.scope('referee scratch');
    const next = heap.scope('referee surface');
    const trace = createTracer(velocity);
    const moved = scratch.f64(3 * contour.surface.vertexCount);
    trace(contour.surface.position, contour.surface.vertexCount, time, dt, moved);
    const union = thickening.surface ? advectThin() : undefined;

    function advectThin() {
      const particles = findThinParticles(index, thickening, spacing, threads, scratch);
      trace(particles.position, particles.count, time, dt, particles.position);
      const deficit = start.volume - measureSurface(contour.surface).volume;
      return thickenParticles(particles, thickening, spacing, deficit, scratch);
    }

    const builder = new ContourBuilder(
      frame,
      (point, count, out) => {
        sampleAdvected(point, count, out);
        if (union) uniteWithParticles(union, threads, point, count, out);
      },
      scratch,
    );
    const distance = new SurfaceDistance(index);
    const from = contour;
    const source = new Float64Array(3);
    const sampleAdvected: SampleMany = (point, count, out) => {
      for (let n = 0; n < count; n++) {
        trace(point.subarray(3 * n, 3 * n + 3), 1, time + dt, -dt, source);
        out[n] = signedDistance(distance, from, spacing, source[0], source[1], source[2]);
      }
    };
    const { triangle, triangleCount } = contour.surface;
    for (let f = 0; f < triangleCount; f++) addTriangle(builder, moved, triangle, f);
    if (union) seedParticles(union, builder);
    contour = builder.build(next, () => false);
    index = buildSurfaceIndex(contour.surface, frame.walls, next);
    scope.free();
    scratch.free();
    scope = next;
  };

  return {
    get volume() {
      return measureSurface(contour.surface).volume;
    },
    get area() {
      return measureSurface(contour.surface).area;
    },
    distanceTo(other) {
      const compare = heap.scope('referee compare');
      const truth = contourShape(frame, other, compare);
      const truthIndex = buildSurfaceIndex(truth.surface, frame.walls, compare);
      const there = measureOff(contour, truthIndex, spacing);
      const back = measureOff(truth, index, spacing);
      compare.free();
      return { mean: 0.5 * (there.mean + back.mean), max: Math.max(there.max, back.max) };
    },
    step,
    free() {
      scope.free();
      frameScope.free();
    },
  };
}

function contourShape(
  frame: ContourSpace,
  shape: Implicit,
  scope: ReturnType<Resources['heap']['scope']>,
): Contour {
  const builder = new ContourBuilder(
    frame,
    (point, count, out) => {
      for (let n = 0; n < count; n++) out[n] = shape.value(point[3 * n], point[3 * n + 1], point[3 * n + 2]);
    },
    scope,
  );
  const { nodesX, nodesY, nodesZ, spacing } = frame.walls;
  const reach = (Math.sqrt(3) / 2) * spacing;
  for (let k = 0; k < nodesZ - 1; k++)
    for (let j = 0; j < nodesY - 1; j++)
      for (let i = 0; i < nodesX - 1; i++) {
        const centre = shape.value((i + 0.5) * spacing, (j + 0.5) * spacing, (k + 0.5) * spacing);
        if (Math.abs(centre) <= reach) builder.addCell(i, j, k);
      }
  return builder.build(scope, (x, y, z) => shape.value(x, y, z) > 0);
}

/** f at a path's end; far from the surface only the sign of the old contour is known. */
function signedDistance(
  distance: SurfaceDistance,
  contour: Contour,
  spacing: number,
  x: number,
  y: number,
  z: number,
): number {
  const value = distance.signedDistance(x, y, z, SEARCH_RINGS);
  if (distance.found) return value;
  const sign = contour.signs.at(Math.round(x / spacing), Math.round(y / spacing), Math.round(z / spacing));
  return (sign > 0 ? SEARCH_RINGS : -SEARCH_RINGS) * spacing;
}

type Trace = (point: Float64Array, count: number, time: number, dt: number, out: Float64Array) => void;

/** Midpoint rule from time to time + dt (dt < 0: backwards). */
function createTracer(velocity: VelocityField): Trace {
  const u = new Float64Array(3);
  return (point, count, time, dt, out) => {
    for (let n = 0; n < 3 * count; n += 3) {
      const x = point[n];
      const y = point[n + 1];
      const z = point[n + 2];
      velocity(x, y, z, time, u);
      velocity(x + 0.5 * dt * u[0], y + 0.5 * dt * u[1], z + 0.5 * dt * u[2], time + 0.5 * dt, u);
      out[n] = x + dt * u[0];
      out[n + 1] = y + dt * u[1];
      out[n + 2] = z + dt * u[2];
    }
  };
}

function addTriangle(builder: ContourBuilder, moved: Float64Array, triangle: Int32Array, f: number): void {
  const corners = [0, 1, 2].map((k) => 3 * triangle[3 * f + k]);
  const [x, y, z] = [0, 1, 2].map((axis) => corners.map((at) => moved[at + axis]));
  builder.addBox(
    Math.min(...x),
    Math.min(...y),
    Math.min(...z),
    Math.max(...x),
    Math.max(...y),
    Math.max(...z),
  );
}

/** Distance of one contour's vertices from another surface. */
function measureOff(contour: Contour, index: SurfaceIndex, spacing: number): { mean: number; max: number } {
  const distance = new SurfaceDistance(index);
  const { position, vertexCount } = contour.surface;
  let sum = 0;
  let max = 0;
  for (let v = 0; v < vertexCount; v++) {
    const d = distance.signedDistance(
      position[3 * v],
      position[3 * v + 1],
      position[3 * v + 2],
      COMPARE_RINGS,
    );
    const off = distance.found ? Math.abs(d) : COMPARE_RINGS * spacing;
    sum += off;
    max = Math.max(max, off);
  }
  return { mean: vertexCount > 0 ? sum / vertexCount : COMPARE_RINGS * spacing, max };
}

/** A motion in the unit cube that brings a shape back to where it was. */
export interface CarriedCase {
  readonly name: string;
  readonly shape: Implicit;
  /** What distances are given in, m */
  readonly length: number;
  readonly duration: number;
  /** Largest speed, m/s */
  readonly speed: number;
  /** Area half way over the area at the start, for exact motion; absent where nothing changes. */
  readonly turnArea?: number;
  readonly velocity: VelocityField;
}

/** Contouring cells that the fastest point may cross in a step: the method's 1.5 lattice cells. */
const CFL = 3;

const VARIANTS: readonly { name: string; options: Record<string, unknown> }[] = [
  { name: 'no thickening', options: {} },
  { name: 'thickening, gamma 1.2', options: { surface: true } },
  { name: 'thickening, gamma 1.75', options: { surface: true, thinness: 1.75 } },
];

function runCase(motion: CarriedCase, cells: number, options: Record<string, unknown>, resources: Resources) {
  const carried = carrySurface(motion.shape, cells, thickeningOptions.parse(options), resources);
  const { volume, area } = carried;
  const steps = 2 * Math.ceil((motion.duration * motion.speed * cells) / CFL / 2);
  let turnVolume = 0;
  let turnArea = 0;
  for (let n = 0; n < steps; n++) {
    carried.step(motion.velocity, (motion.duration * n) / steps, motion.duration / steps);
    if (2 * (n + 1) !== steps) continue;
    turnVolume = carried.volume / volume - 1;
    turnArea = carried.area / area;
  }
  const off = carried.distanceTo(motion.shape);
  const figures = {
    steps,
    turnVolume,
    turnArea,
    volume: carried.volume / volume - 1,
    mean: off.mean / motion.length,
    max: off.max / motion.length,
  };
  carried.free();
  return figures;
}

/**
 * The table of a motion: volume and distance at two resolutions, with and without thickening; the finer must
 * be nearer.
 */
export async function compareCarried(
  motion: CarriedCase,
  resolutions: readonly [number, number],
  { createResources, note }: RefereeContext,
): Promise<RefereeRow[]> {
  const resources = await createResources(1);
  const rows: RefereeRow[] = [];
  for (const { name, options } of VARIANTS) {
    const [coarse, fine] = resolutions.map((cells) => {
      note(`${name}, ${cells} cells`);
      const figures = runCase(motion, cells, options, resources);
      const what = `${name}, ${cells} cells, ${figures.steps} steps`;
      if (motion.turnArea !== undefined)
        rows.push(
          reportRow(`${what}: volume gained half way`, figures.turnVolume, '', 0),
          reportRow(`${what}: area half way`, figures.turnArea, '', motion.turnArea),
        );
      rows.push(
        reportRow(`${what}: volume gained`, figures.volume, '', 0),
        reportRow(`${what}: mean distance`, figures.mean, 'R', 0),
        reportRow(`${what}: largest distance`, figures.max, 'R', 0),
      );
      return figures;
    });
    rows.push(
      atMost(`${name}: volume error, fine / coarse`, Math.abs(fine.volume / coarse.volume), 1, ''),
      atMost(`${name}: mean distance, fine / coarse`, fine.mean / coarse.mean, 1, ''),
    );
  }
  return rows;
}
