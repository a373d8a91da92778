/** The sums of the films are as accurate as the scene asks for, also where multipoles take over. */
import { describe, expect, it } from 'vitest';
import { createHeap } from '../../../../src/core/heap.ts';
import { createRandom } from '../../../../src/core/random.ts';
import { createSingleThread } from '../../../../src/core/threads/single.ts';
import { createKernelSum } from '../../../../src/integrals/kernel-sum.ts';
import { createFilmSums } from '../../../../src/methods/films/air/sums.ts';

const FACES = 6000;
const BLUR = 0.02;
const SOFTENING = 1e-4;
const resources = { heap: createHeap(), threads: createSingleThread() };
const random = createRandom(12);

function drawOnSphere(): Float64Array {
  const point = new Float64Array(3 * FACES);
  for (let n = 0; n < point.length; n += 3) {
    const z = 2 * random.next() - 1;
    const angle = 2 * Math.PI * random.next();
    const r = Math.sqrt(1 - z * z);
    point.set([r * Math.cos(angle), r * Math.sin(angle), z], n);
  }
  return point;
}

const middle = drawOnSphere();
const target = drawOnSphere();
/** Turning about an axis, as on a bubble that moves as a body. */
const strength = middle.map((_, n) =>
  n % 3 === 0 ? -middle[n + 1] : n % 3 === 1 ? middle[n - 1] : 0.3 * random.next(),
);
/** `own`: what each target has of its own source, without a part in what errors are held to. */
const measureError = (sum: Float64Array, truth: Float64Array, own?: Float64Array) =>
  Math.sqrt(
    sum.reduce((total, x, n) => total + (x - truth[n]) ** 2, 0) /
      truth.reduce((total, x, n) => total + (x - (own?.[n] ?? 0)) ** 2, 0),
  );

function sumDirectly(kernel: 'vectorPotential' | 'biotSavart', at: Float64Array, blur: number): Float64Array {
  const out = new Float64Array(3 * FACES);
  createKernelSum(resources, { kernel, method: 'direct' }).evaluate(middle, strength, at, blur, out);
  return out;
}

describe('accuracy of the sums', () => {
  const potential = sumDirectly('vectorPotential', middle, SOFTENING);
  const velocity = sumDirectly('biotSavart', target, BLUR);
  // Softened, each face's own term is 4.5 times all others together: held to the whole, sums of a tolerance a
  // hundred times coarser would pass.
  const own = strength.map((x) => x / (4 * Math.PI * SOFTENING));

  it.each([1e-2, 1e-4, 1e-6])('%f is kept', (tolerance) => {
    const sums = createFilmSums(resources, tolerance);
    const out = new Float64Array(3 * FACES);
    sums.addUpPotential(middle, strength, SOFTENING, out);
    const errors = [measureError(out, potential, own)];
    const prepared = sums.preparePotential(middle, SOFTENING);
    prepared.apply(strength, out);
    prepared.free();
    errors.push(measureError(out, potential, own));
    sums.addUpVelocity(middle, strength, target, BLUR, out);
    errors.push(measureError(out, velocity));
    // Above zero: expansions did run.
    for (const error of errors) expect(error).toBeGreaterThan(1e-13);
    for (const error of errors) expect(error).toBeLessThan(tolerance);
  });
});
