/**
 * Headless Chromium for `meniscus render` and for the viewer's tests: found, started with WebGL 2, or asked
 * for in words.
 */
import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { InputError, RunError } from '../core/errors.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Folders to look in even when they are not on the path. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
const MAC_PROGRAMS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * WebGL 2 without a graphics card runs on SwiftShader, which must be asked for by name; the rest keeps the
 * browser from fetching anything of its own.
 */
const FLAGS = [
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  '--hide-scrollbars',
];

export function findChromium(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (isExecutable(named)) return named;
    throw new InputError(
      'CHROMIUM_PATH',
      `${named} is not a program that can be run`,
      'point it at Chromium or Chrome',
    );
  }
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...FOLDERS];
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...MAC_PROGRAMS,
  ];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new InputError(
    'Chromium',
    'not found on this machine',
    'install it (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM_PATH to its program',
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/**
 * Chromium with a profile of its own, which goes with it. Its pages are locked in wherever the system allows
 * that; it refuses to as root.
 */
export async function launchChromium(width: number, height: number): Promise<Browser> {
  const executablePath = findChromium();
  if (process.getuid?.() === 0) return launch(executablePath, { width, height }, false);
  try {
    return await launch(executablePath, { width, height }, true);
  } catch (error) {
    // Some systems give user namespaces to nobody.
    if (!/sandbox|namespace|zygote/i.test(String((error as RunError).cause))) throw error;
    process.stderr.write('Chromium does not start with its sandbox here: it is used without.\n');
    return launch(executablePath, { width, height }, false);
  }
}

async function launch(
  executablePath: string,
  viewport: { width: number; height: number },
  chromiumSandbox: boolean,
): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const profile = mkdtempSync(join(tmpdir(), 'meniscus-chromium-'));
  const forget = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      headless: true,
      chromiumSandbox,
      args: FLAGS,
      viewport,
      deviceScaleFactor: 1,
    });
    return {
      context,
      async close() {
        await context.close();
        forget();
      },
    };
  } catch (cause) {
    forget();
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new RunError(
      executablePath,
      `Chromium did not start (${reason})`,
      'try it by hand, or set CHROMIUM_PATH to another',
      {
        cause,
      },
    );
  }
}
