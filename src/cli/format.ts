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

export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: head.map((h) => pc.bold(h)),
    style: { head: [], border: pc.isColorSupported ? ['gray'] : [] },
  });
  for (const row of rows) table.push([...row]);
  return table.toString();
}
