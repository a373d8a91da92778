import type { FileRef } from './source.ts';

/** All bytes of a file, wherever it is; works in the page and in workers. */
export async function readBytes(ref: FileRef): Promise<Uint8Array> {
  if (typeof ref !== 'string') return new Uint8Array(await ref.arrayBuffer());
  const response = await fetch(ref);
  if (!response.ok) throw new Error(`${ref}: the server answered ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
