import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { RefereeCase } from '../../src/run/referee.ts';
import { atLeast, atMost, computeOrder, equalTo, reportRow } from '../../validation/rows.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The cases as `meniscus validate` and `meniscus bench` find them: every exported array of a file of the folder. */
async function collect(folder: string): Promise<RefereeCase[]> {
  const cases: RefereeCase[] = [];
  for (const file of readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'))) {
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
    for (const { name, method, title, run } of cases) {
      expect([name, method, title].every((text) => text.length > 0)).toBe(true);
      expect(run).toBeTypeOf('function');
    }
  });

  it('stand for every line of the acceptance table that physics decides', async () => {
    const names = (await collect('validation')).map((c) => c.name);
    for (const name of ['still-pool', 'free-fall', 'pressure', 'dam-break', 'threads'])
      expect(names).toContain(`lattice/${name}`);
    expect(names).toContain('mesh/ball');
  });
});

describe('rows', () => {
  it('hold at the bound and fall short beyond it', () => {
    expect(atMost('x', 1, 1, '').pass).toBe(true);
    expect(atMost('x', 1.001, 1, '').pass).toBe(false);
    expect(atLeast('x', 2, 2, '').pass).toBe(true);
    expect(atLeast('x', 1.999, 2, '').pass).toBe(false);
    expect(equalTo('x', 'a', 'b').pass).toBe(false);
    expect(reportRow('x', Number.NaN, '').bound).toBe('');
  });

  it('fall short where the figure is not a number', () => {
    expect(atMost('x', Number.NaN, 1, '').pass).toBe(false);
    expect(atLeast('x', Number.NaN, 1, '').pass).toBe(false);
  });

  it('find the order of a power law', () => {
    expect(computeOrder(0.1, 3 * 0.1 ** 2, 0.02, 3 * 0.02 ** 2)).toBeCloseTo(2, 12);
  });
});
