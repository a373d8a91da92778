/**
 * Issue 5, row 10: bubbles live in the page. The viewer in Chromium runs films/live in its worker at about a
 * thousand vertices: steps a second, how long the page's own thread keeps a person waiting, and how soon a
 * click pops a bubble. Needs Chromium and a quiet machine.
 */
import type { Page } from 'playwright-core';
import { atLeast, atMost, equalTo, reportRow } from '../../cases/shared/rows.ts';
import { launchChromium } from '../../src/cli/browser.ts';
import { startViewServer } from '../../src/cli/view-server.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const WIDTH = 960;
const HEIGHT = 600;
/** m; makes about a thousand vertices of the four bubbles. */
const RESOLUTION = 0.0051;
/** Steps before the clock starts: the first compile kernels and shaders. */
const WARM_STEPS = 40;
const SECONDS = 20;

const LEAST_RATE = 20;
const LEAST_VERTICES = 950;
/** What a person takes for at once, ms. */
const LONGEST_WAIT = 100;
const LONGEST_POP = 1;

/** The page's hook as seen from here. */
interface Hooked {
  readonly meniscus?: {
    readonly app: {
      readonly previewCount: number;
      readonly source?: { readonly stats: readonly { vertices?: number; regions?: readonly unknown[] }[] };
      readonly viewer: {
        readonly frame: { readonly surface: { readonly position: Float32Array } };
        readonly stage: { readonly camera: Camera };
      };
    };
  };
}
interface Camera {
  readonly position: {
    clone(): {
      set(x: number, y: number, z: number): { project(camera: Camera): { x: number; y: number } };
    };
  };
}

async function runLivePage(context: RefereeContext): Promise<RefereeRow[]> {
  const server = await startViewServer({ run: undefined });
  try {
    const browser = await launchChromium(WIDTH, HEIGHT);
    try {
      const page = await browser.context.newPage();
      page.setDefaultTimeout(180_000);
      await page.goto(`${server.url}?theme=dark`, { waitUntil: 'commit' });
      await page.waitForFunction(() => 'meniscus' in window);
      await startBubbles(page);
      context.note('the page runs');
      const going = await watch(page);
      const popped = await popOne(page);
      return [
        atLeast('steps a second', going.rate, LEAST_RATE, ''),
        atLeast('vertices, least in that time', going.leastVertices, LEAST_VERTICES, ''),
        reportRow('vertices, most', going.mostVertices, ''),
        reportRow('surfaces drawn a second', going.drawn, ''),
        atMost('longest wait of the page for its own thread', going.longestWait, LONGEST_WAIT, 'ms', 0),
        equalTo('bubbles after a click', `${popped.bubbles}`, '3'),
        atMost('from the click to a step without the bubble', popped.seconds, LONGEST_POP, 's', 0),
      ];
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

async function startBubbles(page: Page): Promise<void> {
  const isReady = () =>
    page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('#live-run')?.disabled);
  await page.selectOption('#live-scene', 'films/live');
  await page.waitForFunction(() =>
    document.querySelector('#live-about')?.textContent?.includes('Four bubbles'),
  );
  await isReady();
  await page.fill('#live-resolution', `${RESOLUTION}`);
  await page.dispatchEvent('#live-resolution', 'change');
  await isReady();
  await page.click('#live-run');
  await page.waitForFunction(
    (n) => ((window as unknown as Hooked).meniscus?.app.source?.stats.length ?? 0) > n,
    WARM_STEPS,
  );
}

/** Steps, surfaces and waits of the page for a while. */
function watch(page: Page) {
  return page.evaluate(async (seconds) => {
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
    const vertices = stats.slice(first).map((record) => record.vertices ?? 0);
    return {
      rate: vertices.length / took,
      leastVertices: Math.min(...vertices),
      mostVertices: Math.max(...vertices),
      drawn: (app.previewCount - drawnBefore) / took,
      longestWait,
    };
  }, SECONDS);
}

/** Clicks on the bubble that reaches farthest to the left, near its edge as it is seen. */
async function popOne(page: Page): Promise<{ bubbles: number; seconds: number }> {
  const [x, y] = await page.evaluate(() => {
    const { viewer } = (window as unknown as Hooked).meniscus!.app;
    const { position } = viewer.frame.surface;
    const { camera } = viewer.stage;
    let left = [1, 0];
    for (let i = 0; i < position.length; i += 3) {
      const p = camera.position
        .clone()
        .set(position[i], position[i + 1], position[i + 2])
        .project(camera);
      if (p.x < left[0]) left = [p.x, p.y];
    }
    return [left[0] / 2 + 0.5 + 0.02, 0.5 - left[1] / 2];
  });
  const begin = performance.now();
  await page.mouse.click(x * WIDTH, y * HEIGHT);
  await page.waitForFunction(
    () => (window as unknown as Hooked).meniscus?.app.source?.stats.at(-1)?.regions?.length !== 4,
  );
  const seconds = (performance.now() - begin) / 1000;
  const bubbles = await page.evaluate(
    () => (window as unknown as Hooked).meniscus?.app.source?.stats.at(-1)?.regions?.length ?? 0,
  );
  return { bubbles, seconds };
}

export const livePageCases: RefereeCase[] = [
  {
    name: 'live-page',
    method: 'films',
    title: 'bubbles live in the page at a thousand vertices, in Chromium; needs a quiet machine',
    onRequest: true,
    run: runLivePage,
  },
];
