/** Method options as controls: whatever the method's own schema says is a number, a switch or a choice. */
import { z } from 'zod';
import type { OptionSpec } from './protocol.ts';

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  description?: string;
  properties?: Record<string, JsonSchema>;
}

export function listOptions(method: string, schema: z.ZodType, values: unknown): OptionSpec[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return collect(root, method, '', values);
}

function collect(schema: JsonSchema, path: string, label: string, value: unknown): OptionSpec[] {
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, child]) =>
      collect(
        child,
        `${path}.${name}`,
        label === '' ? name : `${label} ${name}`,
        (value as Record<string, unknown> | undefined)?.[name],
      ),
    );
  }
  const kind = findKind(schema);
  if (!kind) return [];
  const choices = (schema.enum ?? []).map(String);
  return [{ path, label: toWords(label), help: schema.description ?? '', kind, choices, value }];
}

function findKind(schema: JsonSchema): OptionSpec['kind'] | null {
  if (schema.enum) return 'choice';
  if (schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean') return schema.type;
  return null;
}

/** `surfaceCells` reads as "surface cells". */
const toWords = (name: string): string =>
  name.replace(/([a-z])([A-Z])/g, (_all, a, b) => `${a} ${b.toLowerCase()}`);
