import { stripVTControlCharacters } from 'node:util';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { formatBytes, formatCount, formatNumber, formatSeconds, renderTable } from '../../src/cli/format.ts';
import { parseCount, parseFrame, parsePositive, parseRange } from '../../src/cli/options.ts';

describe('numbers for people', () => {
  const written = {
    formatSeconds: [formatSeconds, { '0.0 s': 0.04, '10 s': 9.96, '1 min 15 s': 75, '2 min 00 s': 119.7 }],
    'formatSeconds, long': [formatSeconds, { '1 h 02 min': 3725, '-': Number.POSITIVE_INFINITY }],
    formatBytes: [formatBytes, { '1 KiB': 1000, '3 MiB': 3 * 2 ** 20, '1.50 GiB': 1.5 * 2 ** 30 }],
    formatCount: [formatCount, { '9999': 9999, '12.3k': 12_345, '123k': 123_456, '1.05M': 1_050_000 }],
    formatNumber: [formatNumber, { '0': 0, '1.234e-4': 0.00012345, '2.346': 2.34567, '1.235e+6': 1234567 }],
    'formatNumber, none': [formatNumber, { NaN: Number.NaN }],
  } as const;
  test.each(Object.entries(written))('%s', (_, [format, cases]) => {
    for (const [expected, value] of Object.entries(cases)) expect(format(value)).toBe(expected);
  });

  test('a table keeps its columns', () => {
    const table = renderTable(
      ['a', 'b'],
      [
        ['1', 'long text'],
        ['22', 'x'],
      ],
      80,
    );
    // Colours are on where CI=true, off in a pipe: only what is seen counts.
    const lines = stripVTControlCharacters(table).split('\n');
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  });
});

describe('tables', () => {
  const head = ['scene', 'title', 'takes', 'settings'];
  const rows = [
    [
      'lattice/drop-into-pool',
      'A ball of water falls into a pool and throws up a crown '.repeat(2),
      '4 minutes',
      'small, fine',
    ],
    ['films/x', pc.createColors(true).green('a cluster'), '', 'small'],
  ];

  test.each([80, 100, 60, 200])('fit a screen of %i columns, and lose no word', (width) => {
    const table = stripVTControlCharacters(renderTable(head, rows, width));
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of rows.flat().flatMap((cell) => stripVTControlCharacters(cell).split(' ')))
      expect(table).toContain(word);
  });

  test('are no wider than they need be', () => {
    expect(stripVTControlCharacters(renderTable(['a'], [['b']], 200)).split('\n')[0]).toHaveLength(5);
  });

  test('in a pipe: a plain line for each row, with neither lines nor colours', () => {
    const lines = renderTable(head, rows, null).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/[^\x20-\x7e]/);
    expect(lines[2]).toMatch(/^films\/x {17}a cluster +small$/);
    const at = lines[0].indexOf('title');
    expect(lines[1].slice(at)).toMatch(/^A ball/);
    expect(lines[2].slice(at)).toMatch(/^a cluster/);
  });
});

describe('option values', () => {
  test('good ones', () => {
    expect(parseCount('3')).toBe(3);
    expect(parseFrame('0')).toBe(0);
    expect(parsePositive('1e-3')).toBe(0.001);
    expect(parseRange('3:8')).toEqual({ from: 3, to: 8 });
    expect(parseRange('3')).toEqual({ from: 3, to: 3 });
    expect(parseRange(':8')).toEqual({ from: 0, to: 8 });
    expect(parseRange('3:')).toEqual({ from: 3, to: Number.POSITIVE_INFINITY });
  });
  test.each(['0', '-1', '1.5', 'x', '', 'NaN'])('not a count: "%s"', (text) =>
    expect(() => parseCount(text)).toThrow(/expected/),
  );
  test.each(['-1', '1.5', 'x', ''])('not a frame: "%s"', (text) =>
    expect(() => parseFrame(text)).toThrow(/expected/),
  );
  test.each(['0', '-1', 'x', '', 'Infinity', '5 cm'])('not a size: "%s"', (text) =>
    expect(() => parsePositive(text)).toThrow(/expected/),
  );
  test.each(['8:3', 'a:b', '', ':', '1:2:3'])('not a range: "%s"', (text) =>
    expect(() => parseRange(text)).toThrow(/expected/),
  );
});
