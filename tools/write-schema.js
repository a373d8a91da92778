/**
 * Writes dist/scene.schema.json from the built scene schema and the registered methods. Run by the build
 * after tsc.
 */
import { writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const { buildJsonSchema } = await import(new URL('src/scene/json-schema.js', dist).href);
const { methods } = await import(new URL('src/run/registry.js', dist).href);
writeFileSync(new URL('scene.schema.json', dist), `${JSON.stringify(buildJsonSchema(methods), null, 2)}\n`);
