/**
 * Labelled surfaces made ready to draw: orientation, split vertices, normals, curves, and what is left out of
 * the picture.
 */
import { describe, expect, it } from 'vitest';
import { prepareSurface, toFields } from '../../viewer/src/data/prepare.ts';
import type { SurfaceData } from '../../viewer/src/data/types.ts';
import { computeSection, listDrawnCurves, listDrawnFaces } from '../../viewer/src/view/visible.ts';
import { buildLabelledFrame } from './labelled-run.ts';
import { prepareShape } from './labelled-surface.ts';

const at = ({ position }: SurfaceData, v: number) => [...position.subarray(3 * v, 3 * v + 3)];

describe('a double bubble', () => {
  it('is round up to the curve where its sheets meet', () => {
    const { position, normal, triangle, regions } = prepareShape('double-bubble');
    let least = 1;
    for (let f = 0; f < regions.front.length; f++) {
      if (regions.front[f] !== 0) continue;
      for (let k = 0; k < 3; k++) {
        const v = 3 * triangle[3 * f + k];
        // Caps of radius 0.27 about (0.5 -+ 0.135, 0.5, 0.5).
        const side = position[3 * triangle[3 * f]] + position[3 * triangle[3 * f + 1]] < 1 ? -1 : 1;
        const centre = [0.5 + side * 0.135, 0.5, 0.5];
        let cosine = 0;
        for (let d = 0; d < 3; d++) cosine += (normal[v + d] * (position[v + d] - centre[d])) / 0.27;
        least = Math.min(least, cosine);
      }
    }
    expect(least).toBeGreaterThan(0.999999);
  });
});

describe('a ball of four materials', () => {
  const ball = prepareShape('ball');
  const { regions, triangle, normal } = ball;

  it('has its labels, and the lower one in front of every face, however the file wound it', () => {
    expect([...regions.labels]).toEqual([0, 1, 2, 3, 4]);
    expect(regions.front.every((label, f) => label < regions.back[f])).toBe(true);
    // Outer faces point away from the middle.
    let inwards = 0;
    for (let f = 0; f < regions.front.length; f++) {
      if (regions.front[f] !== 0) continue;
      const [a, b, c] = [0, 1, 2].map((k) => at(ball, triangle[3 * f + k]));
      const u = b.map((x, i) => x - a[i]);
      const v = c.map((x, i) => x - a[i]);
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      if (n[0] * (a[0] - 0.5) + n[1] * (a[1] - 0.5) + n[2] * (a[2] - 0.5) <= 0) inwards++;
    }
    expect(inwards).toBe(0);
  });

  it('has a normal of its own for each sheet, along the curves too', () => {
    const least = { outer: 1, inner: 1 };
    for (let f = 0; f < regions.front.length; f++) {
      for (let k = 0; k < 3; k++) {
        const v = triangle[3 * f + k];
        const n = normal.subarray(3 * v, 3 * v + 3);
        const p = at(ball, v).map((x) => (x - 0.5) / 0.4);
        // Outside the ball's own normal; inside, the walls lie in the planes x = 0.5 and y = 0.5.
        if (regions.front[f] === 0)
          least.outer = Math.min(least.outer, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
        else least.inner = Math.min(least.inner, Math.max(Math.abs(n[0]), Math.abs(n[1])));
      }
    }
    // Up to the curves, and to the poles, where curves cross.
    expect(least.outer).toBeGreaterThan(0.999999);
    expect(least.inner).toBeGreaterThan(0.999999);
  });

  it('has the curves of two great circles and of the axis, with junctions where they cross', () => {
    // Levels 4: an octahedron edge is 16 segments; 8 half-meridians of 16, and the axis of 32.
    expect(regions.curve.length / 6).toBe(8 * 16 + 32);
    expect(regions.junction.length / 3).toBe(2);
    expect([...regions.junction].map((x) => Number(x.toFixed(4))).sort()).toEqual(
      [0.5, 0.5, 0.9, 0.5, 0.5, 0.1].sort(),
    );
    const faces = (s: number) => regions.curveFaceStart[s + 1] - regions.curveFaceStart[s];
    const counts = new Set(Array.from({ length: regions.curve.length / 6 }, (_, s) => faces(s)));
    expect([...counts].sort()).toEqual([3, 4]);
  });

  it('keeps the numbering of the file for picks, and its fields', () => {
    const { mesh } = buildLabelledFrame({ shape: 'ball' }, 0);
    expect(regions.vertexCount).toBe(mesh.vertexCount);
    expect(ball.position.length / 3).toBeGreaterThan(mesh.vertexCount);
    let wrong = 0;
    for (let c = 0; c < triangle.length; c++) {
      const v = regions.vertexOf[triangle[c]];
      if (!mesh.triangle.subarray(c - (c % 3), c - (c % 3) + 3).includes(v)) wrong++;
      if (ball.position[3 * triangle[c]] !== Math.fround(mesh.position[3 * v])) wrong++;
    }
    expect(wrong).toBe(0);
    expect(ball.fields.find(({ name }) => name === 'velocity')?.values.length).toBe(ball.position.length);
  });

  it('leaves out outer faces, and regions that are off, with the curves that only they had', () => {
    const all = regions.front.length;
    const inner = listDrawnFaces(ball, { hidden: [], hideOuter: true });
    expect(inner.length).toBe(regions.front.filter((label) => label !== 0).length);
    expect(inner.length).toBeGreaterThan(0);
    const three = listDrawnFaces(ball, { hidden: [2], hideOuter: false });
    // Faces of region 2 to the outside go; its walls to 1 and 3 stay, as those regions' own.
    expect(three.length).toBe(all - regions.front.filter((l, f) => l === 0 && regions.back[f] === 2).length);
    const none = listDrawnFaces(ball, { hidden: [1, 2, 3, 4], hideOuter: false });
    expect(none.length).toBe(0);
    expect(listDrawnCurves(regions, all, none).segments.length).toBe(0);
    const quarter = listDrawnFaces(ball, { hidden: [2, 3, 4], hideOuter: false });
    const { segments, points } = listDrawnCurves(regions, all, quarter);
    // Two meridians and the axis.
    expect(segments.length / 6).toBe(2 * 32 + 32);
    expect(points.length / 3).toBe(2);
  });

  it('is sliced along closed outlines', () => {
    const faces = listDrawnFaces(ball, { hidden: [], hideOuter: false });
    const section = computeSection(ball, faces, { axis: 2, offset: 0.55, side: 1 });
    // A circle of radius sqrt(0.4^2 - 0.05^2), and two diameters of walls.
    let length = 0;
    for (let i = 0; i < section.length; i += 6) {
      length += Math.hypot(...[0, 1, 2].map((k) => section[i + 3 + k] - section[i + k]));
      expect(section[i + 2]).toBeCloseTo(0.55, 5);
    }
    const radius = Math.sqrt(0.4 ** 2 - 0.05 ** 2);
    expect(length).toBeGreaterThan(0.99 * (2 * Math.PI + 4) * radius);
    expect(length).toBeLessThan(1.001 * (2 * Math.PI + 4) * radius);
  });
});

describe('cells', () => {
  it('keep their corners: a block is not shaded round', () => {
    const { normal, triangle, regions } = prepareShape('cells');
    const leaning = triangle.filter((v) => {
      const [x, y, z] = normal.subarray(3 * v, 3 * v + 3);
      return Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < 0.999;
    });
    expect(leaning.length).toBe(0);
    // 3 x 3 x 3 cells: lattice points inside the block and inside its sides. Along the block's edges a curve
    // only turns the corner.
    expect(regions.junction.length / 3).toBe(2 ** 3 + 6 * 2 ** 2);
  });
});

describe('a surface without labels', () => {
  it('stays as it was', () => {
    const { mesh, vertexFields } = buildLabelledFrame({ shape: 'bubble' }, 0);
    const surface = prepareSurface({
      position: mesh.position,
      triangle: mesh.triangle,
      fields: toFields(vertexFields, {}),
    });
    expect(surface.regions).toBeUndefined();
    expect(surface.position.length / 3).toBe(mesh.vertexCount);
    expect(listDrawnFaces(surface, { hidden: [], hideOuter: true }).length).toBe(mesh.triangleCount);
  });
});
