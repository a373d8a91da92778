import { describe, expect, it } from 'vitest';
import { buildCornerNormals } from '../../src/geometry/corner-normals.ts';
import { validateClosedMesh } from '../../src/geometry/mesh-defects.ts';
import { box, capsule, cylinder, difference, ellipsoid, sphere, torus } from '../../src/geometry/shapes.ts';
import { contourShape } from '../../src/mesh/contour-shape.ts';
import {
  joinMeshes,
  tessellateBox,
  tessellateCapsule,
  tessellateCylinder,
  tessellateEllipsoid,
  tessellateTorus,
} from '../../src/mesh/tessellate.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';

const shapes = {
  box: {
    mesh: tessellateBox([-1, 0, 2], [0.5, 3, 2.5]),
    field: box([-1, 0, 2], [0.5, 3, 2.5]),
    volume: 2.25,
  },
  ellipsoid: {
    mesh: tessellateEllipsoid([1, 2, 3], [0.5, 1, 2]),
    field: ellipsoid([1, 2, 3], [0.5, 1, 2]),
    volume: (4 / 3) * Math.PI,
  },
  cylinder: {
    mesh: tessellateCylinder([0, 0, 1], [1, 2, 3], 0.5),
    field: cylinder([0, 0, 1], [1, 2, 3], 0.5),
    volume: Math.PI * 0.25 * 3,
  },
  capsule: {
    mesh: tessellateCapsule([0, 0, 1], [0, 0, -1], 0.5),
    field: capsule([0, 0, 1], [0, 0, -1], 0.5),
    volume: Math.PI * 0.25 * 2 + (4 / 3) * Math.PI * 0.125,
  },
  torus: {
    mesh: tessellateTorus([0, 1, 0], [1, 1, 0], 1, 0.25),
    field: torus([0, 1, 0], [1, 1, 0], 1, 0.25),
    volume: 2 * Math.PI ** 2 * 0.0625,
  },
};

function listPoints({ position, vertexCount }: TriMesh): [number, number, number][] {
  return Array.from({ length: vertexCount }, (_, v) => [
    position[3 * v],
    position[3 * v + 1],
    position[3 * v + 2],
  ]);
}

describe('tessellated shapes', () => {
  for (const [name, { mesh, field, volume }] of Object.entries(shapes)) {
    it(`${name}: closed, outward, its vertices on the shape, its volume the shape's`, () => {
      validateClosedMesh(mesh, name);
      for (const p of listPoints(mesh)) expect(Math.abs(field.value(...p))).toBeLessThan(1e-9);
      // 64 segments lose 0.16 % of a circle, and 32 as much of a tube's as 64 of four: 0.6 %.
      expect(measureVolume(mesh) / volume).toBeGreaterThan(0.99);
      expect(measureVolume(mesh) / volume).toBeLessThan(1 + 1e-9);
    });
  }

  it('joined meshes keep all their triangles', () => {
    const { box: a, torus: b } = shapes;
    const joined = joinMeshes([a.mesh, b.mesh]);
    expect(joined.triangleCount).toBe(a.mesh.triangleCount + b.mesh.triangleCount);
    expect(measureVolume(joined)).toBeCloseTo(measureVolume(a.mesh) + measureVolume(b.mesh), 12);
  });
});

describe('contour of a field', () => {
  it('keeps the edges and corners of a box and the round of a hole', () => {
    const shape = difference(box([0, 0, 0], [1, 0.7, 0.4]), sphere([0.5, 0.35, 0.4], 0.25));
    const mesh = contourShape(shape);
    validateClosedMesh(mesh, 'contour');
    const points = listPoints(mesh);
    for (const p of points) expect(Math.abs(shape.value(...p))).toBeLessThan(2e-3);
    for (let corner = 0; corner < 8; corner++) {
      const c = [corner & 1 ? 1 : 0, corner & 2 ? 0.7 : 0, corner & 4 ? 0.4 : 0];
      const nearest = Math.min(...points.map((p) => Math.hypot(p[0] - c[0], p[1] - c[1], p[2] - c[2])));
      // A cell is 16 mm; surface nets would cut the corner by half of it.
      expect(nearest).toBeLessThan(1e-3);
    }
    const volume = 0.28 - (2 / 3) * Math.PI * 0.25 ** 3;
    expect(measureVolume(mesh) / volume).toBeCloseTo(1, 2);
  });

  it('is the same at any scale', () => {
    const small = contourShape(sphere([0, 0, 0], 1e-3));
    const large = contourShape(sphere([0, 0, 0], 1e3));
    expect(small.triangleCount).toBe(large.triangleCount);
    expect(measureVolume(small) / measureVolume(large)).toBeCloseTo(1e-18, 20);
  });
});

it('corner normals: one per side on a box, radial on a sphere', () => {
  const { mesh } = shapes.box;
  const flat = buildCornerNormals(mesh);
  for (let c = 0; c < flat.length; c += 3)
    expect(Math.max(...flat.subarray(c, c + 3).map(Math.abs))).toBeCloseTo(1, 12);
  const ball = tessellateEllipsoid([0, 0, 0], [1, 1, 1]);
  const round = buildCornerNormals(ball);
  for (let c = 0; c < 3 * ball.triangleCount; c++) {
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += round[3 * c + k] * ball.position[3 * ball.triangle[c] + k];
    expect(cosine).toBeGreaterThan(0.999);
  }
});
