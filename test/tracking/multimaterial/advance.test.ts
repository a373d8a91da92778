import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { advanceLimits, advanceVertices } from '../../../src/tracking/multimaterial/advance.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { resolveOptions } from '../../../src/tracking/multimaterial/options.ts';
import {
  buildCellBlock,
  buildQuarteredSphere,
  buildSpheres,
} from '../../../src/tracking/multimaterial/shapes.ts';
import { Tracker } from '../../../src/tracking/multimaterial/tracker.ts';
import { validateMesh } from '../../../src/tracking/multimaterial/validate.ts';
import { findIntersection } from './oracle.ts';

const options = resolveOptions({ minEdge: 0.1, maxEdge: 0.3 });
const create = (shape: LabelledTriangles) => new Tracker(buildMultiMesh(shape), options);

/** Proposes a displacement for every vertex. */
function advance(
  tracker: Tracker,
  move: (x: number, y: number, z: number, v: number) => readonly number[],
  limits = advanceLimits,
) {
  const { mesh } = tracker;
  const proposed = mesh.position.slice(0, 3 * mesh.vertexFill);
  for (let v = 0; v < mesh.vertexFill; v++) {
    const [x, y, z] = mesh.position.subarray(3 * v, 3 * v + 3);
    move(x, y, z, v).forEach((d, k) => {
      proposed[3 * v + k] += d;
    });
  }
  return advanceVertices(tracker, proposed, limits);
}

describe('collision-safe motion', () => {
  it('leaves free motion alone, to the last bit', () => {
    const tracker = create(buildQuarteredSphere({ levels: 2 }));
    const wanted = tracker.mesh.position.slice(0, 3 * tracker.mesh.vertexFill).map((x) => 1.5 * x);
    const report = advanceVertices(tracker, wanted.slice());
    expect(tracker.mesh.position.slice(0, wanted.length)).toEqual(wanted);
    expect(report).toEqual({ proximityImpulses: 0, collisionImpulses: 0, rounds: 0, zoned: 0, frozen: 0 });
  });

  it('stops two spheres driven through each other', () => {
    for (const speed of [0.3, 1, 5]) {
      const tracker = create(
        buildSpheres([
          { levels: 2, centre: [-1.1, 0, 0] },
          { levels: 2, centre: [1.1, 0.05, 0], label: 2 },
        ]),
      );
      const report = advance(tracker, (x) => [x < 0 ? speed : -speed, 0, 0]);
      expect(report.collisionImpulses).toBeGreaterThan(0);
      expect(findIntersection(tracker.mesh)).toBeUndefined();
      // Still side by side: no tunnelling.
      const { position } = tracker.mesh;
      const half = (3 * tracker.mesh.vertexCount) / 2;
      const mean = (from: number) => {
        let sum = 0;
        for (let n = from; n < from + half; n += 3) sum += position[n];
        return sum / (half / 3);
      };
      expect(mean(half) - mean(0)).toBeGreaterThan(0.5);
    }
  });

  it('ends without intersections whatever is proposed', () => {
    const shapes = [
      () => buildQuarteredSphere({ levels: 1 }),
      () => buildCellBlock(2, 0),
      () =>
        buildSpheres([
          { levels: 1 },
          { levels: 1, radius: 0.5, label: 2 },
          { levels: 1, centre: [1.6, 0, 0], radius: 0.5, label: 3 },
        ]),
    ];
    let frozen = 0;
    let zoned = 0;
    let free = 0;
    fc.assert(
      fc.property(
        fc.integer(),
        fc.nat(2),
        fc.constantFrom(0.02, 0.2, 2),
        fc.nat(2),
        (seed, which, size, means) => {
          // Every means alone and all together: impulses first, zones first, nothing but the last resort.
          const limits = [
            advanceLimits,
            { impulseRounds: 0, zoneRounds: 6 },
            { impulseRounds: 0, zoneRounds: 0 },
          ][means];
          const random = createRandom(seed);
          const tracker = create(shapes[which]());
          for (let step = 0; step < 3; step++) {
            const report = advance(tracker, () => [0, 1, 2].map(() => size * (random.next() - 0.5)), limits);
            frozen += report.frozen;
            zoned += report.zoned;
            if (report.rounds === 0) free++;
            expect(findIntersection(tracker.mesh)).toBeUndefined();
          }
          validateMesh(tracker.mesh);
        },
      ),
      { numRuns: 36, seed: 5 },
    );
    expect(free).toBeGreaterThan(10);
    expect(zoned).toBeGreaterThan(10);
    expect(frozen).toBeGreaterThan(10);
  });

  it('refuses positions that are no numbers', () => {
    const tracker = create(buildSpheres([{ levels: 0 }]));
    expect(() => advance(tracker, (_x, _y, _z, v) => [v === 3 ? Number.NaN : 0, 0, 0])).toThrow(/vertex 3/);
  });
});
