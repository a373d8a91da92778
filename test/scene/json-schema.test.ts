import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { buildJsonSchema } from '../../src/scene/json-schema.ts';

const schema = buildJsonSchema([{ name: 'lattice', options: z.object({ cfl: z.number().default(1) }) }]) as {
  properties: Record<string, { description?: string }>;
  required: string[];
  additionalProperties: boolean;
};

test('the JSON Schema closes objects, requires what has no default, and explains', () => {
  expect(schema.additionalProperties).toBe(false);
  expect([...schema.required].sort()).toEqual(['domain', 'duration', 'method', 'resolution', 'version']);
  expect(schema.properties['duration'].description).toContain('seconds');
  expect(JSON.stringify(schema)).toContain('halfspace');
  expect(JSON.stringify(schema.properties['lattice'])).toContain('cfl');
});

test('every bundled scene names the schema and uses only its keys', () => {
  const folder = new URL('../../scenes/lattice/', import.meta.url);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThanOrEqual(6);
  for (const file of files) {
    const scene = parse(readFileSync(new URL(file, folder), 'utf8'), [], { allowTrailingComma: true });
    expect(scene.$schema).toBe('../../dist/scene.schema.json');
    for (const key of Object.keys(scene)) expect(Object.keys(schema.properties)).toContain(key);
  }
});
