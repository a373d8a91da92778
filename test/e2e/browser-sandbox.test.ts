/** Chromium locks its pages in wherever it can: for everybody but root. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { packageFolder } from '../../src/cli/paths.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const built = join(packageFolder, 'dist', 'src', 'cli', 'browser.js');

/** Prints what keeps the pages of the Chromium that it starts: 2 is a filter of system calls. */
const script = `
  import { readdirSync, readFileSync } from 'node:fs';
  const { launchChromium } = await import(${JSON.stringify(pathToFileURL(built).href)});
  const { context, close } = await launchChromium(300, 200);
  await context.newPage();
  const found = new Set();
  for (const id of readdirSync('/proc')) {
    // This script has the same words in its own command.
    if (!/^\\d+$/.test(id) || id === String(process.pid)) continue;
    try {
      const command = readFileSync('/proc/' + id + '/cmdline', 'utf8');
      const status = readFileSync('/proc/' + id + '/status', 'utf8');
      if (!command.includes('--type=renderer') || !status.includes('Uid:\\t' + process.getuid() + '\\t')) continue;
      found.add(/Seccomp:\\s+(\\d)/.exec(status)[1] + (command.includes('--no-sandbox') ? ' open' : ' locked'));
    } catch {}
  }
  await close();
  console.log([...found].join());
`;

/** A clone below a home folder is closed to others. */
const isReadable =
  spawnSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(built)})`], as).status ===
  0;

it.skipIf(process.platform !== 'linux' || !isReadable)('as an ordinary user', () => {
  const home = mkdtempSync(join(tmpdir(), 'meniscus-home-'));
  try {
    if (isRoot) spawnSync('chown', [String(NOBODY), home]);
    const env = { ...process.env, HOME: home, TMPDIR: home };
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      ...as,
      cwd: home,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect(child.stdout.trim(), child.stderr).toBe('2 locked');
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});
