/** The rings vertex velocities are fitted to, against sets gathered in the plainest way. */
import { expect, it } from 'vitest';
import { NONE } from '../../../src/core/types.ts';
import { buildVertexToTet, VertexRing } from '../../../src/flow/velocity/vertex-ring.ts';
import { sphere } from '../../../src/geometry/shapes.ts';
import { heap, startScene } from '../../methods/lattice/scenes.ts';

const FULL_RING = 18;
const { mesh, derived } = startScene({
  domain: [
    [0, 0, 0],
    [1, 1, 1],
  ],
  resolution: 0.1,
  liquids: [sphere([0.5, 0.51, 0.49], 0.33)],
}).state;
const { tet, vertexCount, tetCount } = mesh;
const { tetToFace, tetToTet, faceToTet } = derived.topology;

it('lists the tets around every vertex, and each face of its ring once', () => {
  const scope = heap.scope('test');
  const { start, tet: around } = buildVertexToTet(mesh, scope);
  const ofVertex: number[][] = Array.from({ length: vertexCount }, () => []);
  for (let n = 0; n < 4 * tetCount; n++) ofVertex[tet[n]].push(n >> 2);
  const ring = new VertexRing(tet, tetToFace, tetToTet, start, around, scope.i32(4096), scope.f64(4096));
  let wide = 0;
  for (let v = 0; v < vertexCount; v++) {
    expect(Array.from(around.subarray(start[v], start[v + 1]))).toEqual(ofVertex[v]);
    const tets = new Set(ofVertex[v]);
    if (tets.size < FULL_RING) {
      wide++;
      for (const t of ofVertex[v])
        for (let i = 0; i < 4; i++) for (const s of ofVertex[tet[4 * t + i]]) tets.add(s);
    }
    ring.gather(v);
    expect(new Set(ring.tets.subarray(0, ring.tetCount))).toEqual(tets);
    expect(ring.tetCount).toBe(tets.size);
    const shares = new Map<number, number>();
    for (const t of tets)
      for (let i = 0; i < 4; i++) {
        const f = tetToFace[4 * t + i];
        const whole = faceToTet[2 * f + 1] === NONE ? 1 : 0.5;
        shares.set(f, (shares.get(f) ?? 0) + whole);
      }
    const listed = new Map<number, number>();
    for (let n = 0; n < ring.faceCount; n++) listed.set(ring.face[n], ring.share[n]);
    expect(ring.faceCount).toBe(shares.size);
    expect(listed).toEqual(shares);
  }
  expect(wide).toBeGreaterThan(100);
  expect(wide).toBeLessThan(vertexCount);
});
