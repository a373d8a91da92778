/**
 * Documents and comments name files. Files move; what names them must follow. Every path in back-quotes and
 * every link of the documents, and every file that a comment cites, is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const left = new Set(['node_modules', 'dist', 'runs']);

/**
 * All files below a folder, and the folders themselves with a slash at their end, as paths in the project.
 */
function list(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (!entry.isDirectory()) return [path];
    return left.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.ci')
      ? []
      : [`${path}/`, ...list(path)];
  });
}

const all = list('');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** What runs, the build, users and examples have: no files of the project. */
const elsewhere =
  /^\.\w+$|^\/|^(dist|runs|DIR|node_modules|assets|frames|checkpoints|particles|scenes\/METHOD)\/|kernels\.generated\.ts$|^(\.{3}\/worker\.ts|a\.jsonc|worker\.js|three\.js|bunny\.obj)$/;

/** A path as people write it, with folders or without, `*` for any part of a name: what it may mean. */
function find(path: string): string[] {
  const pattern = path
    .replace(/^(\.{1,2}\/)+/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '[^/]*');
  const whole = new RegExp(`(^|/)${pattern}$`);
  return all.filter((file) => whole.test(file));
}

const documents = all.filter((file) => /(^|^docs\/(.*\/)?)\w+\.md$|README\.md$/.test(file));
const isPath = (text: string) =>
  /\.(ts|js|py|md|html|css|jsonc|svg|png)$|^[\w./-]+\/$/.test(text) && !elsewhere.test(text);

describe('documents', () => {
  it('are found', () => {
    const some = [
      'ARCHITECTURE.md',
      'README.md',
      'docs/lattice.md',
      'src/linalg/README.md',
      'viewer/README.md',
    ];
    expect(documents).toEqual(expect.arrayContaining(some));
  });

  it.each(documents)('%s names files that are there', (document) => {
    const text = read(document).replace(/^```[\s\S]*?^```$/gm, '');
    const paths = [...text.matchAll(/`([^`\s]+)`/g)].map(([, span]) => span).filter(isPath);
    expect(paths.filter((path) => find(path).length === 0)).toEqual([]);
  });

  it.each(documents)('%s links to what is there', (document) => {
    const text = read(document).replace(/`[^`]*`/g, '');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target.replace(/#.*$/, ''));
    const local = targets.filter((target) => target !== '' && !/^\w+:/.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([]);
  });
});

describe('comments', () => {
  const folders = /^(src|kernels|viewer|validation|bench|test|tools|cases|examples|bin)\//;
  const sources = all.filter(
    (file) => folders.test(file) && /\.(ts|js)$/.test(file) && !elsewhere.test(file),
  );

  /** The part of the project that a file is of; tests have the part that they test. */
  const subject = (file: string) =>
    /^src\/(methods|tracking)\/[^/]+\/|^src\/[^/]+\/|^[^/]+\//.exec(
      file.replace(/^test\/(?=[a-z]+\/)/, 'src/'),
    )?.[0];

  /**
   * A name without a folder is one of the same part, or of a file that is imported; anything else needs its
   * folder.
   */
  const isClear = (file: string, text: string, path: string) => {
    const found = find(path);
    if (path.includes('/')) return found.length > 0;
    const imported = text.includes(`/${path}'`);
    return imported || found.some((other) => !other.includes('/') || subject(other) === subject(file));
  };

  it('cite files that are there', () => {
    const wrong = sources.flatMap((file) => {
      const text = read(file);
      const comments = [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].join('\n');
      const cited = [...comments.matchAll(/(?<![\w./*-])[\w./*-]+\.(?:ts|js|md|jsonc)\b(?![\w/])/g)].map(
        ([path]) => path,
      );
      return cited
        .filter((path) => !elsewhere.test(path) && !isClear(file, text, path))
        .map((path) => `${file} cites ${path}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the guided tour', () => {
  const MOST_REENTRIES = 6;
  const text = read('ARCHITECTURE.md');
  const section = (title: string) => {
    const rows = text.split(`### ${title}\n`)[1].split(/\n##/)[0];
    return [...rows.matchAll(/^\| `([^`]+)`\s+\| `([^`]+)`\s+\| (.*?)\s*\|$/gm)].map(
      ([, path, name, what]) => {
        const files = find(path).filter((file) => /^(src|viewer)\//.test(file));
        return { path, file: files.find((file) => file === path) ?? files[0], files, name, what };
      },
    );
  };
  const before = section('To the step');
  const after = section('From the state to the picture');
  /** Paths that a file imports or starts as a worker. */
  const listTargets = (file: string) =>
    [...read(file).matchAll(/['"](\.{1,2}\/[^'"?]+\.ts)/g)].map(([, target]) => join(dirname(file), target));

  it.each(['lattice', 'films'])('of a frame of %s leads downward', (method) => {
    const stops = [...before, ...section(`A step of \`${method}\``), ...after];
    expect(stops.length).toBeGreaterThan(50);
    expect(stops.filter(({ path, files }) => files.length !== 1 && !files.includes(path))).toEqual([]);
    const unknown = stops.filter(({ file, name }) => !new RegExp(`(?<![\\w])${name}\\b`).test(read(file)));
    expect(unknown).toEqual([]);

    const seen = new Set<string>();
    const reachable = new Set(['src/cli/run.ts', 'viewer/src/main.ts']); // the page opens what the run wrote
    const unreached: string[] = [];
    let reentries = 0;
    for (const { file, what } of stops) {
      if (!reachable.has(file)) unreached.push(file);
      expect(what.startsWith('**again**'), `${file} ${what}`).toBe(seen.has(file));
      if (seen.has(file)) reentries++;
      seen.add(file);
      for (const target of listTargets(file)) reachable.add(target);
    }
    expect(unreached).toEqual([]);
    expect(reentries).toBeLessThanOrEqual(MOST_REENTRIES);
    expect(text).toContain(
      method === 'lattice' ? `lattice frame has ${reentries}` : `films frame ${reentries}`,
    );
  });
});
