import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createTemporaryFolder } from '../temporary-folder.ts';

interface Outcome {
  end?: string;
  files: Record<string, string>;
  records: string[];
}
let readOutcome: (dir: string) => Outcome;
let findDifference: (a: Outcome, b: Outcome) => string | undefined;
let isRefused: (outcome: Outcome) => boolean;
let folder: string;

beforeAll(async () => {
  const path: string = '../../tools/compare/outcome.js';
  ({ readOutcome, findDifference, isRefused } = await import(path));
  folder = createTemporaryFolder('outcome');
});

/** A run folder of two frames with a file of particles, whose parts can be changed. */
function writeRun(name: string, change: { ply?: string; volume?: number; wall?: number } = {}): Outcome {
  const dir = join(folder, name);
  for (const sub of ['surface', 'particles', 'checkpoint']) mkdirSync(join(dir, sub), { recursive: true });
  writeFileSync(join(dir, 'surface/000000.ply'), 'frame 0');
  writeFileSync(join(dir, 'surface/000001.ply'), change.ply ?? 'frame 1');
  writeFileSync(join(dir, 'particles/000001.ply'), 'points');
  writeFileSync(join(dir, 'checkpoint/000001.bin'), name);
  const record = (step: number, volume: number) =>
    JSON.stringify({
      frame: step,
      step,
      wall: { total: change.wall ?? 1 },
      ledger: { volume: { start: volume } },
      heapBytes: change.wall ?? 1,
    });
  writeFileSync(join(dir, 'stats.jsonl'), `${record(0, 1)}\n${record(1, change.volume ?? 1)}\n`);
  return readOutcome(dir);
}

test('wall times, heap bytes and checkpoints are no difference', () => {
  expect(findDifference(writeRun('a'), writeRun('b', { wall: 7 }))).toBeUndefined();
});

test('the first file that differs is named, and one that is missing', () => {
  const straight = writeRun('c');
  expect(findDifference(straight, writeRun('d', { ply: 'frame 2' }))).toBe('surface/000001.ply');
  const { 'particles/000001.ply': _, ...fewer } = straight.files;
  expect(findDifference(straight, { ...straight, files: fewer })).toBe(
    'particles/000001.ply is missing in the second',
  );
});

test('a figure that differs in its last bit is named with both values', () => {
  const changed = writeRun('e', { volume: 1 + Number.EPSILON });
  expect(findDifference(writeRun('f'), changed)).toBe(
    'step 1 of frame 1, ledger.volume.start: 1 and 1.0000000000000002',
  );
  const straight = writeRun('g');
  expect(findDifference(straight, { ...straight, records: straight.records.slice(1) })).toContain('step 0');
});

test('a run that fails differs from one that does not', () => {
  const straight = writeRun('h');
  expect(findDifference({ ...straight, end: 'done' }, { ...straight, end: 'NaN' })).toContain(
    'ends otherwise',
  );
});

test('a run that ends before it wrote anything was refused; one that fails later was not', () => {
  const straight = writeRun('i');
  expect(isRefused({ end: 'no such key', files: {}, records: [] })).toBe(true);
  expect(isRefused({ ...straight, end: 'NaN' })).toBe(false);
  expect(isRefused({ ...straight, end: 'done' })).toBe(false);
  expect(isRefused({ end: 'done', files: {}, records: [] })).toBe(false);
});
