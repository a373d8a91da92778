/**
 * The part of a tet where a linear function of its corners is positive: exact. What a tet keeps beside solids
 * is this part for the clearance ([ando-2013] 3, after Batty et al. 2007), and what of it is liquid is this
 * part for the level set.
 */

/** Of the values at the four corners, positive inside; 0 to 1. A corner at zero counts as outside. */
export function computeTetFraction(a: number, b: number, c: number, d: number): number {
  const inside = (a > 0 ? 1 : 0) + (b > 0 ? 1 : 0) + (c > 0 ? 1 : 0) + (d > 0 ? 1 : 0);
  if (inside === 0) return 0;
  if (inside === 4) return 1;
  if (inside === 1) return cutCorner(a, b, c, d);
  // A corner at zero and three inside: nothing is cut off.
  if (inside === 3) return Math.min(a, b, c, d) === 0 ? 1 : 1 - cutCorner(-a, -b, -c, -d);
  return cutTwo(a, b, c, d);
}

/** One corner is positive: the small tet at it, by the shares of its three edges. */
function cutCorner(a: number, b: number, c: number, d: number): number {
  if (a > 0) return (a / (a - b)) * (a / (a - c)) * (a / (a - d));
  if (b > 0) return (b / (b - a)) * (b / (b - c)) * (b / (b - d));
  if (c > 0) return (c / (c - a)) * (c / (c - b)) * (c / (c - d));
  return (d / (d - a)) * (d / (d - b)) * (d / (d - c));
}

/** Two corners are positive: a wedge, cut into three tets. */
function cutTwo(a: number, b: number, c: number, d: number): number {
  if (a > 0 && b > 0) return wedge(a, b, c, d);
  if (a > 0 && c > 0) return wedge(a, c, b, d);
  if (a > 0) return wedge(a, d, b, c);
  if (b > 0 && c > 0) return wedge(b, c, a, d);
  if (b > 0) return wedge(b, d, a, c);
  return wedge(c, d, a, b);
}

/** p and q positive, r and s not. */
function wedge(p: number, q: number, r: number, s: number): number {
  const pr = p / (p - r);
  const ps = p / (p - s);
  const qr = q / (q - r);
  const qs = q / (q - s);
  // Tets (p, pr, ps, q), (q, pr, ps, qr) and (q, ps, qr, qs), in units of the whole.
  return pr * ps + (1 - pr) * ps * qr + qr * qs * (1 - ps);
}

/** Sums of the barycentric coordinates of a piece's four corners. */
const point = new Float64Array(4);

/**
 * Integrals of the four barycentric coordinates over the part of a tet where a linear function is positive,
 * over the tet's volume: 1/4 each where it is all of it. A corner at zero counts as outside. Into out at
 * `at`; `value` four numbers.
 */
export function addTetMoments(value: Float64Array, share: number, out: Float64Array, at: number): void {
  let inside = 0;
  for (let i = 0; i < 4; i++) if (value[i] > 0) inside |= 1 << i;
  if (inside === 0) return;
  if (inside === 15) {
    for (let i = 0; i < 4; i++) out[at + i] += 0.25 * share;
    return;
  }
  const few = countBits(inside) === 3 ? 15 ^ inside : inside;
  if (countBits(inside) !== 2) {
    // One corner alone: its small tet, or all but it.
    const a = few === 1 ? 0 : few === 2 ? 1 : few === 4 ? 2 : 3;
    const sign = few === inside ? 1 : -1;
    if (sign < 0) for (let i = 0; i < 4; i++) out[at + i] += 0.25 * share;
    let volume = 1;
    point.fill(0);
    point[a] = 1;
    for (let b = 0; b < 4; b++) {
      if (b === a) continue;
      const cut = value[a] / (value[a] - value[b]);
      volume *= cut;
      point[a] += 1 - cut;
      point[b] += cut;
    }
    for (let i = 0; i < 4; i++) out[at + i] += sign * 0.25 * share * volume * point[i];
    return;
  }
  let p = 0;
  while (((inside >> p) & 1) === 0) p++;
  let q = p + 1;
  while (((inside >> q) & 1) === 0) q++;
  let r = 0;
  while ((inside >> r) & 1) r++;
  let s = r + 1;
  while ((inside >> s) & 1) s++;
  const pr = value[p] / (value[p] - value[r]);
  const ps = value[p] / (value[p] - value[s]);
  const qr = value[q] / (value[q] - value[r]);
  const qs = value[q] / (value[q] - value[s]);
  // As in wedge: tets (p, pr, ps, q), (q, pr, ps, qr) and (q, ps, qr, qs).
  const first = 0.25 * share * pr * ps;
  out[at + p] += first * (1 + (1 - pr) + (1 - ps));
  out[at + q] += first;
  out[at + r] += first * pr;
  out[at + s] += first * ps;
  const second = 0.25 * share * (1 - pr) * ps * qr;
  out[at + p] += second * (1 - pr + (1 - ps));
  out[at + q] += second * (1 + (1 - qr));
  out[at + r] += second * (pr + qr);
  out[at + s] += second * ps;
  const third = 0.25 * share * qr * qs * (1 - ps);
  out[at + p] += third * (1 - ps);
  out[at + q] += third * (1 + (1 - qr) + (1 - qs));
  out[at + r] += third * qr;
  out[at + s] += third * (ps + qs);
}

const countBits = (n: number): number => (n & 1) + ((n >> 1) & 1) + ((n >> 2) & 1) + ((n >> 3) & 1);
