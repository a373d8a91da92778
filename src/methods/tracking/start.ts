/**
 * The surface at time 0 from its description in the scene: labelled triangles of about the scene's
 * resolution.
 */
import { InputError } from '../../core/errors.ts';
import { createRandom } from '../../core/random.ts';
import type { Metres } from '../../core/types.ts';
import type { Scene } from '../../scene/scene.ts';
import { buildMultiMesh, joinTriangles, type LabelledTriangles } from '../../tracking/multimaterial/build.ts';
import {
  refuseCrossings,
  refuseFlat,
  refuseMisplaced,
  type StartNames,
} from '../../tracking/multimaterial/shapes/check.ts';
import {
  buildCellBlock,
  buildDoubleSphere,
  buildNotchedSphere,
  buildQuarteredSphere,
  buildSpheres,
  buildVoronoi,
  countLevels,
  type SphereShape,
} from '../../tracking/multimaterial/shapes.ts';
import { validateMesh } from '../../tracking/multimaterial/validate.ts';
import type { StartSpec } from './options-start.ts';

type Point = [number, number, number];
type Packing = Extract<StartSpec, { type: 'sphere-packing' }>;

/** Draws of a sphere that must miss the others before the packing is called too dense. */
const MOST_DRAWS = 10_000;

const names: StartNames = {
  nameShape: (n) => `tracking.start[${n}]`,
  surfaces: 'their surfaces',
  apart: 'move them apart; regions that share a surface are one shape: double-sphere, voronoi or cells',
  out: 'move it out of there: what is around a start is the outside',
};

export function buildStart(specs: readonly StartSpec[], scene: Scene): LabelledTriangles {
  const parts = specs.map((spec) => buildShape(spec, scene.resolution, scene.seed));
  const surface = joinTriangles(parts);
  const faceToShape = parts.flatMap(({ triangle }, n) => new Array<number>(triangle.length / 3).fill(n));
  const start = { surface, faceToShape: Int32Array.from(faceToShape) };
  refuseFlat(start, names);
  refuseCrossings(start, names);
  validateMesh(buildMultiMesh(surface));
  refuseMisplaced(start, names);
  return surface;
}

function buildShape(spec: StartSpec, edge: Metres, sceneSeed: number): LabelledTriangles {
  switch (spec.type) {
    case 'sphere':
      return buildSpheres([
        { ...spec, levels: spec.levels ?? countLevels(spec.radius, edge, 'icosahedron') },
      ]);
    case 'quartered-sphere':
      return buildQuarteredSphere({
        ...spec,
        levels: spec.levels ?? countLevels(spec.radius, edge, 'octahedron'),
      });
    case 'notched-sphere':
      return buildNotchedSphere({ ...spec, edge });
    case 'double-sphere':
      return buildDoubleSphere({ ...spec, edge });
    case 'sphere-grid':
      return buildSpheres(layGrid(spec, edge));
    case 'sphere-packing':
      return buildSpheres(drawPacking(spec, edge, spec.seed ?? sceneSeed));
    case 'voronoi': {
      const { min, max, cells } = spec;
      const seeds = typeof cells === 'number' ? drawPoints(cells, min, max, spec.seed ?? sceneSeed) : cells;
      return buildVoronoi({ min, max, seeds, edge });
    }
    case 'cells':
      return buildCells(spec, edge);
  }
}

function layGrid(spec: Extract<StartSpec, { type: 'sphere-grid' }>, edge: Metres): SphereShape[] {
  const { min, max, count, radius, labels } = spec;
  const levels = countLevels(radius, edge, 'icosahedron');
  const spheres: SphereShape[] = [];
  const at = (k: number, i: number) => min[k] + ((i + 0.5) / count[k]) * (max[k] - min[k]);
  const gap = Math.min(...count.map((n, k) => (max[k] - min[k]) / n)) - 2 * radius;
  if (gap <= 0)
    throw new InputError(
      'sphere-grid',
      `spheres of radius ${radius} m overlap by ${-gap} m`,
      'make them smaller or the box larger',
    );
  for (let i = 0; i < count[0]; i++)
    for (let j = 0; j < count[1]; j++)
      for (let k = 0; k < count[2]; k++)
        spheres.push({
          centre: [at(0, i), at(1, j), at(2, k)],
          radius,
          levels,
          label: 1 + (spheres.length % labels),
        });
  return spheres;
}

/** Spheres that stay inside the box and apart from each other, one after the other at random. */
function drawPacking(spec: Packing, edge: Metres, seed: number): SphereShape[] {
  const { min, max, count, radii, gap, labels } = spec;
  const random = createRandom(seed);
  const spheres: Required<SphereShape>[] = [];
  for (let draws = 0; spheres.length < count; draws++) {
    if (draws === MOST_DRAWS)
      throw new InputError(
        'sphere-packing',
        `room for only ${spheres.length} of ${count} spheres was found`,
        'make them smaller, fewer, or the box larger',
      );
    const radius = radii[0] + random.next() * (radii[1] - radii[0]);
    const centre = min.map((x, k) => x + radius + random.next() * (max[k] - x - 2 * radius)) as Point;
    const isFree = spheres.every(
      (other) => Math.hypot(...centre.map((x, k) => x - other.centre[k])) >= radius + other.radius + gap,
    );
    if (!isFree) continue;
    const levels = countLevels(radius, edge, 'icosahedron');
    spheres.push({ centre, radius, levels, label: 1 + random.nextInt(labels) });
  }
  return spheres;
}

function drawPoints(count: number, min: Point, max: Point, seed: number): Point[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => min.map((x, k) => x + random.next() * (max[k] - x)) as Point);
}

function buildCells(spec: Extract<StartSpec, { type: 'cells' }>, edge: Metres): LabelledTriangles {
  const { min, max, count } = spec;
  const side = Math.min(...max.map((x, k) => x - min[k])) / count;
  const levels = spec.levels ?? Math.max(0, Math.round(Math.log2(side / edge)));
  const { position, triangle, label } = buildCellBlock(count, levels);
  const moved = Float64Array.from(position, (x, n) => min[n % 3] + x * (max[n % 3] - min[n % 3]));
  return { position: moved, triangle, label };
}
