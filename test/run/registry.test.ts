import { expect, test } from 'vitest';
import { findMethod, getMethod, methods } from '../../src/run/registry.ts';

test('a method by its name, or an error that names the nearest', () => {
  for (const method of methods) expect(getMethod(method.name)).toBe(method);
  expect(findMethod('latice')).toBeUndefined();
  expect(() => getMethod('latice')).toThrow(
    `method "latice": it is none of the ${methods.length} known; did you mean "lattice"?`,
  );
  expect(() => getMethod('')).toThrow('expected one of films, flip, lattice, surface, tracking, viscous');
});
