/**
 * The server behind `meniscus view` and `meniscus render`: the built viewer at /, run folders below it, on localhost
 * only. It sends the two headers that make a page cross-origin isolated, so that live scenes may use all cores, and
 * never reads outside the folders it was given.
 */
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError, RunError } from '../core/errors.ts';
import { packageFolder } from './paths.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/x-ndjson; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.pvd': 'application/xml; charset=utf-8',
};

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  // Frames of a run that goes on or is run again change under the same name.
  'Cache-Control': 'no-cache',
};

export interface ViewServerOptions {
  /** A run folder, served below /run/. */
  readonly run?: string | undefined;
  /** A folder of run folders, served below /runs/ and listed in /runs.json. */
  readonly runs?: string | undefined;
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined;
}

export interface ViewServer {
  /** http://localhost:PORT/ with what to open. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const site = join(packageFolder, 'dist', 'viewer');
  if (!existsSync(join(site, 'index.html'))) {
    throw new InputError(site, 'the viewer is not built', 'run `npm run build` in the meniscus folder');
  }
  const mounts: [prefix: string, folder: string][] = [];
  if (options.run !== undefined) mounts.push(['/run/', options.run]);
  if (options.runs !== undefined && existsSync(options.runs)) mounts.push(['/runs/', options.runs]);
  mounts.push(['/', site]);
  const server = createServer((request, response) => {
    answer(request, response, mounts, options.runs).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500, HEADERS);
      response.end(error.message);
    });
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://localhost:${port}/${options.run === undefined ? '' : '?run=run/'}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const what = cause.code === 'EADDRINUSE' ? 'another program uses this port' : cause.message;
      reject(
        new RunError(`port ${port}`, what, 'choose another with --port, or leave it out for any free one', {
          cause,
        }),
      );
    });
    server.listen(port, 'localhost', () => resolve((server.address() as AddressInfo).port));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  mounts: readonly [string, string][],
  runs: string | undefined,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'only GET and HEAD are answered');
  const path = decodePath(request.url ?? '/');
  if (path === null) return refuse(response, 400, 'the address cannot be read');
  if (path === '/runs.json') return sendJson(request, response, listRuns(runs));
  const [prefix, folder] = mounts.find(([start]) => path.startsWith(start))!;
  const file = findFile(folder, path.slice(prefix.length) || 'index.html');
  if (!file) return refuse(response, 404, `no ${path} here`);
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
    'Content-Length': statSync(file).size,
  });
  if (request.method === 'HEAD') response.end();
  // A reader that goes away in the middle is its own business.
  else await pipeline(createReadStream(file), response).catch(() => response.destroy());
}

function decodePath(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return null;
  }
}

/** The file's real path when it exists and truly lies in the folder, links followed; otherwise null. */
export function findFile(folder: string, path: string): string | null {
  if (path.includes('\0')) return null;
  const wanted = join(folder, path);
  if (!existsSync(wanted) || !statSync(wanted).isFile()) return null;
  const real = realpathSync(wanted);
  const root = realpathSync(folder);
  return real.startsWith(root.endsWith(sep) ? root : root + sep) ? real : null;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...HEADERS, 'Content-Type': TYPES['.json'] });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(value));
}

interface RunEntry {
  readonly name: string;
  readonly title: string;
  readonly status: string;
  readonly address: string;
}

/** The run folders in a folder and in the folders of that, newest first. */
function listRuns(folder: string | undefined): RunEntry[] {
  if (folder === undefined || !existsSync(folder)) return [];
  const near = listFolders(folder);
  const names = [
    ...near,
    ...near.flatMap((name) => listFolders(join(folder, name)).map((below) => `${name}/${below}`)),
  ];
  return names
    .map((name) => ({ name, file: join(folder, name, 'run.json') }))
    .filter(({ file }) => existsSync(file))
    .sort((a, b) => statSync(b.file).mtimeMs - statSync(a.file).mtimeMs)
    .map(({ name, file }) => {
      const { title = name, status = 'unknown' } = readTitle(file);
      return { name, title, status, address: `runs/${name}/` };
    });
}

function listFolders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function readTitle(file: string): { title?: string; status?: string } {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { title?: string; status?: string };
  } catch {
    return { status: 'run.json cannot be read' };
  }
}
