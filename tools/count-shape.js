/**
 * Counts what the shape of the sources is held to, and names the places:
 *
 *   functions with more than 8 parameters, in src (kernels apart: WebAssembly takes numbers only)
 *   tasks that take a positional list: a rest parameter that the body decodes by index, or more than 8 parameters
 *   conjugate gradients: loops with beta = new / old in which old becomes new
 *   places in viewer/src and src/cli that ask for a method by its name
 *   pairs of places that share six lines, where the command `duplicates` is installed
 *
 *   node tools/count-shape.js [--root DIR] [--places] [--json]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync } from 'vite';

const MOST_PARAMETERS = 8;
const LOOPS = ['ForStatement', 'WhileStatement', 'DoWhileStatement', 'ForOfStatement'];

/** The TypeScript files below a folder, parsed; generated ones are left out. */
function* parseFolder(root, folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((e) => e.isFile() && /(?<!\.d|\.generated)\.ts$/.test(e.name))) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const text = readFileSync(file, 'utf8');
    yield { file: relative(root, file), text, program: parseSync(file, text).program };
  }
}

function* walk(node) {
  if (node === null || typeof node !== 'object') return;
  if (typeof node.type === 'string') yield node;
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) yield* walk(item);
    else if (value !== null && typeof value === 'object') yield* walk(value);
  }
}

const isFunction = ({ type }) =>
  ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'TSMethodSignature'].includes(
    type,
  );
const line = (text, { start }) => text.slice(0, start).split('\n').length;
const lineAt = (text, node) => text.split('\n')[line(text, node) - 1];

export function findLongLists(root, folder) {
  const found = [];
  for (const { file, text, program } of parseFolder(root, folder))
    for (const node of walk(program))
      if (isFunction(node) && node.params.length > MOST_PARAMETERS)
        found.push(`${file}:${line(text, node)}: ${node.params.length} parameters`);
  return found;
}

/** Bodies given to defineTask; a body given by name is looked up in the same file. */
export function findPositionalTasks(root) {
  const found = [];
  for (const { file, text, program } of parseFolder(root, 'src')) {
    const nodes = [...walk(program)];
    const named = new Map(
      nodes.filter((n) => n.type === 'FunctionDeclaration' && n.id).map((n) => [n.id.name, n]),
    );
    for (const node of nodes) {
      if (node.type !== 'CallExpression' || node.callee.name !== 'defineTask') continue;
      const last = node.arguments.at(-1);
      const body = last.type === 'Identifier' ? named.get(last.name) : last;
      if (!body || !isFunction(body)) continue;
      const rest = body.params.find((p) => p.type === 'RestElement');
      if (!rest && body.params.length <= MOST_PARAMETERS) continue;
      const how = rest ? `...${rest.argument.name}` : `${body.params.length} parameters`;
      found.push(`${file}:${line(text, node)}: ${node.arguments[0].value}: ${how}`);
    }
  }
  return found;
}

/** Loops with beta = new / old, where old becomes new: both plain names. Of nested ones the innermost. */
export function findConjugateGradients(root) {
  const found = [];
  for (const { file, text, program } of parseFolder(root, 'src')) {
    const loops = [...walk(program)].filter((n) => LOOPS.includes(n.type) && hasBeta(n.body));
    for (const loop of loops)
      if (!loops.some((other) => other !== loop && other.start >= loop.start && other.end <= loop.end))
        found.push(`${file}:${line(text, loop)}`);
  }
  return found;
}

function hasBeta(body) {
  const nodes = [...walk(body)];
  const become = nodes.flatMap((n) => {
    if (n.type === 'AssignmentExpression' && n.operator === '=') return [[n.left.name, n.right.name]];
    return n.type === 'VariableDeclarator' ? [[n.id.name, n.init?.name]] : [];
  });
  return nodes.some(
    (n) =>
      n.type === 'BinaryExpression' &&
      n.operator === '/' &&
      n.left.name !== undefined &&
      become.some(([to, from]) => to === n.right.name && from === n.left.name),
  );
}

/**
 * What a node says that could be a name: a string, the key of an object or of a pattern, or a property that
 * is asked for.
 */
function findWord({ type, value, property, key }) {
  if (type === 'Literal') return value;
  return { MemberExpression: property?.name, Property: key?.name, TSPropertySignature: key?.name }[type];
}

/** Names of methods in what the program says: strings, keys and imports, not comments. */
export function findMethodNames(root, folders = ['viewer/src', 'src/cli']) {
  const folder = readdirSync(join(root, 'src/methods'), { withFileTypes: true });
  const names = folder.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  // A method may be named like a part of a frame, as `surface` is: then it counts where the line speaks of methods.
  const contractFile = join(root, 'src/methods/method.ts');
  const contract = existsSync(contractFile) ? readFileSync(contractFile, 'utf8') : '';
  const ambiguous = names.filter((name) => new RegExp(`^ {2}${name}\\??\\(`, 'm').test(contract));
  const found = [];
  for (const { file, text, program } of folders.flatMap((f) => [...parseFolder(root, f)]))
    for (const node of walk(program)) {
      const word = findWord(node);
      if (ambiguous.includes(word) && !/method/i.test(lineAt(text, node))) continue;
      const imports = node.type === 'ImportDeclaration' && /\/methods\/\w+\//.test(node.source.value);
      if (names.includes(word) || imports)
        found.push(`${file}:${line(text, node)}: ${imports ? 'import' : word}`);
    }
  return [...new Set(found)];
}

function countPairs(root) {
  const done = spawnSync('duplicates', ['--repo', root, '--most', '1', '--seconds', '120'], {
    encoding: 'utf8',
  });
  const counted = /^(\d+) pairs.*?(?:(\d+) of those marked boilerplate)?\)?$/m.exec(done.stdout ?? '');
  return counted ? { pairs: Number(counted[1]), boilerplate: Number(counted[2] ?? 0) } : undefined;
}

function main() {
  const { values } = parseArgs({
    options: { root: { type: 'string' }, places: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  const root = values.root ?? join(dirname(fileURLToPath(import.meta.url)), '..');
  const found = {
    'functions with more than 8 parameters, src': findLongLists(root, 'src'),
    'functions with more than 8 parameters, kernels': findLongLists(root, 'kernels'),
    'tasks with positional lists': findPositionalTasks(root),
    'conjugate gradients': findConjugateGradients(root),
    'methods asked for by name in viewer and command line': findMethodNames(root),
  };
  const pairs = countPairs(root);
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ ...found, ...pairs }, null, 2)}\n`);
    return;
  }
  for (const [what, places] of Object.entries(found)) {
    console.log(`${String(places.length).padStart(5)}  ${what}`);
    if (values.places) for (const place of places) console.log(`         ${place}`);
  }
  if (pairs)
    console.log(
      `${String(pairs.pairs).padStart(5)}  pairs of places that share six lines, ${pairs.boilerplate} of them boilerplate`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
