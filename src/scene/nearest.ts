/**
 * The nearest valid name, for messages about unknown keys, materials, scenes and commands. Cost O(names x
 * length^2).
 */

/**
 * Damerau-Levenshtein distance with adjacent swaps: the slips of a person at a keyboard, each counted once.
 */
export function computeEditDistance(a: string, b: string): number {
  const columns = b.length + 1;
  let beforeLast = new Int32Array(columns);
  let last = Int32Array.from({ length: columns }, (_, j) => j);
  let row = new Int32Array(columns);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    for (let j = 1; j < columns; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
      }
    }
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length];
}

/** A name within a name is near, but one slip away is nearer. */
const CONTAINED_DISTANCE = 1.5;

/** The candidate a misspelt name most likely meant, or undefined when nothing is near. */
export function findNearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // More than two slips in five letters is another word, not a misspelling.
  let bestDistance = Math.max(1, Math.floor(wanted.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const contained = wanted.length >= 3 && (other.includes(wanted) || wanted.includes(other));
    const distance = contained
      ? Math.min(CONTAINED_DISTANCE, computeEditDistance(wanted, other))
      : computeEditDistance(wanted, other);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "x"?`, or the list of what is valid when nothing is near. */
export function suggest(name: string, candidates: Iterable<string>): string {
  const all = [...candidates];
  const nearest = findNearest(name, all);
  if (nearest !== undefined) return `did you mean "${nearest}"?`;
  return `expected one of ${all.sort().join(', ')}`;
}
