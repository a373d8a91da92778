import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The viewer as a static site in dist/viewer. Relative addresses, so it opens from any folder of any server;
 * the development server sends the two headers that shared memory (threads in live mode) needs.
 */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineConfig({
  // Goes into the run folders that the page packs.
  define: { __VERSION__: JSON.stringify(version) },
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: {
    outDir: '../dist/viewer',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1500,
    // A note on where the build spends its seconds is no warning.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  worker: { format: 'es', rolldownOptions: { checks: { bundlerTimings: false } } },
  server: { headers: isolation, fs: { allow: ['..'] } },
  preview: { headers: isolation },
});
