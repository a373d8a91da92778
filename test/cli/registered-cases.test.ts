import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCases } from '../../src/cli/cases.ts';
import { methodOnTrial, type RefereeCase } from '../../src/run/referee.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Every exported array of objects below a folder: wider than what the commands take for cases, so that a
 * broken one shows.
 */
async function collect(folder: string): Promise<RefereeCase[]> {
  const cases: RefereeCase[] = [];
  const files = readdirSync(join(root, folder), { encoding: 'utf8', recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const module = (await import(pathToFileURL(join(root, folder, file)).href)) as Record<string, unknown>;
    for (const value of Object.values(module))
      if (Array.isArray(value)) cases.push(...value.filter((x) => typeof x === 'object'));
  }
  return cases;
}

describe('cases', () => {
  it.each(['validation', 'bench'])('of %s have names, methods and titles, each name once', async (folder) => {
    const cases = await collect(folder);
    expect(cases.length).toBeGreaterThan(3);
    expect(new Set(cases.map((c) => c.name)).size).toBe(cases.length);
    const found = await findCases(join(root, folder));
    expect(found.map((c) => c.name).sort()).toEqual(cases.map((c) => c.name).sort());
    for (const one of cases) {
      expect([one.name, one.title].every((text) => text.length > 0)).toBe(true);
      // By its name up to a slash, or else in a word.
      expect(one.method ?? one.name).toMatch(one.method ? /^[a-z0-9-]+$/ : /^[a-z0-9-]+\//);
      expect(methodOnTrial(one)).toMatch(/^[a-z0-9-]+$/);
      expect(one.run).toBeTypeOf('function');
    }
  });

  it('stand for every line of the acceptance table that physics decides', async () => {
    const names = (await collect('validation')).map((c) => c.name);
    for (const name of ['still-pool', 'free-fall', 'pressure', 'dam-break', 'threads'])
      expect(names).toContain(`lattice/${name}`);
    expect(names).toContain('mesh/ball');
  });
});
