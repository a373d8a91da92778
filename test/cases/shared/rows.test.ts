import { describe, expect, it } from 'vitest';
import { atLeast, atMost, computeOrder, equalTo, reportRow } from '../../../cases/shared/rows.ts';

describe('rows', () => {
  it('hold at the bound and fall short beyond it', () => {
    expect(atMost('x', 1, 1, '').pass).toBe(true);
    expect(atMost('x', 1.001, 1, '').pass).toBe(false);
    expect(atLeast('x', 2, 2, '').pass).toBe(true);
    expect(atLeast('x', 1.999, 2, '').pass).toBe(false);
    expect(equalTo('x', 'a', 'b').pass).toBe(false);
    expect(reportRow('x', Number.NaN, '').bound).toBe('');
  });

  it('fall short where the figure is not a number', () => {
    expect(atMost('x', Number.NaN, 1, '').pass).toBe(false);
    expect(atLeast('x', Number.NaN, 1, '').pass).toBe(false);
  });

  it('find the order of a power law', () => {
    expect(computeOrder(0.1, 3 * 0.1 ** 2, 0.02, 3 * 0.02 ** 2)).toBeCloseTo(2, 12);
  });
});
