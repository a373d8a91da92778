/**
 * The viewer in Debian's Chromium: what is drawn, and what the controls do. One page for all tests, in order:
 * starting a browser and compiling shaders without a graphics card is what takes the time.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPly } from '../../src/io/ply.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { STEPS_PER_FRAME, writeSyntheticRun } from '../viewer/synthetic-run.ts';
import {
  grab,
  grabWhole,
  measureContrast,
  measureDifference,
  measureShare,
  type Part,
  pixelAt,
  project,
} from './pictures.ts';
import { HEIGHT, openViewer, press, ready, type ViewerPage, WIDTH, withHook } from './viewer-page.ts';

const FRAMES = 8;
/** The blob's centre (synthetic-run.ts), metres. */
const CENTRE = [0.5, 0.5, 0.45] as const;
const isBlue = (r: number, g: number, b: number) => b > r + 40 && b > 90 && g > r;

const folder = createTemporaryFolder('viewer');
let viewer: ViewerPage;
let page: Page;

beforeAll(async () => {
  writeSyntheticRun(folder, { shape: 'blob', frames: FRAMES, cells: 8 });
  viewer = await openViewer(folder);
  page = viewer.page;
  await ready(page);
});

afterAll(async () => viewer?.close());

const frameShown = () => page.getAttribute('#stage', 'data-frame').then(Number);
const waitForFrame = (frame: number) =>
  page.waitForFunction(
    (n) => document.querySelector<HTMLElement>('#stage')?.dataset['frame'] === String(n),
    frame,
  );
const setMode = (mode: string) =>
  page.evaluate((m) => document.querySelector<HTMLElement>(`#mode [data-value=${m}]`)?.click(), mode);
const pickField = (id: string, value: string) =>
  page.evaluate(
    ([i, v]) => {
      const element = document.querySelector<HTMLSelectElement>(i);
      if (!element) throw new Error(`no ${i}`);
      element.value = v;
      element.dispatchEvent(new Event('change'));
    },
    [id, value],
  );

describe('the picture', () => {
  it('names the run and shows water where the liquid is, and only there', async () => {
    expect(await page.textContent('#run')).toContain('A wobbling blob');
    expect(await page.textContent('#status')).toBe('done');
    const [x, y] = await project(page, CENTRE);
    const picture = await grab(page);
    expect(isBlue(...pixelAt(picture, x, y))).toBe(true);
    const [left] = await project(page, [0.0, 0.5, 0.45]);
    expect(isBlue(...pixelAt(picture, left - 0.1, y))).toBe(false);
    // The blob's disc: some hundredths of the picture, neither nothing nor everything.
    const share = measureShare(picture, isBlue);
    expect(share).toBeGreaterThan(0.012);
    expect(share).toBeLessThan(0.3);
  });

  it('draws the solids of the scene', async () => {
    const before = await grab(page);
    const [x, y] = await project(page, [0.82, 0.1, 0.2]);
    const [r, , b] = pixelAt(before, x, y);
    expect(r).toBeGreaterThan(b);
    await withHook(page, (hook) => hook.app.settings.set({ solids: false }));
    expect(measureDifference(before, await grab(page))).toBeGreaterThan(0.3);
    await withHook(page, (hook) => hook.app.settings.set({ solids: true }));
  });

  it('changes with wireframe: edges all over the liquid', async () => {
    const [x, y] = await project(page, CENTRE);
    const part: Part = [x - 0.05, y - 0.08, x + 0.05, y + 0.08];
    await setMode('surface');
    const matte = await grabWhole(page);
    await setMode('wireframe');
    const wire = await grabWhole(page);
    expect(measureContrast(wire, part)).toBeGreaterThan(2.5 * measureContrast(matte, part));
    await setMode('surface');
    await page.evaluate(() => document.querySelector<HTMLElement>('#shading [data-value=flat]')?.click());
    const flat = await grabWhole(page);
    expect(measureDifference(matte, flat, part)).toBeGreaterThan(0.5);
    await page.evaluate(() => document.querySelector<HTMLElement>('#shading [data-value=smooth]')?.click());
  });

  it('turns, shifts, zooms and fits', async () => {
    await setMode('surface');
    const before = await grab(page);
    const drag = async (button: 'left' | 'right', dx: number, dy: number) => {
      await page.mouse.move(WIDTH / 2, HEIGHT / 2);
      await page.mouse.down({ button });
      await page.mouse.move(WIDTH / 2 + dx, HEIGHT / 2 + dy, { steps: 3 });
      await page.mouse.up({ button });
    };
    await drag('left', 90, 10);
    const turned = await grab(page);
    expect(measureDifference(before, turned)).toBeGreaterThan(1);
    await drag('right', 60, 0);
    const shifted = await grab(page);
    expect(measureDifference(turned, shifted)).toBeGreaterThan(1);
    const share = measureShare(shifted, isBlue);
    await page.mouse.move(WIDTH / 2, HEIGHT / 2);
    await page.mouse.wheel(0, -400);
    await page.waitForTimeout(200);
    expect(measureShare(await grab(page), isBlue)).toBeGreaterThan(1.1 * share);
    await page.click('#tool-fit');
    expect(measureDifference(before, await grab(page))).toBeLessThan(0.5);
  });
});

describe('colour', () => {
  it('follows a field, with legend and range', async () => {
    await setMode('surface');
    const plain = await grab(page);
    await pickField('#color', 'velocity');
    const colored = await grab(page);
    expect(measureDifference(plain, colored)).toBeGreaterThan(1);
    expect(await page.isVisible('#legend')).toBe(true);
    const legend = (await page.textContent('#legend')) ?? '';
    expect(legend).toContain('velocity magnitude');
    expect(legend).toContain('m/s');
    const { attributes } = readPly(readFileSync(join(folder, 'surface', '000000.ply')), 'frame 0');
    const values = attributes['velocity'].values;
    let fastest = 0;
    for (let v = 0; v < values.length; v += 3)
      fastest = Math.max(fastest, Math.hypot(...values.subarray(v, v + 3)));
    expect(legend).toContain(String(Number(fastest.toPrecision(4))));
  });

  it('changes with the map, the part and a fixed range', async () => {
    const before = await grab(page);
    await pickField('#map', 'ember');
    const ember = await grab(page);
    expect(measureDifference(before, ember)).toBeGreaterThan(1);
    await pickField('#component', 'x');
    const part = await grab(page);
    expect(measureDifference(ember, part)).toBeGreaterThan(0.5);
    await page.evaluate(() => {
      for (const [id, value] of [
        ['range-min', '-5'],
        ['range-max', '5'],
      ]) {
        const input = document.querySelector<HTMLInputElement>(`#${id}`)!;
        input.value = value;
        input.dispatchEvent(new Event('change'));
      }
    });
    expect(await page.textContent('#legend .ticks')).toBe('-505');
    expect(measureDifference(part, await grab(page))).toBeGreaterThan(0.5);
  });

  it('takes fields of triangles too, and goes back to water', async () => {
    await withHook(page, (hook) =>
      hook.app.settings.set({ range: null, component: 'magnitude', map: 'lagoon' }),
    );
    const smooth = await grabWhole(page);
    await pickField('#color', 'region');
    const [x, y] = await project(page, CENTRE);
    const part: Part = [x - 0.05, y - 0.08, x + 0.05, y + 0.08];
    const cells = await grabWhole(page);
    expect(measureContrast(cells, part)).toBeGreaterThan(2 * measureContrast(smooth, part));
    await pickField('#color', '');
    await setMode('water');
    expect(await page.isVisible('#legend')).toBe(false);
    expect(isBlue(...pixelAt(await grab(page), x, y))).toBe(true);
  });
});

describe('the cut', () => {
  const kept = () => withHook(page, (hook) => hook.app.viewer.keptTets);

  it('shows tetrahedra behind the plane', async () => {
    const water = await grab(page);
    await setMode('cut');
    await page.waitForFunction(() => (window.meniscus?.app.viewer.keptTets ?? 0) > 0);
    const cut = await grabWhole(page);
    const all = 6 * 8 ** 3;
    expect(await kept()).toBeGreaterThan(0.35 * all);
    expect(await kept()).toBeLessThan(0.65 * all);
    expect(await page.textContent('#counts')).toContain('tets shown');
    const [x, y] = await project(page, CENTRE);
    expect(measureContrast(cut, [x - 0.04, y - 0.06, x + 0.04, y + 0.06])).toBeGreaterThan(4);
    expect(measureDifference(water, await grab(page))).toBeGreaterThan(1);
  });

  it('moves with slider, axis, side and knob', async () => {
    const before = await kept();
    await page.evaluate(() => {
      const slider = document.querySelector<HTMLInputElement>('#cut-position')!;
      slider.value = '0.65';
      slider.dispatchEvent(new Event('input'));
    });
    const less = await kept();
    expect(less).toBeLessThan(0.8 * before);
    await page.evaluate(() => document.querySelector<HTMLElement>('#cut-flip')?.click());
    expect(await kept()).toBe(6 * 8 ** 3 - less);
    await page.evaluate(() => document.querySelector<HTMLElement>('#cut-flip')?.click());
    await press(page, 'x');
    const [x, y] = await project(page, [0.65, 0.5, 1]);
    const [xTo, yTo] = await project(page, [0.4, 0.5, 1]);
    await page.mouse.move(x * WIDTH, y * HEIGHT);
    await page.mouse.down();
    await page.mouse.move(xTo * WIDTH, yTo * HEIGHT, { steps: 3 });
    await page.mouse.up();
    const position = await withHook(page, (hook) => hook.app.settings.value.cutPosition);
    expect(Math.abs(position - 0.4)).toBeLessThan(0.02);
  });

  it('is coloured by cell fields, quality among them, and tets stand apart when asked', async () => {
    const plain = await grab(page);
    await pickField('#color', 'min dihedral');
    const colored = await grab(page);
    expect(await page.textContent('#legend')).toContain('deg');
    expect(measureDifference(plain, colored)).toBeGreaterThan(0.5);
    await withHook(page, (hook) => hook.app.settings.set({ cutShrink: 0.3 }));
    expect(measureDifference(colored, await grab(page))).toBeGreaterThan(0.15);
    await withHook(page, (hook) => hook.app.settings.set({ cutShrink: 0, color: '', mode: 'surface' }));
  });
});

describe('the timeline', () => {
  it('scrubs to a frame, and the picture and the clock follow', async () => {
    const first = await grab(page);
    await page.fill('#scrubber', '3');
    await waitForFrame(3);
    expect(await page.textContent('#time')).toBe('0.300 s');
    expect(await page.textContent('#frame')).toBe(`3 / ${FRAMES - 1}`);
    expect(measureDifference(first, await grab(page))).toBeGreaterThan(0.25);
  });

  it('steps with buttons and keys', async () => {
    await page.click('#forward');
    await waitForFrame(4);
    await press(page, 'ArrowLeft');
    await waitForFrame(3);
    await press(page, 'End');
    await waitForFrame(FRAMES - 1);
    await press(page, 'Home');
    await waitForFrame(0);
  });

  it('plays, repeats, and stops', async () => {
    await page.click('#play');
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>('#stage')?.dataset['frame']) > 1,
    );
    expect(await page.getAttribute('#play', 'title')).toContain('Pause');
    await press(page, ' ');
    expect(await page.getAttribute('#play', 'title')).toContain('Play');
    const stopped = await frameShown();
    await page.waitForTimeout(400);
    expect(await frameShown()).toBe(stopped);
    await press(page, 'l');
    expect(await page.getAttribute('#loop', 'aria-pressed')).toBe('false');
    await press(page, 'l');
  });
});

describe('plots', () => {
  it('hold a point per step, and a click goes to its moment', async () => {
    await press(page, 'p');
    expect(await page.isVisible('#plot canvas')).toBe(true);
    const steps = 1 + (FRAMES - 1) * STEPS_PER_FRAME;
    expect(await page.getAttribute('#plot', 'data-points')).toBe(String(steps));
    const curves: Record<string, number> = {
      energy: 2,
      elements: 3,
      stages: 4,
      solver: 1,
      causes: 1,
      volume: 1,
    };
    for (const [id, count] of Object.entries(curves)) {
      await page.click(`#plot-tabs [data-value=${id}]`);
      expect(await page.getAttribute('#plot', 'data-curves')).toBe(String(count));
      expect(await page.getAttribute('#plot', 'data-points')).toBe(String(steps));
    }
    // Volume is in per cent of what should be there, and the numbers carry the unit.
    expect(await page.getAttribute('#plot', 'data-unit')).toBe('%');
    expect(await page.textContent('#plot .u-legend')).toMatch(/of what should be there(100|99\.\d+) %/);
    const box = (await page.locator('#plot .u-over').boundingBox())!;
    await page.mouse.click(box.x + box.width * (5 / 7), box.y + box.height / 2);
    await waitForFrame(5);
    await press(page, 'p');
    expect(await page.isVisible('#plots')).toBe(false);
  });
});

describe('picking', () => {
  it("shows a vertex's own numbers", async () => {
    await press(page, 'Home');
    await waitForFrame(0);
    const [x, y] = await project(page, CENTRE);
    await page.mouse.click(x * WIDTH, y * HEIGHT);
    await page.waitForSelector('#pick:not([hidden])');
    const vertex = Number(await page.getAttribute('#pick', 'data-vertex'));
    const file = readPly(readFileSync(join(folder, 'surface', '000000.ply')), 'frame 0');
    const shown = (await page.textContent('#pick')) ?? '';
    const short = (value: number) => String(Number(value.toPrecision(4)));
    const numbers = [
      ...file.position.subarray(3 * vertex, 3 * vertex + 3),
      ...file.attributes['velocity'].values.subarray(3 * vertex, 3 * vertex + 3),
      file.attributes['pressure'].values[vertex],
    ].filter((value) => Math.abs(value) > 1e-3);
    expect(numbers.length).toBeGreaterThan(4);
    for (const value of numbers) expect(shown).toContain(short(value));
    // The vertex that was clicked, not just any: it lies under the pointer.
    const at = file.position.subarray(3 * vertex, 3 * vertex + 3);
    const [px, py] = await project(page, [at[0], at[1], at[2]]);
    expect(Math.hypot((px - x) * WIDTH, (py - y) * HEIGHT)).toBeLessThan(25);
    await press(page, 'Escape');
    expect(await page.isVisible('#pick')).toBe(false);
  });
});

describe('tools', () => {
  it('save a picture as PNG', async () => {
    const coming = page.waitForEvent('download');
    await page.click('#tool-picture');
    const download = await coming;
    expect(download.suggestedFilename()).toBe('a-wobbling-blob-000000.png');
    const bytes = readFileSync(await download.path());
    expect([...bytes.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect(bytes.readUInt32BE(16)).toBe(WIDTH);
    expect(bytes.readUInt32BE(20)).toBe(HEIGHT);
    expect(bytes.length).toBeGreaterThan(10_000);
  });

  it('have keys, which the help lists', async () => {
    await press(page, '?');
    expect(await page.isVisible('#help')).toBe(true);
    expect(await page.textContent('#help')).toContain('play or pause');
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#help')).toBe(false);
    for (const [key, mode] of [
      ['3', 'wireframe'],
      ['4', 'cut'],
      ['1', 'water'],
    ]) {
      await press(page, key);
      expect(await withHook(page, (hook) => hook.app.settings.value.mode)).toBe(mode);
    }
    await press(page, 'h');
    expect(await page.isVisible('#panel')).toBe(true);
    await press(page, 'h');
    expect(await page.isVisible('#panel')).toBe(false);
    const dark = await grab(page);
    await press(page, 't');
    const mean = (picture: { rgb: Uint8Array }) =>
      picture.rgb.reduce((sum, value) => sum + value, 0) / picture.rgb.length;
    expect(mean(await grab(page))).toBeGreaterThan(mean(dark) + 60);
    await press(page, 't');
  });
});

describe('a run that goes on', () => {
  it('gets its new frames as they are written', async () => {
    writeSyntheticRun(folder, { frames: 2, status: 'running' });
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => window.meniscus !== undefined);
    await ready(page);
    expect(await page.textContent('#status')).toBe('running 2/2');
    writeSyntheticRun(folder, { frames: 5, status: 'done' });
    await page.waitForFunction(() => document.querySelector('#status')?.textContent === 'done');
    expect(await page.getAttribute('#scrubber', 'max')).toBe('4');
    await press(page, 'End');
    await waitForFrame(4);
  });

  it('says which file is bad, and goes on with the others', async () => {
    writeFileSync(join(folder, 'surface', '000002.ply'), 'no mesh at all');
    await page.reload({ waitUntil: 'commit' });
    await page.waitForFunction(() => window.meniscus !== undefined);
    await ready(page);
    await page.fill('#scrubber', '2');
    await page.waitForSelector('.toast.error');
    expect(await page.textContent('.toast.error')).toMatch(/Frame 2 could not be loaded.*000002\.ply/);
    await page.fill('#scrubber', '3');
    await waitForFrame(3);
  });

  it('threw no error of its own in all this', () => {
    expect(viewer.errors).toEqual([]);
  });
});
