/** What two runs of a scene must have alike, to the last bit: frames, and records without what belongs to the process. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
/** Times, and what buffers hold, which start again at the size they need after a resume. */
const OWN = ['wall', 'heapBytes'];

/** File name to checksum. */
export function readRun(dir) {
  const files = {};
  for (const kind of ['surface', 'volume'].filter((k) => existsSync(join(dir, k))))
    for (const file of readdirSync(join(dir, kind)).sort())
      if (/^\d{6}\.(ply|vtu)$/.test(file))
        files[`${kind}/${file}`] = hash(readFileSync(join(dir, kind, file)));
  const lines = readFileSync(join(dir, 'stats.jsonl'), 'utf8').trimEnd().split('\n');
  const own = (key, value) => (OWN.includes(key) ? undefined : value);
  files['stats.jsonl'] = hash(lines.map((line) => JSON.stringify(JSON.parse(line), own)).join('\n'));
  return files;
}
