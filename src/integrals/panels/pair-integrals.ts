/**
 * Double integrals over pairs of triangles near each other, for Galerkin's form: the inner one in closed form
 * (panel-potentials.ts), the outer one by a rule that is made for where the inner potential is not smooth.
 *
 *   same        single layer of a constant density in closed form (Eibert and Hansen 1995), of a linear one by thirds; double layer 0
 *   edge        the potential goes with d log d off the shared edge and with r F(angle) about its ends: the outer triangle is halved from
 *               the edge's middle, and each half taken in polar form about its end, both coordinates graded by squares
 *   corner      polar form about the shared corner, the radius graded by squares
 *   apart       seven points; divided in four, up to three times, where a part is larger than its distance from the inner triangle
 *
 * Polar form about corner a: x = a + s ((1 - t) (b - a) + t (c - a)), of area 2 A s ds dt (Duffy 1982).
 */
import { computeClosestOnTriangle } from '../../geometry/triangle-distance.ts';
import { computeGaussRule, triangleRules } from '../../math/triangle-rules.ts';
import { computePanelPotentials, DOUBLE, LENGTH, PANEL, POTENTIALS } from './panel-potentials.ts';
import { computeSelfMean } from './triangle-potential.ts';

/** Numbers of a point of an outer rule: barycentric weights and share of the area. */
const POINT = 4;
/** Gauss points along each coordinate. */
const ALONG_EDGE = 4;
const ABOUT_CORNER = 4;

/**
 * Adds the polar rule of the triangle with these corners (barycentric, in the whole one) that has this part
 * of its area.
 */
function addPolar(
  corners: readonly (readonly number[])[],
  part: number,
  n: number,
  isGraded: boolean,
  out: number[],
): void {
  const { point, share } = computeGaussRule(n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      // s = sigma^2, ds = 2 sigma d sigma; t likewise where it is graded.
      const s = point[i] ** 2;
      const t = isGraded ? point[j] ** 2 : point[j];
      const weights = [1 - s, s * (1 - t), s * t];
      for (let k = 0; k < 3; k++)
        out.push(weights[0] * corners[0][k] + weights[1] * corners[1][k] + weights[2] * corners[2][k]);
      out.push(part * 2 * s * share[i] * 2 * point[i] * share[j] * (isGraded ? 2 * point[j] : 1));
    }
}

const [A, B, C] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** For a shared edge from corner 0 to corner 1. */
export const edgeRule = (() => {
  const out: number[] = [];
  addPolar([A, [0.5, 0.5, 0], C], 0.5, ALONG_EDGE, true, out);
  addPolar([B, [0.5, 0.5, 0], C], 0.5, ALONG_EDGE, true, out);
  return Float64Array.from(out);
})();

/** For a shared corner 0. */
export const cornerRule = (() => {
  const out: number[] = [];
  addPolar([A, B, C], 1, ABOUT_CORNER, false, out);
  return Float64Array.from(out);
})();

/**
 * A part is divided where its middle is closer to the inner triangle than this many of its longest edges, at
 * most so many times.
 */
const CLOSE = 0.7;
const DEEPEST = 3;
/** Beyond so many of its longest edges three points do in place of seven. */
const DISTANT = 1.5;

const potential = new Float64Array(POTENTIALS);
const middle = new Float64Array(3);
const closest = new Float64Array(3);

/** Adds the inner potentials at one outer point, times its share. */
function addPoint(
  panel: Float64Array,
  outer: number,
  inner: number,
  weights: Float64Array,
  share: number,
  isConstant: boolean,
  out: Float64Array,
): void {
  const a = weights[0];
  const b = weights[1];
  const c = weights[2];
  const x = a * panel[outer] + b * panel[outer + 3] + c * panel[outer + 6];
  const y = a * panel[outer + 1] + b * panel[outer + 4] + c * panel[outer + 7];
  const z = a * panel[outer + 2] + b * panel[outer + 5] + c * panel[outer + 8];
  computePanelPotentials(panel, inner, x, y, z, potential, isConstant);
  if (isConstant) {
    out[0] += share * potential[0];
    out[4] += share * potential[4];
  } else for (let n = 0; n < POTENTIALS; n++) out[n] += share * potential[n];
}

/** Corners of the parts in hand, barycentric (3 x 3 each): four per level of division. */
const LEVEL = 36;
const parts = new Float64Array(LEVEL * (DEEPEST + 1));
const mixed = new Float64Array(3);

/**
 * Adds the part with its corners at parts[at] and longest edge `size`, a quarter to the power `level` of the
 * area.
 */
function addPart(
  panel: Float64Array,
  outer: number,
  inner: number,
  at: number,
  size: number,
  level: number,
  isConstant: boolean,
  out: Float64Array,
): void {
  for (let k = 0; k < 3; k++) mixed[k] = (parts[at + k] + parts[at + 3 + k] + parts[at + 6 + k]) / 3;
  for (let k = 0; k < 3; k++)
    middle[k] =
      mixed[0] * panel[outer + k] + mixed[1] * panel[outer + 3 + k] + mixed[2] * panel[outer + 6 + k];
  const gap = computeClosestOnTriangle(panel, inner, middle, closest);
  if (level === DEEPEST || gap > (CLOSE * size) ** 2) {
    const { count, weight, share } = triangleRules[gap > (DISTANT * size) ** 2 ? 3 : 7];
    for (let q = 0; q < count; q++) {
      for (let k = 0; k < 3; k++)
        mixed[k] =
          weight[3 * q] * parts[at + k] +
          weight[3 * q + 1] * parts[at + 3 + k] +
          weight[3 * q + 2] * parts[at + 6 + k];
      addPoint(panel, outer, inner, mixed, share[q] / 4 ** level, isConstant, out);
    }
    return;
  }
  const child = LEVEL * (level + 1);
  for (let n = 0; n < 4; n++)
    for (let i = 0; i < 3; i++)
      for (let k = 0; k < 3; k++) {
        // Child n < 3 has corner n and the middles of its edges; the last has the middles alone.
        const [p, q] = n < 3 ? [n, i] : [(i + 1) % 3, (i + 2) % 3];
        parts[child + 9 * n + 3 * i + k] = 0.5 * (parts[at + 3 * p + k] + parts[at + 3 * q + k]);
      }
  for (let n = 0; n < 4; n++)
    addPart(panel, outer, inner, child + 9 * n, size / 2, level + 1, isConstant, out);
}

/** Adds the points of a rule whose corners 0, 1, 2 are these corners of the outer triangle. */
function addRule(
  panel: Float64Array,
  outer: number,
  inner: number,
  rule: Float64Array,
  first: number,
  second: number,
  isConstant: boolean,
  out: Float64Array,
): void {
  for (let n = 0; n < rule.length; n += POINT) {
    mixed[first] = rule[n];
    mixed[second] = rule[n + 1];
    mixed[3 - first - second] = rule[n + 2];
    addPoint(panel, outer, inner, mixed, rule[n + 3], isConstant, out);
  }
}

/**
 * Which integrals are wanted: both layers of a constant density, or also the single or the double layer of
 * linear ones.
 */
export type Wanted = 'constant' | 'single' | 'double';

/**
 * Double integrals over triangles f (outer) and g (inner) of `panel`: out (POTENTIALS) as in
 * panel-potentials.ts, integrated over f. The corners of `triangle` tell what they share. What is not wanted
 * may be left 0.
 */
export function computePairIntegrals(
  panel: Float64Array,
  triangle: ArrayLike<number>,
  f: number,
  g: number,
  wanted: Wanted,
  out: Float64Array,
): void {
  const outer = PANEL * f;
  const inner = PANEL * g;
  const area = 0.5 * panel[outer + DOUBLE];
  out.fill(0, 0, POTENTIALS);
  const isConstant = wanted === 'constant';
  let shared = 0;
  let [first, second] = [0, 0];
  for (let i = 0; i < 3; i++) {
    const v = triangle[3 * f + i];
    if (v !== triangle[3 * g] && v !== triangle[3 * g + 1] && v !== triangle[3 * g + 2]) continue;
    if (shared === 0) first = i;
    else second = i;
    shared++;
  }
  if (area === 0 || panel[inner + DOUBLE] === 0) return;
  if (shared === 3 || f === g) {
    // The rule for an edge serves each third of the triangle between an edge and the middle; the constant has
    // its closed form.
    if (wanted === 'single') addThirds(panel, outer, inner, out);
    out[0] = area * computeSelfMean(panel, outer);
  } else if (shared === 2) addRule(panel, outer, inner, edgeRule, first, second, isConstant, out);
  else if (shared === 1) addRule(panel, outer, inner, cornerRule, first, (first + 1) % 3, isConstant, out);
  else {
    parts.fill(0, 0, 9);
    parts[0] = parts[4] = parts[8] = 1;
    const size = Math.max(panel[outer + LENGTH], panel[outer + LENGTH + 1], panel[outer + LENGTH + 2]);
    addPart(panel, outer, inner, 0, size, 0, isConstant, out);
  }
  for (let n = 0; n < POTENTIALS; n++) out[n] *= area;
}

/** Three triangles from the edges to the middle, each by the rule for its edge. */
function addThirds(panel: Float64Array, outer: number, inner: number, out: Float64Array): void {
  for (let e = 0; e < 3; e++)
    for (let n = 0; n < edgeRule.length; n += POINT) {
      const third = edgeRule[n + 2] / 3;
      mixed[e] = edgeRule[n] + third;
      mixed[(e + 1) % 3] = edgeRule[n + 1] + third;
      mixed[(e + 2) % 3] = third;
      addPoint(panel, outer, inner, mixed, edgeRule[n + 3] / 3, false, out);
    }
}
