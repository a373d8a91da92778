import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.ts';
import { methods } from '../../src/run/registry.ts';
import { buildJsonSchema } from '../../src/scene/json-schema.ts';

type Properties = Record<string, { properties: Record<string, unknown> }>;

test('the attack sets each key of each method, those that no bundled scene sets among them', async () => {
  const path: string = '../../tools/attack/declared-keys.js';
  const { setDeclaredKey } = await import(path);
  const scenes = fileURLToPath(new URL('../../scenes', import.meta.url));
  const texts = readdirSync(scenes, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonc'))
    .map((name) => readFileSync(join(scenes, name), 'utf8'));
  const random = createRandom(5);
  const seen = new Set<string>();
  for (let n = 0; n < 6000; n++) seen.add(setDeclaredKey(random, parse(texts[n % texts.length]!)));
  const properties = buildJsonSchema(methods).properties as Properties;
  const missed = methods.flatMap(({ name }) =>
    Object.keys(properties[name]!.properties)
      .map((key) => `${name}.${key}`)
      .filter((key) => !seen.has(key)),
  );
  expect(missed).toEqual([]);
  // The same random numbers give the same attack.
  const twice = [0, 1].map(() => {
    const scene = parse(texts[3]!);
    return [setDeclaredKey(createRandom(9), scene), scene];
  });
  expect(twice[0]).toEqual(twice[1]);
});
