/**
 * Surface tension where the mesh does not follow the surface: as in tension.ts, on the triangles that a level
 * set cuts out of the tets. A corner of such a triangle lies on an edge and moves with the vertices at its
 * ends, so its force goes to them, and the matrix has entries for all pairs that a triangle couples: they are
 * of one tet.
 */
import type { ViscousDomain } from './domain.ts';
import type { Equations } from './equations.ts';
import { computeAreaGradients, findEntry } from './tension.ts';

export interface CutSurfaceTension {
  /** N/m */
  readonly coefficient: number;
  /** (vertexCount) positive in the liquid */
  readonly level: Float64Array;
}

/**
 * A triangle's area counts as at least this part of its longest side squared where it stiffens: splinters
 * would outweigh all else.
 */
const LEAST_AREA = 0.05;

/**
 * The corners of the cut's triangles as pairs of corners of the tet: where the surface crosses the edge
 * between them.
 */
type Cut = readonly (readonly [number, number])[];

/**
 * One corner apart: seen from the side of the others, its three edges; two and two: a quadrilateral, as two
 * triangles.
 */
function listCuts(level: Float64Array, corners: Int32Array, at: number): readonly Cut[] {
  const inside: number[] = [];
  const outside: number[] = [];
  for (let i = 0; i < 4; i++) (level[corners[at + i]] > 0 ? inside : outside).push(i);
  if (inside.length === 0 || outside.length === 0) return [];
  if (inside.length !== 2) {
    const [apex] = inside.length === 1 ? inside : outside;
    const others = inside.length === 1 ? outside : inside;
    return [others.map((o) => [apex, o] as const)];
  }
  const [p, q] = inside;
  const [r, s] = outside;
  return [
    [
      [p, r],
      [p, s],
      [q, r],
    ],
    [
      [q, r],
      [p, s],
      [q, s],
    ],
  ];
}

/** Adds force and stiffness. Sequential, in the order of the tets. */
export function addCutTension(
  { mesh: { position, tet }, activeTet, elementRow, pattern }: ViscousDomain,
  { coefficient, level }: CutSurfaceTension,
  dt: number,
  { velocity: { value }, right }: Equations,
): void {
  const { rowStart, column } = pattern;
  const d = new Float64Array(9);
  const place = new Float64Array(9);
  const corner = Int32Array.of(0, 1, 2);
  /** (3 x 4) how far each corner of the triangle moves with each of the tet's */
  const weight = new Float64Array(12);
  /** (4 x 3) gradient of the area by the tet's corners */
  const pull = new Float64Array(12);
  for (let e = 0; e < activeTet.length; e++) {
    const at = 4 * activeTet[e];
    for (const cut of listCuts(level, tet, at)) {
      weight.fill(0);
      cut.forEach(([i, j], k) => {
        const [a, b] = [tet[at + i], tet[at + j]];
        const share = level[a] / (level[a] - level[b]);
        weight[4 * k + i] = 1 - share;
        weight[4 * k + j] = share;
        for (let r = 0; r < 3; r++)
          place[3 * k + r] = (1 - share) * position[3 * a + r] + share * position[3 * b + r];
      });
      const area = computeAreaGradients(place, corner, 0, d);
      if (area === 0) continue;
      pull.fill(0);
      for (let k = 0; k < 3; k++)
        for (let i = 0; i < 4; i++)
          for (let r = 0; r < 3; r++) pull[3 * i + r] += weight[4 * k + i] * d[3 * k + r];
      const stiffness = (coefficient * dt) / Math.max(area, LEAST_AREA * measureLongest(place));
      for (let i = 0; i < 4; i++) {
        const row = elementRow[4 * e + i];
        for (let r = 0; r < 3; r++) right[3 * row + r] -= coefficient * pull[3 * i + r];
        if (!Number.isFinite(dt)) continue;
        for (let j = 0; j < 4; j++) {
          let dot = 0;
          for (let k = 0; k < 3; k++)
            for (let l = 0; l < 3; l++) {
              const both = weight[4 * k + i] * weight[4 * l + j];
              if (both === 0) continue;
              for (let r = 0; r < 3; r++) dot += both * d[3 * k + r] * d[3 * l + r];
            }
          const entry = findEntry(rowStart, column, row, elementRow[4 * e + j]);
          for (let r = 0; r < 3; r++) value[9 * entry + 4 * r] += stiffness * dot;
        }
      }
    }
  }
}

/** Square of a triangle's longest side. */
function measureLongest(place: Float64Array): number {
  let longest = 0;
  for (let k = 0; k < 3; k++) {
    const l = (k + 1) % 3;
    let square = 0;
    for (let r = 0; r < 3; r++) square += (place[3 * k + r] - place[3 * l + r]) ** 2;
    longest = Math.max(longest, square);
  }
  return longest;
}
