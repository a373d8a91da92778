import { describe, expect, it } from 'vitest';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { computeVertexNormals } from '../../src/tracking/contouring/vertex-normals.ts';
import { buildSpace, contourOf } from './contours.ts';

function normalsOf(mesh: TriMesh): Float64Array {
  const normal = new Float64Array(3 * mesh.vertexCount);
  computeVertexNormals(mesh, () => true, normal);
  return normal;
}

/**
 * A fan around the origin in a plane, its third spoke `short` long and its vertices off the plane by `noise`
 * at most.
 */
function fan(short: number, noise: number): TriMesh {
  const spokes = [1, 0.8, short, 1.1, 0.9, 1];
  const position = [0, 0, 0];
  const triangle: number[] = [];
  spokes.forEach((length, n) => {
    const angle = (2 * Math.PI * n) / spokes.length;
    position.push(length * Math.cos(angle), length * Math.sin(angle), n % 2 === 0 ? noise : -noise);
    triangle.push(0, 1 + n, 1 + ((n + 1) % spokes.length));
  });
  return {
    vertexCount: 7,
    triangleCount: 6,
    position: Float64Array.from(position),
    triangle: Int32Array.from(triangle),
  };
}

describe('vertex normals', () => {
  it('are exact on a sphere whose contour has edges of all lengths', () => {
    const frame = buildSpace([-1, -1, -1], 0.11, [20, 20, 20]);
    const { surface } = contourOf(frame, (x, y, z) => 0.83 - Math.hypot(x, y, z));
    const { position } = surface;
    for (let v = 0; v < surface.vertexCount; v++) {
      const radius = Math.hypot(position[3 * v], position[3 * v + 1], position[3 * v + 2]);
      for (let a = 0; a < 3; a++) position[3 * v + a] /= radius;
    }
    const normal = normalsOf(surface);
    let off = 0;
    for (let n = 0; n < normal.length; n++) if (Math.abs(normal[n] - position[n]) > 1e-9) off++;
    // Two short edges side by side have no middle to go to. Normals weighted by area are off by 0.05, all of
    // them.
    expect(off / normal.length).toBeLessThan(0.05);
    expect(normal.reduce((most, n, i) => Math.max(most, Math.abs(n - position[i])), 0)).toBeLessThan(0.03);
  });

  it.each([0.1, 1e-3, 1e-6, 1e-9])('do not follow the noise of an edge %f long', (short) => {
    const noise = 1e-7;
    const [x, y, z] = normalsOf(fan(short, noise));
    // The sliver's own normal is off by noise / short.
    expect(Math.hypot(x, y)).toBeLessThan(30 * noise);
    expect(z).toBeCloseTo(1, 9);
  });
});
