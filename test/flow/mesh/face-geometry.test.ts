import { describe, expect, it } from 'vitest';
import { AREA } from '../../../src/flow/mesh/face-geometry.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import { startScene } from '../../methods/lattice/scenes.ts';

describe('forms of faces', () => {
  const { state } = startScene({
    domain: [
      [0.1, -0.3, 0.7],
      [1.3, 0.9, 1.9],
    ],
    resolution: 0.04,
    liquids: [sphere([0.7, 0.3, 1.3], 0.47)],
    options: { interiorLevels: 2 },
  });
  const { mesh, derived } = state;
  const { faceVertex, faceCount } = derived.topology;
  const { faceForm, form } = derived.geometry;

  it('are those of the vertices, at three levels', () => {
    expect(Math.max(...mesh.tetLevel)).toBe(2);
    const corner = (f: number, i: number) =>
      [0, 1, 2].map((a) => mesh.position[3 * faceVertex[3 * f + i] + a]);
    let worst = 0;
    for (let f = 0; f < faceCount; f++) {
      const [p, q, r] = [0, 1, 2].map((i) => corner(f, i));
      const [u, v] = [q, r].map((s) => s.map((x, a) => x - p[a]));
      const vector = [0, 1, 2].map((a) => {
        const [b, c] = [(a + 1) % 3, (a + 2) % 3];
        return 0.5 * (u[b] * v[c] - u[c] * v[b]);
      });
      const area = Math.hypot(...vector);
      for (let a = 0; a < 3; a++) worst = Math.max(worst, Math.abs(form[faceForm[f] + a] - vector[a]) / area);
      worst = Math.max(worst, Math.abs(form[faceForm[f] + AREA] / area - 1));
    }
    expect(worst).toBeLessThan(1e-11);
  });

  it('are shared by most faces', () => {
    const uses = new Map<number, number>();
    for (const row of faceForm) uses.set(row, (uses.get(row) ?? 0) + 1);
    const shared = [...uses.values()].filter((n) => n > 1);
    // 3 levels, and of each at most the faces of four shapes in 24 positions of the cube.
    expect(shared.length).toBeLessThan(300);
    expect(shared.reduce((a, b) => a + b, 0)).toBeGreaterThan(0.55 * faceCount);
  });
});
