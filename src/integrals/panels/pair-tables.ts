/**
 * The outer rules of near pairs (pair-integrals.ts) as tables for kernels: one for each way in which two triangles may lie, points two at
 * a time. Pairs that do not touch have three points, seven, or seven on each of 4, 16 or 64 parts, as their gap asks.
 */
import { computeClosestOnTriangle } from '../../geometry/triangle-distance.ts';
import { triangleRules } from '../../math/triangle-rules.ts';
import { cornerRule, edgeRule } from './pair-integrals.ts';
import { LENGTH, PANEL } from './panel-potentials.ts';

/** Numbers of a point: weights of three corners, share of the area. */
const POINT = 4;
/** As pair-integrals.ts has it: parts are no longer than the gap over this; beyond so many lengths three points do. */
const CLOSE = 0.7;
const DISTANT = 1.5;
const DEEPEST = 3;

/** Codes: edge rule by its first corner, corner rule by its corner, three points, then seven on 4^level parts; -1: the triangle with itself. */
export const ITSELF = -1;
const EDGE = 0;
const CORNER = 3;
const THREE = 6;
const SEVEN = 7;

/** Parts of a triangle halved so many times, barycentric corners (9 each). */
function divide(level: number): number[][] {
  let parts = [[1, 0, 0, 0, 1, 0, 0, 0, 1]];
  for (let n = 0; n < level; n++)
    parts = parts.flatMap((part) => {
      const corner = (i: number) => part.slice(3 * i, 3 * i + 3);
      const middle = (i: number, j: number) => corner(i).map((x, k) => 0.5 * (x + corner(j)[k]));
      const [ab, bc, ca] = [middle(0, 1), middle(1, 2), middle(2, 0)];
      return [
        [...corner(0), ...ab, ...ca],
        [...ab, ...corner(1), ...bc],
        [...ca, ...bc, ...corner(2)],
        [...ab, ...bc, ...ca],
      ];
    });
  return parts;
}

function listRegular(points: 3 | 7, level: number): number[] {
  const { count, weight, share } = triangleRules[points];
  return divide(level).flatMap((part) =>
    Array.from({ length: count }, (_, q) => [
      ...[0, 1, 2].map((k) => [0, 1, 2].reduce((sum, i) => sum + weight[3 * q + i] * part[3 * i + k], 0)),
      share[q] / 4 ** level,
    ]).flat(),
  );
}

/** A rule whose corner 0 is corner `first`, 1 the next one. */
function turn(rule: Float64Array, first: number): number[] {
  const out: number[] = [];
  for (let n = 0; n < rule.length; n += POINT) {
    const weights = [0, 0, 0];
    for (let i = 0; i < 3; i++) weights[(first + i) % 3] = rule[n + i];
    out.push(...weights, rule[n + 3]);
  }
  return out;
}

const rules = [
  ...[0, 1, 2].map((first) => turn(edgeRule, first)),
  ...[0, 1, 2].map((first) => turn(cornerRule, first)),
  listRegular(3, 0),
  ...[0, 1, 2, 3].map((level) => listRegular(7, level)),
];

/** All rules, points two at a time (a number that is odd is filled up with one of no share), and where each begins, in pairs of points. */
export const pairTables = (() => {
  const table: number[] = [];
  const start = [0];
  for (const rule of rules) {
    for (let n = 0; n < rule.length; n += 2 * POINT)
      for (let k = 0; k < POINT; k++) {
        const second = n + POINT < rule.length ? rule[n + POINT + k] : k < 3 ? 1 / 3 : 0;
        table.push(rule[n + k], second);
      }
    start.push(table.length / (2 * POINT));
  }
  return { table: Float64Array.from(table), start: Int32Array.from(start) };
})();

const middle = new Float64Array(3);
const closest = new Float64Array(3);

/** The rule for outer triangle f and inner g. */
export function chooseRule(panel: Float64Array, triangle: ArrayLike<number>, f: number, g: number): number {
  if (f === g) return ITSELF;
  let shared = 0;
  let sum = 0;
  let first = 0;
  for (let i = 0; i < 3; i++) {
    const v = triangle[3 * f + i];
    if (v !== triangle[3 * g] && v !== triangle[3 * g + 1] && v !== triangle[3 * g + 2]) continue;
    first = i;
    sum += i;
    shared++;
  }
  if (shared === 3) return ITSELF;
  // Of an edge from corner i to the next: 0 + 1, 1 + 2, 2 + 0.
  if (shared === 2) return EDGE + (sum === 1 ? 0 : sum === 3 ? 1 : 2);
  if (shared === 1) return CORNER + first;
  const at = PANEL * f;
  for (let k = 0; k < 3; k++) middle[k] = (panel[at + k] + panel[at + 3 + k] + panel[at + 6 + k]) / 3;
  const gap = computeClosestOnTriangle(panel, PANEL * g, middle, closest);
  let size = Math.max(panel[at + LENGTH], panel[at + LENGTH + 1], panel[at + LENGTH + 2]);
  if (gap > (DISTANT * size) ** 2) return THREE;
  let level = 0;
  while (level < DEEPEST && gap < (CLOSE * size) ** 2) {
    size /= 2;
    level++;
  }
  return SEVEN + level;
}
