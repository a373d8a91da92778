import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/core/types.ts';
import { stuff } from '../../src/mesh/lattice/stuff.ts';
import { extractBoundary, measureQuality, validateTetMesh } from '../../src/mesh/quality.ts';
import type { TetMesh } from '../../src/mesh/tetmesh.ts';
import { buildTopology, FACE_OF_TET } from '../../src/mesh/topology.ts';
import { torus } from './shapes.ts';

/** Two tets that share the face (1, 2, 3). */
const PAIR: TetMesh = {
  vertexCount: 5,
  tetCount: 2,
  position: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1),
  tet: Int32Array.of(0, 1, 2, 3, 4, 1, 3, 2),
};

const withTets = (...tet: number[]): TetMesh => ({
  ...PAIR,
  tet: Int32Array.from(tet),
  tetCount: tet.length / 4,
});

describe('buildTopology', () => {
  it('links two tets across their common face', () => {
    const topology = buildTopology(PAIR);
    expect(topology.faceCount).toBe(7);
    expect([...topology.tetToTet]).toEqual([1, NONE, NONE, NONE, 0, NONE, NONE, NONE]);
    const f = topology.tetToFace[0];
    expect(topology.tetToFace[4]).toBe(f);
    expect([...topology.faceToTet.subarray(2 * f, 2 * f + 2)]).toEqual([0, 1]);
    expect([...topology.faceVertex.subarray(3 * f, 3 * f + 3)]).toEqual([1, 2, 3]);
  });

  it('agrees with a map over all faces of a stuffed torus', () => {
    const mesh = stuff(
      { value: torus(0.7, 0.3) },
      { origin: [-1.1, -1.1, -0.4], size: 0.1, cells: [22, 22, 8] },
      {
        maxLevel: 1,
      },
    );
    const topology = buildTopology(mesh);
    const seen = new Map<string, number[]>();
    for (let half = 0; half < 4 * mesh.tetCount; half++) {
      const corner = [0, 1, 2].map((c) => mesh.tet[(half & ~3) + FACE_OF_TET[3 * (half & 3) + c]]);
      const key = corner.toSorted((a, b) => a - b).join();
      seen.set(key, [...(seen.get(key) ?? []), half]);
    }
    expect(topology.faceCount).toBe(seen.size);
    for (const halves of seen.values()) {
      const [a, b] = halves;
      const f = topology.tetToFace[a];
      const expected = b === undefined ? [a >> 2, NONE] : [a >> 2, b >> 2];
      if (topology.faceToTet[2 * f] !== expected[0] || topology.faceToTet[2 * f + 1] !== expected[1])
        throw new Error(`face ${f}`);
      if (topology.tetToTet[a] !== expected[1]) throw new Error(`tet ${a >> 2}`);
      if (b !== undefined && (topology.tetToFace[b] !== f || topology.tetToTet[b] !== a >> 2))
        throw new Error(`${b}`);
    }
    // A torus: vertices - edges + faces - tets = 0.
    const edges = new Set<number>();
    for (let t = 0; t < mesh.tetCount; t++)
      for (let i = 0; i < 4; i++)
        for (let j = 0; j < 4; j++) {
          const [v, w] = [mesh.tet[4 * t + i], mesh.tet[4 * t + j]];
          if (v < w) edges.add(v * mesh.vertexCount + w);
        }
    expect(mesh.vertexCount - edges.size + topology.faceCount - mesh.tetCount).toBe(0);
  });

  it('handles an empty mesh and refuses a face shared by three', () => {
    expect(buildTopology({ ...PAIR, tetCount: 0, tet: new Int32Array(0) }).faceCount).toBe(0);
    expect(() => buildTopology(withTets(0, 1, 2, 3, 4, 1, 3, 2, 0, 1, 2, 3))).toThrow(/three tets/);
  });
});

describe('quality and validation', () => {
  it('measures a corner of a cube and a regular tetrahedron', () => {
    const corner = measureQuality(withTets(0, 1, 2, 3));
    expect(corner.volume).toBeCloseTo(1 / 6, 15);
    expect(corner.minDihedral).toBeCloseTo(Math.acos(1 / Math.sqrt(3)) * (180 / Math.PI), 10);
    expect(corner.maxDihedral).toBeCloseTo(90, 10);
    expect(corner.histogram.reduce((a, b) => a + b)).toBe(6);
    const regular = measureQuality(withTets(4, 1, 3, 2));
    expect(regular.minDihedral).toBeCloseTo(Math.acos(1 / 3) * (180 / Math.PI), 10);
    expect(regular.maxDihedral).toBeCloseTo(regular.minDihedral, 10);
    expect(regular.volume).toBeCloseTo(1 / 3, 15);
  });

  it('accepts a good mesh and names the fault of a bad one', () => {
    expect(() => validateTetMesh(PAIR)).not.toThrow();
    expect(() => validateTetMesh(withTets(0, 1, 3, 2, 4, 1, 3, 2))).toThrow(/tet 0 has volume -/);
    expect(() => validateTetMesh(withTets(0, 1, 2, 3))).toThrow(/vertex 4 belongs to no tet/);
    expect(() => validateTetMesh(withTets(0, 1, 2, 3, 4, 1, 3, 9))).toThrow(/vertex 9 of 5/);
    const folded = { ...PAIR, position: PAIR.position.slice(), tet: Int32Array.of(0, 1, 2, 3, 4, 1, 2, 3) };
    folded.position.set([-1, -1, -1], 12);
    expect(() => validateTetMesh(folded)).toThrow(/same side of face/);
  });

  it('extracts the boundary facing outwards', () => {
    const boundary = extractBoundary(PAIR, buildTopology(PAIR));
    expect([boundary.vertexCount, boundary.triangleCount]).toEqual([5, 6]);
    let volume = 0;
    for (let f = 0; f < 6; f++) {
      const [a, b, c] = [0, 1, 2].map((k) => boundary.position.subarray(3 * boundary.triangle[3 * f + k]));
      volume +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) +
          a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    expect(volume).toBeCloseTo(0.5, 14);
    expect([...boundary.newToOld].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
