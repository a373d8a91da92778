/**
 * The everyday scenes load as they stand and with the resolutions of their referees, and say what they are.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { EVERYDAY_NAMES } from '../../cases/lattice/everyday.ts';
import { lattice } from '../../src/methods/lattice/lattice.ts';
import { loadScene } from '../../src/scene/load.ts';

const folder = fileURLToPath(new URL('../../scenes/everyday/', import.meta.url));

test('every everyday scene is before a referee', () => {
  expect(readdirSync(folder).sort()).toEqual(EVERYDAY_NAMES.map((name) => `${name}.jsonc`).sort());
});

test.each(EVERYDAY_NAMES)('%s loads at 20, 30 and 40 cells', async (name) => {
  const file = `${folder}${name}.jsonc`;
  const source = { file, text: readFileSync(file, 'utf8') };
  for (const setting of [undefined, 'medium', 'fine']) {
    const { scene, title } = await loadScene(source, { methods: [lattice], readFile, setting });
    const cells = 1 / scene.resolution;
    expect(cells).toBeCloseTo(Math.round(cells), 9);
    expect(scene.name).toBe(name);
    expect(title).not.toBe(name);
  }
});
