/** Union and find over numbers: each set is named by its least member. Cost: next to constant a call. */

/** For every number the next on the way to the one that names its set, which is its own. */
type Parents = Int32Array | number[];

export function createSets(count: number): Int32Array {
  const parent = new Int32Array(count);
  for (let n = 0; n < count; n++) parent[n] = n;
  return parent;
}

/** Paths are halved on the way. */
export function findRoot(parent: Parents, n: number): number {
  let root = n;
  while (parent[root] !== root) {
    parent[root] = parent[parent[root]];
    root = parent[root];
  }
  return root;
}

export function unite(parent: Parents, m: number, n: number): void {
  const a = findRoot(parent, m);
  const b = findRoot(parent, n);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}
