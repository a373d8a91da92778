/** All orders of some things, in the order of a dictionary. */
export function listPermutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, n) => listPermutations(items.toSpliced(n, 1)).map((rest) => [first, ...rest]));
}
