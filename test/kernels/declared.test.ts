/**
 * Every compiled kernel is declared in src, takes what is declared, and is held to its plain form by a test.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { listCompiled, listKernels } from '../../src/core/kernels.ts';
import '../../src/worker.ts';

const compiled = listCompiled(createHeap().memory)!;

it('compiled and declared kernels are the same', () => {
  expect([...listKernels().keys()].sort()).toEqual([...compiled.keys()].sort());
  expect(compiled.size).toBeGreaterThan(45);
});

it.each([...listKernels().keys()])('%s takes begin, end and its columns', (name) => {
  expect(compiled.get(name)).toBe(2 + Object.keys(listKernels().get(name)!.columns).length);
});

it('each is held to its plain form', () => {
  const folder = new URL('.', import.meta.url);
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const held = new Set(
    [...texts.matchAll(/\b(?:expectSameBits|expectSame)\(\s*(?:\w+\.)?(\w+),/g)].map(([, name]) => name),
  );
  expect([...listKernels().keys()].filter((name) => !held.has(name))).toEqual([]);
});
