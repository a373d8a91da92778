import { expect, it } from 'vitest';
import { SymmetricEigen, sumOuterProducts } from '../../src/math/symmetric-eigen.ts';

it('sums outer products of the vectors in a range, whose eigenvalues are those of their span', () => {
  const v = new Float64Array([9, 9, 9, 3, 0, 4, 0, 2, 0, 9, 9, 9]);
  const sum = new Float64Array(6).fill(5);
  sumOuterProducts(v, 1, 3, sum);
  expect(Array.from(sum)).toEqual([9, 0, 12, 4, 0, 16]);
  const eigen = new SymmetricEigen();
  eigen.solve(sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]);
  [25, 4, 0].forEach((value, i) => {
    expect(eigen.value[i]).toBeCloseTo(value, 12);
  });
  sumOuterProducts(v, 2, 2, sum);
  expect(Array.from(sum)).toEqual([0, 0, 0, 0, 0, 0]);
});
