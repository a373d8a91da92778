/**
 * The box grid against testing every box, through random histories; the order it finds things in; boxes of
 * moving primitives.
 */
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../src/core/random.ts';
import { BoxGrid } from '../../../src/geometry/collision/box-grid.ts';
import { setEdgeBox, setTriangleBox, setVertexBox } from '../../../src/geometry/collision/swept-box.ts';

/** Boxes whose sizes vary by `spread`; some on a lattice, so that faces touch exactly. */
function drawBox(random: Random, spread: number, offset = 0): Float64Array {
  const size = 0.1 * spread ** -random.next();
  const isOnLattice = random.nextInt(3) === 0;
  const low = [0, 1, 2].map(() => offset + (isOnLattice ? random.nextInt(8) / 8 : random.next()));
  const extent = [0, 1, 2].map(() => (isOnLattice ? random.nextInt(2) / 8 : size * random.next()));
  return Float64Array.from([...low, ...low.map((x, k) => x + extent[k])]);
}

const overlap = (p: Float64Array, q: Float64Array) =>
  [0, 1, 2].every((k) => p[k] <= q[3 + k] && p[3 + k] >= q[k]);

const listFound = (grid: BoxGrid, box: Float64Array) => {
  const count = grid.query(box);
  return [...grid.found.subarray(0, count)];
};

describe('box grid', () => {
  for (const [name, spread, cell, offset] of [
    ['boxes ten times apart in size', 10, 0.05, 0],
    ['a thousand times, far off', 1000, 0.05, 1e6],
    ['a cell much too small', 10, 1e-4, 0],
    ['a cell much too large', 10, 10, -3],
    ['cells too many to number', 10, 1e-12, 1e6],
  ] as const) {
    it(`finds what testing every box finds: ${name}`, () => {
      const random = createRandom(31);
      const grid = new BoxGrid(cell);
      const boxes = new Map<number, Float64Array>();
      let hits = 0;
      for (let step = 0; step < 1500; step++) {
        const id = random.nextInt(300);
        if (boxes.has(id) && random.nextInt(3) === 0) {
          grid.remove(id);
          boxes.delete(id);
        } else {
          // Half of the moves are small.
          const old = boxes.get(id);
          const box = old && random.nextInt(2) ? old.map((x) => x + 1e-3) : drawBox(random, spread, offset);
          grid.set(id, box);
          boxes.set(id, box);
        }
        if (step % 5) continue;
        const query = drawBox(random, step % 2 ? spread : 0.005, offset);
        const expected = [...boxes].filter(([, box]) => overlap(box, query)).map(([i]) => i);
        hits += expected.length;
        expect(listFound(grid, query)).toEqual(expected.sort((a, b) => a - b));
        expect(grid.count).toBe(boxes.size);
        expect(grid.has(id)).toBe(boxes.has(id));
      }
      expect(hits).toBeGreaterThan(500);
    });
  }

  it('finds the same, in the same order, whatever the history', () => {
    const random = createRandom(32);
    const worn = new BoxGrid(0.05);
    const boxes = new Map<number, Float64Array>();
    for (let step = 0; step < 3000; step++) {
      const id = random.nextInt(500);
      // Early boxes are large, so that levels have seen larger ones than they hold.
      const box = drawBox(random, step < 1000 ? 2 : 30);
      worn.set(id, box);
      boxes.set(id, box);
      if (step % 7 === 0) {
        worn.remove(id);
        boxes.delete(id);
      }
    }
    const fresh = new BoxGrid(0.05);
    for (const [id, box] of [...boxes].sort((p, q) => q[0] - p[0])) fresh.set(id, box);
    const scaled = new BoxGrid(0.05 * 1024);
    for (const [id, box] of boxes)
      scaled.set(
        id,
        box.map((x) => 1024 * x),
      );
    for (let n = 0; n < 300; n++) {
      const query = drawBox(random, n % 3 ? 0.3 : 10);
      const found = listFound(worn, query);
      expect(listFound(fresh, query)).toEqual(found);
      expect(
        listFound(
          scaled,
          query.map((x) => 1024 * x),
        ),
      ).toEqual(found);
    }
  });

  it('finds each box once when its stamps start anew', () => {
    const grid = new BoxGrid(0.01);
    const box = Float64Array.from([0, 0, 0, 0.03, 0.03, 0.03]);
    for (let id = 0; id < 5; id++) grid.set(id, box);
    (grid as unknown as { stamp: number }).stamp = 2 ** 30 - 4;
    for (let n = 0; n < 10; n++) expect(listFound(grid, box)).toEqual([0, 1, 2, 3, 4]);
  });

  it('can be cleared, and refuses what is no box', () => {
    const grid = new BoxGrid(1);
    grid.set(7, Float64Array.from([0, 0, 0, 1, 1, 1]));
    expect(listFound(grid, Float64Array.from([1, 1, 1, 2, 2, 2]))).toEqual([7]);
    grid.clear();
    expect(listFound(grid, Float64Array.from([1, 1, 1, 2, 2, 2]))).toEqual([]);
    expect(() => grid.set(1, Float64Array.from([0, 0, Number.NaN, 1, 1, 1]))).toThrow('box of 1');
    expect(() => grid.set(1, Float64Array.from([2, 0, 0, 1, 1, 1]))).toThrow('box of 1');
    expect(() => grid.remove(1)).toThrow('not in the grid');
    expect(() => new BoxGrid(0)).toThrow('finest cell');
  });
});

describe('boxes of moving primitives', () => {
  it('hold every moment, and all within reach', () => {
    const random = createRandom(33);
    const box = new Float64Array(6);
    for (let n = 0; n < 200; n++) {
      const draw = () => Float64Array.from({ length: 9 }, () => 1e3 + random.next());
      const x0 = draw();
      const x1 = draw();
      const reach = n % 2 ? 0.1 : 0;
      const check = (vertices: number[]) => {
        for (const v of vertices)
          for (const x of [x0, x1])
            for (let k = 0; k < 3; k++) {
              expect(box[k]).toBeLessThanOrEqual(x[3 * v + k] - reach);
              expect(box[3 + k]).toBeGreaterThanOrEqual(x[3 * v + k] + reach);
            }
        expect(box[3] - box[0]).toBeLessThan(1 + 2 * reach + 1e-9);
      };
      setVertexBox(x0, x1, 1, reach, box);
      check([1]);
      setEdgeBox(x0, x1, 2, 0, reach, box);
      check([0, 2]);
      setTriangleBox(x0, x1, 2, 0, 1, reach, box);
      check([0, 1, 2]);
    }
  });
});
