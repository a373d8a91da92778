import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createTemporaryFolder } from '../temporary-folder.ts';

let counts: Record<string, (root: string, folder?: string) => string[]>;
let root: string;

beforeAll(async () => {
  const path: string = '../../tools/count-shape.js';
  counts = await import(path);
  root = createTemporaryFolder('shape');
  const nine =
    'a: number, b: number, c: number, d: number, e: number, f: number, g: number, h: number, i: number';
  const files = {
    'src/methods/honey/honey.ts': `export const honey = { name: 'honey' };\n`,
    'src/methods/film/film.ts': `export const film = { name: 'film' };\n`,
    'src/methods/method.ts': `export interface Method {\n  film(): Frame;\n}\n`,
    'src/cli/frame.ts': `const { film } = frame;\nif (method.name === 'film') print(frame.film);\n`,
    'src/long.ts': `export function eight(a, b, c, d, e, f, g, h) {}\nexport const nine = (${nine}) => 0;\n`,
    'src/tasks.ts':
      `defineTask('named', (begin, end, record) => {});\n` +
      `defineTask('by index', (begin, end, ...args) => args[0]);\n` +
      `function body(begin, end, ...lists) {}\ndefineTask('by name', body);\n`,
    'src/solve.ts':
      `for (let n = 0; n < 9; n++) { while (true) { p = z + (rz / previous) * p; previous = rz; } }\n` +
      `for (let n = 0; n < 9; n++) { x = a / b; b = c; }\n`,
    'src/cli/ask.ts': `// honey in a comment\nif (method.name === 'honey') print(scene.honey);\nconst hints = { honey: 1 };\n`,
    'viewer/src/ask.ts': `import { wax } from '../../src/methods/honey/wax.ts';\nconst file = 'honey/jar';\n`,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
});

test('functions with more than eight parameters', () => {
  expect(counts['findLongLists']?.(root, 'src')).toEqual(['src/long.ts:2: 9 parameters']);
});

test('tasks that decode a list', () => {
  expect(counts['findPositionalTasks']?.(root)).toEqual([
    'src/tasks.ts:2: by index: ...args',
    'src/tasks.ts:4: by name: ...lists',
  ]);
});

test('conjugate gradients, once each', () => {
  expect(counts['findConjugateGradients']?.(root)).toEqual(['src/solve.ts:1']);
});

test('methods asked for by name: strings, keys and imports, not comments or names of scenes', () => {
  expect(counts['findMethodNames']?.(root)).toEqual([
    'viewer/src/ask.ts:1: import',
    'src/cli/ask.ts:2: honey',
    'src/cli/ask.ts:3: honey',
    // Named like a part of a frame: it counts where the line speaks of methods.
    'src/cli/frame.ts:2: film',
  ]);
});

test('viewer and command line ask for no method by its name', () => {
  expect(counts['findMethodNames']?.(new URL('../..', import.meta.url).pathname)).toEqual([]);
});
