/**
 * Voronoi cells of seeds in a box, each its own region (labels 1, 2, ... in the order of the seeds), as a
 * conforming mesh of triangles of a wanted size ([da-2017] figure 10.5). Each cell is the box cut by the
 * planes halfway to its neighbours, which a grid supplies by rising distance until none can reach it; corners
 * are welded by the four seeds or walls that make them, never by distance. Cost: linear in the seeds for even
 * distributions.
 */
import { InputError } from '../../../core/errors.ts';
import type { Metres } from '../../../core/types.ts';
import type { LabelledTriangles } from '../build.ts';
import { ConvexCell } from './convex-cell.ts';
import { addFacets, type Facet } from './polygon-complex.ts';
import { SeedGrid } from './seed-grid.ts';
import { Soup } from './soup.ts';

type Point = readonly [number, number, number];

export interface VoronoiShape {
  readonly min: Point;
  readonly max: Point;
  readonly seeds: readonly Point[];
  /** Wanted edge length. */
  readonly edge: Metres;
}

export function buildVoronoi({ min, max, seeds, edge }: VoronoiShape): LabelledTriangles {
  const known = new Map<string, number>();
  seeds.forEach((seed, n) => {
    if (!seed.every((x, k) => x > min[k] && x < max[k]))
      throw new InputError(`seed ${n}`, `[${seed.join(', ')}] is not inside the box`, 'move it');
    const name = seed.join(' ');
    const first = known.get(name);
    if (first !== undefined)
      throw new InputError(
        `seed ${n}`,
        `[${seed.join(', ')}] is seed ${first} again: no plane lies between them`,
        'move or remove one of them',
      );
    known.set(name, n);
  });
  const grid = new SeedGrid(seeds, min, max);
  const soup = new Soup();
  const corners = new CornerNames(seeds.length);
  const facets: Facet[] = [];
  const census = new Map<number, number>();
  for (let i = 0; i < seeds.length; i++) {
    const cell = cutCell(i, seeds, grid, min, max);
    for (const face of cell.faces) {
      const loop = face.loop.map((v) => corners.find(i, cell, v, soup));
      const j = face.plane;
      if (j >= seeds.length) facets.push({ loop, front: 0, back: i + 1 });
      else if (i < j) facets.push({ loop, front: j + 1, back: i + 1 });
      if (j < seeds.length) compareSides(census, i, j, loop);
    }
  }
  if (census.size > 0)
    throw new InputError(
      'voronoi seeds',
      `${census.size} pairs of cells do not agree on their common face to rounding`,
      'draw them from another seed',
    );
  addFacets(soup, facets, edge);
  return soup.finish();
}

function cutCell(i: number, seeds: readonly Point[], grid: SeedGrid, min: Point, max: Point): ConvexCell {
  const cell = new ConvexCell(min, max, seeds.length);
  const a = seeds[i];
  let reach = cell.measureReach(a);
  grid.forEachByDistance(i, (j, distance) => {
    // A seed farther than twice the farthest corner has its plane beyond all of them, and so have those after
    // it.
    if (distance > 2 * reach) return false;
    const b = seeds[j];
    const n = b.map((x, k) => x - a[k]);
    const d = n.reduce((sum, x, k) => sum + (x * (a[k] + b[k])) / 2, 0);
    cell.cut(j, n, d);
    reach = cell.measureReach(a);
    return true;
  });
  return cell;
}

/** Notes a face of cell i towards j, and strikes it out when the other side shows the same corners. */
function compareSides(census: Map<number, number>, i: number, j: number, loop: readonly number[]): void {
  const key = Math.min(i, j) * 67108864 + Math.max(i, j);
  const sum = loop.length * 4503599627 + loop.reduce((s, v) => s + v, 0);
  const other = census.get(key);
  if (other === undefined) census.set(key, sum);
  else if (other === sum) census.delete(key);
}

/** Vertices of the soup by the four seeds or walls that make a corner, in rising order. */
class CornerNames {
  private readonly known = new Map<number, Map<number, number>>();

  constructor(private readonly seedCount: number) {}

  find(i: number, cell: ConvexCell, corner: number, soup: Soup): number {
    const { planes, x } = cell.corner[corner];
    const [a, b, c, d] = [i, ...planes].sort((p, q) => p - q);
    const scale = this.seedCount + 8;
    const row = this.known.get(a * scale + b) ?? new Map<number, number>();
    if (row.size === 0) this.known.set(a * scale + b, row);
    const v = row.get(c * scale + d) ?? soup.addVertex(...x);
    row.set(c * scale + d, v);
    return v;
  }
}
