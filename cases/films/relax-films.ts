/**
 * Films left to themselves without air: rounds of descent to the least area (least-area.ts) and of the
 * tracker's remeshing and T1s, until neither changes anything. Independent of the films method in all but the
 * tracker: no circulation, no time, no regularisation, no collisions (nothing moves far).
 */
import { createRandom } from '../../src/core/random.ts';
import type { Metres } from '../../src/core/types.ts';
import { buildMultiMesh, extractTriangles } from '../../src/tracking/multimaterial/build.ts';
import { improveMesh } from '../../src/tracking/multimaterial/improve.ts';
import { measureRegions } from '../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../src/tracking/multimaterial/options.ts';
import { findIrregularVertices, separateVertices } from '../../src/tracking/multimaterial/separate.ts';
import { Tracker } from '../../src/tracking/multimaterial/tracker.ts';
import { findLeastArea, type LabelledMesh } from './least-area.ts';

export interface RelaxedFilms {
  readonly mesh: LabelledMesh;
  readonly area: number;
  /** Of the last descent (least-area.ts). */
  readonly residual: number;
  readonly rounds: number;
  /** T1s done on the way: parted, brought together. */
  readonly t1: number;
  /**
   * Vertices where more than four regions meet, or as many in another way: T1s that the mesh is too coarse
   * for.
   */
  readonly irregular: number;
}

/** When each part of it ends. */
const DESCENT = {
  /** Iterations of descent in a round, and at the end, after which no edit comes. */
  iterations: 20,
  lastIterations: 200,
  /** Relative change of the area in each of so many rounds that ends the relaxation. */
  still: 1e-7,
  stillRounds: 3,
};
/** The films method's own defaults, in resolutions; distance of separation in mean edges. */
const EDGES = { shortest: 0.5, longest: 1.5, separation: 0.3 };

/** `mesh` is left as it is; volumes by region label stay those of `mesh`, or as given. */
export function relaxFilms(
  mesh: LabelledMesh,
  resolution: Metres,
  most: number,
  note?: (text: string) => void,
  volumes: ReadonlyMap<number, number> = measureVolumes(mesh),
): RelaxedFilms {
  const options = resolveOptions({
    minEdge: EDGES.shortest * resolution,
    maxEdge: EDGES.longest * resolution,
    separation: EDGES.separation,
    contacts: true,
  });
  let own: LabelledMesh = { ...mesh, position: mesh.position.slice() };
  let [area, residual, t1, irregular, still, rounds] = [Infinity, Infinity, 0, 0, 0, 0];
  while (rounds < most && still < DESCENT.stillRounds) {
    const least = findLeastArea(own, DESCENT.iterations, undefined, volumes);
    still = Math.abs(least.area / area - 1) < DESCENT.still ? still + 1 : 0;
    ({ area, residual } = least);
    const tracker = new Tracker(buildMultiMesh(own), options);
    improveMesh(tracker);
    t1 += separateVertices(tracker, 'area');
    irregular = findIrregularVertices(tracker).length;
    own = extractTriangles(tracker.mesh);
    rounds++;
    note?.(`round ${rounds}: area ${area.toPrecision(7)}, residual ${residual.toFixed(4)}, ${t1} T1s`);
  }
  // What the last edits did is smoothed out again.
  ({ area, residual } = findLeastArea(own, DESCENT.lastIterations, undefined, volumes));
  return { mesh: own, area, residual, rounds, t1, irregular };
}

export const measureVolumes = (mesh: LabelledMesh): Map<number, number> =>
  new Map(
    measureRegions(buildMultiMesh(mesh))
      .filter(({ label }) => label !== 0)
      .map(({ label, volume }) => [label, volume]),
  );

/** Every vertex moved by up to `distance` along each axis, at random. */
export function shakeFilms({ position, triangle, label }: LabelledMesh, distance: Metres): LabelledMesh {
  const random = createRandom(1);
  return { position: position.map((x) => x + distance * (2 * random.next() - 1)), triangle, label };
}
