/**
 * The viewer's server and page against those who mean harm: paths that lead out, names of other sites,
 * scripts in run folders, run files that hold anything, and crowds. All on this machine's loopback, bounded
 * in count and time.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, launchChromium } from '../../src/cli/browser.ts';
import { startViewServer, type ViewServer } from '../../src/cli/view-server.ts';
import { createRandom } from '../../src/core/random.ts';
import type {} from '../../viewer/src/render-hook.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { writeSyntheticRun } from '../viewer/synthetic-run.ts';

const SECRET = 'the-secret-of-this-machine';
const MARK = 'document.title = "RAN"; globalThis.ran = true;';

const folder = createTemporaryFolder('attack');
const runs = join(folder, 'runs');
const good = join(runs, 'good');
let server: ViewServer;
let port = 0;

beforeAll(async () => {
  writeSyntheticRun(good, { frames: 2, cells: 4 });
  writeFileSync(join(folder, 'secret.txt'), SECRET);
  mkdirSync(join(folder, 'runs-too'));
  writeFileSync(join(folder, 'runs-too', 'secret.txt'), SECRET);
  symlinkSync(join(folder, 'secret.txt'), join(good, 'link.txt'));
  symlinkSync(folder, join(good, 'up'));
  const page = `<!doctype html><body onload='${MARK}'><script>${MARK}</script><script src="evil.js"></script></body>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${MARK}'><script>${MARK}</script></svg>`;
  for (const [name, text] of Object.entries({
    'evil.html': page,
    'EVIL.HTML': page,
    'evil.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${MARK}</script></html>`,
    'evil.svg': svg,
    'evil.xml': svg,
    'evil.js': `${MARK}; self.postMessage?.("RAN");`,
    'evil.mjs': MARK,
    'evil.wasm': '\0asm',
    'evil.css': '* { display: none !important }',
    'evil.json': page,
    'evil.pvd': svg,
    'evil.jsonl': page,
    'index.html': page,
    evil: page,
  })) {
    writeFileSync(join(good, name), text);
  }
  server = await startViewServer({ run: good, runs });
  port = Number(new URL(server.url).port);
});
afterAll(async () => {
  await server?.close();
});

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly policy: string;
  readonly sniffing: string;
  readonly body: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: 'localhost', port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          policy: String(response.headers['content-security-policy'] ?? ''),
          sniffing: String(response.headers['x-content-type-options'] ?? ''),
          body: Buffer.concat(parts).toString(),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** Sends bytes as they are and reads what comes back. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost');
    let got = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (part) => {
      got += part.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(got));
    socket.end(text);
  });
}

describe('paths', () => {
  const ups = [
    '..',
    '%2e%2e',
    '%2E.',
    '..%00',
    '..%5c',
    '..%2f',
    '%252e%252e',
    '..;',
    '.%2e',
    '\\..',
    '%c0%ae%c0%ae',
  ];
  const ends = ['secret.txt', 'runs-too/secret.txt', 'package.json', 'etc/passwd'];

  /** Seeded: the same on every machine. */
  function writePath(random: { next(): number }): string {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)];
    const start = pick([
      '/run/',
      '/runs/',
      '/runs/good/',
      '/',
      '//',
      '/run/surface/',
      '/run/up/',
      '/assets/',
    ]);
    const middle = Array.from({ length: Math.floor(random.next() * 5) }, () => pick(ups)).join(
      pick(['/', '/', '%2f', '\\']),
    );
    return `${start}${middle}${pick(['/', '%2f', '\\', ''])}${pick(ends)}${pick(['', '?', '#x', '%00.ply', '/'])}`;
  }

  it('400 of them that lead upwards give nothing away', async () => {
    const random = createRandom(18);
    const paths = Array.from({ length: 400 }, () => writePath(random)).concat(
      '/run/link.txt',
      '/run/up/secret.txt',
      '/runs/good/link.txt',
      '/run/../secret.txt',
      '/runs/../secret.txt',
      '/runs/good/../../secret.txt',
      '/run',
      '/run/surface',
      '/proc/self/environ',
      `/run/${'a/'.repeat(3000)}`,
      `/run/${'a'.repeat(5000)}`,
    );
    for (const path of paths) {
      const { status, body } = await ask(path);
      expect([400, 404]).toContain(status);
      expect(body).not.toContain(SECRET);
      expect(body).not.toContain('root:');
      // Nor where things are on this machine.
      expect(body).not.toContain(tmpdir());
    }
  });

  it('sent as no client would', async () => {
    for (const text of [
      'GET ../../secret.txt HTTP/1.1',
      'GET /run/../../secret.txt HTTP/1.1',
      `GET http://localhost:${port}/run/run.json HTTP/1.1`,
      `GET file://${folder}/secret.txt HTTP/1.1`,
      'GET * HTTP/1.1',
      'CONNECT localhost:22 HTTP/1.1',
      'TRACE /run/run.json HTTP/1.1',
      'GET /run/run.json\r\nX: y HTTP/1.1',
    ]) {
      const got = await sendRaw(`${text}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
      expect(got).not.toMatch(/^HTTP\/1\.1 200/);
      expect(got).not.toContain(SECRET);
    }
  });
});

describe('names', () => {
  it('of other sites that were made to lead here get nothing', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `localhost:${port}.evil.example`,
      `evil@localhost:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost:${port + 1}`,
      'localhost',
      ':',
      '[::1',
      `[::1]evil:${port}`,
    ]) {
      for (const path of ['/', '/run/run.json', '/runs.json', '/runs/good/run.json']) {
        const { status, body } = await ask(path, { Host: host });
        expect([400, 421]).toContain(status);
        expect(body).not.toContain('wobbling');
        expect(body).not.toContain('<title>');
      }
    }
    const twice = `GET /run/run.json HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(twice)).toMatch(/^HTTP\/1\.1 (400|421)/);
    const none = 'GET /run/run.json HTTP/1.1\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(none)).toMatch(/^HTTP\/1\.1 (400|421)/);
    const empty = 'GET /run/run.json HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(empty)).toMatch(/^HTTP\/1\.1 (400|421)/);
  });

  it('of its own get what they ask for', async () => {
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await ask('/run/run.json', { Host: host })).status).toBe(200);
    }
  });
});

describe('scripts in a run folder', () => {
  const files = [
    'evil.html',
    'EVIL.HTML',
    'evil.xhtml',
    'evil.svg',
    'evil.xml',
    'evil.js',
    'evil.mjs',
  ].concat(['evil.wasm', 'evil.css', 'evil.json', 'evil.pvd', 'evil.jsonl', 'index.html', 'evil']);
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium(640, 400);
  });
  afterAll(() => browser?.close());

  it('are served as data that may do nothing', async () => {
    for (const start of ['/run/', '/runs/good/']) {
      for (const file of files) {
        const { status, type, policy, sniffing } = await ask(start + file);
        expect(status).toBe(200);
        expect(type).toMatch(/^application\/(octet-stream|json|x-ndjson)/);
        expect(policy).toContain("default-src 'none'; sandbox");
        expect(sniffing).toBe('nosniff');
      }
    }
    expect((await ask('/run/')).status).toBe(404);
    // What is refused repeats the path: as text, under the same policy.
    const missing = await ask('/run/<script>alert(1)<%2fscript>.html');
    expect(missing).toMatchObject({ status: 404, type: 'text/plain; charset=utf-8', sniffing: 'nosniff' });
  });

  it('do not run when opened in a tab', async () => {
    for (const file of ['evil.html', 'evil.xhtml', 'evil.svg', 'evil.json', 'index.html', 'evil']) {
      const page = await browser.context.newPage();
      // A download is what a tab makes of bytes: it goes nowhere.
      await page.goto(new URL(`run/${file}`, server.url).href).catch(() => undefined);
      expect(await page.title()).not.toBe('RAN');
      expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
      await page.close();
    }
  });

  it('do not run inside the viewer, however they are put there', async () => {
    const page = await browser.context.newPage();
    await page.goto(server.url, { waitUntil: 'load' });
    const outcomes = await page.evaluate(async () => {
      const settle = (element: HTMLElement) =>
        new Promise<string>((done) => {
          element.onload = () => done('loaded');
          element.onerror = () => done('refused');
          setTimeout(() => done('nothing'), 1500);
          document.body.append(element);
        });
      const script = (attributes: Partial<HTMLScriptElement>) =>
        settle(Object.assign(document.createElement('script'), attributes));
      const results = [
        await script({ src: 'run/evil.js' }),
        await script({ src: 'run/evil.mjs', type: 'module' }),
        await script({ src: 'http://127.0.0.1:9/evil.js' }),
        await script({ text: 'globalThis.ran = true' }),
        await settle(
          Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'run/evil.css' }),
        ),
        await settle(Object.assign(document.createElement('iframe'), { src: 'run/evil.html' })),
        await new Promise<string>((done) => {
          const worker = new Worker('run/evil.js');
          worker.onmessage = () => done('loaded');
          worker.onerror = () => done('refused');
          setTimeout(() => done('nothing'), 1500);
        }),
        await fetch('http://127.0.0.1:9/').then(
          () => 'loaded',
          () => 'refused',
        ),
      ];
      document.body.insertAdjacentHTML('beforeend', '<img src="x:" onerror="globalThis.ran = true">');
      await new Promise((done) => setTimeout(done, 200));
      let evaluated = false;
      try {
        // biome-ignore lint/security/noGlobalEval: the policy must refuse it
        evaluated = globalThis.eval('true');
      } catch {
        evaluated = false;
      }
      return { results, ran: 'ran' in globalThis, evaluated, title: document.title };
    });
    expect(outcomes.ran).toBe(false);
    expect(outcomes.evaluated).toBe(false);
    expect(outcomes.title).not.toBe('RAN');
    // A frame fires `load` for its error page too: what counts there is that nothing ran.
    expect(outcomes.results.filter((_, i) => i !== 5)).not.toContain('loaded');
    await page.close();
  });

  it('the viewer itself keeps to its policy', async () => {
    const page = await browser.context.newPage();
    const broken: string[] = [];
    page.on('console', (message) => {
      if (/Content.Security.Policy|Refused to/i.test(message.text())) broken.push(message.text());
    });
    page.on('pageerror', (error) => broken.push(error.message));
    const address = new URL('?run=run/&mode=cut&color=pressure', server.url).href;
    await page.goto(address, { waitUntil: 'commit' });
    await waitForFrame(page);
    for (const key of ['p', '?', 'Escape', 'v']) await page.keyboard.press(key);
    await page.selectOption('#live-scene', 'lattice/falling-blob');
    await page.waitForSelector('#live-resolution');
    expect(broken).toEqual([]);
    await page.close();
  });

  it('?run= opens nothing from elsewhere', async () => {
    const page = await browser.context.newPage();
    for (const address of [
      'http://127.0.0.1:9/run/',
      '//127.0.0.1:9/run/',
      'javascript:alert(1)',
      'data:application/json,{}',
      'blob:http://localhost/x',
      `http://localhost:${port}@127.0.0.1:9/`,
    ]) {
      const elsewhere: string[] = [];
      page.removeAllListeners('request');
      page.on('request', (one) => {
        if (new URL(one.url()).port === '9') elsewhere.push(one.url());
      });
      await page.goto(new URL(`?run=${encodeURIComponent(address)}`, server.url).href, {
        waitUntil: 'commit',
      });
      await page.waitForSelector('.toast.error');
      expect(await page.textContent('.toast.error')).toMatch(/not on this server|run\.json/);
      expect(elsewhere).toEqual([]);
    }
    await page.close();
  });
});

async function waitForFrame(page: Page): Promise<void> {
  await page.waitForSelector('#stage[data-frame="0"]', { timeout: 60_000 });
}
