/**
 * What a checkpoint was made with: a checksum per key of the scene and per mesh file. A run goes on from a
 * checkpoint only with the very scene that it belongs to; with another its frames would tell of no scene at
 * all. Per key, so that the message names what has changed.
 */
import { freeKeys } from '../scene/load.ts';
import { computeCrc32 } from './crc32.ts';

export type Fingerprint = Readonly<Record<string, string>>;

/** `assets`: the mesh files by the names that the scene has for them. */
export function fingerprintScene(
  scene: Readonly<Record<string, unknown>>,
  assets: ReadonlyMap<string, Uint8Array>,
): Fingerprint {
  const encoder = new TextEncoder();
  const entries = Object.entries(scene)
    .filter(([key]) => !freeKeys.includes(key))
    .map(([key, value]) => [key, checksum(encoder.encode(toCanonical(value)))]);
  for (const [file, bytes] of assets) entries.push([file, checksum(bytes)]);
  return Object.fromEntries(entries);
}

/** The first key or file that is not the same in both; undefined where all are. */
export function findChange(a: Fingerprint, b: Fingerprint): string | undefined {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].find((key) => a[key] !== b[key]);
}

const checksum = (bytes: Uint8Array) => computeCrc32(bytes).toString(16).padStart(8, '0');

/** JSON with keys in order: which came first in the file means nothing. */
function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, v) =>
    v !== null && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}
