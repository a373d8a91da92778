#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/src/cli/main.js', import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error('meniscus: dist/ is missing, the program has not been built yet; run: npm run build');
  process.exitCode = 1;
}
