/** The kernels of kernels/block-sparse.ts in plain TypeScript, to the same bits. */
import type { BlockKernels } from './block-kernel-types.ts';

/**
 * out[at..] += sum over the entries [from, to) of their blocks times x, by entries, then by columns of the
 * block.
 */
function addRow(
  size: number,
  from: number,
  to: number,
  column: Int32Array,
  value: Float64Array,
  x: Float64Array,
  at: number,
  out: Float64Array,
): void {
  for (let j = from; j < to; j++) addBlock(size, size * size * j, value, size * column[j], x, at, out);
}

/** out[at..] += one block times x[p..] */
function addBlock(
  size: number,
  block: number,
  value: Float64Array,
  p: number,
  x: Float64Array,
  at: number,
  out: Float64Array,
): void {
  for (let s = 0; s < size; s++)
    for (let r = 0; r < size; r++) out[at + r] += value[block + s * size + r] * x[p + s];
}

function negate(size: number, at: number, w: Float64Array, out: Float64Array): void {
  for (let r = at; r < at + size; r++) out[r] = -w[r];
}

export const blockTwins: BlockKernels = {
  blockProduct(begin, end, size, rowStart, column, value, x, y) {
    y.fill(0, begin * size, end * size);
    for (let i = begin; i < end; i++)
      addRow(size, rowStart[i], rowStart[i + 1], column, value, x, i * size, y);
  },

  blockSweepDown(begin, end, size, ...views) {
    const [rowStart, column, diagonal, value, inverse, w, x, r] = views;
    for (let i = begin; i < end; i++) {
      let from = rowStart[i];
      while (column[from] < begin) from++;
      const at = i * size;
      negate(size, at, w, r);
      addRow(size, from, diagonal[i], column, value, x, at, r);
      negate(size, at, r, r);
      x.fill(0, at, at + size);
      addBlock(size, at * size, inverse, at, r, at, x);
    }
  },

  blockFinishResidual(begin, end, size, ...views) {
    const [rowStart, column, diagonal, value, x, r] = views;
    for (let i = begin; i < end; i++) {
      let outer = rowStart[i];
      while (column[outer] < begin) outer++;
      const at = i * size;
      negate(size, at, r, r);
      addRow(size, rowStart[i], outer, column, value, x, at, r);
      addRow(size, diagonal[i], rowStart[i + 1], column, value, x, at, r);
      negate(size, at, r, r);
    }
  },

  blockSweepUp(begin, end, size, ...views) {
    const [rowStart, column, diagonal, value, inverse, w, old, x, r] = views;
    for (let i = end - 1; i >= begin; i--) {
      let first = rowStart[i];
      while (column[first] < begin) first++;
      let last = rowStart[i + 1];
      while (column[last - 1] >= end) last--;
      const at = i * size;
      negate(size, at, w, r);
      addRow(size, rowStart[i], first, column, value, old, at, r);
      addRow(size, first, diagonal[i] + 1, column, value, x, at, r);
      addRow(size, last, rowStart[i + 1], column, value, old, at, r);
      for (let j = last - 1; j > diagonal[i]; j--)
        addBlock(size, size * size * j, value, size * column[j], x, at, r);
      negate(size, at, r, r);
      addBlock(size, at * size, inverse, at, r, at, x);
    }
  },

  tallRestrict(begin, end, size, modes, ...views) {
    const [start, row, entry, value, x, out] = views;
    out.fill(0, begin * modes, end * modes);
    for (let i = begin; i < end; i++)
      for (let j = start[i]; j < start[i + 1]; j++) {
        const block = entry[j] * size * modes;
        for (let r = 0; r < size; r++)
          for (let c = 0; c < modes; c++)
            out[i * modes + c] += value[block + r * modes + c] * x[row[j] * size + r];
      }
  },

  tallProlong(begin, end, size, modes, ...views) {
    const [start, column, value, e, x] = views;
    const pairs = modes - (modes % 2);
    for (let i = begin; i < end; i++)
      for (let j = start[i]; j < start[i + 1]; j++) {
        const p = column[j] * modes;
        for (let r = 0; r < size; r++) {
          const at = (j * size + r) * modes;
          let even = 0;
          let odd = 0;
          for (let c = 0; c < pairs; c += 2) {
            even += value[at + c] * e[p + c];
            odd += value[at + c + 1] * e[p + c + 1];
          }
          let total = even + odd;
          if (pairs < modes) total += value[at + pairs] * e[p + pairs];
          x[i * size + r] += total;
        }
      }
  },

  tallProduct(begin, end, size, modes, ...views) {
    const [rowStart, column, value, tallStart, tallColumn, tallValue, outStart, outColumn, outValue, place] =
      views;
    const tall = size * modes;
    outValue.fill(0, outStart[begin] * tall, outStart[end] * tall);
    for (let i = begin; i < end; i++) {
      if (outStart[i] === outStart[i + 1]) continue;
      for (let j = outStart[i]; j < outStart[i + 1]; j++) place[outColumn[j]] = j;
      for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
        const block = j * size * size;
        for (let m = tallStart[column[j]]; m < tallStart[column[j] + 1]; m++) {
          const out = place[tallColumn[m]] * tall;
          for (let r = 0; r < size; r++)
            for (let s = 0; s < size; s++)
              for (let c = 0; c < modes; c++)
                outValue[out + r * modes + c] +=
                  value[block + s * size + r] * tallValue[m * tall + s * modes + c];
        }
      }
    }
  },

  tallGalerkin(begin, end, size, modes, ...views) {
    const [start, row, entry, tallValue, rightStart, rightColumn, rightValue, outStart, outColumn] = views;
    const [outValue, place] = [views[9], views[10]];
    const tall = size * modes;
    outValue.fill(0, outStart[begin] * modes * modes, outStart[end] * modes * modes);
    for (let i = begin; i < end; i++) {
      for (let j = outStart[i]; j < outStart[i + 1]; j++) place[outColumn[j]] = j;
      for (let j = start[i]; j < start[i + 1]; j++) {
        const left = entry[j] * tall;
        for (let m = rightStart[row[j]]; m < rightStart[row[j] + 1]; m++) {
          const out = place[rightColumn[m]] * modes * modes;
          for (let d = 0; d < modes; d++)
            for (let r = 0; r < size; r++)
              for (let c = 0; c < modes; c++)
                outValue[out + d * modes + c] +=
                  tallValue[left + r * modes + c] * rightValue[m * tall + r * modes + d];
        }
      }
    }
  },
};
