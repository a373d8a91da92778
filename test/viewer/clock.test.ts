import { expect, test } from 'vitest';
import { formatClock } from '../../viewer/src/ui/dom.ts';

test('the clock tells neighbouring frames apart, those of drops at 2,000 a second too', () => {
  expect(formatClock(0.3, 1 / 30)).toBe('0.300 s');
  expect(formatClock(0.0025, 1 / 2000)).toBe('0.0025 s');
  expect(formatClock(0.002, 1 / 2000)).toBe('0.0020 s');
  expect(formatClock(0.3, 0.1)).toBe('0.300 s');
  expect(formatClock(1, 1)).toBe('1.000 s');
});
