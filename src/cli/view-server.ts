/**
 * The server behind `meniscus view` and `meniscus render`: the built viewer at /, run folders below it, on
 * localhost only. It answers to its own names alone, so that no other site can be pointed at it; it never
 * reads outside the folders it was given; and what it hands out of a run folder is data, whatever it is
 * called: nothing of it runs in the page. The viewer itself gets the two headers that make a page
 * cross-origin isolated, so that live scenes may use all cores.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError, RunError } from '../core/errors.ts';
import { findFile } from './find-file.ts';
import { packageFolder } from './paths.ts';
import { listRuns } from './run-list.ts';

/** Of the viewer's own files. */
const SITE_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/**
 * Of run folders, which may come from anywhere: none of these types can hold a script, and all others are
 * plain bytes.
 */
const DATA_TYPES: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.jsonl': 'application/x-ndjson; charset=utf-8',
};
const BYTES = 'application/octet-stream';

const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Frames of a run that goes on or is run again change under the same name.
  'Cache-Control': 'no-cache',
};

/** The viewer runs its own scripts and kernels, and talks to its own server. */
const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** Data opened by itself in a tab may do nothing at all. */
const DATA_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

/**
 * Files read at the same time; the others wait their turn, so that a crowd of requests does not use up the
 * process's files.
 */
const OPEN_FILES = 64;
/** ms without a byte before a connection is given up: a reader that has stopped holds one of those files. */
const IDLE_TIMEOUT = 30_000;

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

/** A folder that is served below a prefix. */
interface Mount {
  readonly prefix: string;
  readonly folder: string;
  readonly types: Readonly<Record<string, string>>;
  readonly policy: string;
}

export async function startViewServer(options: ViewServerOptions): Promise<ViewServer> {
  const site = join(packageFolder, 'dist', 'viewer');
  if (!existsSync(join(site, 'index.html'))) {
    throw new InputError(site, 'the viewer is not built', 'run `npm run build` in the meniscus folder');
  }
  const data = { types: DATA_TYPES, policy: DATA_POLICY };
  const mounts: Mount[] = [];
  if (options.run !== undefined) mounts.push({ prefix: '/run/', folder: options.run, ...data });
  if (options.runs !== undefined) mounts.push({ prefix: '/runs/', folder: options.runs, ...data });
  mounts.push({ prefix: '/', folder: site, types: SITE_TYPES, policy: SITE_POLICY });
  const files = new Turns(OPEN_FILES);
  const server = createServer((request, response) => {
    answer(request, response, { mounts, runs: options.runs, files }).catch(() => {
      // What the system says names folders of this machine: not for the page.
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'this could not be read');
    });
  });
  server.setTimeout(IDLE_TIMEOUT);
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

interface Offer {
  readonly mounts: readonly Mount[];
  readonly runs: string | undefined;
  readonly files: Turns;
}

async function answer(request: IncomingMessage, response: ServerResponse, offer: Offer): Promise<void> {
  // A page of another site whose name was made to lead here asks under that name.
  if (!isOwnHost(request)) return refuse(response, 421, 'this server answers to localhost alone');
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'only GET and HEAD are answered', { Allow: 'GET, HEAD' });
  const path = decodePath(request.url ?? '/');
  if (path === null) return refuse(response, 400, 'the address cannot be read');
  if (path === '/runs.json') return sendJson(request, response, await listRuns(offer.runs));
  const mount = offer.mounts.find(({ prefix }) => path.startsWith(prefix))!;
  // Only the viewer has a page to begin with.
  const file = findFile(mount.folder, path === '/' ? 'index.html' : path.slice(mount.prefix.length));
  if (!file) return refuse(response, 404, `no ${path} here`);
  await offer.files.take(() => sendFile(request, response, file, mount));
}

const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

function isOwnHost({ headersDistinct, socket }: IncomingMessage): boolean {
  const hosts = headersDistinct.host ?? [];
  if (hosts.length !== 1) return false;
  const [, name, port = '80'] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(hosts[0]) ?? [];
  return name !== undefined && OWN_NAMES.has(name.toLowerCase()) && Number(port) === socket.localPort;
}

/** The path alone, as a person would write it; null where it is none. */
function decodePath(url: string): string | null {
  if (!url.startsWith('/')) return null;
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return null;
  }
}

/** A link or a pipe put there since it was found is not opened, nor waited for. */
const READ_PLAIN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { types, policy }: Mount,
): Promise<void> {
  const file = await open(path, READ_PLAIN);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return refuse(response, 404, 'no file here');
    const type = types[extname(path).toLowerCase()] ?? BYTES;
    response.writeHead(200, {
      ...HEADERS,
      'Content-Security-Policy': policy,
      'Content-Type': type,
      'Content-Length': stats.size,
      ...(type === BYTES && { 'Content-Disposition': 'attachment' }),
    });
    if (request.method === 'HEAD' || stats.size === 0) response.end();
    else await pipeTo(response, file, stats.size);
  } finally {
    await file.close();
  }
}

/** The bytes that were promised and no more: the statistics of a run that goes on grow meanwhile. */
async function pipeTo(response: ServerResponse, file: FileHandle, size: number): Promise<void> {
  const stream = file.createReadStream({ end: size - 1, autoClose: false });
  // A reader that goes away in the middle is its own business.
  await pipeline(stream, response).catch(() => response.destroy());
}

function refuse(
  response: ServerResponse,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...HEADERS,
    ...more,
    'Content-Security-Policy': DATA_POLICY,
    'Content-Type': 'text/plain; charset=utf-8',
  });
  response.end(text);
}

function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown): void {
  response.writeHead(200, {
    ...HEADERS,
    'Content-Security-Policy': DATA_POLICY,
    'Content-Type': DATA_TYPES['.json'],
  });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(value));
}

/** At most so many at a time; the others wait in the order they came. */
class Turns {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async take(work: () => Promise<void>): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((go) => this.waiting.push(go));
    try {
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
