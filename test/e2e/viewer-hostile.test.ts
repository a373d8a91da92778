/**
 * Run folders that hold anything: the list names them all, the page says what is wrong with each and goes on;
 * and crowds of requests.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, launchChromium } from '../../src/cli/browser.ts';
import { startViewServer, type ViewServer } from '../../src/cli/view-server.ts';
import type {} from '../../viewer/src/render-hook.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';

const SECRET = 'nobody-may-read-this';
const folder = mkdtempSync(join(tmpdir(), 'meniscus-hostile-'));
const runs = join(folder, 'runs');
const good = join(runs, 'good');
let server: ViewServer;

type Json = Record<string, unknown>;
const readGood = (): Json => JSON.parse(readFileSync(join(good, 'run.json'), 'utf8')) as Json;

/** A copy of the good run with some files changed. */
function spoil(name: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  cpSync(good, join(runs, name), { recursive: true });
  for (const [file, bytes] of Object.entries(files)) writeFileSync(join(runs, name, file), bytes);
}
const spoilRun = (name: string, change: Json) =>
  spoil(name, { 'run.json': JSON.stringify({ ...readGood(), ...change }) });
const spoilScene = (name: string, change: Json) =>
  spoilRun(name, { scene: { ...(readGood()['scene'] as Json), ...change } });

const sphere = { type: 'sphere', centre: [0.5, 0.5, 0.5], radius: 0.1 };
const header = (vertices: string, more = '') =>
  `ply\nformat binary_little_endian 1.0\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z\n${more}end_header\n`;

/** Small balls side by side on the floor. */
const scatterBalls = (count: number, perRow: number, more: Json) =>
  Array.from({ length: count }, (_, i) => ({
    shape: { ...sphere, centre: [(i % perRow) / perRow, ((i / perRow) | 0) / perRow, 0.02], radius: 0.003 },
    ...more,
  }));

/** What each is called, and whether its picture can be shown. */
const hostile: [name: string, isShown: boolean, spoil: (name: string) => void][] = [
  ['run-null', false, (n) => spoil(n, { 'run.json': 'null' })],
  ['run-list', false, (n) => spoil(n, { 'run.json': '[]' })],
  ['run-number', false, (n) => spoil(n, { 'run.json': '7' })],
  ['run-cut-short', false, (n) => spoil(n, { 'run.json': '{"title": "x' })],
  ['run-empty', false, (n) => spoil(n, { 'run.json': '' })],
  ['run-deep', false, (n) => spoil(n, { 'run.json': '['.repeat(200_000) })],
  ['run-bytes', false, (n) => spoil(n, { 'run.json': new Uint8Array(1000).fill(0xff) })],
  ['nothing-known', true, (n) => spoil(n, { 'run.json': '{}' })],
  ['title-object', true, (n) => spoilRun(n, { title: { a: 1 }, name: [], status: {}, method: 3 })],
  ['title-long', true, (n) => spoilRun(n, { title: 'x'.repeat(1e6) })],
  [
    'title-html',
    true,
    (n) => spoilRun(n, { title: '<img src=x onerror="globalThis.ran=1">\u001b[2J\u202e' }),
  ],
  ['rate-zero', true, (n) => spoilRun(n, { fps: 0 })],
  ['rate-text', true, (n) => spoilRun(n, { fps: 'fast' })],
  ['frames-endless', true, (n) => spoilRun(n, { totals: { frames: 1e12 }, lastFrame: 1e300 })],
  ['frames-negative', true, (n) => spoilRun(n, { totals: { frames: -5 }, lastFrame: -9 })],
  ['totals-null', true, (n) => spoilRun(n, { totals: null, balance: null })],
  ['scene-null', true, (n) => spoilRun(n, { scene: null })],
  ['domain-inverted', true, (n) => spoilScene(n, { domain: { min: [1, 1, 1], max: [0, 0, 0] } })],
  ['domain-flat', true, (n) => spoilScene(n, { domain: { min: [0, 0, 0], max: [1, 1, 0] } })],
  ['domain-endless', true, (n) => spoilScene(n, { domain: { min: [-1e300, 0, 0], max: [1e300, 1, 1] } })],
  ['domain-text', true, (n) => spoilScene(n, { domain: { min: 'a', max: [null] } })],
  ['solids-text', true, (n) => spoilScene(n, { solids: 'many' })],
  [
    'solids-junk',
    true,
    (n) => spoilScene(n, { solids: [null, 1, {}, { shape: {} }, { shape: { type: 'box' } }] }),
  ],
  [
    'solids-deep',
    true,
    (n) => {
      // JSON.stringify itself has no room for it.
      const solid = `[{"shape":${'{"type":"union","shapes":['.repeat(3000)}${JSON.stringify(sphere)}${']}'.repeat(3000)}}]`;
      const text = JSON.stringify({
        ...readGood(),
        scene: { ...(readGood()['scene'] as Json), solids: 'HERE' },
      });
      spoil(n, { 'run.json': text.replace('"HERE"', solid) });
    },
  ],
  ['solids-tiny', true, (n) => spoilScene(n, { solids: [{ shape: { ...sphere, radius: 1e-300 } }] })],
  ['solids-huge', true, (n) => spoilScene(n, { solids: [{ shape: { ...sphere, radius: 1e300 } }] })],
  [
    'solids-elsewhere',
    true,
    (n) =>
      spoilScene(n, {
        solids: ['http://127.0.0.1:9/x.ply', '//127.0.0.1:9/x.ply', '../../secret.txt', '/runs.json'].map(
          (file) => ({
            shape: { type: 'mesh', file },
          }),
        ),
      }),
  ],
  ['solids-many', true, (n) => spoilScene(n, { solids: scatterBalls(20_000, 141, {}) })],
  [
    'solids-many-moving',
    true,
    (n) =>
      spoilScene(n, { solids: scatterBalls(1000, 55, { motion: { translate: { velocity: [0.1, 0, 0] } } }) }),
  ],
  [
    'solids-many-cut',
    true,
    (n) =>
      spoilScene(n, {
        solids: Array.from({ length: 200 }, () => ({
          shape: {
            type: 'difference',
            from: { type: 'box', min: [-9, -9, -9], max: [9, 9, 0.1] },
            minus: [sphere],
          },
        })),
      }),
  ],
  [
    'wires-junk',
    true,
    (n) => spoilScene(n, { films: { wires: [null, { type: 'ring' }, 'x'] }, gravity: 'up' }),
  ],
  ['stats-null', true, (n) => spoil(n, { 'stats.jsonl': 'null\nnull\n7\n' })],
  ['stats-broken', true, (n) => spoil(n, { 'stats.jsonl': '{"step":0}\n{"st\n{"step":2}\n' })],
  [
    'stats-odd',
    true,
    (n) =>
      spoil(n, {
        'stats.jsonl': `${JSON.stringify({
          time: 'now',
          volume: [],
          wall: 5,
          regions: [null],
          ledger: { total: null },
          solver: { a: null },
          vertices: {},
        })}\n`.repeat(3),
      }),
  ],
  [
    'stats-wide',
    true,
    (n) =>
      spoil(n, {
        'stats.jsonl': `${JSON.stringify({ time: 0, wall: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`s${i}`, i])) })}\n`,
      }),
  ],
  ['pvd-long', true, (n) => spoil(n, { 'volume.pvd': 'volume/9999999.vtu '.repeat(100_000) })],
  ['surface-empty', false, (n) => spoil(n, { 'surface/000000.ply': '' })],
  ['surface-text', false, (n) => spoil(n, { 'surface/000000.ply': '<html>' })],
  ['surface-endless', false, (n) => spoil(n, { 'surface/000000.ply': header('1000000000000') })],
  ['surface-negative', false, (n) => spoil(n, { 'surface/000000.ply': header('-1') })],
  [
    'surface-out-of-range',
    false,
    (n) =>
      spoil(n, {
        'surface/000000.ply':
          'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 99999999\n',
      }),
  ],
];

/** A run whose particles of frame 0 are these bytes, or none where there is no text. */
function spoilParticles(name: string, text: string | undefined): void {
  spoilScene(name, { output: { particles: 1 } });
  mkdirSync(join(runs, name, 'particles'));
  if (text !== undefined) writeFileSync(join(runs, name, 'particles/000000.ply'), text);
}
const particle = (count: string, properties: readonly string[], values: string) =>
  `ply\nformat ascii 1.0\nelement vertex ${count}\n${properties.map((p) => `property float ${p}\n`).join('')}end_header\n${values}\n`;
const PLACE = ['x', 'y', 'z'];
const SPEED = ['velocity_x', 'velocity_y', 'velocity_z'];
const WHOLE = [...PLACE, ...SPEED, 'radius'];
for (const [name, isShown, text] of [
  ['particles-missing', true, undefined],
  ['particles-empty', false, ''],
  ['particles-text', false, '<script>globalThis.ran = 1</script>'],
  ['particles-endless', false, particle('1000000000000', WHOLE, '')],
  ['particles-negative', false, particle('-1', WHOLE, '')],
  ['particles-bare', false, particle('1', PLACE, '0.5 0.5 0.5')],
  ['particles-nan', false, particle('2', WHOLE, 'nan 0 0 0 0 0 0.1\n0.5 0.5 0.5 inf 0 0 nan')],
  ['particles-huge', true, particle('1', WHOLE, '1e38 -1e38 0 0 0 0 1e38')],
  ['particles-turned', false, particle('1', WHOLE, '0.5 0.5 0.5 0 0 0 -3')],
] as const) {
  hostile.push([name, isShown, (n) => spoilParticles(n, text)]);
}

beforeAll(async () => {
  writeSyntheticRun(good, { frames: 2, cells: 4 });
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  for (const [name, , spoilIt] of hostile) spoilIt(name);
  // What is no file must not be waited for, nor read through.
  mkdirSync(join(runs, 'run-folder', 'run.json'), { recursive: true });
  mkdirSync(join(runs, 'run-pipe'));
  execFileSync('mkfifo', [join(runs, 'run-pipe', 'run.json')]);
  mkdirSync(join(runs, 'run-link'));
  symlinkSync(join(folder, 'secret.txt'), join(runs, 'run-link', 'run.json'));
  symlinkSync(join(runs, 'loop'), join(runs, 'loop'));
  mkdirSync(join(runs, 'odd #?%41 name'));
  cpSync(good, join(runs, 'odd #?%41 name'), { recursive: true });
  server = await startViewServer({ runs });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the list of runs', () => {
  it('names every run, the damaged ones as such', async () => {
    const list = (await (await fetch(new URL('runs.json', server.url))).json()) as Record<string, string>[];
    const byName = new Map(list.map((entry) => [entry['name'], entry]));
    for (const [name] of hostile) expect(byName.has(name)).toBe(true);
    expect(byName.get('good')).toMatchObject({ title: 'A wobbling blob', status: 'done' });
    for (const name of ['run-null', 'run-list', 'run-cut-short', 'run-folder', 'run-pipe', 'run-link'])
      expect(byName.get(name)?.['status']).toContain('run.json cannot be read');
    for (const { title, status } of list) {
      expect(typeof title).toBe('string');
      expect(title.length + status.length).toBeLessThan(400);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may come through
      expect(title + status).not.toMatch(/[\u0000-\u001f\u202e]/);
      expect(status).not.toContain(tmpdir());
    }
    const odd = byName.get('odd #?%41 name')!;
    expect((await fetch(new URL(`${odd['address']}run.json`, server.url))).status).toBe(200);
  });
});

describe('the page', () => {
  let browser: Browser;
  let page: Page;
  let errors: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium(640, 400);
    page = await browser.context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
  });
  afterAll(() => browser?.close());

  it.each(hostile)('shows or explains %s', async (name, isShown) => {
    errors = [];
    const elsewhere: string[] = [];
    page.removeAllListeners('request');
    page.on('request', (one) => {
      const { port, pathname } = new URL(one.url());
      if (port === '9' || pathname.includes('secret')) elsewhere.push(one.url());
    });
    await page.goto(new URL(`?run=runs/${name}/`, server.url).href, { waitUntil: 'commit' });
    // How long the page's own thread was held up at most, while it read the run, ms.
    await page.waitForFunction(() => window.meniscus !== undefined);
    const held = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          let last = performance.now();
          let longest = 0;
          const timer = setInterval(() => {
            const now = performance.now();
            longest = Math.max(longest, now - last);
            last = now;
          }, 5);
          void window.meniscus?.ready
            .catch(() => undefined)
            .then(() => {
              clearInterval(timer);
              done(longest);
            });
        }),
    );
    const [toasts, frame] = await page.evaluate(() => [
      document.querySelectorAll('.toast.error').length,
      document.querySelector<HTMLElement>('#stage')?.dataset['frame'],
    ]);
    if (isShown) expect(frame).toBe('0');
    else expect(toasts).toBeGreaterThan(0);
    // Compiling shaders without a graphics card takes up to a second in one piece, as in any run.
    expect(held).toBeLessThan(4000);
    await page.keyboard.press('p');
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect(errors).toEqual([]);
    expect(elsewhere).toEqual([]);
  });

  it('opens the good one after all of them', async () => {
    await page.goto(server.url, { waitUntil: 'commit' });
    await page.waitForSelector('#runs a');
    await page.click('#runs a:has-text("A wobbling blob")');
    await page.waitForSelector('#stage[data-frame="0"]');
  });
});

describe('a crowd', () => {
  const CROWD = 1500;

  it('of 1,500 at once, good and bad among each other, is answered in full, and the next guest too', async () => {
    const { port } = new URL(server.url);
    const wanted = readFileSync(join(good, 'surface', '000000.ply'));
    const kinds: [path: string, host: string, status: number][] = [
      ['/runs/good/surface/000000.ply', `localhost:${port}`, 200],
      ['/runs/good/../../secret.txt', `localhost:${port}`, 404],
      ['/runs/good/run.json', 'evil.example', 421],
      ['/runs/good/surface/000001.ply', `localhost:${port}`, 200],
      ['/runs/run-pipe/run.json', `localhost:${port}`, 404],
      ['/index.html', `localhost:${port}`, 200],
    ];
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const answers = await Promise.all(
      Array.from({ length: CROWD }, (_, i) => {
        const [path, host, status] = kinds[i % kinds.length];
        return new Promise<boolean>((resolve, reject) => {
          request(
            { host: 'localhost', port, path, headers: { Host: host }, agent: false, timeout: 60_000 },
            (response) => {
              const parts: Buffer[] = [];
              response.on('data', (part: Buffer) => parts.push(part));
              response.on('error', reject);
              response.on('end', () => {
                const body = Buffer.concat(parts);
                const isWhole = !path.endsWith('000000.ply') || body.equals(wanted);
                resolve(response.statusCode === status && isWhole && !body.includes(SECRET));
              });
            },
          )
            .on('error', reject)
            .end();
        });
      }),
    );
    const seconds = (performance.now() - start) / 1000;
    expect(answers.filter(Boolean)).toHaveLength(CROWD);
    expect(seconds).toBeLessThan(60);
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
    expect((await fetch(new URL('runs.json', server.url))).status).toBe(200);
  });
});
