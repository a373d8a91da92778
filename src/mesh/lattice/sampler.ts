/**
 * Evaluates the field in batches and keeps the clock and the count, so distance and stuffing are timed apart.
 */
import type { StuffingField } from './lattice.ts';

export class Sampler {
  seconds = 0;
  evaluations = 0;

  constructor(readonly field: StuffingField) {}

  /** out[p] = field at point p, for p < count. */
  sample(point: Float64Array, count: number, out: Float64Array): void {
    const start = performance.now();
    if (this.field.sample) this.field.sample(point, count, out);
    else
      for (let p = 0; p < count; p++)
        out[p] = this.field.value(point[3 * p], point[3 * p + 1], point[3 * p + 2]);
    this.evaluations += count;
    this.seconds += (performance.now() - start) / 1000;
  }
}
