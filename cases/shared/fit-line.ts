/** Slope of y over x through points (x, y), by least squares. */
export function fitSlope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (x: number, y: number) => number) =>
    points.reduce((sum, [x, y]) => sum + of(x, y), 0) / points.length;
  const [x, y] = [mean((a) => a), mean((_, b) => b)];
  return mean((a, b) => (a - x) * (b - y)) / mean((a) => (a - x) ** 2);
}
