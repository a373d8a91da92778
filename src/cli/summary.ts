import pc from 'picocolors';
import { type Balance, describeBalance } from '../run/balance.ts';
import { EXIT_GATE_FAILED } from './exit-codes.ts';

/** How a run ends on the terminal: what was kept, in red where it was not. */
export interface SummaryFlags {
  strict?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** Says how volume and energy were kept. Bad news is told with --quiet and --json too, on stderr. */
export function tellBalance(balance: Balance | undefined, flags: SummaryFlags): void {
  for (const { text, bad } of balance ? describeBalance(balance) : []) {
    if (bad) process.stderr.write(`${pc.red(text)}\n`);
    else if (!flags.json && !flags.quiet) process.stderr.write(`${text}\n`);
  }
}

/** With --strict, a run beyond its bounds fails. */
export function enforceBalance(balance: Balance | undefined, { strict }: SummaryFlags): void {
  if (!strict || !balance || balance.within) return;
  process.stderr.write(`${pc.red('error')}: --strict: volume or energy went beyond its bound\n`);
  process.exitCode = EXIT_GATE_FAILED;
}

export function tellNotes(notes: readonly string[], flags: SummaryFlags): void {
  if (flags.json || flags.quiet) return;
  for (const note of notes) process.stderr.write(`${pc.yellow('note')}: ${note}\n`);
}
