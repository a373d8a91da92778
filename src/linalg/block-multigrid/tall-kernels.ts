/**
 * Products with prolongations, whose blocks have `size` rows and `modes` columns: the loops of
 * kernels/block-sparse.ts, which says how blocks lie.
 */
import { defineKernel } from '../../core/kernels.ts';
import { matrixColumns, rowColumns } from '../matrix-columns.ts';

/**
 * out = P^T x for the coarse rows [begin, end): `row` and `entry` are a coarse row's fine rows and their
 * places in the values.
 */
export const tallRestrict = defineKernel(
  'tallRestrict',
  {
    size: 'number',
    modes: 'number',
    start: 'i32',
    row: 'i32',
    entry: 'i32',
    value: 'f64',
    x: 'f64',
    out: 'f64',
  },
  (begin, end, { size, modes, start, row, entry, value, x, out }) => {
    out.fill(0, begin * modes, end * modes);
    for (let i = begin; i < end; i++)
      for (let j = start[i]; j < start[i + 1]; j++) {
        const block = entry[j] * size * modes;
        for (let r = 0; r < size; r++)
          for (let c = 0; c < modes; c++)
            out[i * modes + c] += value[block + r * modes + c] * x[row[j] * size + r];
      }
  },
);

/** x += P e for the fine rows [begin, end) */
export const tallProlong = defineKernel(
  'tallProlong',
  { size: 'number', modes: 'number', ...rowColumns, e: 'f64', x: 'f64' },
  (begin, end, { size, modes, rowStart, column, value, e, x }) => {
    const pairs = modes - (modes % 2);
    for (let i = begin; i < end; i++)
      for (let j = rowStart[i]; j < rowStart[i + 1]; j++) {
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
);

/**
 * A P for the fine rows [begin, end), in the pattern of `out`; a row without entries there is left out.
 * `place` is a table with a number per coarse row.
 */
export const tallProduct = defineKernel(
  'tallProduct',
  {
    size: 'number',
    modes: 'number',
    ...rowColumns,
    ...matrixColumns('tall'),
    ...matrixColumns('out'),
    place: 'i32',
  },
  (begin, end, values) => {
    const { size, modes, rowStart, column, value, tallStart, tallColumn, tallValue } = values;
    const { outStart, outColumn, outValue, place } = values;
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
);

/** P^T (A P) for the coarse rows [begin, end), in the pattern of `out`; `right` is A P, `place` as above. */
export const tallGalerkin = defineKernel(
  'tallGalerkin',
  {
    size: 'number',
    modes: 'number',
    start: 'i32',
    row: 'i32',
    entry: 'i32',
    tallValue: 'f64',
    ...matrixColumns('right'),
    ...matrixColumns('out'),
    place: 'i32',
  },
  (begin, end, values) => {
    const { size, modes, start, row, entry, tallValue, rightStart, rightColumn, rightValue } = values;
    const { outStart, outColumn, outValue, place } = values;
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
);
