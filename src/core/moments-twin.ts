/** Twin of kernels/moments.ts: the same sums lane by lane, so that the bits agree. */
export function addMomentsTwin(count: number, stride: number, rows: Float64Array, sums: Float64Array): void {
  let out = 0;
  for (let i = 1; i <= 3; i++) {
    for (let j = i; j <= 3; j++, out += 10) {
      const even = sumBlock(0, count, stride, rows, i, j);
      const odd = sumBlock(1, count, stride, rows, i, j);
      for (let n = 0; n < 10; n++) sums[out + n] += even[n] + odd[n];
    }
  }
  for (let value = 7; value <= 8; value++) {
    for (let i = 1; i <= 3; i++, out += 4) {
      const even = sumRight(0, count, stride, rows, value, i);
      const odd = sumRight(1, count, stride, rows, value, i);
      for (let n = 0; n < 4; n++) sums[out + n] += even[n] + odd[n];
    }
  }
}

/** One lane of a block of moments: every second row from `first` on. */
function sumBlock(
  first: number,
  count: number,
  stride: number,
  rows: Float64Array,
  i: number,
  j: number,
): number[] {
  const sum = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let r = first; r < count; r += 2) {
    const q = rows[r] * rows[i * stride + r] * rows[j * stride + r];
    const x = rows[4 * stride + r];
    const y = rows[5 * stride + r];
    const z = rows[6 * stride + r];
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

function sumRight(
  first: number,
  count: number,
  stride: number,
  rows: Float64Array,
  value: number,
  i: number,
): number[] {
  const sum = [0, 0, 0, 0];
  for (let r = first; r < count; r += 2) {
    const q = rows[r] * rows[value * stride + r] * rows[i * stride + r];
    sum[0] += q;
    sum[1] += q * rows[4 * stride + r];
    sum[2] += q * rows[5 * stride + r];
    sum[3] += q * rows[6 * stride + r];
  }
  return sum;
}
