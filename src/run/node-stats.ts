/** stats.jsonl on disk: read line by line, as it may be larger than what fits into a text. */
import { appendFileSync, closeSync, existsSync, readSync, truncateSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { parseStepRecord } from './info.ts';
import { describeSystemError, openRegularFile } from './node-files.ts';
import type { StepRecord } from './runner.ts';

const LINE_BREAK = 10;
const CHUNK_BYTES = 1 << 20;
/** A thousand regions make a line of 60 kB. */
const MOST_LINE_BYTES = 16 << 20;

export interface StatsLine {
  readonly line: string;
  readonly record: StepRecord;
  /** Byte after it, line break included; the last line may have none. */
  readonly end: number;
  readonly isWhole: boolean;
}

/** The records in order. A last line cut short by a kill is left out; any other damage throws. */
export function* readStatsLines(file: string): Generator<StatsLine, void, void> {
  let number = 0;
  for (const { text, end, isWhole } of readLines(file)) {
    number++;
    if (text === '') continue;
    const where = `${file}:${number}`;
    if (isWhole || isJson(text)) yield { line: text, record: parseStepRecord(text, where), end, isWhole };
  }
}

/**
 * Drops the records after a step: the resumed run writes them again. Those up to it must all be there, each
 * the step after the one before. `step` below 0: there is no checkpoint, and all go.
 */
export function truncateStats(file: string, step: number): void {
  if (!existsSync(file)) {
    if (step < 0) return;
    throw new InputError(
      file,
      `it is missing, and the checkpoint is of step ${step}`,
      'restore it from a copy, or run the scene anew with --overwrite',
    );
  }
  const { end, isWhole } = step < 0 ? { end: 0, isWhole: true } : findLast(file, step);
  try {
    truncateSync(file, end);
    if (!isWhole) appendFileSync(file, '\n');
  } catch (error) {
    throw describeSystemError(error, file, 'nothing was changed');
  }
}

/** The line of a step. */
function findLast(file: string, step: number): StatsLine {
  const remedy =
    'restore it from a copy, go back to an earlier checkpoint with --from, or run the scene anew with --overwrite';
  let expected = 0;
  for (const found of readStatsLines(file)) {
    const { record } = found;
    if (record.step !== expected)
      throw new InputError(
        file,
        `step ${record.step} stands where step ${expected} should: records are missing or out of order`,
        remedy,
      );
    if (record.step === step) return found;
    expected++;
  }
  const last = expected === 0 ? 'it has no record' : `its last record is of step ${expected - 1}`;
  throw new InputError(file, `${last}, but the checkpoint is of step ${step}`, remedy);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Lines of a file with where they end; the last may have no line break, which is a line cut short. */
function* readLines(file: string): Generator<{ text: string; end: number; isWhole: boolean }, void, void> {
  const { file: descriptor } = openRegularFile(file);
  let rest: Buffer = Buffer.alloc(0);
  let end = 0;
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (size === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let from = 0;
      for (let at = bytes.indexOf(LINE_BREAK); at >= 0; at = bytes.indexOf(LINE_BREAK, from)) {
        end += at + 1 - from;
        yield { text: bytes.toString('utf8', from, at), end, isWhole: true };
        from = at + 1;
      }
      rest = bytes.subarray(from);
      if (rest.length > MOST_LINE_BYTES)
        throw new InputError(
          file,
          `a line of more than ${MOST_LINE_BYTES} bytes`,
          'restore it from a copy, or run the scene anew with --overwrite',
        );
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), end: end + rest.length, isWhole: false };
  } finally {
    closeSync(descriptor);
  }
}
