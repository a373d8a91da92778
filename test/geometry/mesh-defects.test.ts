import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { validateClosedMesh } from '../../src/geometry/mesh-defects.ts';
import type { TriMesh } from '../../src/mesh/trimesh.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { bunnyMesh, cubeMesh, flipMesh, joinMeshes, mapMesh, tetrahedronMesh, toMesh } from './meshes.ts';

const DOMAIN = { min: [0, 0, 0], max: [2, 2, 2] } as const;

function replace(
  mesh: TriMesh,
  change: { position?: [number, number][]; triangle?: [number, number][] },
): TriMesh {
  const position = mesh.position.slice();
  const triangle = mesh.triangle.slice();
  for (const [i, x] of change.position ?? []) position[i] = x;
  for (const [i, v] of change.triangle ?? []) triangle[i] = v;
  return { ...mesh, position, triangle };
}

describe('clean meshes pass', () => {
  it('cube, tetrahedron, two cubes, a shell with a solid in its cavity', () => {
    expect(validateClosedMesh(cubeMesh(), 'cube', DOMAIN)).toEqual({
      volume: 1,
      componentCount: 1,
      degenerateTriangles: 0,
    });
    expect(validateClosedMesh(tetrahedronMesh(), 'tetrahedron').volume).toBeCloseTo(1 / 6, 14);
    expect(validateClosedMesh(joinMeshes(cubeMesh(), cubeMesh([3, 0, 0])), 'two').componentCount).toBe(2);
    const shell = joinMeshes(cubeMesh(), flipMesh(cubeMesh([0.1, 0.1, 0.1], 0.8)));
    expect(validateClosedMesh(shell, 'shell').volume).toBeCloseTo(1 - 0.512, 12);
    const filled = joinMeshes(shell, cubeMesh([0.4, 0.4, 0.4], 0.2));
    expect(validateClosedMesh(filled, 'filled').componentCount).toBe(3);
  });

  it.each([
    [1, [0, 0, 0]],
    [1e3, [0, 0, 0]],
    [1e-3, [0, 0, 0]],
    [1e-3, [1e3, 1e3, 1e3]],
  ])('bunny scaled by %d at %j', (scale, by) => {
    const mesh = mapMesh(bunnyMesh(), scale, by);
    const report = validateClosedMesh(mesh, 'bunny');
    expect(report.volume / measureVolume(mesh)).toBeCloseTo(1, 9);
    expect(report.volume / scale ** 3).toBeGreaterThan(50);
    expect(report.degenerateTriangles).toBe(0);
  });

  it('a T-junction closed by a triangle without area is counted', () => {
    const mesh = toMesh(
      [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 0],
      [0, 2, 4, 4, 2, 1, 0, 4, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    );
    expect(validateClosedMesh(mesh, 'tee').degenerateTriangles).toBe(1);
  });
});

describe('each defect is named, with its place', () => {
  const cube = cubeMesh();
  const cases: [string, TriMesh, RegExp][] = [
    ['empty', toMesh([], []), /the mesh is empty: 0 vertices, 0 triangles/],
    [
      'NaN',
      replace(cube, { position: [[7, NaN]] }),
      /1 vertices .* not finite, first vertex 2 \(0, NaN, 0\)/,
    ],
    [
      'infinite',
      replace(cube, { position: [[0, Infinity]] }),
      /not finite, first vertex 0 \(Infinity, 0, 0\)/,
    ],
    ['index', replace(cube, { triangle: [[5, 8]] }), /triangle 1 refers to vertex 8, and there are 8/],
    ['negative index', replace(cube, { triangle: [[0, -1]] }), /triangle 0 refers to vertex -1/],
    ['repeated vertex', replace(cube, { triangle: [[1, 0]] }), /triangle 0 uses vertex 0 \(0, 0, 0\) twice/],
    [
      'open',
      { ...cube, triangleCount: 11, triangle: cube.triangle.slice(0, 33) },
      /surface is open: 3 edges .* first from vertex 1 \(1, 0, 0\) to vertex 5 \(1, 0, 1\) in triangle 4.*close the holes/,
    ],
    [
      'non-manifold edge',
      joinAtEdge(),
      /not manifold: 1 edges belong to more than two triangles, first from vertex 0 .* to vertex 3 .* in triangles 1, 2, 5, 6/,
    ],
    [
      'one turned triangle',
      replace(cube, {
        triangle: [
          [1, 3],
          [2, 2],
        ],
      }),
      /not oriented alike: 3 edges .*recalculate the normals/,
    ],
    [
      'pinched vertex',
      joinAtVertex(),
      /touches itself at 1 vertices, first at vertex 0 \(0, 0, 0\), where 2 sheets meet/,
    ],
    ['inside out', flipMesh(cube), /the mesh is inside out: its volume is -1 m\^3; flip the normals/],
    [
      'one part inside out',
      joinMeshes(cube, flipMesh(cubeMesh([2, 0, 0]))),
      /part 2 of 2 \(from triangle 12, at vertex 8 \(2, 0, 0\)\) is inside out/,
    ],
    [
      'nested solids',
      joinMeshes(cube, cubeMesh([0.25, 0.25, 0.25], 0.5)),
      /part 2 of 2 .* lies inside another part that is oriented the same way; .* cavity/,
    ],
    [
      'overlapping solids',
      joinMeshes(cube, cubeMesh([0.5, 0.25, 0.25])),
      /crosses or touches itself: triangles \d+ and \d+ meet at \(/,
    ],
    ['touching faces', joinMeshes(cube, cubeMesh([1, 0.25, 0.25], 0.5)), /crosses or touches itself/],
    ['flat pillow', toMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2, 0, 2, 1]), /crosses or touches itself/],
  ];
  it.each(cases)('%s', (_name, mesh, message) => {
    expect(() => validateClosedMesh(mesh, 'liquid.obj')).toThrow(InputError);
    expect(() => validateClosedMesh(mesh, 'liquid.obj')).toThrow(message);
    expect(() => validateClosedMesh(mesh, 'liquid.obj')).toThrow(/^liquid\.obj: /);
  });

  it('a spike pushed through the other side, at any scale', () => {
    for (const [scale, by] of [
      [1, 0],
      [1e-4, 0],
      [1e4, 0],
      [1, 1000],
    ]) {
      const spike = replace(bunnyMesh(), {});
      // Pull one vertex far across the body.
      for (let k = 0; k < 3; k++) spike.position[k] = [20, 5, 0][k];
      const mesh = mapMesh(spike, scale, [by, by, by]);
      let message = '';
      try {
        validateClosedMesh(mesh, 'spike');
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toMatch(/crosses or touches itself/);
      const place = /meet at \(([^)]*)\)/.exec(message)![1].split(',').map(Number);
      for (const x of place) expect(Math.abs(x - by) / scale).toBeLessThan(21);
    }
  });

  it('outside the domain, wholly and partly', () => {
    expect(() => validateClosedMesh(cubeMesh([5, 0, 0]), 'far', DOMAIN)).toThrow(
      /wholly outside the domain \[0, 0, 0\] to \[2, 2, 2\]: 8 of 8 vertices, farthest vertex 1 \(6, 0, 0\) by 4 m/,
    );
    expect(() => validateClosedMesh(cubeMesh([0, 1.5, 0]), 'edge', DOMAIN)).toThrow(
      /partly outside .*: 4 of 8 vertices, farthest vertex 2 \(0, 2.5, 0\) by 0.5 m/,
    );
    // Rounding of float32 files is not outside.
    validateClosedMesh(cubeMesh([0, 0, 0], 2 + 1e-7), 'rounded', DOMAIN);
  });
});

/** Two tetrahedra on either side of the edge 0-3, sharing it. */
function joinAtEdge(): TriMesh {
  const position = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0];
  const first = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
  const second = [0, 5, 4, 0, 4, 3, 0, 3, 5, 4, 5, 3];
  return toMesh(position, [...first, ...second]);
}

/** Two tetrahedra that share vertex 0 only. */
function joinAtVertex(): TriMesh {
  const position = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1];
  const first = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
  const second = [0, 4, 5, 0, 6, 4, 0, 5, 6, 4, 6, 5];
  return toMesh(position, [...first, ...second]);
}
