/** Commits as built programs, side by side in a temporary folder and kept there. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout that one stands in: its commits, and its files for the working tree. */
const root = findRoot();
/** What a run depends on. Commits that share it share their runs. */
const SOURCES = ['bin', 'kernels', 'package.json', 'scenes', 'src', 'tools/build.js', 'tsconfig.json'];
/** The working tree instead of a commit. */
export const WORKING_TREE = '.';

function findRoot() {
  const done = spawnSync('git', ['rev-parse', '--show-toplevel'], { encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : join(dirname(fileURLToPath(import.meta.url)), '../..');
}

function git(args, options = {}) {
  const done = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 30, ...options });
  if (done.status !== 0) throw new Error(`git ${args[0]}: ${String(done.stderr).trim() || done.error}`);
  return done.stdout;
}

/**
 * The tree of a revision, and a key that is the same for all trees whose runs must be the same by their
 * sources and `more` folders.
 */
export function resolveTree(revision, more = []) {
  const tree =
    revision === WORKING_TREE
      ? writeWorkingTree()
      : git(['rev-parse', '--verify', `${revision}^{tree}`]).trim();
  const entries = git(['ls-tree', tree, '--', ...SOURCES, ...more]);
  if (!entries.includes('\tsrc\n')) throw new Error(`${revision}: no sources of meniscus in it`);
  const key = createHash('sha256').update(entries).digest('hex').slice(0, 16);
  return { revision, tree, key };
}

/** The files as they are, tracked or new, as a tree of git; index and branch stay as they are. */
function writeWorkingTree() {
  const folder = mkdtempSync(join(tmpdir(), 'meniscus-index-'));
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') };
  try {
    git(['read-tree', 'HEAD'], { env });
    git(['add', '-A'], { env });
    // A link of that name is no folder to .gitignore.
    git(['rm', '-r', '-q', '--cached', '--ignore-unmatch', 'node_modules'], { env });
    return git(['write-tree'], { env }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Folder of the built program of a tree; builds it where it is not there. The viewer is left out: no run
 * needs it.
 */
export function checkOut({ tree, key }, cache) {
  const folder = join(cache, key, 'program');
  if (existsSync(join(folder, 'dist/scene.schema.json'))) return folder;
  const half = join(cache, key, `program.${process.pid}`);
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  const archive = git(['archive', '--format=tar', tree], { encoding: 'buffer' });
  const unpacked = spawnSync('tar', ['-x', '-C', half], { input: archive });
  if (unpacked.status !== 0) throw new Error(`tar: ${unpacked.stderr}`);
  rmSync(join(half, 'viewer'), { recursive: true, force: true });
  symlinkSync(realpathSync(join(root, 'node_modules')), join(half, 'node_modules'));
  const built = spawnSync(process.execPath, ['tools/build.js'], { cwd: half, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build of ${tree} failed:\n${built.stdout}${built.stderr}`);
  // Another process may have built the same meanwhile, and be running it.
  if (existsSync(folder)) rmSync(half, { recursive: true });
  else renameSync(half, folder);
  return folder;
}
