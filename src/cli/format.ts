import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import pc from 'picocolors';

/** Numbers, durations and tables as a terminal shows them. */
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '-';
  if (seconds < 59.5) return `${seconds.toFixed(seconds < 9.95 ? 1 : 0)} s`;
  const whole = Math.round(seconds);
  const two = (n: number) => String(n).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 2 ** 20) return `${(bytes / 2 ** 10).toFixed(0)} KiB`;
  return bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(0)} MiB` : `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}

/** 950, 12.3k, 1.05M */
export function formatCount(n: number): string {
  if (n < 10_000) return String(Math.round(n));
  return n < 1e6 ? `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)}k` : `${(n / 1e6).toFixed(2)}M`;
}

export function formatNumber(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (x !== 0 && (size < 1e-3 || size >= 1e6)) return x.toExponential(digits - 1);
  return String(Number(x.toPrecision(digits)));
}

/** Characters between two columns where there are no lines, and around a cell where there are. */
const GAP = 2;

/** What a table is written to: a screen of so many columns, or null for a pipe or a file. */
export type TableWidth = number | null;

const findTableWidth = (): TableWidth => (process.stdout.isTTY ? (process.stdout.columns ?? 80) : null);

/**
 * With lines, as wide as the screen at most; in a pipe plain text, a line for each row, for grep, cut and
 * awk.
 */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = findTableWidth(),
): string {
  if (width === null) return renderPlain(head, rows);
  const table = new Table({
    head: head.map((h) => pc.bold(h)),
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [] },
    colWidths: fitColumns(head, rows, width),
    wordWrap: true,
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}

function renderPlain(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) =>
    row.map((cell) => stripVTControlCharacters(cell).replaceAll('\n', ' ')),
  );
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] + GAP))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * Widths of columns with their margins: as their texts need, and where that is too much the widest give, down
 * to their longest words.
 */
function fitColumns(head: readonly string[], rows: readonly (readonly string[])[], width: number): number[] {
  const cells = (column: number) => [head, ...rows].map((row) => stripVTControlCharacters(row[column]));
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const widths = head.map((_, column) => GAP + longest(cells(column).flatMap((text) => text.split('\n'))));
  const words = head.map((_, column) => GAP + longest(cells(column).flatMap((text) => text.split(/\s/))));
  const lines = widths.length + 1;
  for (const least of [words, widths.map(() => GAP + 1)]) {
    while (widths.reduce((sum, w) => sum + w, lines) > width) {
      const free = widths.map((w, column) => (w > least[column] ? w : 0));
      const widest = free.indexOf(Math.max(...free));
      if (free[widest] === 0) break;
      widths[widest]--;
    }
  }
  return widths;
}
