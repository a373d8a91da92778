/**
 * Seeded random numbers: xoshiro128** (Blackman and Vigna 2018)
 * in 32-bit integer operations, seeded through splitmix32. The same seed gives the same numbers everywhere.
 */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [0, 2^32). */
  nextUint32(): number;
  /** Uniform integer in [0, bound). */
  nextInt(bound: number): number;
  /** The least that continues the sequence: what a checkpoint holds. */
  save(): Int32Array;
  restore(state: Int32Array): void;
}

const rotateLeft = (x: number, k: number) => (x << k) | (x >>> (32 - k));

export function createRandom(seed: number): Random {
  const state = new Int32Array(4);
  let mixer = seed | 0;
  for (let i = 0; i < 4; i++) {
    mixer = (mixer + 0x9e3779b9) | 0;
    let z = mixer;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    state[i] = z ^ (z >>> 15);
  }

  function nextUint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(state[1], 5), 7), 9);
    const t = state[1] << 9;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotateLeft(state[3], 11);
    return result >>> 0;
  }

  const next = () => ((nextUint32() >>> 5) * 67108864 + (nextUint32() >>> 6)) / 9007199254740992;
  return {
    next,
    nextUint32,
    nextInt: (bound) => Math.floor(next() * bound),
    save: () => state.slice(),
    restore: (saved) => state.set(saved),
  };
}
