import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { methods } from '../../src/run/registry.ts';
import { describeKeyPage, describeKeys } from '../../src/scene/keys.ts';

test('docs/keys.md lists what the schemas have (node tools/write-keys.js writes it)', () => {
  const page = readFileSync(new URL('../../docs/keys.md', import.meta.url), 'utf8');
  expect(page).toBe(describeKeyPage(methods));
  for (const text of ['### `films.wires[]`', '### `films.kneading`', '### `tracking.start[]`'])
    expect(page).toContain(text);
});

test('a row per key: value with bounds, default, meaning; objects below', () => {
  const schema = z.strictObject({
    size: z.number().positive().max(2).default(1).describe('how large, metres'),
    parts: z.array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('a'), at: z.tuple([z.number(), z.number(), z.number()]) }),
        z.strictObject({ type: z.literal('b'), count: z.int().nonnegative().optional() }),
      ]),
    ),
  });
  expect(describeKeys('m', schema).split('\n')).toEqual([
    '### `m`',
    '',
    '| key     | value                  | default  | meaning           |',
    '| ------- | ---------------------- | -------- | ----------------- |',
    '| `size`  | number > 0, <= 2       | `1`      | how large, metres |',
    '| `parts` | list of objects: below | required |                   |',
    '',
    '### `m.parts[]`',
    '',
    '| `type` | key     | value             | default  | meaning |',
    '| ------ | ------- | ----------------- | -------- | ------- |',
    '| `a`    | `at`    | list of 3: number | required |         |',
    '| `b`    | `count` | whole number >= 0 |          |         |',
    '',
  ]);
});
