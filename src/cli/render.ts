import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Page } from 'playwright-core';
import { InputError, RunError } from '../core/errors.ts';
import { writeFileWhole } from '../run/node-files.ts';
import { RunFolder } from '../run/node-folder.ts';
import { launchChromium } from './browser.ts';
import { parseFrame, parseRange } from './options.ts';
import { showPath } from './paths.ts';
import { startViewServer } from './view-server.ts';

/**
 * `meniscus render`: pictures and films of a run, drawn by the viewer itself in headless Chromium. The page
 * draws exact frames through window.meniscus (viewer/src/render-hook.ts) and encodes films with WebCodecs;
 * whole files come back. Pictures are drawn at twice the size and brought down; films, of many frames, are
 * not.
 */
const modes = ['water', 'surface', 'wireframe', 'cut', 'materials', 'film', 'particles'] as const;

interface RenderFlags {
  output: string;
  frame?: number;
  frames?: { from: number; to: number };
  size: { width: number; height: number };
  view: string;
  zoom: number;
  mode?: (typeof modes)[number];
  cut?: CutFlag;
  hollow?: boolean;
  hideOuter?: boolean;
  hide?: number[];
  curves: boolean;
  thickness?: { thickness: number; thicknessSpread: number };
  box: boolean;
  floor: boolean;
  frustum?: boolean;
  color?: string;
  range?: [number, number];
  theme: 'dark' | 'light';
  fps?: number;
  quiet?: boolean;
}

interface CutFlag {
  cutAxis: 0 | 1 | 2;
  cutPosition: number;
  /** The half that goes, as seen from the view. */
  cutAway: 'near' | 'far';
}

/** The page's hook as seen from here. */
interface Hook {
  ready: Promise<void>;
  configure(options: unknown): void;
  renderFrame(frame: number): Promise<string>;
  startMovie(fps: number): Promise<{ codec: string; container: 'mp4' | 'webm' }>;
  addMovieFrame(frame: number): Promise<void>;
  finishMovie(): Promise<string>;
  app: { viewer: { listFields(): { name: string }[]; notice: string } };
}

/** The first picture compiles shaders: up to 20 s on a busy machine without a graphics card. */
const PAGE_TIMEOUT = 180_000;

export function registerRender(program: Command): void {
  program
    .command('render')
    .description('draw a run as a picture (.png) or a film (.mp4), through the viewer in headless Chromium')
    .argument('<dir>', 'run folder')
    .requiredOption('-o, --output <file>', 'picture.png or movie.mp4')
    .addOption(new Option('--frame <n>', 'frame of the picture; default: the last').argParser(parseFrame))
    .addOption(
      new Option('--frames <a:b>', 'frames of the film, both ends included; default: all').argParser(
        parseRange,
      ),
    )
    .addOption(
      new Option('--size <WxH>', 'pixels')
        .argParser(parseSize)
        .default({ width: 1280, height: 720 }, '1280x720'),
    )
    .addOption(
      new Option('--view <view>', 'iso, front, side, top, or azimuth,elevation in degrees')
        .argParser(parseView)
        .default('iso'),
    )
    .addOption(
      new Option('--zoom <factor>', 'how much nearer than the view of the whole domain')
        .argParser(parseZoom)
        .default(1),
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'how to draw the surface; default: film for soap films, materials where faces carry region labels, else water',
      ).choices(modes),
    )
    .addOption(
      new Option(
        '--cut <axis:share>',
        'plane of the cut, through tetrahedra, materials or films, at a share of the domain, such as y:0.4; the half nearer to the eye goes, with -y:0.4 the farther',
      ).argParser(parseCut),
    )
    .option('--hollow', 'look into the regions that --cut opens, instead of filling them with their colour')
    .option('--hide-outer', 'leave out the faces that touch the outside (materials, film)')
    .addOption(
      new Option('--hide <labels>', 'leave out regions, such as 3,7 (materials, film)').argParser(
        parseLabels,
      ),
    )
    .option('--no-curves', 'no lines where sheets meet (materials, film)')
    .addOption(
      new Option(
        '--thickness <nm>',
        'of films that carry no field of that name: one number, or top:bottom such as 150:650',
      ).argParser(parseThickness),
    )
    .option('--no-box', 'without the edges of the domain')
    .option('--no-floor', 'without the floor')
    .option('--frustum', "lines of what the scene's camera sees")
    .option('--color <field>', 'colour by a field, such as velocity or pressure')
    .addOption(
      new Option('--range <a:b>', "fixed range of the colours; default: each frame's own").argParser(
        parseColorRange,
      ),
    )
    .addOption(new Option('--theme <theme>', 'background').choices(['dark', 'light']).default('light'))
    .addOption(new Option('--fps <n>', "film frames per second; default: the run's own").argParser(parseFps))
    .option('--quiet', 'no progress')
    .action(render);
}

async function render(dir: string, flags: RenderFlags): Promise<void> {
  const kind = extname(flags.output).toLowerCase();
  if (kind !== '.png' && kind !== '.mp4' && kind !== '.webm') {
    throw new InputError(
      flags.output,
      `cannot write ${kind || 'a file without an ending'}`,
      'expected a .png picture or a .mp4 film',
    );
  }
  const film = kind !== '.png';
  const run = RunFolder.open(dir);
  const frames = chooseFrames(dir, run, flags, film);
  if (film && (flags.size.width % 2 || flags.size.height % 2)) {
    throw new InputError(
      '--size',
      `${flags.size.width}x${flags.size.height} is odd`,
      'films need an even width and height',
    );
  }
  const server = await startViewServer({ run: dir });
  try {
    const browser = await launchChromium(flags.size.width, flags.size.height);
    try {
      const page = await openPage(
        await browser.context.newPage(),
        `${server.url}&chrome=0&quality=${film ? 'fast' : 'high'}`,
        flags,
        frames[0],
      );
      const file = film
        ? await writeFilm(page, frames, flags, run.info.fps)
        : await writePicture(page, frames[0], flags);
      process.stdout.write(`${showPath(file)}\n`);
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

function chooseFrames(dir: string, run: RunFolder, flags: RenderFlags, film: boolean): number[] {
  // A cut can be drawn only where tetrahedra were saved.
  const cut = flags.mode === 'cut';
  const all = run.listFrames(cut ? 'volume' : 'surface');
  if (cut && all.length === 0) {
    throw new InputError('--mode cut', 'the run holds no tetrahedra', 'run it with --set output.volume=1');
  }
  if (all.length === 0)
    throw new InputError(dir, 'the run has no frames yet', 'wait for the first, or start the run again');
  const has = `the run has ${cut ? 'tetrahedra for ' : ''}frames ${cut ? all.join(', ') : `${all[0]} to ${all.at(-1)}`}`;
  if (!film) {
    const frame = flags.frame ?? all.at(-1)!;
    if (!all.includes(frame)) throw new InputError('--frame', `there is no frame ${frame}`, has);
    return [frame];
  }
  const { from, to } = flags.frames ?? { from: 0, to: Number.POSITIVE_INFINITY };
  const frames = all.filter((frame) => frame >= from && frame <= to);
  if (frames.length === 0) throw new InputError('--frames', 'there are no such frames', has);
  return frames;
}

async function openPage(page: Page, url: string, flags: RenderFlags, first: number): Promise<Page> {
  page.setDefaultTimeout(PAGE_TIMEOUT);
  await page.goto(url, { waitUntil: 'commit' });
  await inPage(page, 'the viewer did not start', async () => {
    await page.waitForFunction(() => 'meniscus' in window);
    await page.evaluate(() => (window as unknown as { meniscus: Hook }).meniscus.ready);
  });
  const { size, view, zoom, color = '' } = flags;
  const fields = await page.evaluate(
    async ({ size, view, zoom, settings, cutAway, first }) => {
      const { meniscus } = window as unknown as { meniscus: Hook };
      meniscus.configure({ ...size, view, zoom, settings, cutAway });
      // The cut needs the tetrahedra, which come with the next frame drawn.
      await meniscus.renderFrame(first);
      return meniscus.app.viewer.listFields().map(({ name }) => name);
    },
    { size, view, zoom, settings: listSettings(flags), cutAway: flags.cut?.cutAway, first },
  );
  if (color !== '' && !fields.includes(color)) {
    throw new InputError(
      '--color',
      `no field "${color}"`,
      `the mesh carries: ${fields.join(', ') || 'none'}`,
    );
  }
  return page;
}

/** What the flags say, in the viewer's own words (viewer/src/settings.ts). */
function listSettings(flags: RenderFlags): Record<string, unknown> {
  const { mode, color = '', range = null, theme, cut, hollow, hideOuter = false, hide = [] } = flags;
  return {
    ...(mode && { mode }),
    color,
    range,
    theme,
    ...(cut && { cutAxis: cut.cutAxis, cutPosition: cut.cutPosition }),
    slice: cut ? (hollow ? 'hollow' : 'solid') : 'off',
    hideOuter,
    hiddenRegions: hide,
    curves: flags.curves,
    ...flags.thickness,
    box: flags.box,
    floor: flags.floor,
    frustum: flags.frustum === true,
  };
}

async function writePicture(page: Page, frame: number, flags: RenderFlags): Promise<string> {
  const base64 = await inPage(page, `frame ${frame} could not be drawn`, () =>
    page.evaluate((n) => (window as unknown as { meniscus: Hook }).meniscus.renderFrame(n), frame),
  );
  writeFileWhole(flags.output, Buffer.from(base64, 'base64'), 'nothing was written');
  return flags.output;
}

async function writeFilm(
  page: Page,
  frames: readonly number[],
  flags: RenderFlags,
  runFps: number,
): Promise<string> {
  const { container, codec } = await inPage(page, 'no film could be started', () =>
    page.evaluate(
      (fps) => (window as unknown as { meniscus: Hook }).meniscus.startMovie(fps),
      flags.fps ?? runFps,
    ),
  );
  const file = flags.output.replace(/\.\w+$/, `.${container}`);
  if (file !== flags.output) {
    process.stderr.write(
      `This Chromium has no H.264 encoder: writing ${codec} to ${showPath(file)} instead.\n`,
    );
  }
  const start = performance.now();
  for (const [i, frame] of frames.entries()) {
    await inPage(page, `frame ${frame} could not be drawn`, () =>
      page.evaluate((n) => (window as unknown as { meniscus: Hook }).meniscus.addMovieFrame(n), frame),
    );
    if (!flags.quiet) showProgress(i + 1, frames.length, (performance.now() - start) / 1000);
  }
  const base64 = await inPage(page, 'the film could not be finished', () =>
    page.evaluate(() => (window as unknown as { meniscus: Hook }).meniscus.finishMovie()),
  );
  writeFileWhole(file, Buffer.from(base64, 'base64'), 'nothing was written');
  return file;
}

/** On a terminal one line that counts; elsewhere a line for every tenth. */
function showProgress(done: number, total: number, seconds: number): void {
  const left = (seconds / done) * (total - done);
  const text = `frame ${done}/${total}  ${(seconds / done).toFixed(2)} s/frame  ETA ${Math.ceil(left)} s`;
  if (process.stderr.isTTY) process.stderr.write(`\r${text}   ${done === total ? '\n' : ''}`);
  else if (done === total || done % Math.ceil(total / 10) === 0) process.stderr.write(`${text}\n`);
}

/** What fails inside the page, said in our own words. */
async function inPage<T>(page: Page, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const text =
      cause instanceof Error
        ? cause.message.split('\n')[0].replace(/^page\.\w+: (Error: )?/, '')
        : String(cause);
    const sorry = await page.textContent('#sorry', { timeout: 500 }).catch(() => null);
    throw new RunError(
      'render',
      `${what} (${sorry ?? text})`,
      'open the run with `meniscus view` to see what is wrong',
      { cause },
    );
  }
}

function parseSize(text: string): { width: number; height: number } {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(text);
  if (!match) throw new InvalidArgumentError('expected WIDTHxHEIGHT in pixels, such as 1280x720.');
  return { width: Number(match[1]), height: Number(match[2]) };
}

function parseColorRange(text: string): [number, number] {
  const parts = text.split(':').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2 || !(parts[0] < parts[1])) {
    throw new InvalidArgumentError('expected two numbers, the lower first, such as 0:2.5.');
  }
  return [parts[0], parts[1]];
}

function parseCut(text: string): CutFlag {
  const match = /^(-?)([xyz])(?::(\d*\.?\d+))?$/.exec(text);
  const cutPosition = Number(match?.[3] ?? 0.5);
  if (!match || cutPosition > 1) {
    throw new InvalidArgumentError('expected an axis and a share from 0 to 1, such as x:0.5 or -z:0.3.');
  }
  return {
    cutAxis: 'xyz'.indexOf(match[2]) as 0 | 1 | 2,
    cutPosition,
    cutAway: match[1] === '-' ? 'far' : 'near',
  };
}

function parseLabels(text: string): number[] {
  if (!/^\d+(,\d+)*$/.test(text)) throw new InvalidArgumentError('expected region labels such as 3 or 3,7.');
  return text.split(',').map(Number);
}

function parseThickness(text: string): { thickness: number; thicknessSpread: number } {
  const [top, bottom = top, ...rest] = text
    .split(':')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (rest.length > 0 || !(top >= 0 && bottom >= top && bottom > 0)) {
    throw new InvalidArgumentError('expected nanometres, one number or top:bottom with the top thinner.');
  }
  return { thickness: (top + bottom) / 2, thicknessSpread: (bottom - top) / (bottom + top) };
}

function parseView(text: string): string {
  const isPair = /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/.test(text);
  if (!isPair && !['iso', 'front', 'side', 'top'].includes(text)) {
    throw new InvalidArgumentError('expected iso, front, side, top, or azimuth,elevation such as 30,20.');
  }
  return text;
}

function parseZoom(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 100)) throw new InvalidArgumentError('expected a factor from 0.1 to 100.');
  return value;
}

function parseFps(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 240))
    throw new InvalidArgumentError('expected frames per second from 1 to 240.');
  return value;
}
