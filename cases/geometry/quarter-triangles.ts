/** Each triangle in four. `addMiddle` makes the vertex in the middle of an edge, once for each edge. */
export function quarterTriangles(
  triangles: readonly (readonly number[])[],
  addMiddle: (a: number, b: number) => number,
): number[][] {
  const middles = new Map<number, number>();
  const split = (a: number, b: number) => {
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    let middle = middles.get(key);
    if (middle === undefined) {
      middle = addMiddle(a, b);
      middles.set(key, middle);
    }
    return middle;
  };
  return triangles.flatMap(([a, b, c]) => {
    const [ab, bc, ca] = [split(a, b), split(b, c), split(c, a)];
    return [
      [a, ab, ca],
      [ab, b, bc],
      [ca, bc, c],
      [ab, bc, ca],
    ];
  });
}
