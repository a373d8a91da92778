/** Numbers that kernels are tried on, by name: ordinary ones, and those where rounding and signs show. */
import type { Random } from '../../src/core/random.ts';

export type Generator = (random: Random) => number;

/**
 * Magnitudes from 10^-decades to 10^decades; `denormal` is about the least normal number of the precision.
 */
export function createGenerators(decades: number, denormal: number): Record<string, Generator> {
  return {
    uniform: (random) => random.next() - 0.5,
    'all magnitudes': (random) => (random.next() - 0.5) * 10 ** (random.nextInt(2 * decades) - decades),
    denormal: (random) => (random.next() - 0.5) * denormal,
    'signed zeros and small integers': (random) => [0, -0, 1, -1, 3][random.nextInt(5)],
  };
}
