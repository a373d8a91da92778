/** What is drawn on a page of the viewer, as pictures and numbers. */
import type { Page } from 'playwright-core';
import { HEIGHT, WIDTH } from './viewer-page.ts';

/**
 * The drawn picture, an eighth as many pixels as on screen in each direction averaged away by the browser.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** (height x width x 3) 0..255, top row first */
  readonly rgb: Uint8Array;
}

export async function grab(page: Page, width = 160, height = 100): Promise<Picture> {
  const base64 = await page.evaluate(
    ([w, h]) => {
      const hook = window.meniscus;
      if (!hook) throw new Error('no viewer');
      hook.app.viewer.backdrop.renderNow();
      const copy = document.createElement('canvas');
      copy.width = w;
      copy.height = h;
      const context = copy.getContext('2d');
      if (!context) throw new Error('no 2D canvas');
      context.drawImage(hook.app.canvas, 0, 0, w, h);
      const { data } = context.getImageData(0, 0, w, h);
      let text = '';
      for (let i = 0; i < data.length; i += 4) text += String.fromCharCode(data[i], data[i + 1], data[i + 2]);
      return btoa(text);
    },
    [width, height],
  );
  return { width, height, rgb: new Uint8Array(Buffer.from(base64, 'base64')) };
}

/** The same, pixel by pixel. */
export const grabWhole = (page: Page): Promise<Picture> => grab(page, WIDTH, HEIGHT);

/** A part of the picture: left, top, right, bottom as shares of width and height. */
export type Part = readonly [number, number, number, number];

/** Mean absolute difference of two pictures, or of a part of them, 0..255. */
export function measureDifference(a: Picture, b: Picture, [x0, y0, x1, y1]: Part = [0, 0, 1, 1]): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.ceil(y0 * a.height); y < y1 * a.height; y++) {
    for (
      let i = 3 * (y * a.width + Math.ceil(x0 * a.width));
      i < 3 * (y * a.width + Math.floor(x1 * a.width));
      i++
    ) {
      sum += Math.abs(a.rgb[i] - b.rgb[i]);
      count++;
    }
  }
  return sum / count;
}

export function pixelAt(picture: Picture, x: number, y: number): [number, number, number] {
  const i = 3 * (Math.round(y * (picture.height - 1)) * picture.width + Math.round(x * (picture.width - 1)));
  return [picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2]];
}

/** Share of a picture's pixels for which the test holds. */
export function measureShare(picture: Picture, test: (r: number, g: number, b: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < picture.rgb.length; i += 3) {
    if (test(picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2])) count++;
  }
  return count / (picture.width * picture.height);
}

/** How much neighbouring pixels differ inside a part of the picture: edges make it large. */
export function measureContrast(picture: Picture, [x0, y0, x1, y1]: Part): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.ceil(y0 * picture.height); y < y1 * picture.height - 1; y++) {
    for (let x = Math.ceil(x0 * picture.width); x < x1 * picture.width - 1; x++) {
      const i = 3 * (y * picture.width + x);
      for (let k = 0; k < 3; k++) {
        sum += Math.abs(picture.rgb[i + k] - picture.rgb[i + 3 + k]);
        sum += Math.abs(picture.rgb[i + k] - picture.rgb[i + 3 * picture.width + k]);
      }
      count += 6;
    }
  }
  return sum / count;
}

/** Where a point of the scene is on the canvas, as shares of width and height. */
export function project(page: Page, point: readonly [number, number, number]): Promise<[number, number]> {
  return page.evaluate(
    (p) => {
      const camera = window.meniscus?.app.viewer.backdrop.camera;
      if (!camera) throw new Error('no viewer');
      camera.updateMatrixWorld();
      const v = camera.position.clone().set(p[0], p[1], p[2]).project(camera);
      return [v.x / 2 + 0.5, 0.5 - v.y / 2] as [number, number];
    },
    point as [number, number, number],
  );
}
