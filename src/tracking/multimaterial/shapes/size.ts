/** How many faces starting surfaces will have, without building them. */
import type { Metres } from '../../../core/types.ts';
import { countLevels } from './spheres.ts';

type Point = readonly [number, number, number];

/**
 * Interfaces of random Voronoi cells: area times the cell's width over its volume, and facets per cell
 * (Poisson-Voronoi: 2.91 and 7.77).
 */
const VORONOI_AREA = 2.91;
export const VORONOI_FACETS = 7.77;
/** A facet of five corners has this many triangles at least. */
const LEAST_OF_FACET = 3;

/** Triangles with sides of a length that cover an area. */
export const countFaces = (area: number, edge: Metres): number => area / ((Math.sqrt(3) / 4) * edge ** 2);

export const countSphereFaces = (
  radius: Metres,
  edge: Metres,
  levels = countLevels(radius, edge, 'icosahedron'),
): number => 20 * 4 ** levels;

export const countQuarteredFaces = (
  radius: Metres,
  edge: Metres,
  levels = countLevels(radius, edge, 'octahedron'),
): number => 16 * 4 ** levels;

/** Two spheres without what is inside the other, and the disk between. */
export function countDoubleSphereFaces(radius: Metres, distance: Metres, edge: Metres): number {
  const share = Math.min(1, 0.5 + distance / (4 * radius));
  const disk = Math.max(0, radius ** 2 - (distance / 2) ** 2) * Math.PI;
  return 2 * share * countSphereFaces(radius, edge) + countFaces(disk, edge);
}

/** `cells` of random seeds in a box, its sides included. */
export function countVoronoiFaces(min: Point, max: Point, cells: number, edge: Metres): number {
  const [a, b, c] = max.map((x, k) => x - min[k]);
  const sides = a * b + b * c + c * a;
  const inner = VORONOI_AREA * ((a * b * c) ** (2 / 3) * Math.cbrt(cells) - sides / 3);
  return countFaces(Math.max(0, inner) + 2 * sides, edge) + LEAST_OF_FACET * VORONOI_FACETS * cells;
}
