/**
 * The part of a tet where a linear function of its corners is positive: exact. What a tet keeps beside solids is this part for the
 * clearance ([ando-2013] 3, after Batty et al. 2007), and what of it is liquid is this part for the level set.
 */

/** Of the values at the four corners, positive inside; 0 to 1. A corner at zero counts as outside. */
export function computeTetFraction(a: number, b: number, c: number, d: number): number {
  const inside = (a > 0 ? 1 : 0) + (b > 0 ? 1 : 0) + (c > 0 ? 1 : 0) + (d > 0 ? 1 : 0);
  if (inside === 0) return 0;
  if (inside === 4) return 1;
  if (inside === 1) return cutCorner(a, b, c, d);
  if (inside === 3) return 1 - cutCorner(-a, -b, -c, -d);
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
