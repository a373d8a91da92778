/**
 * The referee of labels: every region's half-faces must bound a volume. Turned so that they look out of their
 * region, the directed edges of all half-faces of a region must cancel: as often a to b as b to a. It shares
 * no code with the tracker and needs no positions. Also counts faces with one label on both sides, faces with
 * a repeated vertex and faces listed twice. Cost: linear.
 */

export function countLabelViolations(
  triangle: Int32Array | Uint32Array,
  label: Int32Array | Uint32Array,
): number {
  /** By edge, then by region: times along the edge less times against it. */
  const balance = new Map<number, Map<number, number>>();
  const seen = new Map<number, Set<number>>();
  let violations = 0;
  for (let f = 0; 3 * f < triangle.length; f++) {
    const [a, b, c] = [triangle[3 * f], triangle[3 * f + 1], triangle[3 * f + 2]];
    const [front, back] = [label[2 * f], label[2 * f + 1]];
    if (front === back || a === b || b === c || c === a) violations++;
    const [low, middle, high] = [a, b, c].sort((v, w) => v - w);
    const twins = seen.get(pair(low, middle)) ?? new Set<number>();
    if (twins.has(high)) violations++;
    seen.set(pair(low, middle), twins.add(high));
    for (const [v, w] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const key = pair(Math.min(v, w), Math.max(v, w));
      const regions = balance.get(key) ?? new Map<number, number>();
      balance.set(key, regions);
      // The normal looks out of the region behind; for the one in front the face winds the other way.
      const sign = v < w ? 1 : -1;
      regions.set(back, (regions.get(back) ?? 0) + sign);
      regions.set(front, (regions.get(front) ?? 0) - sign);
    }
  }
  for (const regions of balance.values()) for (const sum of regions.values()) if (sum !== 0) violations++;
  return violations;
}

/** Ids stay below 2^26, so that a pair fits a double. */
const pair = (low: number, high: number): number => low * 67108864 + high;
