import { expect, test } from 'vitest';
import { computeEditDistance, findNearest, suggest } from '../../src/scene/nearest.ts';

test('edit distance counts insertions, deletions, replacements and swaps once', () => {
  expect(computeEditDistance('', 'abc')).toBe(3);
  expect(computeEditDistance('lattice', 'lattice')).toBe(0);
  expect(computeEditDistance('latice', 'lattice')).toBe(1);
  expect(computeEditDistance('lattcie', 'lattice')).toBe(1);
  expect(computeEditDistance('kitten', 'sitting')).toBe(3);
});

test('the nearest name is offered only when it is near', () => {
  const names = ['duration', 'domain', 'gravity', 'lattice/dam-break'];
  expect(findNearest('durration', names)).toBe('duration');
  expect(findNearest('Gravity', names)).toBe('gravity');
  expect(findNearest('dam-break', names)).toBe('lattice/dam-break');
  expect(findNearest('colour', names)).toBeUndefined();
  expect(suggest('colour', names)).toBe('expected one of domain, duration, gravity, lattice/dam-break');
});
