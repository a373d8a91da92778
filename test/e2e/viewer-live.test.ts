/** Live mode in a real browser: a bundled scene, changed, run in the page's worker, and drawn. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NodeIO } from '@gltf-transform/core';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { runCli } from './cli-harness.ts';
import { grab, measureDifference, pixelAt, project } from './pictures.ts';
import { HEIGHT, openViewer, type ViewerPage, WIDTH } from './viewer-page.ts';

let viewer: ViewerPage;
let page: Page;

beforeAll(async () => {
  viewer = await openViewer(undefined);
  page = viewer.page;
});

afterAll(async () => {
  await viewer?.close();
});

const message = () => page.textContent('#live-message');
const isReady = () =>
  page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('#live-run')?.disabled);
const set = async (id: string, value: string) => {
  await page.fill(id, value);
  await page.dispatchEvent(id, 'change');
};

describe('live', () => {
  it('offers the bundled scenes and shows what they say', async () => {
    const names = await page.locator('#live-scene option').allTextContents();
    expect(names).toContain('lattice/dam-break');
    expect(names).toContain('lattice/falling-blob');
    await page.selectOption('#live-scene', 'lattice/falling-blob');
    await page.waitForFunction(() =>
      document.querySelector('#live-about')?.textContent?.includes('free fall'),
    );
    await isReady();
    expect(Number(await page.inputValue('#live-fps'))).toBe(50);
    expect(await page.locator('#live-options .row').count()).toBeGreaterThan(0);
    // The ball of water is seen where it will start, before anything runs.
    const [x, y] = await project(page, [0.503, 0.497, 1.611]);
    const [r, , b] = pixelAt(await grab(page), x, y);
    expect(b).toBeGreaterThan(r + 30);
  });

  it('runs a changed scene in a worker, threads and all, and draws its frames', async () => {
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const empty = await grab(page);
    await set('#live-resolution', '0.1');
    await set('#live-duration', '0.06');
    await page.click('#live-run');
    await page.waitForFunction(
      () => /Done|;/.test(document.querySelector('#live-message')?.textContent ?? ''),
      undefined,
      { timeout: 120_000 },
    );
    expect(await message()).toMatch(/^Done: volume kept 9\d\.\d %|^Done: volume kept 100 %/);
    expect(await page.textContent('#status')).toBe('done');
    await page.waitForFunction(() => document.querySelector<HTMLElement>('#stage')?.dataset['frame'] === '3');
    expect(await page.textContent('#frame')).toBe('3 / 3');
    expect(measureDifference(empty, await grab(page))).toBeGreaterThan(0.3);
    // It fell: 17.7 mm by g t^2 / 2, a little more with one step a frame and on cells of 100 mm.
    const heights = await page.evaluate(async () => {
      const source = window.meniscus?.app.source;
      const means: number[] = [];
      for (const frame of [0, 3]) {
        const position = (await source?.load(frame, true))?.surface.position ?? new Float32Array(0);
        const z = position.filter((_value, i) => i % 3 === 2);
        means.push((Math.min(...z) + Math.max(...z)) / 2);
      }
      return means;
    });
    expect(heights[0] - heights[1]).toBeGreaterThan(0.01);
    expect(heights[0] - heights[1]).toBeLessThan(0.04);
  });

  it('refuses what would not fit before any work', async () => {
    await set('#live-resolution', '0.002');
    await page.click('#live-run');
    await page.waitForFunction(() =>
      document.querySelector('#live-message')?.textContent?.includes('make the resolution'),
    );
    expect(await message()).toMatch(/^resolution 0\.002 m: the run needs about [\d.]+ GiB/);
    // The run before it stays.
    expect(await page.textContent('#status')).toBe('done');
    await isReady();
    await set('#live-resolution', '0.1');
    await page.click('#live-run');
    await page.waitForFunction(() =>
      /^Done/.test(document.querySelector('#live-message')?.textContent ?? ''),
    );
  });

  it('shows the tetrahedra and the plots of the live run', async () => {
    await page.focus('#stage');
    await page.keyboard.press('4');
    await page.waitForFunction(() => (window.meniscus?.app.viewer.keptTets ?? 0) > 0);
    await page.keyboard.press('p');
    expect(Number(await page.getAttribute('#plot', 'data-points'))).toBeGreaterThan(3);
  });

  it('says what is wrong with a scene', async () => {
    await page.evaluate(() => {
      const text = document.querySelector<HTMLTextAreaElement>('#live-text');
      if (!text) throw new Error('no text');
      text.value = text.value.replace('"duration"', '"durration"');
      text.dispatchEvent(new Event('change'));
    });
    await page.waitForFunction(() =>
      document.querySelector('#live-message')?.textContent?.includes('durration'),
    );
    expect(await message()).toMatch(/falling-blob\.jsonc:\d+:\d+/);
    expect(await page.isDisabled('#live-run')).toBe(true);
  });

  it('takes clicks where the method answers to them: a film bursts', async () => {
    expect(await page.isVisible('#poke-hint')).toBe(false);
    await page.focus('#stage');
    await page.keyboard.press('p');
    expect(await page.isVisible('#live-notes')).toBe(false);
    await page.selectOption('#live-scene', 'films/double-bubble');
    await page.waitForFunction(() =>
      document.querySelector('#live-about')?.textContent?.includes('double bubble'),
    );
    await isReady();
    await page.selectOption('#live-setting', 'small');
    await isReady();
    await page.click('#live-run');
    await page.waitForFunction(() => (window.meniscus?.app.source?.stats.length ?? 0) > 4);
    await page.waitForSelector('#poke-hint:not([hidden])');
    expect(await page.textContent('#poke-hint')).toContain('pop');
    // The left bubble, where it is seen.
    const [x, y] = await page.evaluate(() => {
      const { viewer } = window.meniscus!.app;
      const { position } = viewer.frame!.surface;
      let left = 0;
      for (let i = 3; i < position.length; i += 3) if (position[i] < position[left]) left = i;
      const { camera } = viewer.backdrop;
      const p = camera.position
        .clone()
        .set(position[left] + 0.012, 0, 0)
        .project(camera);
      return [p.x / 2 + 0.5, 0.5 - p.y / 2];
    });
    const regions = () =>
      page.evaluate(() => window.meniscus?.app.source?.stats.at(-1)?.regions?.length ?? 0);
    expect(await regions()).toBe(2);
    await page.mouse.click(x * WIDTH, y * HEIGHT);
    await page.waitForFunction(() => window.meniscus?.app.source?.stats.at(-1)?.regions?.length === 1);
    expect(await page.isVisible('#pick')).toBe(false);
    // Surfaces between frames, and the rate of steps, are shown as they come.
    await page.waitForFunction(() => (window.meniscus?.app.previewCount ?? 0) > 1);
    expect(await message()).toMatch(/[\d.]+ steps a second/);
    await page.click('#live-stop');
    expect(await page.isVisible('#poke-hint')).toBe(false);
  });

  it('threw no error of its own', () => {
    expect(viewer.errors).toEqual([]);
  });
});

describe('a live run that has ended', () => {
  const folder = createTemporaryFolder('saved');

  const save = async (button: string): Promise<{ name: string; bytes: Uint8Array }> => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    const file = join(folder, download.suggestedFilename());
    await download.saveAs(file);
    return { name: download.suggestedFilename(), bytes: readFileSync(file) };
  };

  it('is saved as a run folder with the bytes of the command line, which goes on with it', async () => {
    await page.selectOption('#live-scene', 'lattice/plunge');
    await page.waitForFunction(() => document.querySelector('#live-about')?.textContent?.includes('plunger'));
    await isReady();
    await set('#live-resolution', '0.1');
    await set('#live-duration', '0.1');
    await page.click('#live-run');
    await page.waitForSelector('#live-save:not([hidden])');
    const { name, bytes } = await save('#live-save-run');
    expect(name).toBe('plunge.zip');
    for (const [path, content] of Object.entries(unzipSync(bytes))) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const saved = join(folder, 'plunge');
    const other = join(folder, 'other');
    const edits = ['--set', 'resolution=0.1', '--set', 'duration=0.1'];
    expect((await runCli(['run', 'lattice/plunge', ...edits, '-o', other], { cwd: folder })).code).toBe(0);
    const frames = readdirSync(join(other, 'surface'));
    expect(readdirSync(join(saved, 'surface'))).toEqual(frames);
    for (const frame of frames) {
      const [here, there] = [saved, other].map((run) => readFileSync(join(run, 'surface', frame)));
      expect(here.equals(there)).toBe(true);
    }
    for (const run of [saved, other])
      expect((await runCli(['resume', run, '--until', '0.15'], { cwd: folder })).code).toBe(0);
    const last = readdirSync(join(other, 'surface')).at(-1)!;
    expect(last > frames.at(-1)!).toBe(true);
    const [here, there] = [saved, other].map((run) => readFileSync(join(run, 'surface', last)));
    expect(here.equals(there)).toBe(true);
  });

  it('is saved as GLB, a node for each frame', async () => {
    const { name, bytes } = await save('#live-save-glb');
    expect(name).toBe('plunge.glb');
    const document = await new NodeIO().readBinary(bytes);
    const count = await page.evaluate(() => window.meniscus?.app.source?.info.frameCount);
    expect(document.getRoot().listMeshes().length).toBeGreaterThanOrEqual(count!);
    expect(document.getRoot().listAnimations()).toHaveLength(1);
  });
});

describe('the live panel', () => {
  it.each([
    [1280, 720],
    [640, 400],
    [390, 700],
  ])('keeps Run, errors and saving in sight at %i x %i, whatever is open', async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll<HTMLDetailsElement>('#live details'))
        details.open = true;
    });
    await page.fill('#live-text', '{ "version": 1, "method": "nothing" }');
    await page.dispatchEvent('#live-text', 'change');
    await page.waitForSelector('#live-message.bad');
    expect(await page.textContent('#live-message')).toContain('nothing');
    for (const id of ['#live-run', '#live-message', '#live-save-glb']) {
      const box = (await page.locator(id).boundingBox())!;
      expect(box.y).toBeGreaterThan(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      // Nothing lies over it.
      const top = await page.evaluate(
        ([x, y, sel]) => document.elementFromPoint(Number(x), Number(y))?.closest(String(sel)) !== null,
        [box.x + box.width / 2, box.y + Math.min(8, box.height / 2), id] as const,
      );
      expect(top).toBe(true);
    }
  });
});
