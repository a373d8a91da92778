import { describe, expect, it } from 'vitest';
import { NONE } from '../../../../src/core/types.ts';
import { RegionPotentials } from '../../../../src/methods/films/circulation/potentials.ts';
import { burstFilm } from '../../../../src/methods/films/events/burst.ts';
import { buildMultiMesh } from '../../../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../../src/tracking/multimaterial/options.ts';
import { buildDoubleSphere } from '../../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../../src/tracking/multimaterial/validate.ts';

/** Circulation of a pair at a vertex. */
const circulation = (rows: RegionPotentials, v: number, i: number, j: number) =>
  rows.value[rows.find(v, i)] - rows.value[rows.find(v, j)];

describe('circulations through remeshing', () => {
  it('splits are linear whatever constants the ends carry', () => {
    const rows = new RegionPotentials();
    rows.set(0, 0, 5);
    rows.set(0, 1, 6);
    rows.set(1, 0, -100);
    rows.set(1, 1, -97);
    rows.onSplit(2, 0, 1, 0.25);
    expect(circulation(rows, 2, 1, 0)).toBeCloseTo(0.75 * 1 + 0.25 * 3, 12);
  });

  it('a collapse keeps the regions of both ends and their circulations around the curve', () => {
    const rows = new RegionPotentials();
    rows.set(0, 0, 0);
    rows.set(0, 1, 2);
    rows.set(1, 1, 10);
    rows.set(1, 2, 13);
    rows.set(1, 0, 8);
    rows.onCollapse(0, 1, 0.5);
    expect(circulation(rows, 0, 1, 0)).toBeCloseTo(2, 12);
    expect(circulation(rows, 0, 2, 1)).toBeCloseTo(3, 12);
    const around = circulation(rows, 0, 1, 0) + circulation(rows, 0, 2, 1) + circulation(rows, 0, 0, 2);
    expect(Math.abs(around)).toBeLessThan(1e-12);
  });

  it('a separation copies, more regions than a row holds widen all rows, renumbering keeps rows', () => {
    const rows = new RegionPotentials();
    for (let r = 0; r < 20; r++) rows.set(3, r, r * r);
    rows.set(1, 7, 4);
    rows.onSeparate(5, 3);
    expect(circulation(rows, 5, 19, 2)).toBe(19 * 19 - 4);
    rows.renumber(Int32Array.from([NONE, 0, NONE, 1, NONE, 2]));
    expect(rows.value[rows.find(0, 7)]).toBe(4);
    expect(circulation(rows, 2, 19, 2)).toBe(19 * 19 - 4);
    expect(rows.find(3, 0)).toBe(NONE);
  });
});

describe('a film that bursts', () => {
  const build = () => {
    const surface = buildDoubleSphere({ centre: [0, 0, 0], radius: 1, distance: 1, edge: 0.4 });
    const tracker = new Tracker(buildMultiMesh(surface), resolveOptions({ minEdge: 0.2, maxEdge: 0.6 }));
    const rows = new RegionPotentials();
    const { mesh } = tracker;
    for (let v = 0; v < mesh.vertexFill; v++)
      for (let c = mesh.vertexCorner[v]; c !== NONE; c = mesh.cornerNextAtVertex[c])
        for (let side = 0; side < 2; side++) {
          const region = mesh.label[2 * ((c / 3) | 0) + side];
          rows.set(v, region, region * 10 + mesh.position[3 * v + 2]);
        }
    return { tracker, rows };
  };

  it('between two bubbles makes one of both volumes, closed', () => {
    const { tracker, rows } = build();
    const before = measureRegions(tracker.mesh);
    const removed = burstFilm(tracker, rows, 2, 1);
    expect(removed).toBeGreaterThan(10);
    validateMesh(tracker.mesh);
    const after = measureRegions(tracker.mesh);
    expect(after.map(({ label }) => label)).toEqual([0, 1]);
    expect(after[1].volume).toBeCloseTo(before[1].volume + before[2].volume, 10);
    // Circulation against the outside was the same up to a constant of each bubble: now it is one field.
    for (let v = 0; v < tracker.mesh.vertexFill; v++)
      if (tracker.mesh.isVertex(v)) expect(circulation(rows, v, 1, 0)).toBeCloseTo(10, 9);
  });

  it('into the outside leaves the other bubble', () => {
    const { tracker, rows } = build();
    const before = measureRegions(tracker.mesh);
    burstFilm(tracker, rows, 2, 0);
    validateMesh(tracker.mesh);
    const after = measureRegions(tracker.mesh);
    expect(after.map(({ label }) => label)).toEqual([0, 1]);
    expect(after[1].volume).toBeCloseTo(before[1].volume, 10);
  });
});
