/**
 * The build, in four steps, each skipped when its output is newer than its inputs:
 *   1. kernels/*.ts  -> dist/kernels/*.wasm (AssemblyScript; with and without shared memory)
 *                    -> src/core/kernels.generated.ts (the same bytes in base64: loads alike in Node, vitest and Vite)
 *   2. src, validation, bench -> dist/... (tsc), and outputs whose source is gone are removed
 *   3. the scene schema -> dist/scene.schema.json, for editors
 *   4. viewer/ -> dist/viewer (Vite)
 * `--force` runs every step. Exit code 1 when a step fails; later steps are not tried.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const at = (...path) => join(root, ...path);
const force = process.argv.includes('--force');
const generatedModule = at('src/core/kernels.generated.ts');

/** All files below the given paths (files or folders). */
function listFiles(...paths) {
  const files = [];
  for (const path of paths) {
    if (!existsSync(path)) continue;
    if (statSync(path).isFile()) files.push(path);
    else for (const name of readdirSync(path).sort()) files.push(...listFiles(join(path, name)));
  }
  return files;
}

function isFresh(outputs, inputs) {
  if (force || !outputs.every((file) => existsSync(file))) return false;
  const oldestOutput = Math.min(...outputs.map((file) => statSync(file).mtimeMs));
  return inputs.every((file) => statSync(file).mtimeMs <= oldestOutput);
}

/** Another process may be reading the old file: it sees the old bytes or the new ones, never half. */
function writeWhole(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}

/** Runs a step unless fresh, and says on one line what happened. */
async function step(name, outputs, inputs, work) {
  if (isFresh(outputs, inputs)) {
    console.log(`build: ${name}: up to date`);
    return;
  }
  const start = performance.now();
  await work();
  console.log(`build: ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

function runNode(what, args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`build: ${what} failed; see the messages above`);
    process.exit(1);
  }
}

// Page 0 of the memory stays clear of heap allocations, for the modules' static data (src/core/heap.ts).
const kernelOptions = [
  ...['-O3', '--noAssert', '--runtime', 'stub', '--memoryBase', '1024', '--importMemory'],
  ...['--maximumMemory', '65536', '--enable', 'simd', '--enable', 'bulk-memory'],
];
const variants = [
  { file: 'kernels.shared.wasm', options: ['--sharedMemory', '--enable', 'threads'] },
  { file: 'kernels.wasm', options: [] },
];

async function compileKernels() {
  const { default: asc } = await import('assemblyscript/asc');
  for (const { file, options } of variants) {
    const out = `dist/kernels/${file}.${process.pid}.tmp`;
    mkdirSync(at('dist/kernels'), { recursive: true });
    const args = ['kernels/index.ts', '--baseDir', root, '-o', out, ...kernelOptions, ...options];
    const { error, stderr } = await asc.main(args);
    if (error) {
      console.error(`build: kernels/index.ts did not compile (${file})\n${stderr}`);
      process.exit(1);
    }
    renameSync(at(out), at('dist/kernels', file));
  }
  const base64 = (file) => readFileSync(at('dist/kernels', file)).toString('base64');
  writeWhole(
    generatedModule,
    `/** Written by tools/build.js from kernels/*.ts: the compiled kernels in base64. */\n` +
      `export const sharedKernelsBase64 =\n  '${base64('kernels.shared.wasm')}';\n` +
      `export const unsharedKernelsBase64 =\n  '${base64('kernels.wasm')}';\n`,
  );
}

function compileTypeScript() {
  runNode('tsc', [at('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json']);
  for (const folder of ['src', 'validation', 'bench']) {
    for (const file of listFiles(at('dist', folder))) {
      const source = relative(at('dist'), file).replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts');
      if (['.js', '.ts', '.map'].includes(extname(file)) && !existsSync(at(source))) rmSync(file);
    }
  }
  writeWhole(at('dist/tsc.stamp'), '');
}

await step(
  'kernels',
  [...variants.map(({ file }) => at('dist/kernels', file)), generatedModule],
  [...listFiles(at('kernels')), at('tools/build.js')],
  compileKernels,
);

const sources = listFiles(at('src'), at('validation'), at('bench'));
await step(
  'typescript',
  [at('dist/tsc.stamp')],
  [...sources, at('tsconfig.json'), at('tsconfig.build.json')],
  compileTypeScript,
);
await step(
  'scene schema',
  [at('dist/scene.schema.json')],
  [at('dist/tsc.stamp'), at('tools/write-schema.js')],
  () => runNode('scene schema', [at('tools/write-schema.js')]),
);

if (existsSync(at('viewer/index.html'))) {
  await step(
    'viewer',
    [at('dist/viewer/index.html')],
    [...listFiles(at('viewer'), at('src'), at('scenes')), at('package.json')],
    () => {
      const args = ['build', 'viewer', '--outDir', at('dist/viewer'), '--emptyOutDir', '--logLevel', 'warn'];
      runNode('vite build', [at('node_modules/vite/bin/vite.js'), ...args]);
    },
  );
}
