import { defineConfig } from 'vite';

/** Threads share memory, which browsers allow only to pages that are served with these two headers. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export default defineConfig({
  base: './',
  build: { target: 'es2023', chunkSizeWarningLimit: 1500 },
  worker: { format: 'es' },
  server: { headers },
  preview: { headers },
});
