/**
 * How round the outside of a cluster of bubbles is. Its distance from the middle, as a function of direction,
 * is fitted by all spherical harmonics up to degree four, which see the cluster's shape (an ellipsoid is of
 * degree two, a cube of degree four) and not its single bubbles; these are what the fit leaves.
 */
export interface Roundness {
  /** Root mean square of the fit about its mean, as a share of the mean radius: 0 for a sphere. */
  readonly shape: number;
  /** The same of what the fit leaves. */
  readonly bumps: number;
  /** Mean radius around the diagonals of the axes over that around the axes. */
  readonly cornerOverFace: number;
}

/**
 * Degrees of the monomials that span, on the sphere, all harmonics up to four: the even ones and the odd
 * ones.
 */
const DEGREES = [4, 3];
const EXPONENTS = DEGREES.flatMap((degree) =>
  Array.from({ length: degree + 1 }, (_, i) =>
    Array.from({ length: degree + 1 - i }, (_, j) => [i, j, degree - i - j]),
  ).flat(),
);
/** Cosines within which a direction counts to an axis, and all of its parts to a diagonal. */
const NEAR_AXIS = 0.95;
const NEAR_DIAGONAL = 0.5;

/** `label`: (faces x 2) regions in front and behind; 0 is the outside. */
export function measureRoundness(
  position: ArrayLike<number>,
  triangle: ArrayLike<number>,
  label: ArrayLike<number>,
): Roundness {
  const weight = weighOuterVertices(position, triangle, label);
  const total = [...weight.values()].reduce((sum, w) => sum + w, 0);
  const middle = [0, 0, 0];
  for (const [v, w] of weight) for (let k = 0; k < 3; k++) middle[k] += (w * position[3 * v + k]) / total;
  const rays = [...weight].map(([v, w]) => {
    const d = middle.map((m, k) => position[3 * v + k] - m);
    const radius = Math.hypot(...d);
    return { radius, direction: d.map((x) => x / radius), weight: w / total };
  });
  const mean = rays.reduce((sum, { radius, weight: w }) => sum + w * radius, 0);
  const fit = fitHarmonics(rays);
  let [shape, bumps] = [0, 0];
  rays.forEach(({ radius, weight: w }, n) => {
    shape += w * (fit[n] / mean - 1) ** 2;
    bumps += w * ((radius - fit[n]) / mean) ** 2;
  });
  const meanOf = (isNear: (d: number[]) => boolean) => {
    const near = rays.filter(({ direction }) => isNear(direction.map(Math.abs)));
    const sum = near.reduce((s, { weight: w }) => s + w, 0);
    return near.reduce((s, { radius, weight: w }) => s + (w * radius) / sum, 0);
  };
  const corner = meanOf((d) => Math.min(...d) > NEAR_DIAGONAL);
  const face = meanOf((d) => Math.max(...d) > NEAR_AXIS);
  return { shape: Math.sqrt(shape), bumps: Math.sqrt(bumps), cornerOverFace: corner / face };
}

/** A third of the area of its outer faces, by vertex. */
function weighOuterVertices(
  p: ArrayLike<number>,
  triangle: ArrayLike<number>,
  label: ArrayLike<number>,
): Map<number, number> {
  const weight = new Map<number, number>();
  for (let f = 0; 3 * f < triangle.length; f++) {
    if (label[2 * f] !== 0 && label[2 * f + 1] !== 0) continue;
    const [a, b, c] = [0, 1, 2].map((i) => 3 * triangle[3 * f + i]);
    const u = [0, 1, 2].map((k) => p[b + k] - p[a + k]);
    const w = [0, 1, 2].map((k) => p[c + k] - p[a + k]);
    const area =
      Math.hypot(u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]) / 2;
    for (let i = 0; i < 3; i++) {
      const v = triangle[3 * f + i];
      weight.set(v, (weight.get(v) ?? 0) + area / 3);
    }
  }
  return weight;
}

/** Weighted least squares; the fitted radius along each ray. */
function fitHarmonics(rays: readonly { radius: number; direction: number[]; weight: number }[]): number[] {
  const count = EXPONENTS.length;
  const basis = rays.map(({ direction: [x, y, z] }) =>
    EXPONENTS.map(([i, j, k]) => x ** i * y ** j * z ** k),
  );
  const rows = Array.from({ length: count }, () => new Float64Array(count + 1));
  rays.forEach(({ radius, weight }, n) => {
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) rows[i][j] += weight * basis[n][i] * basis[n][j];
      rows[i][count] += weight * basis[n][i] * radius;
    }
  });
  eliminate(rows);
  return basis.map((values) => values.reduce((sum, value, i) => sum + value * rows[i][count], 0));
}

/** Gauss and Jordan with pivots; the last column becomes the solution. */
function eliminate(rows: Float64Array[]): void {
  const count = rows.length;
  for (let i = 0; i < count; i++) {
    let pivot = i;
    for (let k = i + 1; k < count; k++) if (Math.abs(rows[k][i]) > Math.abs(rows[pivot][i])) pivot = k;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const scale = 1 / rows[i][i];
    for (let j = i; j <= count; j++) rows[i][j] *= scale;
    for (let k = 0; k < count; k++) {
      if (k === i) continue;
      const factor = rows[k][i];
      for (let j = i; j <= count; j++) rows[k][j] -= factor * rows[i][j];
    }
  }
}
