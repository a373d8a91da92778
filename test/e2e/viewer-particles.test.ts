/**
 * Particles in a real browser: drawn where they are, as large as they are, and not where they are switched
 * off.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeParticles } from '../../src/io/frame-files.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';
import { grabWhole, measureDifference, pixelAt, project } from './pictures.ts';
import { openViewer, ready, type ViewerPage, withHook } from './viewer-page.ts';

const folder = createTemporaryFolder('particles');
/** m, beside the blob and away from the box's edges. */
const BALL = [0.15, 0.2, 0.8] as const;
const RADIUS = 0.06;
let viewer: ViewerPage;

beforeAll(async () => {
  writeSyntheticRun(folder, { shape: 'blob', frames: 2, cells: 6, volume: false });
  const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  run.scene.output = { particles: 1 };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
  mkdirSync(join(folder, 'particles'));
  const frame = {
    count: 1,
    position: Float64Array.from(BALL),
    fields: {
      velocity: { components: 3 as const, unit: 'm/s', values: new Float32Array(3) },
      radius: { components: 1 as const, unit: 'm', values: Float32Array.of(RADIUS) },
    },
  };
  // Frame 1 was kept without: as if the file were not there yet.
  writeFileSync(join(folder, 'particles/000000.ply'), encodeParticles(frame));
  viewer = await openViewer(folder);
  await ready(viewer.page);
});
afterAll(async () => viewer?.close());

it('draws them, and leaves them out where the panel says so', async () => {
  const { page } = viewer;
  expect(await withHook(page, (hook) => hook.app.viewer.particles.count)).toBe(1);
  const shown = await grabWhole(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#show-particles')?.click());
  expect(await withHook(page, (hook) => hook.app.viewer.particles.count)).toBe(0);
  const hidden = await grabWhole(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#show-particles')?.click());
  const [x, y] = await project(page, BALL);
  const [red, green, blue] = pixelAt(shown, x, y);
  expect(Math.min(red, green, blue)).toBeGreaterThan(100);
  expect(Math.max(...pixelAt(hidden, x, y))).toBeLessThan(90);
  // As far across as a ball of its radius, and nothing else changes.
  const [, above] = await project(page, [BALL[0], BALL[1], BALL[2] + RADIUS]);
  const across = Math.abs(above - y);
  expect(Math.min(...pixelAt(shown, x, y - 0.8 * across))).toBeGreaterThan(90);
  expect(pixelAt(shown, x, y - 1.3 * across)).toEqual(pixelAt(hidden, x, y - 1.3 * across));
  expect(measureDifference(shown, hidden, [0, 0.6, 1, 1])).toBe(0);
});

it('goes on without where a frame has none', async () => {
  await withHook(viewer.page, (hook) => hook.app.player.seek(1));
  expect(await withHook(viewer.page, (hook) => hook.app.viewer.particles.count)).toBe(0);
  expect(viewer.errors).toEqual([]);
});
