/**
 * The package as others get it: packed, put into an empty folder with nothing but its own dependencies, and
 * used: the command line, the README's code (type-checked under `strict` and run), the examples (a script,
 * and a page built by Vite and opened in Chromium, with threads).
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../src/cli/browser.ts';
import { readGlb } from './glb.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'meniscus-package-'));
const run = promisify(execFile);
const runNode = (args: readonly string[], cwd: string) => run(process.execPath, args, { cwd });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const vite = join(root, 'node_modules/vite/bin/vite.js');

/** The README's code. */
const snippets = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1],
);
/** How a bundle would load a module of Node, or what is left where a bundler took one out. */
const NODE_IMPORT =
  /(\bfrom|\bimport\(|\brequire\()\s*["'`](node:|fs|path|module|worker_threads)|__vite-browser-external/;
const isForPage = (code: string) => code.includes('new Worker');

interface LockEntry {
  readonly dev?: boolean;
}

/** Links a package of the repository into the folder. */
function link(name: string): void {
  const target = join(folder, 'node_modules', name);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), target);
}

beforeAll(async () => {
  // `npm test` has built dist/ before; what `prepack` would do again is left out.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const [archive] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  mkdirSync(join(folder, 'node_modules/meniscus'), { recursive: true });
  await run('tar', ['xzf', archive, '-C', 'node_modules/meniscus', '--strip-components=1'], { cwd: folder });
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name && !dev) link(name);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package builds itself before it is packed, and holds what it needs and no more', () => {
  const { scripts, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(scripts.prepack).toBe('node tools/prepack.js');
  expect(files).toContain('dist');
  const entries = readdirSync(join(folder, 'node_modules/meniscus'));
  expect(entries).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'bin', 'dist', 'package.json', 'scenes']),
  );
  for (const other of ['src', 'test', 'viewer', 'node_modules']) expect(entries).not.toContain(other);
});

test('its command line runs', async () => {
  const bin = 'node_modules/meniscus/bin/meniscus.js';
  const { stdout } = await runNode([bin, 'scenes'], folder);
  expect(stdout).toContain('lattice/dam-break');
  const args = [
    'run',
    'lattice/falling-blob',
    '--setting',
    'small',
    '--frames',
    '1',
    '-o',
    'blob',
    '--quiet',
  ];
  await runNode([bin, ...args], folder);
  expect(existsSync(join(folder, 'blob/surface/000001.ply'))).toBe(true);
  await runNode([bin, 'export', 'blob', '--to', 'glb', '-o', 'blob.glb'], folder);
  expect(readFileSync(join(folder, 'blob.glb')).toString('latin1', 0, 4)).toBe('glTF');
});

test("the README's code holds under strict, and runs", async () => {
  expect(snippets.length).toBe(4);
  // As TypeScript, so that nothing is let through that a program in TypeScript would stumble over.
  link('@types/node');
  link('undici-types');
  const names = snippets.map((code, i) => {
    writeFileSync(join(folder, `readme-${i}.mts`), code);
    writeFileSync(join(folder, `readme-${i}.mjs`), code);
    return `readme-${i}`;
  });
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    lib: ['ES2023', 'DOM'],
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: names.map((name) => `${name}.mts`) }),
  );
  await check(['-p', 'tsconfig.json'], folder);
  const outputs = [];
  // The one with threads of a page runs there, below.
  for (const [i, name] of names.entries())
    outputs.push(isForPage(snippets[i]) ? '' : (await runNode([`${name}.mjs`], folder)).stdout);
  expect(existsSync(join(folder, '3.ply'))).toBe(true);
  expect(outputs[1].trim().split('\n').length).toBe(3);
  expect(outputs[3]).toMatch(/tets, dihedral angles/);
  expect(existsSync(join(folder, 'shape.vtu'))).toBe(true);
});

test('nothing that a page may load names Node, also where a bundler keeps all of it', async () => {
  const lib = join(folder, 'all');
  mkdirSync(lib);
  writeFileSync(join(lib, 'all.js'), "export * from 'meniscus';\nexport * from 'meniscus/worker';\n");
  const build = {
    lib: { entry: 'all.js', formats: ['es'], fileName: 'all' },
    minify: false,
    rolldownOptions: { treeshake: false },
  };
  writeFileSync(join(lib, 'vite.config.js'), `export default ${JSON.stringify({ build })};\n`);
  const { stdout, stderr } = await runNode([vite, 'build', '--logLevel', 'warn'], lib);
  expect(`${stdout}${stderr}`).not.toMatch(/externalized/);
  for (const file of readdirSync(join(lib, 'dist')))
    expect(readFileSync(join(lib, 'dist', file), 'utf8')).not.toMatch(NODE_IMPORT);
});

test('the script of the examples runs', async () => {
  cpSync(join(root, 'examples/node'), join(folder, 'node'), { recursive: true });
  const { stdout } = await runNode(['run.js'], join(folder, 'node'));
  expect(stdout).toMatch(/7 frames on \d+ threads -> stirred\.glb/);
  const { names } = await readGlb(join(folder, 'node/stirred.glb'));
  expect(names).toEqual(expect.arrayContaining(['frame 0', 'frame 6', 'paddle']));
});

test('the page of the examples is built without Node, and runs on several threads', async () => {
  const page = join(folder, 'page');
  cpSync(join(root, 'examples/page'), page, { recursive: true });
  for (const name of ['three', '@types/three', 'vite']) link(name);
  // Beside it, the README's threads, in a worker of their own.
  const index = readFileSync(join(page, 'index.html'), 'utf8');
  const starter = 'new Worker(new URL("./src/readme.ts", import.meta.url), { type: "module" })';
  writeFileSync(
    join(page, 'index.html'),
    index.replace('</body>', `<script type="module">${starter}</script></body>`),
  );
  writeFileSync(join(page, 'src/readme.ts'), snippets.find(isForPage) ?? '');
  await check(['-p', '.'], page);
  const { stdout, stderr } = await runNode([vite, 'build', '--logLevel', 'warn'], page);
  // Vite warns of every module of Node that it has to leave out.
  expect(`${stdout}${stderr}`).not.toMatch(/externalized|node:/);
  const scripts = readdirSync(join(page, 'dist/assets')).filter((file) => file.endsWith('.js'));
  for (const part of ['index', 'sim.worker', 'worker', 'readme'])
    expect(scripts.filter((file) => file.startsWith(`${part}-`)).length, part).toBeGreaterThan(0);
  for (const file of scripts) {
    const text = readFileSync(join(page, 'dist/assets', file), 'utf8');
    expect(text).not.toMatch(NODE_IMPORT);
    expect(text).not.toMatch(/\bBuffer\.|process\.(env|argv|versions)/);
  }
  const server = await serve(join(page, 'dist'));
  const browser = await launchChromium(400, 300);
  try {
    const tab = await browser.context.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    const ofReadme = tab.waitForEvent('console', (message) => / threads/.test(message.text()));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const status = tab.locator('#status');
    await tab.waitForFunction(
      () => /frame [3-9] |failed/.test(document.querySelector('#status')?.textContent ?? ''),
      undefined,
      { timeout: 120_000 },
    );
    expect(await status.textContent()).toMatch(/^frame \d+ of 30, .* threads: ([2-9]|\d\d)$/);
    expect((await ofReadme).text()).toMatch(/^([2-9]|\d\d) threads\s*$/);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
});

/** The compiler's own words where it finds anything. */
async function check(args: readonly string[], cwd: string): Promise<void> {
  const result = await runNode([tsc, ...args], cwd).catch((error: { stdout: string }) => error);
  expect(result.stdout).toBe('');
}

/** A static server that sends the headers that shared memory needs. */
function serve(dir: string): Promise<Server> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const file = join(dir, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
