/** What the page offers, and that its address says what it shows. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeLabelledRun } from '../viewer/labelled-run.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';
import { grab, measureDifference } from './pictures.ts';
import { openViewer, press, ready, type ViewerPage, withHook } from './viewer-page.ts';

const folder = createTemporaryFolder('look');
const lattice = join(folder, 'lattice');
let viewer: ViewerPage;
let page: Page;

beforeAll(async () => {
  writeSyntheticRun(lattice, { frames: 9, cells: 6, volume: 4 });
  viewer = await openViewer(lattice);
  page = viewer.page;
  await ready(page);
});
afterAll(async () => viewer?.close());

const waitForFrame = (frame: number) => page.waitForSelector(`#stage[data-frame="${frame}"]`);
const offered = async (of: Page) =>
  (await of.locator('#mode button:not([hidden])').allTextContents()).map((text) => text.toLowerCase());

describe('a cut', () => {
  it('goes to the frames that have tetrahedra, and says which', async () => {
    await withHook(page, (hook) => hook.app.player.seek(3));
    await press(page, '4');
    await waitForFrame(4);
    expect(await withHook(page, (hook) => hook.app.viewer.keptTets)).toBeGreaterThan(100);
    expect(await page.textContent('#cut-frames')).toContain('3 of 9 frames');
    expect(await page.isVisible('#notice')).toBe(false);
    await press(page, 'ArrowRight');
    await waitForFrame(8);
    await press(page, 'ArrowLeft');
    await press(page, 'ArrowLeft');
    await waitForFrame(0);
    await press(page, '1');
    await press(page, 'ArrowRight');
    await waitForFrame(1);
  });
});

describe('modes', () => {
  it('are offered where they mean something', async () => {
    expect(await offered(page)).toEqual(['water', 'matte', 'wire', 'cut']);
    await press(page, 'm');
    await press(page, 'b');
    expect(await withHook(page, (hook) => hook.app.settings.value.mode)).toBe('water');
    for (const [method, modes] of [
      ['tracking', ['materials']],
      ['films', ['materials', 'film']],
    ] as const) {
      const run = join(folder, method);
      writeLabelledRun(run, { shape: 'ball', method });
      const other = await openViewer(run);
      await ready(other.page);
      expect(await offered(other.page)).toEqual(['water', 'matte', 'wire', 'cut', ...modes]);
      await other.close();
    }
  });
});

describe('colours', () => {
  it('of a diverging map have 0 in their middle', async () => {
    await withHook(page, (hook) => hook.app.settings.set({ color: 'velocity', component: 'z', map: 'tide' }));
    const legend = await withHook(page, (hook) => hook.app.viewer.legend);
    expect(legend?.max).toBeGreaterThan(0);
    expect(legend?.min).toBe(-legend!.max);
  });
});

describe('the address', () => {
  it('follows frame, mode, colour and camera, and opens the same picture', async () => {
    await page.mouse.move(320, 200);
    await page.mouse.down();
    await page.mouse.move(400, 170, { steps: 3 });
    await page.mouse.up();
    await press(page, '2');
    await press(page, 'ArrowRight');
    await waitForFrame(2);
    await page.waitForFunction(() =>
      ['frame=2', 'mode=surface', 'color=velocity', 'camera='].every((part) =>
        location.search.includes(part),
      ),
    );
    expect(page.url()).toContain('part=z');
    expect(page.url()).toContain('map=tide');
    const before = await grab(page);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => window.meniscus !== undefined);
    await ready(page);
    await waitForFrame(2);
    expect(measureDifference(before, await grab(page))).toBeLessThan(0.3);
    await press(page, 'f');
    await page.waitForFunction(() => !location.search.includes('camera='));
    expect(measureDifference(before, await grab(page))).toBeGreaterThan(1);
    expect(viewer.errors).toEqual([]);
  });
});
