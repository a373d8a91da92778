/** A scene run live by the viewer in Chromium, for benchmarks of the page. Needs the build. */
import type { Page } from 'playwright-core';
import { launchChromium } from '../../src/cli/browser.ts';
import { startViewServer } from '../../src/cli/view-server.ts';
import type { RefereeContext } from '../../src/run/referee.ts';
import { atLeast, atMost, reportRow } from './rows.ts';

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
async function withLivePage<T>(use: (page: Page) => Promise<T>): Promise<T> {
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
async function startLive(page: Page, start: LiveStart): Promise<void> {
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
function watchPage(page: Page, seconds: number, count: string) {
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

/** What a live page must hold: least steps a second; longest wait of the page for its own thread, ms. */
export interface LiveBounds {
  readonly rate: number;
  readonly wait: number;
}

/** Runs a scene live and watches it for a while, `before` or after what a person does there. */
export function runLive<T>(
  { note }: Pick<RefereeContext, 'note'>,
  { count, seconds, bound, ...start }: LiveStart & { count: string; seconds: number; bound: LiveBounds },
  act: (page: Page) => Promise<T>,
  when: 'before' | 'after',
) {
  return withLivePage(async (page) => {
    await startLive(page, start);
    note('the page runs');
    const before = when === 'before' ? await act(page) : undefined;
    const going = await watchPage(page, seconds, count);
    const rows = [
      atLeast('steps a second', going.rate, bound.rate, ''),
      reportRow(`${count}, least`, going.least, ''),
      reportRow(`${count}, most`, going.most, ''),
      reportRow('surfaces drawn a second', going.drawn, ''),
      atMost('longest wait of the page for its own thread', going.longestWait, bound.wait, 'ms', 0),
    ];
    return { rows, least: going.least, acted: before ?? (await act(page)) };
  });
}
