/**
 * Walks the imports of src/ and viewer/ and holds them to the plan: imports point downward only, methods do
 * not know each other, files do not import in circles, and what must run in a page imports nothing of Node.
 * Tests, referees and benchmarks take nothing from each other: what they share is in cases/.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A folder imports folders of lower rank, and itself. */
const rank: Record<string, number> = {
  core: 0,
  math: 1,
  linalg: 2,
  geometry: 2,
  mesh: 3,
  particles: 4,
  io: 4,
  integrals: 4,
  tracking: 5,
  scene: 6,
  flow: 7,
  methods: 8,
  run: 9,
  cli: 10,
  'src/*.ts': 10,
  viewer: 11,
};

/** Files that may import Node's own modules. */
const forNode = [
  /^src\/cli\//,
  /^src\/node\.ts$/,
  /^src\/run\/node/,
  /^src\/core\/threads\/node/,
  /^viewer\/vite\.config\.ts$/,
];
const isForNode = (file: string) => forNode.some((pattern) => pattern.test(file));

interface Import {
  readonly from: string;
  /** Path in the project, or the package's name. */
  readonly to: string;
  readonly isRelative: boolean;
  /** Loaded with the importing file: neither a type nor the start of a worker. */
  readonly isLoaded: boolean;
}

function listSources(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return listSources(path);
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : [];
  });
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

function listImports(from: string): Import[] {
  const text = withoutComments(read(from));
  const workerStart = /\bnew URL()\(\s*['"](\.[^'"]+\.ts)['"],\s*import\.meta\.url/g;
  const forms = [
    /\b(?:import|export)\s+(type\s)?[^'"();]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport()\s*['"]([^'"]+)['"]/g,
    /\bimport()\s*\(\s*['"]([^'"]+)['"]/g,
    workerStart,
  ];
  return forms.flatMap((form) =>
    [...text.matchAll(form)].map(([, type, target]) => {
      const isRelative = target.startsWith('.');
      const to = isRelative ? relative(root, join(root, dirname(from), target.replace(/\?.*$/, ''))) : target;
      return { from, to, isRelative, isLoaded: !type && form !== workerStart };
    }),
  );
}

const findFolder = (file: string) => {
  const parts = file.split('/');
  if (parts[0] !== 'src') return parts[0];
  return parts.length === 2 ? 'src/*.ts' : parts[1];
};

const sources = [...listSources('src'), ...listSources('viewer')];
const imports = sources.flatMap(listImports);
const show = ({ from, to }: Import) => `${from} imports ${to}`;

describe('imports', () => {
  it('are found', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(200);
    const threads = imports.filter(({ from }) => from === 'src/core/threads/team.ts').map(({ to }) => to);
    expect(threads.sort()).toEqual([
      'src/core/errors.ts',
      'src/core/heap.ts',
      'src/core/threads/control.ts',
      'src/core/threads/single.ts',
      'src/core/threads/task.ts',
    ]);
  });

  it('stay in folders of the plan', () => {
    const folders = new Set(sources.map(findFolder));
    expect([...folders].filter((folder) => !(folder in rank))).toEqual([]);
  });

  it('name existing files', () => {
    const missing = imports.filter(({ to, isRelative }) => isRelative && !existsSync(join(root, to)));
    expect(missing.map(show)).toEqual([]);
  });

  it('point downward', () => {
    const upward = imports.filter(({ from, to, isRelative }) => {
      if (!isRelative || !/^(src|viewer)\//.test(to)) return false;
      const [a, b] = [findFolder(from), findFolder(to)];
      return a !== b && rank[b] >= rank[a];
    });
    // The entries src/index.ts, src/node.ts and src/worker.ts gather what they like; nothing but the viewer
    // and the command line imports them.
    expect(
      upward
        .filter(({ from, to }) => !(findFolder(from) === 'cli' && findFolder(to) === 'src/*.ts'))
        .map(show),
    ).toEqual([]);
  });

  it('leave src only for packages', () => {
    const outside = imports.filter(
      ({ from, to, isRelative }) => isRelative && from.startsWith('src/') && !to.startsWith('src/'),
    );
    expect(outside.map(show)).toEqual([]);
  });

  it('keep methods apart', () => {
    const method = (file: string) => /^src\/methods\/([^/]+)\//.exec(file)?.[1];
    const crossing = imports.filter(
      ({ from, to }) => method(from) && method(to) && method(from) !== method(to),
    );
    expect(crossing.map(show)).toEqual([]);
  });

  it('bring nothing of Node into what runs in a page', () => {
    const isNodeModule = (name: string) => name.startsWith('node:') || builtinModules.includes(name);
    const wrong = imports.filter(
      ({ from, to, isRelative }) => !isForNode(from) && (isRelative ? isForNode(to) : isNodeModule(to)),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('of tests, referees and benchmarks meet in cases/ and below it', () => {
    const groups = ['cases', 'test', 'validation', 'bench'];
    const found = groups.flatMap(listSources).flatMap(listImports);
    for (const group of groups)
      expect(found.filter(({ from }) => from.startsWith(`${group}/`)).length).toBeGreaterThan(10);
    // A group may take from itself and from cases/, from no other.
    const crossing = found.filter(({ from, to }) => {
      const [a, b] = [from.split('/')[0], to.split('/')[0]];
      return a !== b && b !== 'cases' && groups.includes(b);
    });
    expect(crossing.map(show)).toEqual([]);
  });

  it('make no circles', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to, isRelative, isLoaded } of imports)
      if (isRelative && isLoaded) edges.set(from, [...(edges.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      else if (!done.has(file)) {
        for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
        done.add(file);
      }
    };
    for (const file of sources) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe('sources', () => {
  const generated = 'src/core/kernels.generated.ts';
  const find = (pattern: RegExp, files: string[]) =>
    files.filter((file) => pattern.test(withoutComments(read(file))));
  const library = sources.filter((file) => file.startsWith('src/') && !file.startsWith('src/cli/'));

  it('print nothing and draw no unseeded numbers', () => {
    expect(find(/\bconsole\.\w+\(|\bMath\.random\(/, library)).toEqual([]);
  });

  it('of core are about no subject', () => {
    const core = sources.filter((file) => file.startsWith('src/core/') && file !== generated);
    expect(core.length).toBeGreaterThan(10);
    // Comments count too. The heap's list of free blocks is a "segregated fit".
    const subjects =
      /film|bubble|collision|multipole|expansion|vorte|vorti|moment|sweep|matri(x|ces)|multigrid|(?<!segregated )\bfit(s|ted)?\b/i;
    expect(core.filter((file) => subjects.test(read(file)))).toEqual([]);
    expect(find(/\b(defineKernel|defineTask)\(\s*'/, core)).toEqual([]);
  });

  it('name tasks by folder, verb and object', () => {
    const named = library.flatMap((file) =>
      [...read(file).matchAll(/\bdefine(?:Sheet|Range)?Task\(\s*'([^']*)'/g)].map(([, name]) => ({
        file,
        name,
      })),
    );
    expect(named.length).toBeGreaterThan(100);
    const rooms = ({ file }: { file: string }) =>
      file.split('/').slice(1, 3).join('/').replace('methods/', '');
    const wrong = named.filter(
      (task) =>
        !/^[a-z]+\/[a-z]+(-[a-z0-9]+)*$/.test(task.name) ||
        rooms(task).split('/')[0] !== task.name.split('/')[0],
    );
    expect(wrong).toEqual([]);
    expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
  });

  it('of flow know no method', () => {
    const flow = sources.filter((file) => file.startsWith('src/flow/'));
    expect(flow.length).toBeGreaterThan(30);
    // No name of the method's; `mesh/lattice` is the mesher, and `Lattice` its grid of cells.
    expect(find(/\bLattice[A-Z]\w*|\blattice(Options|Record)\b|['`]lattice\b|methods\//, flow)).toEqual([]);
    const methods = readdirSync(join(root, 'src/methods'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(methods.length).toBeGreaterThan(2);
    for (const { name } of methods) {
      expect(flow.filter((file) => file.split(/[/.-]/).slice(2).includes(name))).toEqual([]);
      expect(find(new RegExp(`\\bdefineTask\\(\\s*'${name}\\b`), flow)).toEqual([]);
    }
  });

  it('stay below 600 lines', () => {
    const long = sources.filter((file) => file !== generated && read(file).split('\n').length > 600);
    expect(long).toEqual([]);
  });
});
