/**
 * Writes docs/states.md from the records that the built methods declare: node tools/write-states.js. A test
 * holds the page to them.
 */
import { writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const { describeStatePage } = await import(new URL('src/run/states.js', dist).href);
const { methods } = await import(new URL('src/run/registry.js', dist).href);
writeFileSync(new URL('../docs/states.md', import.meta.url), describeStatePage(methods));
