import { describe, expect, it } from 'vitest';
import { buildBoundary } from '../../cases/geometry/tet-boundary.ts';
import { findNeighbours, prepareSurface, prepareVolume } from '../../viewer/src/data/prepare.ts';
import { buildCut, computeCutValues } from '../../viewer/src/view/cut.ts';
import { buildTets } from './synthetic-run.ts';

const volume = prepareVolume({ ...buildTets('blob', 6, 0), fields: [] });
const tetCount = volume.tet.length / 4;
const edgeKey = (p: Float32Array, a: number, b: number) =>
  [a, b].map((c) => p.subarray(3 * c, 3 * c + 3).join(' ')).join(' | ');

describe('neighbours', () => {
  it('are mutual, and missing on exactly the boundary faces', () => {
    const neighbour = findNeighbours(volume.tet, volume.position.length / 3);
    let missing = 0;
    for (let f = 0; f < neighbour.length; f++) {
      if (neighbour[f] < 0) missing++;
      else expect([...neighbour.subarray(4 * neighbour[f], 4 * neighbour[f] + 4)]).toContain(f >> 2);
    }
    expect(missing).toBe(buildBoundary(buildTets('blob', 6, 0)).triangleCount);
  });
});

describe('cut', () => {
  const plane = { axis: 0, offset: 0.5, side: 1, shrink: 0 } as const;

  it('keeps the tets on one side and the others on the other', () => {
    const one = buildCut(volume, plane);
    const other = buildCut(volume, { ...plane, side: -1 });
    expect(one.keptTets).toBeGreaterThan(0.3 * tetCount);
    expect(one.keptTets + other.keptTets).toBe(tetCount);
    for (const t of one.faceToTet) expect(volume.centroid[3 * t]).toBeLessThanOrEqual(0.5);
  });

  it('shows a closed surface of whole faces, seen from outside', () => {
    const cut = buildCut(volume, plane);
    const edges = new Set<string>();
    let content = 0;
    for (let f = 0; f < cut.faceToTet.length; f++) {
      for (let k = 0; k < 3; k++) edges.add(edgeKey(cut.position, 3 * f + k, 3 * f + ((k + 1) % 3)));
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = cut.position.subarray(9 * f, 9 * f + 9);
      content += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
    }
    for (const edge of edges) expect(edges).toContain(edge.split(' | ').reverse().join(' | '));
    const volumes = volume.fields.find(({ name }) => name === 'tet volume')!.values;
    let kept = 0;
    for (let t = 0; t < tetCount; t++) if (volume.centroid[3 * t] <= 0.5) kept += volumes[t];
    expect(kept).toBeGreaterThan(0.01);
    expect(content).toBeCloseTo(kept, 5);
  });

  it('draws every kept tet apart when shrunk', () => {
    const cut = buildCut(volume, { ...plane, shrink: 0.25 });
    expect(cut.faceToTet.length).toBe(4 * cut.keptTets);
  });

  it('takes values from vertices and from cells', () => {
    const cut = buildCut(volume, plane);
    const byVertex = computeCutValues(
      cut,
      Float32Array.from({ length: volume.position.length / 3 }, (_, v) => v),
      'vertex',
    );
    const byCell = computeCutValues(
      cut,
      Float32Array.from({ length: tetCount }, (_, t) => 2 * t),
      'cell',
    );
    expect([...byVertex]).toEqual([...cut.cornerToVertex]);
    expect(byCell[5]).toBe(2 * cut.faceToTet[1]);
  });

  it('is empty beyond the liquid', () => {
    expect(buildCut(volume, { ...plane, offset: -1 }).faceToTet.length).toBe(0);
  });
});

describe('prepared meshes', () => {
  it('have unit normals that point out of the blob', () => {
    const surface = prepareSurface({ ...buildBoundary(buildTets('blob', 6, 0)), fields: [] });
    for (let v = 0; v < surface.position.length; v += 3) {
      const n = surface.normal.subarray(v, v + 3);
      const out = [0.5, 0.5, 0.45].map((c, k) => surface.position[v + k] - c);
      expect(Math.hypot(...n)).toBeCloseTo(1, 5);
      expect(n[0] * out[0] + n[1] * out[1] + n[2] * out[2]).toBeGreaterThan(0.7 * Math.hypot(...out));
    }
  });

  it('measure the regular tetrahedron', () => {
    const regular = [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1];
    const { fields } = prepareVolume({ position: regular, tet: [0, 1, 2, 3], fields: [] });
    expect(fields[0].values[0]).toBeCloseTo(70.5288, 3);
    expect(Math.abs(fields[1].values[0])).toBeCloseTo(8 / 3, 5);
  });
});
