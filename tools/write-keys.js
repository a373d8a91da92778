/**
 * Writes docs/keys.md from the built schemas of the methods: node tools/write-keys.js. A test holds the page
 * to them.
 */
import { writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const { describeKeyPage } = await import(new URL('src/scene/keys.js', dist).href);
const { methods } = await import(new URL('src/run/registry.js', dist).href);
writeFileSync(new URL('../docs/keys.md', import.meta.url), describeKeyPage(methods));
