/** The viewer in a real browser, for tests: a page over a run folder, and what is drawn on it as numbers. */
import type { Page } from 'playwright-core';
import { type Browser, launchChromium } from '../../src/cli/browser.ts';
import { startViewServer, type ViewServer } from '../../src/cli/view-server.ts';
import type { MeniscusHook } from '../../viewer/src/render-hook.ts';

export const WIDTH = 640;
export const HEIGHT = 400;

export interface ViewerPage {
  readonly page: Page;
  readonly errors: string[];
  close(): Promise<void>;
}

/** Opens the viewer; `query` is added to the address. Errors that the page throws are collected. */
export async function openViewer(run: string | undefined, query = ''): Promise<ViewerPage> {
  const server: ViewServer = await startViewServer({ run });
  const browser: Browser = await launchChromium(WIDTH, HEIGHT);
  const page = await browser.context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${server.url}${run === undefined ? '?' : '&'}theme=dark${query}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.meniscus !== undefined);
  return {
    page,
    errors,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Waits for the first frame; a failure to load is left for the test to see. */
export const ready = (page: Page): Promise<void> =>
  page.evaluate(() => window.meniscus?.ready.catch(() => undefined));

/** Runs code with the page's hook. */
export function withHook<T>(page: Page, work: (hook: MeniscusHook) => T | Promise<T>): Promise<T> {
  return page.evaluate(`(${work.toString()})(window.meniscus)`) as Promise<T>;
}

/** Presses a key with the stage in focus. */
export async function press(page: Page, key: string): Promise<void> {
  await page.focus('#stage');
  await page.keyboard.press(key);
}
