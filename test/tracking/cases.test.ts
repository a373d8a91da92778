import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import type { Vec3 } from '../../src/core/types.ts';
import {
  AMBIGUOUS_FACES,
  CASE_LOOPS,
  EDGE_CORNERS,
  findLoops,
  type Loops,
} from '../../src/mesh/marching/cases.ts';
import { measureSurface } from '../../src/tracking/contouring/surface.ts';
import { boxWalls, buildSpace, contourOf, countUnmatchedEdges, randomField } from './contours.ts';

const isInside = (pattern: number, corner: number) => ((pattern >> corner) & 1) === 1;
const isCrossing = (pattern: number, edge: number) => {
  const [a, b] = EDGE_CORNERS[edge];
  return isInside(pattern, a) !== isInside(pattern, b);
};
const onFace = (edge: number, axis: number, side: number) =>
  EDGE_CORNERS[edge].every((corner) => ((corner >> axis) & 1) === side);

/** Consecutive edges of the loops that lie on one face, as "from>to" with the edge's place on that face. */
function segmentsOnFace(loops: Loops, axis: number, side: number): string[] {
  // The same edge seen from the two cells of a face differs by its side along the axis only.
  const place = (edge: number) => EDGE_CORNERS[edge].map((corner) => corner & ~(1 << axis)).join(',');
  const segments: string[] = [];
  for (const loop of loops)
    loop.forEach((edge, n) => {
      const next = loop[(n + 1) % loop.length];
      if (onFace(edge, axis, side) && onFace(next, axis, side))
        segments.push(`${place(edge)}>${place(next)}`);
    });
  return segments.sort();
}

describe('marching cases', () => {
  it('has loops that use every crossing edge once and run over faces', () => {
    let loops = 0;
    for (let pattern = 0; pattern < 256; pattern++) {
      const used = CASE_LOOPS[pattern].flat();
      const crossing = Array.from({ length: 12 }, (_, e) => e).filter((e) => isCrossing(pattern, e));
      expect([...used].sort((a, b) => a - b)).toEqual(crossing);
      for (const loop of CASE_LOOPS[pattern]) {
        loops++;
        expect(loop.length).toBeGreaterThanOrEqual(3);
        loop.forEach((edge, n) => {
          const next = loop[(n + 1) % loop.length];
          const shared = [0, 1, 2].flatMap((axis) => [0, 1].map((side) => [axis, side]));
          expect(shared.some(([axis, side]) => onFace(edge, axis, side) && onFace(next, axis, side))).toBe(
            true,
          );
        });
      }
    }
    // 254 cases cross; the count of loops with separated inside corners is a property of the rule.
    expect(CASE_LOOPS[0]).toEqual([]);
    expect(CASE_LOOPS[255]).toEqual([]);
    expect(loops).toBeGreaterThan(254);
  });

  it('turns counter-clockwise around a single inside corner seen from outside', () => {
    for (let corner = 0; corner < 8; corner++) {
      const [loop] = CASE_LOOPS[1 << corner];
      const centre = [corner & 1, (corner >> 1) & 1, corner >> 2];
      const points = loop.map((edge) => {
        const [a, b] = EDGE_CORNERS[edge];
        return [0, 1, 2].map((axis) => (((a >> axis) & 1) + ((b >> axis) & 1)) / 2 - centre[axis]);
      });
      const [p, q, r] = points;
      const volume =
        p[0] * (q[1] * r[2] - q[2] * r[1]) +
        p[1] * (q[2] * r[0] - q[0] * r[2]) +
        p[2] * (q[0] * r[1] - q[1] * r[0]);
      expect(volume).toBeCloseTo(1 / 8, 12);
    }
  });

  it('separates inside corners on two-diagonal faces, and agrees with the neighbour on every face', () => {
    for (let axis = 0; axis < 3; axis++) {
      const patternToSegments = new Map<string, string[]>();
      for (let side = 0; side < 2; side++)
        for (let pattern = 0; pattern < 256; pattern++) {
          const corners = Array.from({ length: 8 }, (_, c) => c).filter((c) => ((c >> axis) & 1) === side);
          const face = corners.map((c) => (isInside(pattern, c) ? 1 : 0)).join('');
          let segments = segmentsOnFace(CASE_LOOPS[pattern], axis, side);
          // The neighbour walks the same segments the other way.
          if (side === 1) segments = segments.map((s) => s.split('>').reverse().join('>')).sort();
          const known = patternToSegments.get(face);
          if (known) expect(segments).toEqual(known);
          else patternToSegments.set(face, segments);
          if (face === '1001' || face === '0110') {
            expect(segments.length).toBe(2);
            for (const segment of segments) {
              const [from, to] = segment.split('>').map((s) => s.split(',').map(Number));
              const [shared] = from.filter((c) => to.includes(c));
              expect(isInside(pattern, shared | (side << axis))).toBe(true);
            }
          }
        }
      expect(patternToSegments.size).toBe(16);
    }
  });
});

describe('joined faces', () => {
  it('run around the outside corners, use every crossing edge once and leave the other faces as they were', () => {
    let joinedCases = 0;
    for (let pattern = 0; pattern < 256; pattern++)
      for (let joined = 1; joined < 64; joined++) {
        if ((joined & ~AMBIGUOUS_FACES[pattern]) !== 0) continue;
        joinedCases++;
        const loops = findLoops(pattern, joined);
        expect([...loops.flat()].sort((a, b) => a - b)).toEqual(
          [...CASE_LOOPS[pattern].flat()].sort((a, b) => a - b),
        );
        for (let face = 0; face < 6; face++) {
          const [axis, side] = [face >> 1, face & 1];
          const segments = segmentsOnFace(loops, axis, side);
          if (((joined >> face) & 1) === 0) {
            expect(segments).toEqual(segmentsOnFace(CASE_LOOPS[pattern], axis, side));
            continue;
          }
          expect(segments.length).toBe(2);
          for (const segment of segments) {
            const [from, to] = segment.split('>').map((s) => s.split(',').map(Number));
            const [shared] = from.filter((c) => to.includes(c));
            expect(isInside(pattern, shared | (side << axis))).toBe(false);
          }
        }
      }
    // 2 x 6 faces x 16 patterns of the other corners have one ambiguous face at least.
    expect(joinedCases).toBeGreaterThan(192);
  });
});

describe('contours of random fields', () => {
  const nodes: Vec3 = [13, 11, 18];
  const origin: Vec3 = [-0.3, 0.2, 5];
  const h = 0.07;

  it('are closed, oriented, and enclose about half of the space', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const f = randomField(seed, origin, h, nodes, -0.5);
      const { surface } = contourOf(buildSpace(origin, h, nodes), f, () => true);
      expect(surface.triangleCount).toBeGreaterThan(2000);
      expect(countUnmatchedEdges(surface)).toBe(0);
      const share = measureSurface(surface).volume / (h ** 3 * 12 * 10 * 17);
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.5);
    }
  });

  it('are closed against walls on and off the nodes', () => {
    const random = createRandom(7);
    for (let seed = 1; seed <= 12; seed++) {
      const shift = seed % 2 === 0 ? 0 : random.next();
      const low = origin.map((o) => o + (3 + shift) * h) as unknown as Vec3;
      const high = origin.map((o, a) => o + (nodes[a] - 4 - 0.7 * shift) * h) as unknown as Vec3;
      const f = randomField(seed, origin, h, nodes);
      const { surface } = contourOf(buildSpace(origin, h, nodes, boxWalls(low, high)), f, () => true);
      expect(countUnmatchedEdges(surface)).toBe(0);
      const { volume } = measureSurface(surface);
      const room = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
      expect(volume / room).toBeGreaterThan(0.15);
      expect(volume / room).toBeLessThan(0.75);
      const walls = surface.wall.reduce((sum, w) => sum + w, 0);
      expect(walls).toBeGreaterThan(50);
      for (let v = 0; v < surface.vertexCount; v++)
        for (let a = 0; a < 3; a++) {
          expect(surface.position[3 * v + a]).toBeGreaterThan(low[a] - 1e-9 * h);
          expect(surface.position[3 * v + a]).toBeLessThan(high[a] + 1e-9 * h);
        }
    }
  });
});
