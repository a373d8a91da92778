import { z } from 'zod';
import type { MethodInfo } from './method-info.ts';
import { buildSceneSchema } from './schema.ts';

/**
 * The scene format as JSON Schema, for completion and checking in editors. Written to dist by
 * tools/write-schema.js.
 */
export function buildJsonSchema(methods: readonly MethodInfo[]): Record<string, unknown> {
  const schema = z.toJSONSchema(buildSceneSchema(methods), { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'meniscus scene',
    description: 'A liquid scene for meniscus. All quantities in SI units.',
  };
}
