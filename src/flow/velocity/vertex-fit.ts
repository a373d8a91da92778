/**
 * Least-squares fit of a linear velocity field v + G (x - x_v) to the normal velocities of faces around a
 * vertex: sums, factor, solution. Two right-hand sides, velocity and acceleration, share the normal matrix. A
 * row of the fit is n_i d_a with d = (1, x - x_v), so the 12 x 12 normal matrix is made of six symmetric 4 x
 * 4 blocks of moments (kernels/moments.ts).
 */
import { factorCholesky, solveCholesky } from '../../math/dense-solve.ts';
import { addMoments } from './moments-kernel.ts';

/** Unknowns of the fit: value and gradient of each of the three components. */
const N = 12;
/** Entries of the normal matrix and of the two right-hand sides. */
const MOMENT_COUNT = 60;
const SUM_COUNT = MOMENT_COUNT + 2 * N;
/**
 * Weight of the wish for no gradient, relative to the mean diagonal: decides only what the faces leave open.
 */
const GRADIENT_PENALTY = 1e-3;
const VELOCITY_PENALTY = 1e-9;

/** Softening of the inverse-square weight, in squared mean edges. */
const NEARNESS = 0.25;
/** Doubles in which the kernel lays out a batch of faces. */
const BATCH_LENGTH = 9 * 256;
/** Doubles of scratch a fit needs. */
export const FIT_SCRATCH = SUM_COUNT + BATCH_LENGTH;
/** Doubles of a face's record: unit normal, centre, velocity, acceleration. */
export const RECORD_LENGTH = 8;

/**
 * One fit after another in the same scratch (FIT_SCRATCH long, on the heap so that the kernel can read it).
 */
export class VertexFit {
  /** (12) value and gradient of the three components, of the velocity and of the acceleration */
  readonly velocity: Float64Array;
  readonly acceleration: Float64Array;
  private readonly sums: Float64Array;
  private readonly batch: Float64Array;
  private readonly matrix = new Float64Array(N * N);

  /** record: (faceCount x 8) on the heap */
  constructor(
    scratch: Float64Array,
    private readonly record: Float64Array,
  ) {
    this.sums = scratch.subarray(0, SUM_COUNT);
    this.batch = scratch.subarray(SUM_COUNT, FIT_SCRATCH);
    this.velocity = this.sums.subarray(MOMENT_COUNT, MOMENT_COUNT + N);
    this.acceleration = this.sums.subarray(MOMENT_COUNT + N, SUM_COUNT);
  }

  /**
   * Fits around p to `count` faces with the given shares; near ones count more. Offsets are measured in units
   * of 1 / scale, the mean edge, so that all unknowns have one scale. Leaves the fitted fields in `velocity`
   * and `acceleration`.
   */
  solve(
    count: number,
    face: Int32Array,
    share: Float64Array,
    px: number,
    py: number,
    pz: number,
    scale: number,
  ): void {
    const { sums, matrix, record, batch } = this;
    sums.fill(0);
    addMoments(0, count, { face, share, record, px, py, pz, scale, softening: NEARNESS, batch, sums });
    expand(sums, matrix);
    const mean = (sums[0] + sums[30] + sums[50]) / 3;
    for (let r = 0; r < N; r++)
      matrix[(N + 1) * r] += ((r & 3) === 0 ? VELOCITY_PENALTY : GRADIENT_PENALTY) * mean;
    factorCholesky(matrix, N);
    solveCholesky(matrix, N, this.velocity);
    solveCholesky(matrix, N, this.acceleration);
  }
}

/** The normal matrix from its sums. */
function expand(sums: Float64Array, matrix: Float64Array): void {
  let block = 0;
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++, block++) {
      let entry = 10 * block;
      for (let a = 0; a < 4; a++) {
        for (let b = 0; b <= a; b++, entry++) {
          matrix[N * (4 * j + a) + 4 * i + b] = sums[entry];
          matrix[N * (4 * j + b) + 4 * i + a] = sums[entry];
        }
      }
    }
  }
}
