import { expect, test } from 'vitest';
import { findList, presentationSchema } from '../../src/methods/presentation.ts';
import { findPresentation } from '../../src/run/presentations.ts';
import { describePresentation, methods } from '../../src/run/registry.ts';
import { parseRunFile } from '../../viewer/src/data/run-file.ts';

const parse = (run: object) => parseRunFile(JSON.stringify(run), 'x').info;

test('what methods say of themselves is what the page knows, and is plain data', () => {
  for (const { name, presentation } of methods) {
    expect(presentation).toBe(findPresentation(name));
    expect(presentationSchema.parse(JSON.parse(JSON.stringify(presentation)))).toEqual(presentation);
    expect(describePresentation(name)).toEqual({ presentation });
  }
  expect(describePresentation('nothing')).toEqual({});
});

test('wires are found where the method has them', () => {
  const wires = [{ type: 'ring' }];
  const scene = { films: { wires } };
  expect(parse({ method: 'films', scene }).wires).toEqual(wires);
  expect(parse({ method: 'films', scene: {} }).wires).toEqual([]);
  expect(parse({ method: 'films' }).wires).toEqual([]);
  expect(parse({ method: 'lattice', scene }).wires).toEqual([]);
  expect(parse({ method: 'films', scene }).presentation.look).toBe('film');
});

test('a method that the page does not know is shown as its run says', () => {
  const presentation = { look: 'wireframe', wires: 'harp.strings', stages: { pluck: 'plucking' } };
  const scene = { harp: { strings: [1, 2] } };
  const info = parse({ method: 'harp', presentation, scene });
  expect(info.presentation).toEqual(presentation);
  expect(info.wires).toEqual([1, 2]);
  // A run cannot change how known methods are shown, and nonsense counts as nothing.
  expect(parse({ method: 'films', presentation, scene }).presentation.look).toBe('film');
  expect(parse({ method: 'harp', presentation: { look: 'x-ray' }, scene }).presentation).toEqual({});
  expect(parse({ method: 'harp', presentation: { pokeHint: 'x'.repeat(1000) } }).presentation).toEqual({});
});

test('a path leads to a list or to nothing', () => {
  expect(findList({ a: { b: [3] } }, 'a.b')).toEqual([3]);
  for (const path of [undefined, 'a', 'a.c', 'a.b.0', '__proto__.x', 'constructor.name'])
    expect(findList({ a: { b: [3] } }, path)).toEqual([]);
});
