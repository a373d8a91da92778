/**
 * The kernels in plain TypeScript: same arguments as in kernels.ts, same bits as kernels/*.ts. They work on any typed
 * array and serve where SIMD or WebAssembly is missing. Sums keep the lanes of the SIMD code as separate partials.
 */
import { dropApartTwin } from './apart-twin.ts';
import { blockTwins } from './block-sparse-twin.ts';
import { findBoxPairsTwin } from './box-pairs-twin.ts';
import {
  sumVectorChargesSingleTwin,
  sumVorticesSingleTwin,
  translateMomentsSingleTwin,
} from './expansions-single-twin.ts';
import {
  evaluateLocalTwin,
  gatherMomentsTwin,
  shiftLocalTwin,
  shiftMomentsTwin,
  translateMomentsTwin,
} from './expansions-twin.ts';
import type { Kernels } from './kernels.ts';
import { addMomentsTwin } from './moments-twin.ts';
import {
  addNearSumsTwin,
  computeNearValuesTwin,
  computeTouchingValuesTwin,
  findNearFacesTwin,
  mirrorTouchingValuesTwin,
} from './near-faces-twin.ts';
import {
  sumChargeGradientsTwin,
  sumChargesTwin,
  sumDipolesTwin,
  sumVectorChargesTwin,
  sumVorticesTwin,
} from './point-sums-twin.ts';

const { fround } = Math;

export const twins: Kernels = {
  ...blockTwins,
  findBoxPairs: findBoxPairsTwin,
  dropApart: dropApartTwin,

  fill(begin, end, value, x) {
    for (let i = begin; i < end; i++) x[i] = value;
  },

  copy(begin, end, x, out) {
    for (let i = begin; i < end; i++) out[i] = x[i];
  },

  scale(begin, end, a, x) {
    for (let i = begin; i < end; i++) x[i] = a * x[i];
  },

  axpy(begin, end, a, x, y) {
    for (let i = begin; i < end; i++) y[i] = y[i] + a * x[i];
  },

  xpay(begin, end, x, a, y) {
    for (let i = begin; i < end; i++) y[i] = x[i] + a * y[i];
  },

  axpby(begin, end, a, x, b, y, out) {
    for (let i = begin; i < end; i++) out[i] = a * x[i] + b * y[i];
  },

  multiply(begin, end, x, y, out) {
    for (let i = begin; i < end; i++) out[i] = x[i] * y[i];
  },

  dot(begin, end, x, y) {
    let p0 = 0;
    let p1 = 0;
    let p2 = 0;
    let p3 = 0;
    let p4 = 0;
    let p5 = 0;
    let p6 = 0;
    let p7 = 0;
    let i = begin;
    for (; i + 7 < end; i += 8) {
      p0 += x[i] * y[i];
      p1 += x[i + 1] * y[i + 1];
      p2 += x[i + 2] * y[i + 2];
      p3 += x[i + 3] * y[i + 3];
      p4 += x[i + 4] * y[i + 4];
      p5 += x[i + 5] * y[i + 5];
      p6 += x[i + 6] * y[i + 6];
      p7 += x[i + 7] * y[i + 7];
    }
    let sum = p0 + p4 + (p2 + p6) + (p1 + p5 + (p3 + p7));
    for (; i < end; i++) sum += x[i] * y[i];
    return sum;
  },

  maxAbs(begin, end, x) {
    let largest = 0;
    for (let i = begin; i < end; i++) largest = Math.max(largest, Math.abs(x[i]));
    return largest;
  },

  descend(begin, end, a, p, q, x, r) {
    let p0 = 0;
    let p1 = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      x[i] = x[i] + a * p[i];
      x[i + 1] = x[i + 1] + a * p[i + 1];
      const r0 = r[i] - a * q[i];
      const r1 = r[i + 1] - a * q[i + 1];
      r[i] = r0;
      r[i + 1] = r1;
      p0 += r0 * r0;
      p1 += r1 * r1;
    }
    let sum = p0 + p1;
    if (i < end) {
      x[i] = x[i] + a * p[i];
      r[i] = r[i] - a * q[i];
      sum += r[i] * r[i];
    }
    return sum;
  },

  multiplyDot(begin, end, x, y, out) {
    let p0 = 0;
    let p1 = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      const product0 = x[i] * y[i];
      const product1 = x[i + 1] * y[i + 1];
      p0 += x[i] * product0;
      p1 += x[i + 1] * product1;
      out[i] = product0;
      out[i + 1] = product1;
    }
    let sum = p0 + p1;
    if (i < end) {
      const product = x[i] * y[i];
      sum += x[i] * product;
      out[i] = product;
    }
    return sum;
  },

  spmv(begin, end, rowStart, column, value, x, y) {
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      y[i] = sum;
    }
  },

  spmvDot(begin, end, rowStart, column, value, x, y) {
    let dot = 0;
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      y[i] = sum;
      dot += x[i] * sum;
    }
    return dot;
  },

  spmvResidual(begin, end, rowStart, column, value, x, b, r) {
    let square = 0;
    for (let i = begin; i < end; i++) {
      const to = rowStart[i + 1];
      let sum = 0;
      for (let j = rowStart[i]; j < to; j++) sum += value[j] * x[column[j]];
      const residual = b[i] - sum;
      r[i] = residual;
      square += residual * residual;
    }
    return square;
  },

  solveLower(begin, end, rowStart, column, value, order, r, w) {
    for (let k = begin; k < end; k++) {
      let sum = r[order[k]];
      const to = rowStart[k + 1];
      for (let j = rowStart[k]; j < to; j++) sum -= value[j] * w[column[j]];
      w[k] = sum;
    }
  },

  solveUpper(begin, end, rowStart, column, value, order, inversePivot, r, w, z) {
    let dot = 0;
    for (let k = end - 1; k >= begin; k--) {
      let sum = w[k] * inversePivot[k];
      const from = rowStart[k];
      for (let j = rowStart[k + 1] - 1; j >= from; j--) sum -= value[j] * w[column[j]];
      w[k] = sum;
      z[order[k]] = sum;
      dot += r[order[k]] * sum;
    }
    return dot;
  },

  relaxFromZero(begin, end, lowerStart, lowerColumn, lowerValue, inverse, w, x) {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      const to = lowerStart[i + 1];
      for (let j = lowerStart[i]; j < to; j++) s = fround(s - fround(lowerValue[j] * x[lowerColumn[j]]));
      x[i] = fround(s * inverse[i]);
    }
  },

  relaxForward(
    begin,
    end,
    lowerStart,
    lowerColumn,
    lowerValue,
    upperStart,
    upperColumn,
    upperValue,
    inverse,
    w,
    x,
  ) {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      const upperTo = upperStart[i + 1];
      for (let j = upperStart[i]; j < upperTo; j++) s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      const lowerTo = lowerStart[i + 1];
      for (let j = lowerStart[i]; j < lowerTo; j++) s = fround(s - fround(lowerValue[j] * x[lowerColumn[j]]));
      x[i] = fround(s * inverse[i]);
    }
  },

  relaxBackward(
    begin,
    end,
    lowerStart,
    lowerColumn,
    lowerValue,
    upperStart,
    upperColumn,
    upperValue,
    inverse,
    w,
    x,
  ) {
    for (let i = end - 1; i >= begin; i--) {
      let s = w[i];
      const lowerTo = lowerStart[i + 1];
      for (let j = lowerStart[i]; j < lowerTo; j++) s = fround(s - fround(lowerValue[j] * x[lowerColumn[j]]));
      const upperFrom = upperStart[i];
      for (let j = upperStart[i + 1] - 1; j >= upperFrom; j--)
        s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      x[i] = fround(s * inverse[i]);
    }
  },

  residualUpper(begin, end, upperStart, upperColumn, upperValue, x, out) {
    for (let i = begin; i < end; i++) {
      let s = 0;
      const to = upperStart[i + 1];
      for (let j = upperStart[i]; j < to; j++) s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      out[i] = s;
    }
  },

  residualSplit(
    begin,
    end,
    lowerStart,
    lowerColumn,
    lowerValue,
    upperStart,
    upperColumn,
    upperValue,
    inverse,
    w,
    x,
    out,
  ) {
    for (let i = begin; i < end; i++) {
      let s = w[i];
      const lowerTo = lowerStart[i + 1];
      for (let j = lowerStart[i]; j < lowerTo; j++) s = fround(s - fround(lowerValue[j] * x[lowerColumn[j]]));
      const upperTo = upperStart[i + 1];
      for (let j = upperStart[i]; j < upperTo; j++) s = fround(s - fround(upperValue[j] * x[upperColumn[j]]));
      out[i] = fround(s - fround(x[i] / inverse[i]));
    }
  },

  gatherSum(begin, end, start, column, scale, x, out) {
    const factor = fround(scale);
    for (let i = begin; i < end; i++) {
      let even = 0;
      let odd = 0;
      const to = start[i + 1];
      let j = start[i];
      for (; j + 1 < to; j += 2) {
        even = fround(even + x[column[j]]);
        odd = fround(odd + x[column[j + 1]]);
      }
      if (j < to) even = fround(even + x[column[j]]);
      out[i] = fround(factor * fround(even + odd));
    }
  },

  addThree(begin, end, column, scale, coarse, x) {
    const factor = fround(scale);
    for (let i = begin; i < end; i++) {
      const pair = fround(coarse[column[3 * i]] + coarse[column[3 * i + 1]]);
      x[i] = fround(x[i] + fround(factor * fround(pair + coarse[column[3 * i + 2]])));
    }
  },

  spmvSingle(begin, end, rowStart, column, value, x, y) {
    for (let i = begin; i < end; i++) {
      let s = 0;
      const to = rowStart[i + 1];
      for (let j = rowStart[i]; j < to; j++) s = fround(s + fround(value[j] * x[column[j]]));
      y[i] = s;
    }
  },

  spmvSingleAdd(begin, end, rowStart, column, value, x, y) {
    for (let i = begin; i < end; i++) {
      let s = 0;
      const to = rowStart[i + 1];
      for (let j = rowStart[i]; j < to; j++) s = fround(s + fround(value[j] * x[column[j]]));
      y[i] = fround(y[i] + s);
    }
  },

  demote(begin, end, r, w) {
    for (let i = begin; i < end; i++) w[i] = r[i];
  },

  promoteDot(begin, end, x, r, z) {
    let even = 0;
    let odd = 0;
    let i = begin;
    for (; i + 1 < end; i += 2) {
      z[i] = x[i];
      z[i + 1] = x[i + 1];
      even += z[i] * r[i];
      odd += z[i + 1] * r[i + 1];
    }
    let sum = even + odd;
    if (i < end) {
      z[i] = x[i];
      sum += z[i] * r[i];
    }
    return sum;
  },

  addMoments: addMomentsTwin,
  sumCharges: sumChargesTwin,
  sumChargeGradients: sumChargeGradientsTwin,
  sumVortices: sumVorticesTwin,
  sumDipoles: sumDipolesTwin,
  sumVectorCharges: sumVectorChargesTwin,
  gatherMoments: gatherMomentsTwin,
  shiftMoments: shiftMomentsTwin,
  translateMoments: translateMomentsTwin,
  shiftLocal: shiftLocalTwin,
  evaluateLocal: evaluateLocalTwin,
  translateMomentsSingle: translateMomentsSingleTwin,
  sumVorticesSingle: sumVorticesSingleTwin,
  sumVectorChargesSingle: sumVectorChargesSingleTwin,
  findNearFaces: findNearFacesTwin,
  computeNearValues: computeNearValuesTwin,
  computeTouchingValues: computeTouchingValuesTwin,
  mirrorTouchingValues: mirrorTouchingValuesTwin,
  addNearSums: addNearSumsTwin,
};
