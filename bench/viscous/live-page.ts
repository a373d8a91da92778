/**
 * Issue 21, row 18: honey live in the page. The viewer in Chromium runs viscous/live in its worker: steps a
 * second while a spoon is dragged through it, how long the page's own thread keeps a person waiting, and how
 * soon a drag moves the spoon. Needs Chromium and a quiet machine.
 */
import type { Page } from 'playwright-core';
import { HEIGHT, type Hooked, runLive, WIDTH } from '../../cases/shared/live-page.ts';
import { atLeast, atMost } from '../../cases/shared/rows.ts';
import type { RefereeCase, RefereeContext, RefereeRow } from '../../src/run/referee.ts';

const WARM_STEPS = 20;
const SECONDS = 15;
/** Least of steps a second; longest that a person takes for at once: of waits in ms, of leading in s. */
const BOUND = { rate: 10, wait: 50, lead: 1 };
/** m; of the spoon, and how far it must have gone */
const SPOON = [0.04, 0.06, 0.09] as const;
const WAY = 0.02;

/** The spoon moves while the page is watched. */
async function runLivePage(context: RefereeContext): Promise<RefereeRow[]> {
  const start = { scene: 'viscous/live', title: 'spoon', warmSteps: WARM_STEPS };
  const watched = { count: 'tets', seconds: SECONDS, bound: BOUND };
  const { rows, acted } = await runLive(context, { ...start, ...watched }, leadSpoon, 'before');
  return [
    ...rows,
    atLeast('way of the spoon', acted.way, WAY, 'm'),
    atMost('from the drag to the step that moves it', acted.seconds, BOUND.lead, 's', 0),
    atLeast('fastest liquid then', acted.fastest, 0.01, 'm/s'),
  ];
}

/**
 * Takes the spoon by its stick and drags it to the right, bit by bit; it is let go at the end of the
 * measurement, by the page's closing.
 */
async function leadSpoon(page: Page) {
  const [x, y] = await page.evaluate(
    (spoon) => {
      const { camera } = (window as unknown as Hooked).meniscus!.app.viewer.backdrop;
      const p = camera.position
        .clone()
        .set(...spoon)
        .project(camera);
      return [p.x / 2 + 0.5, 0.5 - p.y / 2];
    },
    SPOON as unknown as [number, number, number],
  );
  const state = () =>
    page.evaluate(() => {
      const { source } = (window as unknown as Hooked).meniscus!.app;
      const [handle] = [...(source?.handles?.values() ?? [])];
      const end = handle.waypoints[handle.waypoints.length - 1].translate;
      return { way: Math.hypot(...end), fastest: Number(source?.stats.at(-1)?.['maxSpeed'] ?? 0) };
    });
  await page.mouse.move(x * WIDTH, y * HEIGHT);
  await page.mouse.down();
  const begin = performance.now();
  await page.mouse.move((x + 0.02) * WIDTH, y * HEIGHT);
  await page.waitForFunction(() => {
    const { source } = (window as unknown as Hooked).meniscus!.app;
    const [handle] = [...(source?.handles?.values() ?? [])];
    return handle.waypoints.length > 1;
  });
  const seconds = (performance.now() - begin) / 1000;
  let fastest = 0;
  for (let n = 1; n <= 30; n++) {
    await page.mouse.move((x + 0.02 + 0.006 * n) * WIDTH, y * HEIGHT);
    await page.waitForTimeout(100);
    fastest = Math.max(fastest, (await state()).fastest);
  }
  // From here on it is led to and fro while the page is watched.
  await page.evaluate(
    ({ x, y, width, height }) => {
      const canvas = document.querySelector('canvas')!;
      let n = 0;
      setInterval(() => {
        const clientX = (x + 0.1 + 0.1 * Math.cos(0.15 * n++)) * width;
        canvas.dispatchEvent(new PointerEvent('pointermove', { clientX, clientY: y * height }));
      }, 50);
    },
    { x, y, width: WIDTH, height: HEIGHT },
  );
  return { seconds, ...(await state()), fastest };
}

export const livePageCases: RefereeCase[] = [
  {
    name: 'live-honey',
    method: 'viscous',
    title: 'a spoon dragged through honey in the page, in Chromium; needs a quiet machine',
    onRequest: true,
    run: runLivePage,
  },
];
