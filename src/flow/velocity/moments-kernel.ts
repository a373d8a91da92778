/**
 * Moments of faces around a point, for the vertex fits: the sums of kernels/moments.ts lane by lane, so that
 * the bits agree.
 */
import { defineKernel } from '../../core/kernels.ts';

const BATCH = 256;
const COLUMNS = 9;

/** Adds the moments of the faces [begin, end) of a list around p. */
export const addMoments = defineKernel(
  'addMoments',
  {
    face: 'i32',
    share: 'f64',
    record: 'f64',
    px: 'number',
    py: 'number',
    pz: 'number',
    scale: 'number',
    softening: 'number',
    batch: 'f64',
    sums: 'f64',
  },
  (begin, end, { face, share, record, px, py, pz, scale, softening, batch, sums }) => {
    for (let first = begin; first < end; first += BATCH) {
      const size = Math.min(BATCH, end - first);
      for (let n = 0; n < size; n++) {
        const r = 8 * face[first + n];
        const dx = (record[r + 3] - px) * scale;
        const dy = (record[r + 4] - py) * scale;
        const dz = (record[r + 5] - pz) * scale;
        batch[n] = share[first + n] / (softening + dx * dx + dy * dy + dz * dz);
        batch[BATCH + n] = record[r];
        batch[2 * BATCH + n] = record[r + 1];
        batch[3 * BATCH + n] = record[r + 2];
        batch[4 * BATCH + n] = dx;
        batch[5 * BATCH + n] = dy;
        batch[6 * BATCH + n] = dz;
        batch[7 * BATCH + n] = record[r + 6];
        batch[8 * BATCH + n] = record[r + 7];
      }
      if ((size & 1) === 1) for (let c = 0; c < COLUMNS; c++) batch[c * BATCH + size] = 0;
      addBatch((size + 1) & ~1, batch, sums);
    }
  },
);

function addBatch(size: number, batch: Float64Array, sums: Float64Array): void {
  let out = 0;
  for (let i = 1; i <= 3; i++) {
    for (let j = i; j <= 3; j++, out += 10) {
      const even = sumBlock(0, size, batch, i, j);
      const odd = sumBlock(1, size, batch, i, j);
      for (let n = 0; n < 10; n++) sums[out + n] += even[n] + odd[n];
    }
  }
  for (let value = 7; value <= 8; value++) {
    for (let i = 1; i <= 3; i++, out += 4) {
      const even = sumRight(0, size, batch, value, i);
      const odd = sumRight(1, size, batch, value, i);
      for (let n = 0; n < 4; n++) sums[out + n] += even[n] + odd[n];
    }
  }
}

/** One lane of a block of moments: every second face from `first` on. */
function sumBlock(first: number, size: number, batch: Float64Array, i: number, j: number): number[] {
  const sum = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let n = first; n < size; n += 2) {
    const q = batch[n] * batch[i * BATCH + n] * batch[j * BATCH + n];
    const x = batch[4 * BATCH + n];
    const y = batch[5 * BATCH + n];
    const z = batch[6 * BATCH + n];
    const qx = q * x;
    const qy = q * y;
    const qz = q * z;
    sum[0] += q;
    sum[1] += qx;
    sum[2] += qx * x;
    sum[3] += qy;
    sum[4] += qy * x;
    sum[5] += qy * y;
    sum[6] += qz;
    sum[7] += qz * x;
    sum[8] += qz * y;
    sum[9] += qz * z;
  }
  return sum;
}

function sumRight(first: number, size: number, batch: Float64Array, value: number, i: number): number[] {
  const sum = [0, 0, 0, 0];
  for (let n = first; n < size; n += 2) {
    const q = batch[n] * batch[value * BATCH + n] * batch[i * BATCH + n];
    sum[0] += q;
    sum[1] += q * batch[4 * BATCH + n];
    sum[2] += q * batch[5 * BATCH + n];
    sum[3] += q * batch[6 * BATCH + n];
  }
  return sum;
}
