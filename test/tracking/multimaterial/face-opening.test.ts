/** Regions that meet in a point come to share a face where that takes area off (face-opening.ts). */
import { describe, expect, it } from 'vitest';
import { findMeshIntersections } from '../../../cases/tracking/intersection-referee.ts';
import { buildCones, buildRandomVertex } from '../../../cases/tracking/random-vertices.ts';
import {
  buildMultiMesh,
  extractTriangles,
  type LabelledTriangles,
} from '../../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices, separateVertices } from '../../../src/tracking/multimaterial/separate.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';

const bounds = { minEdge: 0.3, maxEdge: 0.8 };
const [ABOVE, BELOW] = [4, 5];

/** Cones above and below, of this slope, and three wedges between them. */
const wedges = (slope: number) => (x: number, y: number, z: number) => {
  if (Math.abs(z) > slope * Math.hypot(x, y)) return z > 0 ? ABOVE : BELOW;
  return 1 + Math.floor((3 * (Math.atan2(y, x) + Math.PI)) / (2 * Math.PI) - 1e-9);
};
/** The cone over the faces of a cube. */
const sides = (x: number, y: number, z: number) => {
  const most = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  if (most === Math.abs(x)) return x > 0 ? 1 : 2;
  if (most === Math.abs(y)) return y > 0 ? 3 : 4;
  return z > 0 ? 5 : 6;
};

function createTracker(labelOf: (x: number, y: number, z: number) => number, contacts: boolean): Tracker {
  return new Tracker(buildMultiMesh(buildCones(2, labelOf)), resolveOptions({ ...bounds, contacts }));
}

const area = ({ mesh }: Tracker) => measureRegions(mesh).reduce((sum, region) => sum + region.area / 2, 0);

function hasEdgeOfFour(shape: LabelledTriangles): boolean {
  const { edgeValence, edgeFill } = buildMultiMesh(shape);
  return edgeValence.subarray(0, edgeFill).some((valence) => valence >= 4);
}

function countShared({ mesh }: Tracker, a: number, b: number): number {
  let count = 0;
  for (let f = 0; f < mesh.faceFill; f++)
    if (mesh.isFace(f) && mesh.label[2 * f] + mesh.label[2 * f + 1] === a + b)
      if (mesh.label[2 * f] === a || mesh.label[2 * f] === b) count++;
  return count;
}

function expectSound({ mesh }: Tracker): void {
  validateMesh(mesh);
  const { position, triangle } = extractTriangles(mesh);
  expect(findMeshIntersections(position, triangle).count).toBe(0);
}

describe('contact', () => {
  it('of blunt cones at the ends of a curve that has shrunk away, by a triangle; without it they are stuck', () => {
    const stuck = createTracker(wedges(0.35), false);
    expect(findIrregularVertices(stuck).length).toBe(1);
    expect(separateVertices(stuck, 'area')).toBe(0);

    const tracker = createTracker(wedges(0.35), true);
    const before = area(tracker);
    expect(countShared(tracker, ABOVE, BELOW)).toBe(0);
    expect(separateVertices(tracker, 'area')).toBe(1);
    expect(tracker.events['contact']).toBe(1);
    expect(countShared(tracker, ABOVE, BELOW)).toBe(1);
    expect(area(tracker)).toBeLessThan(before);
    expect(findIrregularVertices(tracker)).toEqual([]);
    expectSound(tracker);
  });

  it('is not made by pointed cones, which part', () => {
    const tracker = createTracker(wedges(2), true);
    expect(separateVertices(tracker, 'area')).toBe(1);
    expect(tracker.events['contact']).toBeUndefined();
    expect(countShared(tracker, ABOVE, BELOW)).toBe(0);
    expect(findIrregularVertices(tracker)).toEqual([]);
    expectSound(tracker);
  });

  it('of two sides of a cube of films, by a quadrilateral', () => {
    const tracker = createTracker(sides, true);
    const before = area(tracker);
    expect(separateVertices(tracker, 'area')).toBe(1);
    const shared = [
      [1, 2],
      [3, 4],
      [5, 6],
    ].map(([a, b]) => countShared(tracker, a, b));
    expect(shared.sort()).toEqual([0, 0, 2]);
    expect(area(tracker)).toBeLessThan(before);
    expect(findIrregularVertices(tracker)).toEqual([]);
    expectSound(tracker);
  });

  it('gives its corners what the vertex had, and leaves the mesh as it was where something is in the way', () => {
    const made: number[][] = [];
    const shape = buildCones(2, wedges(0.35));
    const tracker = new Tracker(buildMultiMesh(shape), resolveOptions({ ...bounds, contacts: true }), {
      onSeparate: (v, from) => made.push([v, from]),
    });
    const [middle] = findIrregularVertices(tracker);
    const isHeld = new Tracker(buildMultiMesh(shape), tracker.options, { isHeld: (v) => v === middle });
    expect(separateVertices(isHeld, 'area')).toBe(0);
    expect(separateVertices(tracker, 'area')).toBe(1);
    expect(made.map(([, from]) => from)).toEqual([middle, middle]);
    expect(new Set(made.map(([v]) => v)).size).toBe(2);

    // A crumb in the wedge that would draw back.
    const crumb = buildSpheres([{ levels: 0, radius: 8e-4, centre: [3e-3, 0, 0], label: 9 }]);
    const count = shape.position.length / 3;
    const blocked = new Tracker(
      buildMultiMesh({
        position: [...Array.from(shape.position), ...Array.from(crumb.position)],
        triangle: [...Array.from(shape.triangle), ...Array.from(crumb.triangle, (v) => v + count)],
        label: [
          ...Array.from(shape.label),
          ...Array.from(crumb.label, (label) => label || wedges(0.35)(1, 0, 0)),
        ],
      }),
      tracker.options,
    );
    expectSound(blocked);
    const before = extractTriangles(blocked.mesh);
    expect(separateVertices(blocked, 'area')).toBe(0);
    expect(blocked.events['contact refused: collision']).toBeGreaterThan(0);
    expect(extractTriangles(blocked.mesh)).toEqual(before);
  });

  it('leaves random vertices of five to eight regions sound and books what it takes', () => {
    let made = 0;
    let irregular = 0;
    const left = [0, 0];
    for (let n = 0; n < 160; n++) {
      const shape = buildRandomVertex(9000 + n, 5 + (n % 4));
      if (shape.triangle.length === 0) continue;
      [false, true].forEach((contacts, way) => {
        const tracker = new Tracker(buildMultiMesh(shape), resolveOptions({ ...bounds, contacts }));
        const { mesh } = tracker;
        const start = new Map(measureRegions(mesh).map((region) => [region.label, region.volume]));
        irregular += findIrregularVertices(tracker).length / 2;
        const before = area(tracker);
        separateVertices(tracker, 'area');
        // An edge of four faces may gain area at one end before the other follows.
        if (!hasEdgeOfFour(shape)) expect(area(tracker)).toBeLessThanOrEqual(before * (1 + 1e-12));
        left[way] += findIrregularVertices(tracker).length;
        made += tracker.events['contact'] ?? 0;
        expectSound(tracker);
        for (let h = 0; h < 2 * mesh.faceFill; h++)
          if (mesh.isFace(h >> 1)) start.set(mesh.label[h], start.get(mesh.label[h])! + mesh.debt[h]);
        for (const { label, volume } of measureRegions(mesh))
          expect(Math.abs(volume - start.get(label)!)).toBeLessThan(1e-12);
      });
    }
    expect(irregular).toBeGreaterThan(100);
    expect(made).toBeGreaterThan(10);
    expect(left[1]).toBeLessThan(0.6 * left[0]);
  });
});
