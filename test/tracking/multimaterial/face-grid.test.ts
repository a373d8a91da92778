import { expect, it } from 'vitest';
import { createRandom } from '../../../src/core/random.ts';
import { Buffers } from '../../../src/tracking/multimaterial/buffers.ts';
import { buildMultiMesh, compact } from '../../../src/tracking/multimaterial/build.ts';
import { FaceGrid } from '../../../src/tracking/multimaterial/face-grid.ts';
import type { MultiMesh } from '../../../src/tracking/multimaterial/mesh.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

/** Faces whose boxes overlap a box, by looking at all. */
function findByForce(mesh: MultiMesh, box: Float64Array): number[] {
  const found: number[] = [];
  for (let f = 0; f < mesh.faceFill; f++) {
    if (!mesh.isFace(f)) continue;
    const corners = [0, 1, 2].map((i) => 3 * mesh.face[3 * f + i]);
    const isMeeting = [0, 1, 2].every((k) => {
      const x = corners.map((o) => mesh.position[o + k]);
      return Math.min(...x) <= box[3 + k] && Math.max(...x) >= box[k];
    });
    if (isMeeting) found.push(f);
  }
  return found;
}

it('finds what overlaps, each face once, while faces move, come, go and are renumbered', () => {
  const random = createRandom(3);
  const mesh = buildMultiMesh(buildSpheres([{ levels: 3 }]));
  const grid = new FaceGrid(mesh, new Buffers(), 0.2);
  grid.refresh();
  const box = new Float64Array(6);
  let total = 0;
  const check = () => {
    for (let n = 0; n < 12; n++) {
      // Small, large and enormous boxes, some of them beyond the mesh.
      const size = [0.02, 0.3, 1, 1e6][n % 4];
      for (let k = 0; k < 3; k++) {
        const x = 3 * random.next() - 1.5;
        box[k] = x - size * random.next();
        box[3 + k] = x + size * random.next();
      }
      const count = grid.query(box);
      const found = [...grid.found.subarray(0, count)].sort((f, g) => f - g);
      expect(found).toEqual(findByForce(mesh, box));
      total += count;
    }
  };
  check();
  for (let round = 0; round < 12; round++) {
    // One by one, by less and by more than the grid's slack.
    for (let n = 0; n < 40; n++) {
      const v = Math.floor(random.next() * mesh.vertexFill);
      if (!mesh.isVertex(v)) continue;
      const reach = n % 2 === 0 ? 0.01 : 0.5;
      const [x, y, z] = [0, 1, 2].map((k) => mesh.position[3 * v + k] + reach * (random.next() - 0.5));
      mesh.setPosition(v, x, y, z);
      for (let f = 0; f < mesh.faceFill; f++) if (mesh.isFace(f) && mesh.hasVertex(f, v)) grid.set(f);
    }
    for (let n = 0; n < 20; n++) {
      const f = Math.floor(random.next() * mesh.faceFill);
      if (!mesh.isFace(f)) continue;
      const [a, b, c] = mesh.face.subarray(3 * f, 3 * f + 3);
      mesh.removeFace(f);
      grid.remove(f);
      if (n % 3 > 0) grid.set(mesh.addFace(a, c, b, 1, 0));
    }
    check();
    if (round % 3 === 0) {
      // All at once, a little or far; then the lists may be kept or not.
      const shift = round % 2 === 0 ? 0.005 : 3;
      for (let v = 0; v < mesh.vertexFill; v++) mesh.position[3 * v] += shift;
      grid.refresh();
      for (let v = 0; v < mesh.vertexFill; v++) mesh.position[3 * v] -= shift;
      grid.refresh();
      check();
    }
    if (round % 4 === 1) {
      grid.follow(compact(mesh).face);
      check();
    }
  }
  expect(total).toBeGreaterThan(10_000);
});
