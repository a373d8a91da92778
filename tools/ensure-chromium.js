/**
 * Makes sure the browser tests have a Chromium: uses the one that is there, installs Debian's where that is
 * allowed, and otherwise says what to install (the browser tests then fail with the same advice).
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const candidates = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const has = (command) => spawnSync('which', [command], { stdio: 'ignore' }).status === 0;

function run(command, args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}

const chosen = process.env.CHROMIUM_PATH;
if ((chosen && existsSync(chosen)) || candidates.some(has)) process.exit(0);
if (process.getuid?.() === 0 && has('apt-get')) {
  console.log("test: no Chromium found; installing Debian's (a minute or two)");
  const installed =
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']);
  if (installed) process.exit(0);
}
console.error(
  'test: no Chromium found, and it cannot be installed from here; run: sudo apt-get install chromium, ' +
    'or set CHROMIUM_PATH to a Chromium or Chrome',
);
