/**
 * What two runs of a scene must have alike, to the last bit: every file of every frame, and the records of
 * the steps without what belongs to the process.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** Times, and what buffers hold, which start again at the size they need after a resume. */
const OWN = ['wall', 'heapBytes'];
/** Checkpoints may change their format, and assets are what went in. */
const NOT_FRAMES = ['checkpoint', 'assets'];

/** File name to checksum. */
export function readRun(dir) {
  return { ...readFrames(dir), 'stats.jsonl': hash(readRecords(dir).join('\n')) };
}

/** The same with the records themselves, so that a difference can be named. */
export function readOutcome(dir) {
  return { files: readFrames(dir), records: readRecords(dir) };
}

function readFrames(dir) {
  const files = {};
  const folders = readdirSync(dir, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !NOT_FRAMES.includes(entry.name),
  );
  for (const { name } of folders.sort((a, b) => (a.name < b.name ? -1 : 1)))
    for (const file of readdirSync(join(dir, name)).sort())
      if (/^\d{6}\.[a-z]+$/.test(file)) files[`${name}/${file}`] = hash(readFileSync(join(dir, name, file)));
  return files;
}

function readRecords(dir) {
  const text = readFileSync(join(dir, 'stats.jsonl'), 'utf8').trimEnd();
  const own = (key, value) => (OWN.includes(key) ? undefined : value);
  return text === '' ? [] : text.split('\n').map((line) => JSON.stringify(JSON.parse(line), own));
}

/** Did the run end before it wrote anything? Two such runs say nothing of the bytes of frames. */
export function isRefused({ end, files, records }) {
  return end !== 'done' && records.length === 0 && Object.keys(files).length === 0;
}

/** The first thing in which an outcome differs from another, in words; undefined where they are the same. */
export function findDifference(a, b) {
  if (a.end !== b.end) return `it ends otherwise: "${a.end}" and "${b.end}"`;
  const record = findDifferentRecord(a.records, b.records);
  const names = [...new Set([...Object.keys(a.files), ...Object.keys(b.files)])].sort(byFrame);
  const file = names.find((name) => a.files[name] !== b.files[name]);
  if (record === undefined && file === undefined) return undefined;
  const missing = file && (file in a.files ? ' is missing in the second' : ' is missing in the first');
  const what = file && (file in a.files && file in b.files ? file : `${file}${missing}`);
  return [what, record].filter(Boolean).join('; ');
}

function findDifferentRecord(a, b) {
  for (let n = 0; n < Math.min(a.length, b.length); n++) {
    if (a[n] === b[n]) continue;
    const [before, after] = [JSON.parse(a[n]), JSON.parse(b[n])];
    const at = findDifferentValue(before, after, '') ?? ['the order of its keys'];
    const values = at.length === 1 ? '' : `: ${at[1]} and ${at[2]}`;
    return `step ${before.step} of frame ${before.frame}, ${at[0]}${values}`;
  }
  return a.length === b.length ? undefined : `${a.length} and ${b.length} records in stats.jsonl`;
}

/** Path of the first value that differs, with the two. */
function findDifferentValue(a, b, path) {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Object.is(a, b) ? undefined : [path, JSON.stringify(a), JSON.stringify(b)];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = findDifferentValue(a[key], b[key], path === '' ? key : `${path}.${key}`);
    if (found) return found;
  }
  return undefined;
}

/** By the frame first, so that what differs first comes first. */
function byFrame(a, b) {
  const key = (name) => name.replace(/^(.*)\/(\d+)/, '$2 $1');
  return key(a) < key(b) ? -1 : 1;
}
