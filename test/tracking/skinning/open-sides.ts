/** Sides of triangles that are not shared by exactly two, with opposite directions. */
export function countOpenSides(triangle: Int32Array): number {
  const sides = new Map<string, number>();
  for (let n = 0; n < triangle.length; n += 3)
    for (let i = 0; i < 3; i++) {
      const [v, w] = [triangle[n + i], triangle[n + ((i + 1) % 3)]];
      const key = v < w ? `${v} ${w}` : `${w} ${v}`;
      sides.set(key, (sides.get(key) ?? 0) + (v < w ? 1 : 100));
    }
  return [...sides.values()].filter((sum) => sum !== 101).length;
}
