/**
 * What the tracker does not look at again must be what a second look would not change: each shortcut against
 * the long way round.
 */
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { advanceVertices } from '../../../src/tracking/multimaterial/advance.ts';
import { buildMultiMesh } from '../../../src/tracking/multimaterial/build.ts';
import { Candidates } from '../../../src/tracking/multimaterial/candidates.ts';
import { collapseEdge } from '../../../src/tracking/multimaterial/collapse.ts';
import { type Finds, PairFinder } from '../../../src/tracking/multimaterial/collision.ts';
import {
  createCurvatureFlow,
  proposeByCurvature,
} from '../../../src/tracking/multimaterial/flows/mean-curvature.ts';
import { createGrowth, proposeByNormals } from '../../../src/tracking/multimaterial/flows/normal.ts';
import { improveMesh } from '../../../src/tracking/multimaterial/improve.ts';
import { measureArea } from '../../../src/tracking/multimaterial/measure.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import { FIND_SIZE, FIND_VERTEX } from '../../../src/tracking/multimaterial/pair-test.ts';
import { separateVertex, separateVertices } from '../../../src/tracking/multimaterial/separate.ts';
import { buildCellBlock, buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';

/** Later than any edit of these tests: every vertex then counts as just touched, and nothing is skipped. */
const ALWAYS = 2 ** 28;

/** Cells shaken a little, so that edges of every length and angles of every size are there. */
function buildShaken(seed: number, shake: number): Tracker {
  const source = buildCellBlock(2, 4);
  const random = createRandom(seed);
  const position = Float64Array.from(source.position, (x) => x + shake * (random.next() - 0.5));
  const options = resolveOptions({ minEdge: 0.09, maxEdge: 0.2 });
  const tracker = new Tracker(buildMultiMesh({ ...source, position }), options);
  tracker.flow = createCurvatureFlow(tracker);
  return tracker;
}

const takeBytes = ({ mesh }: Tracker) => {
  const { ints, floats } = mesh.snapshot();
  return [...ints, ...floats].map((array) => [...array]);
};

it('improvement and separation skip only what they would leave as it is', () => {
  for (let seed = 1; seed <= 2; seed++) {
    const [quick, thorough] = [buildShaken(seed, 0.02), buildShaken(seed, 0.02)];
    thorough.mesh.known.touchedAt.fill(ALWAYS);
    thorough.mesh.known.touch = () => {};
    const before = takeBytes(quick);
    let separations = 0;
    for (let n = 0; n < 3; n++) {
      improveMesh(quick);
      separations += separateVertices(quick, 'area');
      improveMesh(thorough);
      separateVertices(thorough, 'area');
      expect(takeBytes(quick)).toEqual(takeBytes(thorough));
    }
    expect(separations).toBeGreaterThan(10);
    expect(takeBytes(quick)).not.toEqual(before);
    const refused = (t: Tracker) =>
      Object.entries(t.events).reduce((sum, [name, n]) => sum + (name.includes('refused') ? n : 0), 0);
    expect(refused(quick)).toBeLessThan(refused(thorough));
  }
});

it('a refused edit leaves what is known, an edit that stands touches the stars it changed', () => {
  const tracker = buildShaken(5, 0.02);
  const { mesh } = tracker;
  separateVertices(tracker, 'area');
  let [refused, done] = [0, 0];
  for (let e = 0; e < mesh.edgeFill && done < 10; e++) {
    if (!mesh.isEdge(e)) continue;
    const { known } = mesh;
    const regular = [...known.isRegular];
    const touched = [...known.touchedAt];
    const [a, b] = [mesh.edgeVertex[2 * e], mesh.edgeVertex[2 * e + 1]];
    const ring = [a, b].filter((v) => mesh.isVertex(v));
    if (collapseEdge(tracker, e)) {
      done++;
      for (const v of ring) expect(known.touchedAt[v]).toBe(known.clock);
    } else {
      refused++;
      expect([...known.isRegular]).toEqual(regular);
      expect([...known.touchedAt]).toEqual(touched);
    }
  }
  expect(refused).toBeGreaterThan(5);
  expect(done).toBeGreaterThan(0);
});

const listPairs = ({ data, count }: Finds) =>
  Array.from({ length: count }, (_, n) =>
    data.slice(FIND_SIZE * n + FIND_VERTEX, FIND_SIZE * n + FIND_VERTEX + 4).join(' '),
  ).sort();

it('a motion leaves all pairs that end near for merging', () => {
  const options = resolveOptions({ minEdge: 0.1, maxEdge: 0.28, mergeProximity: 0.3 });
  const tracker = new Tracker(
    buildMultiMesh(
      buildSpheres([
        { levels: 3, centre: [-1.05, 0, 0] },
        { levels: 3, centre: [1.05, 0.02, 0.01], label: 2 },
      ]),
    ),
    options,
  );
  const grow = { speed: createGrowth(1), curves: 'outer' as const };
  let impulses = 0;
  for (let n = 0; n < 4; n++) {
    impulses += advanceVertices(tracker, proposeByNormals(tracker, grow, 0.02)).collisionImpulses;
    const { mesh, buffers, length } = tracker;
    const near = listPairs(tracker.endingNear!);
    const x = mesh.position;
    const all = new PairFinder(mesh, buffers, options.maxEdge, x, x, options.mergeProximity * length);
    expect(near).toEqual(listPairs(all.findAll(true)));
    if (n > 1) expect(near.length).toBeGreaterThan(20);
  }
  expect(impulses).toBeGreaterThan(0);
});

it('the strength of a separation by area is the area that it takes off', () => {
  const tracker = buildShaken(7, 0.005);
  // One turn of the flow makes the junctions unlike each other.
  advanceVertices(tracker, proposeByCurvature(tracker, 1e-4));
  const finder = new Candidates(tracker, 'area');
  let compared = 0;
  for (let v = 0; v < tracker.mesh.vertexFill && compared < 20; v++) {
    const found: Parameters<Candidates['add']>[1] = [];
    if (tracker.mesh.isVertex(v)) finder.add(v, found);
    if (found.length === 0) continue;
    const before = measureArea(tracker.mesh);
    const { moved, direction, strength } = found[0];
    if (separateVertex(tracker, v, moved, direction, 'safety') < 0) continue;
    const loss = before - measureArea(tracker.mesh);
    // A pull that had to be shortened or turned takes off less.
    if (Math.abs(loss - strength) < 1e-12) compared++;
  }
  expect(compared).toBe(20);
});
