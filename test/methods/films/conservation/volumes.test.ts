/**
 * Volumes: given back whatever took them, by the least motion, for bubbles, pieces of bubbles and open films.
 */
import { describe, expect, it } from 'vitest';
import { buildFilms } from '../../../../cases/films/march.ts';
import { createHeap } from '../../../../src/core/heap.ts';
import { createRandom } from '../../../../src/core/random.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { findCompartments } from '../../../../src/tracking/multimaterial/conservation/compartments.ts';
import {
  keepVolumes,
  measureMeant,
  moveKeepingVolumes,
} from '../../../../src/tracking/multimaterial/conservation/volumes.ts';
import { measureRegions } from '../../../../src/tracking/multimaterial/measure.ts';
import type { Tracker } from '../../../../src/tracking/multimaterial/tracker.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };

const start = (shapes: object[]) => buildFilms(resources, 0.25, { start: shapes }).state.tracker;
const cells = () => start([{ type: 'voronoi', min: [-1, -1, -1], max: [1, 1, 1], cells: 6 }]);

const volumesOf = ({ mesh }: Tracker) =>
  new Map(measureRegions(mesh).flatMap(({ label, volume }) => (label > 0 ? [[label, volume]] : [])));

function measureChange(tracker: Tracker, before: Map<number, number>): number {
  let worst = 0;
  for (const [label, volume] of volumesOf(tracker))
    worst = Math.max(worst, Math.abs(volume / before.get(label)! - 1));
  return worst;
}

describe('volumes of bubbles', () => {
  it('a motion that breathes is made one that keeps every volume, and otherwise goes where it should', () => {
    const tracker = cells();
    const { mesh } = tracker;
    const before = volumesOf(tracker);
    const random = createRandom(5);
    const proposed = mesh.position.slice(0, 3 * mesh.vertexFill);
    for (let n = 0; n < proposed.length; n++)
      proposed[n] = 1.005 * proposed[n] + 0.01 * (random.next() - 0.5) + (n % 3 === 0 ? 0.05 : 0);
    moveKeepingVolumes(tracker, undefined, proposed);
    expect(measureChange(tracker, before)).toBeLessThan(1e-7);
    let middle = 0;
    for (let v = 0; v < mesh.vertexFill; v++) middle += mesh.position[3 * v] / mesh.vertexFill;
    expect(middle).toBeGreaterThan(0.04);
  });

  it('what the books do not know of is found by the volumes that regions are meant to have', () => {
    const tracker = cells();
    const { mesh } = tracker;
    const before = volumesOf(tracker);
    const meant = measureMeant(tracker, undefined);
    expect(meant.size).toBe(6);
    for (let v = 0; v < mesh.vertexFill; v++) {
      const p = mesh.position;
      mesh.setPosition(v, 0.99 * p[3 * v], 0.995 * p[3 * v + 1], p[3 * v + 2]);
    }
    tracker.rebuildGrid();
    expect(measureChange(tracker, before)).toBeGreaterThan(0.01);
    expect(keepVolumes(tracker, undefined, meant)).toBeGreaterThan(0);
    expect(measureChange(tracker, before)).toBeLessThan(1e-4);
    // Settled: nothing moves any more.
    const at = mesh.position.slice();
    expect(keepVolumes(tracker, undefined, meant)).toBe(0);
    expect(mesh.position).toEqual(at);
  });

  it('pieces of one region keep their own volumes; crumbs count with the largest', () => {
    const bubble = (x: number, radius: number) => ({
      type: 'bubble',
      centre: [x, 0, 0],
      radius,
      divisions: 2,
      label: 1,
    });
    const two = findCompartments(start([bubble(-1.5, 1), bubble(1.5, 1.2)]), undefined);
    expect([two.count, [...two.label], [...two.isMain]]).toEqual([2, [1, 1], [0, 1]]);
    const crumb = findCompartments(start([bubble(-1.5, 0.1), bubble(1.5, 1.2)]), undefined);
    expect([crumb.count, [...crumb.isMain]]).toEqual([1, [1]]);
  });
});
