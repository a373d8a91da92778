/** The order in which films are laid over one another, against rays that meet them one by one. */
import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { DepthSorter } from '../../viewer/src/view/depth-sort.ts';
import { buildShape, type LabelledShape } from './labelled-run.ts';

type Vec = readonly [number, number, number];
const EYES: readonly Vec[] = [
  [2.5, -2, 1.5],
  [0.3, -3, 0.6],
  [-2, -1, 2.5],
];

/** Pairs of films on rays, and those of them that are drawn in the wrong order. */
function countPairs(shape: LabelledShape, raysPerEye: number): { pairs: number; wrong: number } {
  const source = buildShape(shape);
  const position = new Float32Array(source.position);
  const triangle = new Uint32Array(source.triangle);
  const faces = triangle.length / 3;
  const sorter = new DepthSorter();
  sorter.setFaces(
    position,
    triangle,
    Uint32Array.from({ length: faces }, (_, f) => f),
  );
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  geometry.setIndex(new BufferAttribute(triangle.slice(), 1));
  const tree = new MeshBVH(geometry, { indirect: true });
  const random = createRandom(3);
  const count = { pairs: 0, wrong: 0 };
  for (const eye of EYES) {
    const index = new Uint32Array(3 * faces);
    sorter.sort(eye, index);
    // Faces differ in their corners, so the three ids name them.
    const name = (array: Uint32Array, f: number) => array.subarray(3 * f, 3 * f + 3).join();
    const rank = new Map(Array.from({ length: faces }, (_, i) => [name(index, i), i]));
    for (let n = 0; n < raysPerEye; n++) {
      const toward = new Vector3(random.next(), random.next(), random.next()).sub(new Vector3(...eye));
      const hits = tree.raycast(new Ray(new Vector3(...eye), toward.normalize()), DoubleSide);
      hits.sort((a, b) => a.distance - b.distance);
      const ranks = hits.map(({ faceIndex }) => rank.get(name(triangle, faceIndex!))!);
      for (let i = 0; i < ranks.length; i++) {
        for (let j = i + 1; j < ranks.length; j++) {
          count.pairs++;
          if (ranks[i] < ranks[j]) count.wrong++;
        }
      }
    }
  }
  return count;
}

describe('films from back to front', () => {
  it('are in order for a hundred bubbles, under every ray', () => {
    const { pairs, wrong } = countPairs('hundred-bubbles', 1000);
    expect(pairs).toBeGreaterThan(1000);
    expect(wrong).toBe(0);
  });

  it('are in order where three sheets meet', () => {
    const { pairs, wrong } = countPairs('double-bubble', 600);
    expect(pairs).toBeGreaterThan(1000);
    expect(wrong).toBe(0);
  });

  it('are in order but for few even where triangles are as coarse as a quarter of a cell', () => {
    const { pairs, wrong } = countPairs('cells', 600);
    expect(pairs).toBeGreaterThan(1000);
    expect(wrong / pairs).toBeLessThan(1e-3);
  });

  it('are in order, the first and the last too, where they are close together and far away', () => {
    const random = createRandom(5);
    for (let n = 0; n < 200; n++) {
      const y = Float32Array.from({ length: 3 }, () => 3 + 1e-3 * random.next());
      const position = Float32Array.from({ length: 27 }, (_, i) => (i % 3 === 1 ? y[(i / 9) | 0] : 0));
      const sorter = new DepthSorter();
      const triangle = Uint32Array.from({ length: 9 }, (_, i) => i);
      sorter.setFaces(position, triangle, new Uint32Array([0, 1, 2]));
      const index = new Uint32Array(9);
      sorter.sort([0, 0.3, 0], index);
      const drawn = [index[0], index[3], index[6]].map((corner) => y[corner / 3]);
      expect(drawn).toEqual([...y].sort((a, b) => b - a));
    }
  });

  it('come back when the eye does, and leave out what is not listed', () => {
    const source = buildShape('bubble');
    const position = new Float32Array(source.position);
    const triangle = new Uint32Array(source.triangle);
    const faces = Uint32Array.from({ length: 100 }, (_, i) => 3 * i);
    const sorter = new DepthSorter();
    sorter.setFaces(position, triangle, faces);
    const [first, other, again] = [0, 1, 2].map(() => new Uint32Array(300));
    sorter.sort(EYES[0], first);
    sorter.sort(EYES[1], other);
    sorter.sort(EYES[0], again);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const corners = new Set([...faces].map((f) => triangle.subarray(3 * f, 3 * f + 3).join()));
    for (let i = 0; i < 300; i += 3) expect(corners).toContain(first.subarray(i, i + 3).join());
  });
});
