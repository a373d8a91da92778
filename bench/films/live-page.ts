/**
 * Issue 5, row 10: bubbles live in the page. The viewer in Chromium runs films/live in its worker at about a
 * thousand vertices: steps a second, how long the page's own thread keeps a person waiting, and how soon a
 * click pops a bubble. Needs Chromium and a quiet machine.
 */
import type { Page } from 'playwright-core';
import { HEIGHT, type Hooked, runLive, WIDTH } from '../../cases/shared/live-page.ts';
import { atLeast, atMost, equalTo } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

/** m; makes about a thousand vertices of the four bubbles. */
const RESOLUTION = 0.0051;
const WARM_STEPS = 40;
const SECONDS = 20;

/**
 * Least of steps a second and of vertices; longest that a person takes for at once: of waits in ms, of pops
 * in s.
 */
const BOUND = { rate: 20, vertices: 950, wait: 100, pop: 1 };

async function runLivePage(context: RefereeContext): Promise<RefereeRow[]> {
  const start = { scene: 'films/live', title: 'Four bubbles', resolution: RESOLUTION, warmSteps: WARM_STEPS };
  const watched = { count: 'vertices', seconds: SECONDS, bound: BOUND };
  const { rows, least, acted } = await runLive(context, { ...start, ...watched }, popOne, 'after');
  return [
    ...rows,
    atLeast('vertices, least in that time', least, BOUND.vertices, ''),
    equalTo('bubbles after a click', `${acted.bubbles}`, '3'),
    atMost('from the click to a step without the bubble', acted.seconds, BOUND.pop, 's', 0),
  ];
}

/** Clicks on the bubble that reaches farthest to the left, near its edge as it is seen. */
async function popOne(page: Page): Promise<{ bubbles: number; seconds: number }> {
  const [x, y] = await page.evaluate(() => {
    const { viewer } = (window as unknown as Hooked).meniscus!.app;
    const { position } = viewer.frame.surface;
    const { camera } = viewer.backdrop;
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
