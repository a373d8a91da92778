import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { methods } from '../../src/run/registry.ts';
import { describeStatePage } from '../../src/run/states.ts';

it('docs/states.md lists what the methods declare (node tools/write-states.js writes it)', () => {
  const page = readFileSync(new URL('../../docs/states.md', import.meta.url), 'utf8');
  expect(page).toBe(describeStatePage(methods));
  for (const { name, record } of methods) if (record) expect(page).toContain(`## \`${name}\``);
});
