/** The double bubble at rest of two volumes, the first the smaller: radii of its caps and its area. */
export function computeDoubleBubble(small: number, large: number): { radii: [number, number]; area: number } {
  const cap = (radius: number, height: number) => (Math.PI * height * height * (3 * radius - height)) / 3;
  // Of radii q and 1. Radii to the curve meet at 60 degrees, so the centres are d apart and the curve's
  // radius is a; the film between bulges into the larger one.
  const build = (q: number) => {
    const d = Math.sqrt(q * q + 1 - q);
    const a = (Math.sqrt(3) * q) / (2 * d);
    const heights = [q + (q * q - q / 2) / d, 1 + (1 - q / 2) / d];
    const between = q / (1 - q);
    const sagitta = q < 1 ? between - Math.sqrt(between * between - a * a) : 0;
    const bulge = q < 1 ? cap(between, sagitta) : 0;
    const film = q < 1 ? between * sagitta : (a * a) / 2;
    return {
      volumes: [cap(q, heights[0]) + bulge, cap(1, heights[1]) - bulge],
      area: 2 * Math.PI * (q * heights[0] + heights[1] + film),
    };
  };
  let [low, high] = [0, 1];
  for (let n = 0; n < 60; n++) {
    const q = (low + high) / 2;
    const { volumes } = build(q);
    if (volumes[0] / volumes[1] < small / large) low = q;
    else high = q;
  }
  const q = high;
  const { volumes, area } = build(q);
  const scale = Math.cbrt(large / volumes[1]);
  return { radii: [q * scale, scale], area: area * scale * scale };
}
