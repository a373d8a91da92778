/** docs/formats.md lists the fields of frames: held to what the methods really give. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createHeap } from '../../src/core/heap.ts';
import { createSingleThread } from '../../src/core/threads/single.ts';
import {
  validateParticleFrame,
  validateSurfaceFrame,
  validateVolumeFrame,
} from '../../src/io/check-frame.ts';
import { getMethod, methods } from '../../src/run/registry.ts';
import { loadScene } from '../../src/scene/load.ts';

const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');
/** Rows of the table: frame, fields, on, unit, methods, form. */
const rows = page
  .split('\n')
  .filter((line) => /^\| (surface|volume|particles) /.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

async function start(scene: string) {
  const file = new URL(`../../scenes/${scene}.jsonc`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const readFile = async () => new Uint8Array();
  const loaded = await loadScene({ file: scene, text }, { methods, readFile, setting: 'small' });
  const method = getMethod(loaded.scene.method);
  const model = method.build(loaded.scene, { heap: createHeap(), threads: createSingleThread() });
  return { method, model, state: method.start(model) };
}

test.each(['lattice/falling-blob', 'tracking/two-spheres', 'films/cube'])('fields of %s', async (scene) => {
  const { method, model, state } = await start(scene);
  const surface = method.surface(model, state);
  const volume = method.volume?.(model, state);
  const particles = method.particles?.(model, state);
  validateSurfaceFrame(surface, scene);
  if (volume) validateVolumeFrame(volume, scene);
  if (particles) validateParticleFrame(particles, scene);
  const given = new Set([
    ...Object.keys({ ...surface.vertexFields, ...surface.faceFields }).map((name) => `surface ${name}`),
    ...Object.keys({ ...volume?.vertexFields, ...volume?.cellFields }).map((name) => `volume ${name}`),
    ...Object.keys(particles?.fields ?? {}).map((name) => `particles ${name}`),
  ]);
  const listed = rows
    .filter(([, , , , , by]) => by === 'all' || by.includes(`\`${method.name}\``))
    .flatMap(([, frame, fields]) => [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => `${frame} ${name}`));
  expect([...given].sort()).toEqual([...new Set(listed)].sort());
});
