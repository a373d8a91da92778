/**
 * Before `npm pack` and `npm publish`: builds dist/, so that a package never lacks it. In a clean clone it
 * installs what the build needs first.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// stdout belongs to npm pack, which prints the name of the archive there.
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', process.stderr, 'inherit'] });
  if (status === 0) return;
  console.error(`prepack: ${[command, ...args].join(' ')} failed; see the messages above`);
  process.exit(1);
}

if (!existsSync(join(root, 'node_modules/assemblyscript'))) run('npm', ['ci', '--ignore-scripts']);
run(process.execPath, ['tools/build.js']);
