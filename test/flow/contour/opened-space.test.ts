/** Liquid and air on the two sides of a solid stay apart until it opens a way, and meet there when it does. */
import { describe, expect, it } from 'vitest';
import { type LatticeSetup, marchTo, startMarch } from '../../../cases/lattice/march.ts';
import { createHeap } from '../../../src/core/heap.ts';
import { createSingleThread } from '../../../src/core/threads/single.ts';
import { buildTranslation } from '../../../src/geometry/motions.ts';
import { box } from '../../../src/geometry/shapes.ts';

const resources = { heap: createHeap(), threads: createSingleThread() };
const CELL = 1 / 16;
const tank = { domain: { min: [0, 0, 0], max: [1.25, 0.25, 0.5] }, resolution: CELL } as const;
const behindDam = box([-1, -1, -1], [0.375, 1, 0.375]);
const STEP = 1 / 40;

/** Runs a scene and gives the share of its volume that was off at worst, and how far the liquid came. */
function run(setup: LatticeSetup, until: number): { off: number; reach: number } {
  const march = startMarch(setup, resources);
  const start = march.measure().volume!;
  let off = 0;
  marchTo(march, until, STEP, () => {
    off = Math.max(off, Math.abs(march.measure().volume! / start - 1));
  });
  const { position, vertexCount } = march.state.surface;
  let reach = 0;
  for (let v = 0; v < vertexCount; v++) reach = Math.max(reach, position[3 * v]);
  march.free();
  return { off, reach };
}

describe('space that a solid opens', () => {
  // At 0.1 s the lower edge of the first gate lies on the floor to rounding; that of the second passes it within a step.
  it.each([-0.1, -0.083])('a gate that rises from %s m lets the liquid through and no more', (bottom) => {
    const { off, reach } = run(
      {
        ...tank,
        liquid: behindDam,
        solids: [
          { shape: box([0.375, -1, bottom], [0.5, 2, 1]), motion: buildTranslation([0, 0, 1], { end: 0.3 }) },
        ],
      },
      0.3,
    );
    expect(off).toBeLessThan(0.01);
    expect(reach).toBeGreaterThan(0.6);
    expect(reach).toBeLessThan(1.2);
  });

  it('boxes that only touch hold the liquid back', () => {
    const wall = [box([0.375, -1, -1], [0.5, 2, 0.125]), box([0.375, -1, 0.125], [0.5, 2, 1])];
    const { off, reach } = run({ ...tank, liquid: behindDam, solids: wall }, 0.2);
    expect(off).toBeLessThan(1e-3);
    expect(reach).toBeLessThan(0.376);
  });
});
