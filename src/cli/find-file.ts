import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The file's real path when it exists and truly lies in the folder, links followed; otherwise null. */
export function findFile(folder: string, path: string): string | null {
  if (path.includes('\0') || path.split(/[/\\]/).includes('..')) return null;
  const wanted = join(folder, path);
  if (!existsSync(wanted) || !statSync(wanted).isFile()) return null;
  const real = realpathSync(wanted);
  const root = realpathSync(folder);
  return real.startsWith(root.endsWith(sep) ? root : root + sep) ? real : null;
}
