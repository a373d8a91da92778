/** Small sheets for the tests of the films method. */
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { type Air, type AirConstants, createAir } from '../../../src/methods/films/air/air.ts';
import { createFilmSums } from '../../../src/methods/films/air/sums.ts';
import { buildSheet } from '../../../src/methods/films/circulation/sheet.ts';
import { computeLegendre } from '../../../src/methods/films/start/start.ts';
import { buildMultiMesh, type LabelledTriangles } from '../../../src/tracking/multimaterial/build.ts';
import { buildSpheres } from '../../../src/tracking/multimaterial/shapes.ts';

/** Unit tension and density, no damping. */
export const unit: AirConstants = { tension: 1, density: 1, damping: 0, drag: 0, blur: 0.05 };

export function createTestAir(surface: LabelledTriangles, constants: AirConstants = unit): Air {
  const heap = createHeap();
  const threads = createSingleThread();
  const scope = heap.scope('test');
  const sheet = buildSheet(buildMultiMesh(surface), () => false, scope);
  return createAir(sheet, constants, createFilmSums({ heap, threads }), threads, scope);
}

/** Unit sphere with mode n of this amplitude. */
export function buildMode(levels: number, n: number, amplitude: number): LabelledTriangles {
  const sphere = buildSpheres([{ levels }]);
  const position = Float64Array.from(sphere.position);
  for (let v = 0; v < position.length; v += 3) {
    const factor = 1 + amplitude * computeLegendre(n, position[v + 2]);
    for (let k = 0; k < 3; k++) position[v + k] *= factor;
  }
  return { ...sphere, position };
}

/** Amplitude of mode n in the shape of an air's sheet. */
export function measureMode({ sheet }: Air, n: number): number {
  const p = sheet.position;
  let above = 0;
  let below = 0;
  for (let v = 0; v < p.length; v += 3) {
    const r = Math.hypot(p[v], p[v + 1], p[v + 2]);
    const legendre = computeLegendre(n, p[v + 2] / r);
    above += (r - 1) * legendre;
    below += legendre * legendre;
  }
  return above / below;
}
