/** A scene run live by the viewer in Chromium, for benchmarks of the page. Needs the build. */
import type { Page } from 'playwright-core';
import { launchChromium } from '../../src/cli/browser.ts';
import { startViewServer } from '../../src/cli/view-server.ts';

export const WIDTH = 960;
export const HEIGHT = 600;

type Point = readonly [number, number, number];

/** The page's hook as seen from here. */
export interface Hooked {
  readonly meniscus?: {
    readonly app: {
      readonly previewCount: number;
      readonly source?: {
        readonly stats: readonly {
          readonly regions?: readonly unknown[];
          readonly [name: string]: unknown;
        }[];
        readonly handles?: ReadonlyMap<
          number,
          { readonly waypoints: readonly { readonly translate: Point }[] }
        >;
      };
      readonly viewer: {
        readonly frame: { readonly surface: { readonly position: Float32Array } };
        readonly backdrop: { readonly camera: Camera };
      };
    };
  };
}
export interface Camera {
  readonly position: {
    clone(): {
      set(x: number, y: number, z: number): { project(camera: Camera): { x: number; y: number } };
    };
  };
}

/** Opens the viewer without a run, hands its page over, and closes everything again. */
export async function withLivePage<T>(use: (page: Page) => Promise<T>): Promise<T> {
  const server = await startViewServer({ run: undefined });
  try {
    const browser = await launchChromium(WIDTH, HEIGHT);
    try {
      const page = await browser.context.newPage();
      page.setDefaultTimeout(180_000);
      await page.goto(`${server.url}?theme=dark`, { waitUntil: 'commit' });
      await page.waitForFunction(() => 'meniscus' in window);
      return await use(page);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

export interface LiveStart {
  /** `films/live` */
  readonly scene: string;
  /** Words of its title. */
  readonly title: string;
  readonly resolution?: number;
  /** Steps before the clock starts: the first compile kernels and shaders. */
  readonly warmSteps: number;
}

/** Chooses a scene in the live panel and runs it. */
export async function startLive(page: Page, start: LiveStart): Promise<void> {
  const isReady = () =>
    page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('#live-run')?.disabled);
  await page.selectOption('#live-scene', start.scene);
  await page.waitForFunction(
    (title) => document.querySelector('#live-about')?.textContent?.includes(title),
    start.title,
  );
  await isReady();
  if (start.resolution !== undefined) {
    await page.fill('#live-resolution', `${start.resolution}`);
    await page.dispatchEvent('#live-resolution', 'change');
    await isReady();
  }
  await page.click('#live-run');
  await page.waitForFunction(
    (n) => ((window as unknown as Hooked).meniscus?.app.source?.stats.length ?? 0) > n,
    start.warmSteps,
  );
}

/** Steps, surfaces and waits of the page for a while; `count`: which figure of the steps tells their size. */
export function watchPage(page: Page, seconds: number, count: string) {
  return page.evaluate(
    async ({ seconds, count }) => {
      const { app } = (window as unknown as Hooked).meniscus!;
      const { stats } = app.source!;
      const [first, begin, drawnBefore] = [stats.length, performance.now(), app.previewCount];
      let longestWait = 0;
      for (let last = begin; last < begin + 1000 * seconds; ) {
        await new Promise((resolve) => setTimeout(resolve));
        const now = performance.now();
        longestWait = Math.max(longestWait, now - last);
        last = now;
      }
      const took = (performance.now() - begin) / 1000;
      const counts = stats.slice(first).map((record) => Number(record[count] ?? 0));
      return {
        rate: counts.length / took,
        least: Math.min(...counts),
        most: Math.max(...counts),
        drawn: (app.previewCount - drawnBefore) / took,
        longestWait,
      };
    },
    { seconds, count },
  );
}
