/**
 * `meniscus view` as a program: its address, its headers, its walls; and the viewer as a plain static site.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, launchChromium } from '../../src/cli/browser.ts';
import { findFile } from '../../src/cli/find-file.ts';
import { packageFolder } from '../../src/cli/paths.ts';
import { startViewServer } from '../../src/cli/view-server.ts';
import type {} from '../../viewer/src/render-hook.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';

const folder = createTemporaryFolder('serve');
const run = join(folder, 'run');
beforeAll(() => {
  writeSyntheticRun(run, { frames: 2, cells: 4 });
  writeFileSync(join(folder, 'secret.txt'), 'secret');
});

describe('meniscus view', () => {
  let child: ChildProcess;
  let url = '';

  beforeAll(async () => {
    child = spawn(process.execPath, [join(packageFolder, 'bin', 'meniscus.js'), 'view', run, '--no-open']);
    url = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (data: Buffer) => resolve(data.toString().trim()));
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
  });

  it('prints an address that shows the run', async () => {
    expect(url).toMatch(/^http:\/\/localhost:\d+\/\?run=run\/$/);
    const page = await fetch(url);
    expect(await page.text()).toContain('<title>meniscus</title>');
    // Both are needed for shared memory, and so for threads in live mode.
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(page.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    const info = await (await fetch(new URL('run/run.json', url))).json();
    expect(info).toMatchObject({ title: 'A wobbling blob' });
  });

  it('serves nothing outside the run and the viewer, and takes no orders', async () => {
    const { port } = new URL(url);
    const ask = (path: string, method = 'GET') =>
      new Promise<number>((resolve, reject) => {
        request({ host: 'localhost', port, path, method }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        })
          .on('error', reject)
          .end();
      });
    for (const path of [
      '/run/../secret.txt',
      '/run/%2e%2e/secret.txt',
      '/run/..%2fsecret.txt',
      '/../package.json',
    ]) {
      expect(await ask(path)).toBe(404);
    }
    expect(await ask('/run/%ff')).toBe(400);
    expect(await ask('/run/run.json', 'DELETE')).toBe(405);
    expect(await ask('/run/run.json', 'HEAD')).toBe(200);
  });

  it('ends well on Ctrl-C', async () => {
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('refuses a folder without a run', async () => {
    const wrong = spawn(process.execPath, [
      join(packageFolder, 'bin', 'meniscus.js'),
      'view',
      folder,
      '--no-open',
    ]);
    let text = '';
    wrong.stderr.on('data', (data: Buffer) => {
      text += data.toString();
    });
    const code = await new Promise<number | null>((resolve) => wrong.once('exit', resolve));
    expect(code).toBe(2);
    expect(text).toContain('not a run folder');
  });
});

describe('the list of runs', () => {
  it('names the runs below a folder, with addresses that open', async () => {
    writeSyntheticRun(join(folder, 'more', 'pool'), { shape: 'pool', frames: 1, cells: 2 });
    const server = await startViewServer({ runs: folder });
    try {
      const runs = await (await fetch(new URL('runs.json', server.url))).json();
      expect(runs.map(({ name }: { name: string }) => name).sort()).toEqual(['more/pool', 'run']);
      for (const { address, title } of runs) {
        const info = await (await fetch(new URL(`${address}run.json`, server.url))).json();
        expect(info.title).toBe(title);
      }
    } finally {
      await server.close();
    }
  });
});

describe('the static build, below some folder of a plain server', () => {
  let server: Server;
  let browser: Browser;
  let base = '';

  beforeAll(async () => {
    const types: Record<string, string> = {
      '.html': 'text/html',
      '.js': 'text/javascript',
      '.css': 'text/css',
    };
    const places = { '/site/viewer/': join(packageFolder, 'dist', 'viewer'), '/data/': run };
    server = createServer((incoming, response) => {
      const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
      const [prefix, place] = Object.entries(places).find(([start]) => path.startsWith(start)) ?? ['/', ''];
      const file = place && findFile(place, path.slice(prefix.length) || 'index.html');
      response.writeHead(file ? 200 : 404, {
        'Content-Type': types[extname(file || '')] ?? 'application/octet-stream',
      });
      response.end(file && incoming.method === 'GET' ? readFileSync(file) : undefined);
    });
    await new Promise<void>((listening) => server.listen(0, 'localhost', listening));
    base = `http://localhost:${(server.address() as AddressInfo).port}/site/viewer/`;
    browser = await launchChromium(640, 400);
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });

  it('opens ?run=ADDRESS', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${base}?run=/data/`, { waitUntil: 'commit' });
    await page.waitForFunction(
      () => document.querySelector<HTMLElement>('#stage')?.dataset['frame'] === '0',
      undefined,
      {
        timeout: 60_000,
      },
    );
    expect(await page.textContent('#run')).toContain('A wobbling blob');
    await page.close();
  });

  it('opens a run folder that is dropped onto it', async () => {
    const page = await openPage();
    await page.waitForFunction(() => window.meniscus !== undefined);
    const devtools = await browser.context.newCDPSession(page);
    const data = { items: [], files: [run], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devtools.send('Input.dispatchDragEvent', { type, x: 320, y: 200, data });
    }
    await page.waitForFunction(() => document.querySelector<HTMLElement>('#stage')?.dataset['frame'] === '0');
    expect(await page.textContent('#run')).toContain('A wobbling blob');
    await page.close();
  });

  /** The viewer without a run; `init` runs before anything of the page. */
  async function openPage(init = () => {}): Promise<Page> {
    const page = await browser.context.newPage();
    await page.addInitScript(init);
    await page.goto(base, { waitUntil: 'commit' });
    return page;
  }

  it('runs live scenes on one thread, and says why', async () => {
    const page = await openPage();
    await page.waitForSelector('#live-scene');
    await page.selectOption('#live-scene', 'lattice/falling-blob');
    await page.waitForFunction(() =>
      document.querySelector('#live-about')?.textContent?.includes('free fall'),
    );
    await page.waitForFunction(() => !document.querySelector<HTMLButtonElement>('#live-run')?.disabled);
    await page.fill('#live-resolution', '0.125');
    await page.dispatchEvent('#live-resolution', 'change');
    // Long enough to be stopped by hand.
    await page.fill('#live-duration', '60');
    await page.dispatchEvent('#live-duration', 'change');
    await page.click('#live-run');
    await page.waitForFunction(() =>
      document.querySelector('#live-message')?.textContent?.includes('not cross-origin isolated'),
    );
    await page.waitForFunction(
      () => Number(document.querySelector<HTMLElement>('#stage')?.dataset['frame']) >= 1,
      undefined,
      { timeout: 60_000 },
    );
    await page.click('#live-stop');
    expect(await page.textContent('#live-message')).toBe('Stopped.');
    await page.close();
  });

  it('says so where there is no WebGL', async () => {
    const page = await openPage(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    await page.waitForSelector('#sorry');
    expect(await page.textContent('#sorry')).toContain('WebGL 2');
    await page.close();
  });

  it('makes one drawing context: a second is freed while a run goes on, and the page waits for it', async () => {
    const page = await openPage(() => {
      const canvases = new Set<HTMLCanvasElement>();
      const get = HTMLCanvasElement.prototype.getContext;
      Object.assign(window, { canvases });
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...of: unknown[]) {
        if (String(of[0]).startsWith('webgl')) canvases.add(this);
        return Reflect.apply(get, this, of);
      } as typeof get;
    });
    await page.waitForFunction(() => 'meniscus' in window);
    expect(
      await page.evaluate(() =>
        [...(window as unknown as { canvases: Set<HTMLCanvasElement> }).canvases].map(({ id }) => id),
      ),
    ).toEqual(['stage']);
    await page.close();
  });

  it('says what an address without a run lacks', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${base}?run=/nowhere/`, { waitUntil: 'commit' });
    await page.waitForSelector('.toast.error');
    expect(await page.textContent('.toast.error')).toMatch(/nowhere.*run\.json/);
    await page.close();
  });
});
