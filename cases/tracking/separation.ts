/**
 * One random irregular vertex separated until all are regular ([da-2017] chapter 6), measured from outside.
 */
import { buildMultiMesh, extractTriangles } from '../../src/tracking/multimaterial/build.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices, separateVertices } from '../../src/tracking/multimaterial/separate.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../src/tracking/multimaterial/validate.ts';
import { findMeshIntersections } from './intersection-referee.ts';
import { buildRandomVertex } from './random-vertices.ts';

/** About the edges of the ball. */
const options = resolveOptions({ minEdge: 0.3, maxEdge: 0.8 });

export interface SeparationTally {
  irregular: number;
  separations: number;
  /** Irregular vertices left. */
  left: number;
  /** Greatest change of a region's volume by one separation, m^3 */
  change: number;
  intersections: number;
  /** Greatest difference between what is booked and what changed, m^3 */
  unbooked: number;
}

/** Separates one configuration and adds what happened to the tally. */
export function separateRandomVertex(seed: number, regions: number, tally: SeparationTally): void {
  const shape = buildRandomVertex(seed, regions);
  if (shape.triangle.length === 0) return;
  const measure = () => new Map(measureRegions(tracker.mesh).map((r) => [r.label, r.volume]));
  let last = new Map<number, number>();
  const tracker = new Tracker(buildMultiMesh(shape), options, {
    onSeparate() {
      const now = measure();
      for (const [label, volume] of now)
        tally.change = Math.max(tally.change, Math.abs(volume - (last.get(label) ?? 0)));
      last = now;
    },
  });
  const start = measure();
  last = start;
  tracker.flow = { separationStrength: () => 1 };
  tally.irregular += findIrregularVertices(tracker).length;
  tally.separations += separateVertices(tracker, 'client');
  tally.left += findIrregularVertices(tracker).length;
  const { mesh } = tracker;
  validateMesh(mesh);
  const { position, triangle } = extractTriangles(mesh);
  tally.intersections += findMeshIntersections(position, triangle).count;
  const booked = new Map<number, number>();
  for (let h = 0; h < 2 * mesh.faceFill; h++)
    if (mesh.isFace(h >> 1)) booked.set(mesh.label[h], (booked.get(mesh.label[h]) ?? 0) + mesh.debt[h]);
  for (const [label, volume] of measure()) {
    const off = volume - start.get(label)! - (booked.get(label) ?? 0);
    tally.unbooked = Math.max(tally.unbooked, Math.abs(off));
  }
}

export const createTally = (): SeparationTally => ({
  irregular: 0,
  separations: 0,
  left: 0,
  change: 0,
  intersections: 0,
  unbooked: 0,
});

/** The bound on a region's change by one separation, m^3 */
export const maxChange = options.maxTopologyChange * ((options.minEdge + options.maxEdge) / 2) ** 3;
