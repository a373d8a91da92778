/** The solve at wires: what it asks of the sums, and what becomes of one that fails. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/core/random.ts';
import { INVERSE_FOUR_PI } from '../../../../src/integrals/sum-kernels.ts';
import { type Air, move, updateGradients } from '../../../../src/methods/films/air/air.ts';
import { addSourceVelocity } from '../../../../src/methods/films/events/sources.ts';
import { buildSpheres } from '../../../../src/tracking/multimaterial/shapes.ts';
import { createTestAir } from '../sheets.ts';

/**
 * A bubble in moving air with a wire around its equator that stands still, and sums over the faces there that
 * are changed by `falsify`.
 */
function createWiredBubble(falsify: (sum: number) => number = (sum) => sum) {
  const plain = createTestAir(buildSpheres([{ levels: 3 }]));
  const count = { evaluated: 0, prepared: 0, applied: 0, freed: 0 };
  const air: Air = {
    ...plain,
    sums: {
      ...plain.sums,
      addUpPotential(...points) {
        count.evaluated++;
        plain.sums.addUpPotential(...points);
      },
      preparePotential(...points) {
        count.prepared++;
        const sum = plain.sums.preparePotential(...points);
        return {
          apply(strength, out) {
            count.applied++;
            sum.apply(strength, out);
            // A face's own term goes with the near pairs.
            const own = Array.from(strength, (s) => (INVERSE_FOUR_PI * s) / points[1]);
            for (let n = 0; n < out.length; n++) out[n] = own[n] + falsify(out[n] - own[n]);
          },
          free() {
            count.freed++;
            sum.free();
          },
        };
      },
    },
  };
  const { sheet } = air;
  const random = createRandom(5);
  for (let n = 0; n < sheet.entryCount; n++) sheet.potential[n] = 0.3 * random.next();
  const vertex: number[] = [];
  for (let v = 0; v < sheet.vertexCount; v++) if (Math.abs(sheet.position[3 * v + 2]) < 1e-9) vertex.push(v);
  air.hold = {
    vertex: Int32Array.from(vertex),
    velocity: new Float64Array(3 * vertex.length),
    wired: Int32Array.from(vertex, (_, n) => n),
  };
  updateGradients(air);
  return { air, count };
}

describe('the solve at wires', () => {
  it('makes the sum over its faces ready once, applies it in each iteration and frees it', () => {
    const { air, count } = createWiredBubble();
    move(air);
    const [{ iterations, residual, isSolved }] = air.wireSolves;
    expect(iterations).toBeGreaterThan(2);
    expect([residual < 2e-3, isSolved]).toEqual([true, true]);
    // Over all faces: before and after the solve.
    expect(count).toEqual({ evaluated: 2, prepared: 1, applied: iterations, freed: 1 });
  });

  it('leaves to sources what they move: films and source together move the air as the wire goes', () => {
    const { air } = createWiredBubble();
    const { sheet, gradients, flux } = air;
    const source = { region: 1, position: [0.1, 0.2, 0.1], rate: 5 } as const;
    air.addSources = (x, u) => addSourceVelocity([source], x, u);
    const rise = 0.7;
    for (let n = 2; n < air.hold!.velocity.length; n += 3) air.hold!.velocity[n] = rise;
    move(air);
    expect(air.wireSolves[0].isSolved).toBe(true);
    const blown = new Float64Array(3 * sheet.vertexCount);
    addSourceVelocity([source], sheet.position, blown);
    let [missed, moved] = [0, 0];
    for (const v of air.hold!.vertex)
      for (let n = sheet.entryStart[v]; n < sheet.entryStart[v + 1]; n++) {
        const g = gradients.volumeGradient.subarray(3 * n, 3 * n + 3);
        const bySource = g[0] * blown[3 * v] + g[1] * blown[3 * v + 1] + g[2] * blown[3 * v + 2];
        missed += (flux[n] + bySource - g[2] * rise) ** 2;
        moved += bySource ** 2;
      }
    expect(Math.sqrt(missed / moved)).toBeLessThan(2e-3);
  });

  const multiply = (factor: number) => (sum: number) => factor * sum;

  it('is undone where it made things worse, and says so', () => {
    // Sums against the near pairs leave an operator that is positive but weak: it converges, on far too great
    // a change.
    const { air, count } = createWiredBubble(multiply(-3));
    const before = air.sheet.potential.slice();
    move(air);
    const [{ iterations, residual, isSolved }] = air.wireSolves;
    expect(iterations).toBeGreaterThan(2);
    expect(isSolved).toBe(false);
    expect(residual).toBeCloseTo(1, 9);
    for (let n = 0; n < before.length; n++) expect(air.sheet.potential[n]).toBeCloseTo(before[n], 12);
    expect(count.freed).toBe(1);
  });

  it('ends where the operator is not positive, and keeps what had helped till then', () => {
    const { air, count } = createWiredBubble(multiply(-30));
    move(air);
    const [{ iterations, residual, isSolved }] = air.wireSolves;
    expect(count.applied).toBe(iterations + 1);
    expect(isSolved).toBe(false);
    expect(residual).toBeLessThan(0.8);
    expect(count.freed).toBe(1);
  });

  it('frees the sum where that throws', () => {
    const { air, count } = createWiredBubble(() => {
      throw new Error('out of order');
    });
    expect(() => move(air)).toThrow('out of order');
    expect(count.freed).toBe(1);
  });
});
