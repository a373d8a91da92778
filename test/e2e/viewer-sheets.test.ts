/** Labelled surfaces and films in a real browser: what is drawn where, and what each control changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPly } from '../../src/io/ply.ts';
import { regionColor } from '../../viewer/src/view/palette.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeLabelledRun } from '../viewer/labelled-run.ts';
import {
  grab,
  grabWhole,
  measureContrast,
  measureDifference,
  measureShare,
  type Picture,
  pixelAt,
  project,
} from './pictures.ts';
import { HEIGHT, openViewer, press, ready, type ViewerPage, WIDTH, withHook } from './viewer-page.ts';

const folder = createTemporaryFolder('sheets');

type Point = readonly [number, number, number];

/** Cosine between a pixel's colour and a region's: 1 where light and shade are all that differ. */
function measureLikeness(pixel: readonly number[], label: number): number {
  const linear = (c: number) => (c / 255) ** 2.2;
  const [p, q] = [pixel.map(linear), regionColor(label).map(linear)];
  const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  return dot / (Math.hypot(...p) * Math.hypot(...q));
}

/** The region whose colour a pixel has, of the ball's four. */
function findRegion(picture: Picture, [x, y]: readonly [number, number]): number {
  const likeness = [1, 2, 3, 4].map((label) => measureLikeness(pixelAt(picture, x, y), label));
  const best = likeness.indexOf(Math.max(...likeness));
  return likeness[best] > 0.99 ? best + 1 : 0;
}

describe('materials', () => {
  let viewer: ViewerPage;
  let page: Page;
  const set = (settings: Record<string, unknown>) =>
    page.evaluate((change) => window.meniscus?.app.settings.set(change), settings);
  /** On a page as small as this one the panel is folded away; its controls are there all the same. */
  const click = (selector: string) =>
    page.evaluate((name) => document.querySelector<HTMLElement>(name)?.click(), selector);
  const regionAt = async (point: Point) => findRegion(await grabWhole(page), await project(page, point));

  beforeAll(async () => {
    const run = join(folder, 'ball');
    writeLabelledRun(run, { shape: 'ball', frames: 2 });
    viewer = await openViewer(run);
    page = viewer.page;
    await ready(page);
    // From +x and -y: quadrants 1 (+x +y), 2 (-x +y), 3 (-x -y), 4 (+x -y); this one is 4.
    await withHook(page, (hook) => {
      hook.app.settings.set({ box: false, floor: false });
      hook.app.fit([45, 10]);
    });
  });

  afterAll(async () => viewer?.close());

  it('are the look of a run whose faces carry labels, each region in its own colour', async () => {
    expect(await withHook(page, (hook) => hook.app.settings.value.mode)).toBe('materials');
    const s = 0.4 * Math.SQRT1_2;
    expect(await regionAt([0.5 + s, 0.5 - s, 0.5])).toBe(4);
    // A little round the corners at x = 0.5 and y = 0.5.
    const [a, b] = [0.4 * Math.cos(0.25), 0.4 * Math.sin(0.25)];
    expect(await regionAt([0.5 + a, 0.5 + b, 0.5])).toBe(1);
    expect(await regionAt([0.5 - b, 0.5 - a, 0.5])).toBe(3);
    expect(await page.textContent('#region-count')).toBe('4');
    expect(await page.textContent('#counts')).toContain('regions');
  });

  it('show the walls inside when outer faces go, each with the region behind it', async () => {
    await click('#hide-outer');
    // Seen from quadrant 4 the wall at y = 0.5 has 1 behind it, that at x = 0.5 has 3.
    expect(await regionAt([0.7, 0.5, 0.5])).toBe(1);
    expect(await regionAt([0.5, 0.3, 0.5])).toBe(3);
    await click('#hide-outer');
    expect(await regionAt([0.7, 0.5, 0.5])).toBe(4);
  });

  it('go and come with a click on their swatch, alone with a double click', async () => {
    await page.click('.region[data-label="4"]');
    expect(await page.getAttribute('.region[data-label="4"]', 'aria-pressed')).toBe('false');
    expect(await regionAt([0.7, 0.5, 0.5])).toBe(1);
    await page.dblclick('.region[data-label="3"]');
    const alone = await grabWhole(page);
    const [x, y] = await project(page, [0.5, 0.3, 0.5]);
    expect(findRegion(alone, [x, y])).toBe(3);
    const share = (label: number) =>
      measureShare(alone, (r, g, b) => measureLikeness([r, g, b], label) > 0.995 && r + g + b > 150);
    expect(share(3)).toBeGreaterThan(0.02);
    for (const label of [1, 2, 4]) expect(share(label)).toBeLessThan(0.002);
    await page.click('#regions-all');
    expect(await regionAt([0.7, 0.5, 0.5])).toBe(4);
  });

  it('are filled where a plane slices them, in one flat colour, or hollow', async () => {
    await press(page, 'y');
    // The nearer half is gone: below y = 0.5.
    expect(await withHook(page, (hook) => hook.app.settings.value.slice)).toBe('solid');
    await set({ cutPosition: 0.6 });
    const solid = await grabWhole(page);
    const on = async (point: Point) => pixelAt(solid, ...(await project(page, point)));
    const [p, q] = [await on([0.6, 0.6, 0.5]), await on([0.75, 0.6, 0.4])];
    expect(measureLikeness(p, 1)).toBeGreaterThan(0.995);
    // One flat colour, to the rounding of eight bits.
    for (let k = 0; k < 3; k++) expect(Math.abs(p[k] - q[k])).toBeLessThanOrEqual(1);
    expect(measureLikeness(await on([0.4, 0.6, 0.5]), 2)).toBeGreaterThan(0.995);
    await click('#slice [data-value=hollow]');
    const hollow = await grabWhole(page);
    expect(measureDifference(solid, hollow)).toBeGreaterThan(1);
    // A look into quadrant 1: the wall to 2 shows 2.
    const [x, y] = await project(page, [0.5, 0.7, 0.5]);
    expect(findRegion(hollow, [x, y])).toBe(2);
    await click('#slice [data-value=off]');
  });

  it('have curves drawn where they meet, which can be left out', async () => {
    const [x, y] = await project(page, [0.9, 0.5, 0.5]);
    const near = [x - 0.02, y - 0.03, x + 0.02, y + 0.03] as const;
    const drawn = await grabWhole(page);
    const darkest = (picture: Picture) => {
      let least = 765;
      for (let dx = -6; dx <= 6; dx++) {
        const [r, g, b] = pixelAt(picture, x + dx / WIDTH, y);
        least = Math.min(least, r + g + b);
      }
      return least;
    };
    expect(darkest(drawn)).toBeLessThan(150);
    await press(page, 'k');
    const plain = await grabWhole(page);
    expect(darkest(plain)).toBeGreaterThan(250);
    expect(measureContrast(drawn, near)).toBeGreaterThan(1.5 * measureContrast(plain, near));
    await press(page, 'k');
  });

  it('are picked where they are seen, by the numbers of the file', async () => {
    const pickAt = async (point: Point) => {
      const [x, y] = await project(page, point);
      await page.mouse.click(x * WIDTH, y * HEIGHT);
      await page.waitForSelector('#pick:not([hidden])');
      return Number(await page.getAttribute('#pick', 'data-vertex'));
    };
    const file = readPly(readFileSync(join(folder, 'ball', 'surface', '000000.ply')), 'frame 0');
    const distanceTo = (vertex: number, point: Point) =>
      Math.hypot(...point.map((c, k) => file.position[3 * vertex + k] - c));
    const s = 0.4 * Math.SQRT1_2;
    const outer: Point = [0.5 + s, 0.5 - s, 0.5];
    expect(distanceTo(await pickAt(outer), outer)).toBeLessThan(0.04);
    await set({ hideOuter: true });
    const wall: Point = [0.7, 0.5, 0.5];
    expect(distanceTo(await pickAt(wall), wall)).toBeLessThan(0.04);
    await set({ hideOuter: false });
    await press(page, 'Escape');
  });

  it('have a curve of volume each in the plots', async () => {
    await press(page, 'p');
    await page.click('#plot-tabs [data-value=regions]');
    expect(await page.getAttribute('#plot', 'data-curves')).toBe('4');
    await press(page, 'p');
  });

  it('can be coloured by a field, and shown as water, without the walls in the way', async () => {
    const water = await withHook(page, (hook) => {
      hook.app.settings.set({ mode: 'water' });
      return hook.app.viewer.notice;
    });
    expect(water).toBe('');
    const picture = await grab(page);
    const [r, , b] = pixelAt(picture, ...(await project(page, [0.5, 0.5, 0.5])));
    expect(b).toBeGreaterThan(r + 30);
    await set({ mode: 'materials' });
  });

  it('threw no error of its own', () => expect(viewer.errors).toEqual([]));
});

describe('films', () => {
  let viewer: ViewerPage;
  let page: Page;

  beforeAll(async () => {
    const run = join(folder, 'bubbles');
    writeLabelledRun(run, { shape: 'hundred-bubbles', method: 'films' });
    viewer = await openViewer(run);
    page = viewer.page;
    await ready(page);
    await withHook(page, (hook) => hook.app.settings.set({ box: false }));
  });

  afterAll(async () => viewer?.close());

  it('are the look of runs of the method films, and are seen through', async () => {
    expect(await withHook(page, (hook) => hook.app.settings.value.mode)).toBe('film');
    const picture = await grabWhole(page);
    // Colourful: some pixels of every hue, which neither backdrop nor floor have.
    const share = (test: (r: number, g: number, b: number) => boolean) => measureShare(picture, test);
    expect(share((r, g, b) => r > b + 40 && g > b + 40)).toBeGreaterThan(0.003);
    expect(share((r, g, b) => b > r + 40 && b > g + 20)).toBeGreaterThan(0.003);
    expect(share((r, g, b) => r > g + 30 && b > g + 30)).toBeGreaterThan(0.003);
  });

  it('come out the same from the same place, whichever way one came there', async () => {
    const turn = (azimuth: number) =>
      page.evaluate((a) => window.meniscus?.app.fit([a, 20]), azimuth).then(() => grabWhole(page));
    const first = await turn(30);
    const other = await turn(210);
    const again = await turn(30);
    expect(measureDifference(first, other)).toBeGreaterThan(2);
    expect(measureDifference(first, again)).toBe(0);
  });

  it('change colour with their thickness, and turn black when they are thin', async () => {
    const show = (thickness: number) =>
      page
        .evaluate((t) => window.meniscus?.app.settings.set({ thickness: t, thicknessSpread: 0 }), thickness)
        .then(() => grabWhole(page));
    const [thin, blue, yellow] = [await show(5), await show(220), await show(330)];
    expect(measureDifference(blue, yellow)).toBeGreaterThan(1.5);
    const bright = (picture: Picture) => measureShare(picture, (r, g, b) => r + g + b > 330);
    expect(bright(blue)).toBeGreaterThan(10 * bright(thin));
  });

  it('take their thickness from the frame where it says so', async () => {
    const run = join(folder, 'bubble');
    writeLabelledRun(run, { shape: 'bubble', method: 'films', thickness: () => 330e-9 });
    const own = await openViewer(run);
    try {
      await ready(own.page);
      expect(await own.page.isVisible('#thickness')).toBe(false);
      const before = await grab(own.page, WIDTH, HEIGHT);
      await withHook(own.page, (hook) => hook.app.settings.set({ thickness: 100 }));
      expect(measureDifference(before, await grab(own.page, WIDTH, HEIGHT))).toBe(0);
      // As a frame without the field whose films are set to that thickness.
      writeLabelledRun(run, { shape: 'bubble', method: 'films' });
      await own.page.reload({ waitUntil: 'commit' });
      await own.page.waitForFunction(() => window.meniscus !== undefined);
      await ready(own.page);
      const show = (thickness: number) =>
        own.page
          .evaluate((t) => window.meniscus?.app.settings.set({ thickness: t, thicknessSpread: 0 }), thickness)
          .then(() => grab(own.page, WIDTH, HEIGHT));
      expect(measureDifference(before, await show(330))).toBeLessThan(0.05);
      expect(measureDifference(before, await show(250))).toBeGreaterThan(0.5);
      expect(own.errors).toEqual([]);
    } finally {
      await own.close();
    }
  });

  it('threw no error of its own', () => expect(viewer.errors).toEqual([]));
});
