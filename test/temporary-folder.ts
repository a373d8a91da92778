/** Folders that a file of tests works in: gone when its tests are done. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function createTemporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `meniscus-${name}-`));
  made.push(folder);
  return folder;
}
