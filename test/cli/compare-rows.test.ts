import { expect, test } from 'vitest';
import { compareFigures, type Figure, findSense } from '../../src/cli/compare-rows.ts';

const run = (values: Record<string, number>): Figure[] =>
  Object.entries(values).map(([name, value]) => {
    const [what, unit] = name.split(', ');
    return { what, unit, value };
  });
const verdictsOf = (before: Record<string, number>[], now: Record<string, number>[]) =>
  Object.fromEntries(compareFigures(before.map(run), now.map(run)).map((f) => [f.what, f.verdict]));

test('less is better for seconds and bytes, more for rates; other figures are not compared', () => {
  expect(['s', 'ms', 'MiB', 'bytes per tet', '1/s', 'M pairs/s', 'x', '', 'n^p'].map(findSense)).toEqual([
    1, 1, 1, 1, -1, -1, 0, 0, 0,
  ]);
  const before = [{ 'step, s': 1, 'heap, bytes': 100, 'steps, 1/s': 50, 'gain, x': 2 }];
  const now = [{ 'step, s': 1.1, 'heap, bytes': 80, 'steps, 1/s': 40, 'gain, x': 1 }];
  expect(verdictsOf(before, now)).toEqual({ step: 'worse', heap: 'better', steps: 'worse' });
});

test('the best run of a commit stands for it: other load does not make a change, nor hide one', () => {
  const slow = [{ 'step, s': 1.2 }, { 'step, s': 9 }, { 'step, s': 1.21 }];
  const quick = [{ 'step, s': 7 }, { 'step, s': 1.0 }, { 'step, s': 1.01 }];
  expect(verdictsOf(quick, slow)).toEqual({ step: 'worse' });
  expect(verdictsOf(slow, quick)).toEqual({ step: 'better' });
  expect(verdictsOf(quick, [...quick].reverse())).toEqual({ step: 'same' });
});

test('a difference within twice the spread of one commit is noise, and so is 1 % of a steady figure', () => {
  const spread = [{ 'step, s': 1 }, { 'step, s': 1.1 }];
  expect(verdictsOf(spread, [{ 'step, s': 1.15 }, { 'step, s': 1.16 }])).toEqual({ step: 'same' });
  expect(verdictsOf(spread, [{ 'step, s': 1.25 }, { 'step, s': 1.26 }])).toEqual({ step: 'worse' });
  expect(verdictsOf([{ 'step, s': 1 }], [{ 'step, s': 1.01 }])).toEqual({ step: 'same' });
  // Milliseconds are lost to other programs; nanoseconds are means over many calls.
  expect(verdictsOf([{ 'stage, ms': 3 }], [{ 'stage, ms': 12 }])).toEqual({ stage: 'same' });
  expect(verdictsOf([{ 'call, ns': 3 }], [{ 'call, ns': 12 }])).toEqual({ call: 'worse' });
});

test('figures that only one commit has are left out', () => {
  expect(verdictsOf([{ 'old, s': 1 }], [{ 'new, s': 1 }])).toEqual({});
});
