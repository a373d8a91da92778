/**
 * The films at time 0 from their description in the scene: labelled triangles with edges of about a given
 * length.
 */

import { InputError } from '../../../core/errors.ts';
import { createRandom } from '../../../core/random.ts';
import type { Metres } from '../../../core/types.ts';
import { SOLIDS } from '../../../geometry/solids.ts';
import type { LabelledTriangles } from '../../../tracking/multimaterial/build.ts';
import { joinTriangles } from '../../../tracking/multimaterial/build.ts';
import type { Start } from '../../../tracking/multimaterial/shapes/check.ts';
import { buildGeodesicSphere, countDivisions } from '../../../tracking/multimaterial/shapes/geodesic.ts';
import { addFacets, type Facet } from '../../../tracking/multimaterial/shapes/polygon-complex.ts';
import { Soup } from '../../../tracking/multimaterial/shapes/soup.ts';
import { buildDoubleSphere, buildVoronoi } from '../../../tracking/multimaterial/shapes.ts';
import type { StartSpec } from './options.ts';
import { buildRevolution } from './revolution.ts';

type Point = [number, number, number];
type Spec<T extends StartSpec['type']> = Extract<StartSpec, { type: T }>;

/** As described, whether or not that makes sense: check-start.ts. */
export function buildStart(specs: readonly StartSpec[], edge: Metres, seed: number): Start {
  const shapes = specs.map((spec, n) => naming(`films.start[${n}]`, () => buildShape(spec, edge, seed)));
  const faceToShape = shapes.flatMap(({ triangle }, n) => new Array<number>(triangle.length / 3).fill(n));
  return { surface: joinTriangles(shapes), faceToShape: Int32Array.from(faceToShape) };
}

/** Builders know what is wrong with a shape, not where it stands in the scene. */
function naming<T>(name: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${name}, ${error.where}`, error.what, error.remedy, { cause: error });
  }
}

function buildShape(spec: StartSpec, edge: Metres, seed: number): LabelledTriangles {
  switch (spec.type) {
    case 'bubble':
      return buildBubble(spec, edge);
    case 'double-bubble': {
      const { centre, radius, distance, stretch } = spec;
      return stretchAbout(buildDoubleSphere({ centre, radius, distance, edge }), centre, stretch);
    }
    case 'boxes':
      return jitterBoxes(spec, buildBoxes(spec, edge), seed);
    case 'voronoi': {
      const { min, max, cells } = spec;
      return buildVoronoi({
        min,
        max,
        seeds: typeof cells === 'number' ? drawPoints(cells, min, max, seed) : cells,
        edge,
      });
    }
    case 'frame':
      return buildWireFrame(spec, edge);
    case 'revolution':
      return buildRevolution(spec.sheets, spec.centre, edge);
  }
}

function buildBubble(spec: Spec<'bubble'>, edge: Metres): LabelledTriangles {
  const { centre, radius, stretch, mode, label } = spec;
  const sphere = buildGeodesicSphere(spec.divisions ?? countDivisions(radius, edge), label);
  const position = Float64Array.from(sphere.position);
  for (let v = 0; v < position.length; v += 3) {
    const factor = mode ? 1 + mode.amplitude * computeLegendre(mode.order, position[v + 2]) : 1;
    for (let k = 0; k < 3; k++) position[v + k] = centre[k] + radius * stretch[k] * factor * position[v + k];
  }
  return { ...sphere, position };
}

/** P_n(x) by Bonnet's recursion. */
export function computeLegendre(n: number, x: number): number {
  let [before, here] = [1, x];
  for (let k = 1; k < n; k++) [before, here] = [here, ((2 * k + 1) * x * here - k * before) / (k + 1)];
  return n === 0 ? 1 : here;
}

function stretchAbout(
  { position, triangle, label }: LabelledTriangles,
  centre: readonly number[],
  stretch: readonly number[],
): LabelledTriangles {
  const moved = Float64Array.from(position, (x, n) => centre[n % 3] + stretch[n % 3] * (x - centre[n % 3]));
  return { position: moved, triangle, label };
}

/** Boxes that share their walls; every wall is divided on its own, as the resolution asks. */
function buildBoxes({ min, max, count, without }: Spec<'boxes'>, edge: Metres): LabelledTriangles {
  const [nx, ny, nz] = count;
  const soup = new Soup();
  for (let k = 0; k <= nz; k++)
    for (let j = 0; j <= ny; j++)
      for (let i = 0; i <= nx; i++)
        soup.addVertex(...([i, j, k].map((n, a) => min[a] + (n / count[a]) * (max[a] - min[a])) as Point));
  const corner = (i: number, j: number, k: number) => i + (nx + 1) * (j + (ny + 1) * k);
  const region = (i: number, j: number, k: number) => {
    if (Math.min(i, j, k) < 0 || i >= nx || j >= ny || k >= nz) return 0;
    const own = 1 + i + nx * (j + ny * k);
    return without.includes(own) ? 0 : own;
  };
  const facets: Facet[] = [];
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++) {
        const front = region(i, j, k);
        const add = (back: number, loop: number[]) => {
          if (front !== back) facets.push({ loop, front, back });
        };
        const at = (x: number, y: number, z: number) => corner(i + x, j + y, k + z);
        if (j < ny && k < nz) add(region(i - 1, j, k), [at(0, 0, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1)]);
        if (i < nx && k < nz) add(region(i, j - 1, k), [at(0, 0, 0), at(0, 0, 1), at(1, 0, 1), at(1, 0, 0)]);
        if (i < nx && j < ny) add(region(i, j, k - 1), [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)]);
      }
    }
  }
  addFacets(soup, facets, edge);
  return dropUnused(soup);
}

/**
 * Shifts the corners at random and all between them along. In a regular block every corner of eight boxes is
 * as likely to part one way as another; the tracker, which decides equal cases alike everywhere, would turn
 * the block as a whole into another crystal, longer one way than the others.
 */
function jitterBoxes(
  { min, max, count, jitter }: Spec<'boxes'>,
  boxes: LabelledTriangles,
  seed: number,
): LabelledTriangles {
  if (jitter === 0) return boxes;
  const random = createRandom(seed);
  const corners = (count[0] + 1) * (count[1] + 1) * (count[2] + 1);
  const shift = Float64Array.from({ length: 3 * corners }, () => jitter * (2 * random.next() - 1));
  const position = Float64Array.from(boxes.position);
  for (let v = 0; v < position.length; v += 3) {
    const place = count.map((n, a) => (n * (position[v + a] - min[a])) / (max[a] - min[a]));
    const low = place.map((x, a) => Math.min(count[a] - 1, Math.floor(x)));
    for (let n = 0; n < 8; n++) {
      const corner = low.map((i, a) => i + ((n >> a) & 1));
      const weight = corner.reduce((product, i, a) => product * (1 - Math.abs(place[a] - i)), 1);
      const at = 3 * (corner[0] + (count[0] + 1) * (corner[1] + (count[1] + 1) * corner[2]));
      for (let a = 0; a < 3; a++) position[v + a] += (weight * shift[at + a] * (max[a] - min[a])) / count[a];
    }
  }
  return { ...boxes, position };
}

/**
 * How far out the tips of the roofs over a frame's faces stand, in distances of the faces from the middle:
 * films that swing out of the frame must not meet them.
 */
const ROOF = 1.5;

/** The cone over the edges of a solid: region n + 1 between its face n and the middle. */
function buildWireFrame({ solid, centre, radius, middle }: Spec<'frame'>, edge: Metres): LabelledTriangles {
  const { corner, face } = SOLIDS[solid];
  const soup = new Soup();
  for (const c of corner) {
    const size = Math.hypot(...c);
    soup.addVertex(...(c.map((x, k) => centre[k] + (radius * x) / size) as Point));
  }
  const apex = soup.addVertex(...(middle.map((x, k) => centre[k] + x) as Point));
  const facets: Facet[] = [];
  face.forEach((loop, n) => {
    const corners = loop.map((c) => corner[c].map((x) => (radius * x) / Math.hypot(...corner[c])));
    const mean = [0, 1, 2].map((k) => corners.reduce((sum, c) => sum + c[k] / loop.length, 0));
    refuseBeyond(middle, mean, solid);
    const tip = soup.addVertex(...(mean.map((x, k) => centre[k] + ROOF * x) as Point));
    for (let i = 0; i < loop.length; i++)
      facets.push({ loop: [loop[i], loop[(i + 1) % loop.length], tip], front: 0, back: n + 1 });
  });
  const edges = new Map<string, number>();
  face.forEach((loop, n) => {
    for (let i = 0; i < loop.length; i++) edges.set(`${loop[i]} ${loop[(i + 1) % loop.length]}`, n);
  });
  for (const [key, n] of edges) {
    const [a, b] = key.split(' ').map(Number);
    const other = edges.get(`${b} ${a}`)!;
    // Face n runs from a to b, so it lies to the left of the edge: the film a b apex has its cell in front.
    if (a < b) facets.push({ loop: [a, b, apex], front: n + 1, back: other + 1 });
  }
  addFacets(soup, facets, edge);
  return soup.finish();
}

/**
 * Films meet without crossing where the middle sees every face from behind; in a regular solid the middle of
 * a face is the foot of the normal on it.
 */
function refuseBeyond(middle: Point, foot: readonly number[], solid: string): void {
  const size = Math.hypot(...foot);
  const beyond = middle.reduce((sum, x, k) => sum + (x * foot[k]) / size, -size);
  if (beyond < 0) return;
  throw new InputError(
    'middle',
    `[${middle.join(', ')}] is ${Number(beyond.toPrecision(4))} m outside a face of the ${solid}`,
    `keep it within ${Number(size.toPrecision(4))} m of the centre`,
  );
}

function dropUnused(soup: Soup): LabelledTriangles {
  const { position: p, triangle, label } = soup;
  const number = new Map<number, number>();
  const position: number[] = [];
  const packed = triangle.map((v) => {
    const known = number.get(v);
    if (known !== undefined) return known;
    number.set(v, position.length / 3);
    return position.push(p[3 * v], p[3 * v + 1], p[3 * v + 2]) / 3 - 1;
  });
  return {
    position: Float64Array.from(position),
    triangle: Int32Array.from(packed),
    label: Int32Array.from(label),
  };
}

function drawPoints(count: number, min: Point, max: Point, seed: number): Point[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => min.map((x, k) => x + random.next() * (max[k] - x)) as Point);
}
