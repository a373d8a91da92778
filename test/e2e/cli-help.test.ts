/** What --help shows, and tables in a pipe and on a screen. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/cli/paths.ts';

const bin = join(packageFolder, 'bin', 'meniscus.js');
const run = (...args: string[]) =>
  spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', env: { ...process.env, CI: 'true' } });
const commands = [...run('--help').stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)]
  .map(([, name]) => name)
  .filter((name) => name !== 'help' && name !== 'meniscus');

describe('--help', () => {
  test('lists all commands, within 80 columns', () => {
    expect(commands.sort()).toEqual(
      ['scenes', 'run', 'resume', 'check', 'mesh', 'view', 'export', 'render', 'validate', 'bench'].sort(),
    );
    for (const line of run('--help').stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test.each(['', ...commands])('has examples that the command takes: %s', (command) => {
    const { stdout, status } = run(...(command === '' ? [] : [command]), '--help');
    expect(status).toBe(0);
    const [options, examples = ''] = stdout.split('\nExamples:\n');
    const lines = examples.split('\n').filter((line) => /^ {2}\S/.test(line));
    expect(lines.length).toBeGreaterThanOrEqual(3);
    for (const line of examples.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    for (const line of lines) {
      expect(line).toMatch(command === '' ? /^ {2}meniscus / : new RegExp(`^ {2}meniscus ${command}\\b`));
      if (command === '') continue;
      for (const [flag] of line.matchAll(/(?<= )--?[a-z-]+/g)) expect(options).toContain(flag);
    }
  });
});

describe('tables', () => {
  test('are plain in a pipe, also where CI asks for colours', () => {
    const lines = run('scenes').stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^scene +method +title/);
    expect(lines.filter((line) => line.startsWith('lattice/dam-break '))).toHaveLength(1);
    expect(lines.join('\n')).toBe(stripVTControlCharacters(lines.join('\n')));
    expect(lines.join('\n')).not.toMatch(/[\u2500-\u257f]/);
  });

  test.skipIf(spawnSync('script', ['--version']).status !== 0)('fit a terminal of 80 columns', () => {
    for (const command of ['scenes', 'validate --list', 'bench --list', 'check lattice/basin']) {
      const { stdout } = spawnSync(
        'script',
        ['-qec', `stty cols 80; "${process.execPath}" "${bin}" ${command}`, '/dev/null'],
        { encoding: 'utf8' },
      );
      const lines = stripVTControlCharacters(stdout).split(/\r?\n/);
      const table = lines.filter((line) => /^[\u2500-\u257f]/.test(line));
      expect(table.length).toBeGreaterThan(3);
      for (const line of table) expect(line.length).toBeLessThanOrEqual(80);
    }
  });
});
