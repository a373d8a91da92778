import { readFileSync } from 'node:fs';
import { type Document, WebIO } from '@gltf-transform/core';

/** A GLB as someone else's reader has it, and the names of its nodes. */
export async function readGlb(path: string): Promise<{ document: Document; names: string[] }> {
  const document = await new WebIO().readBinary(new Uint8Array(readFileSync(path)));
  const nodes = document.getRoot().listNodes();
  return { document, names: nodes.map((node) => node.getName()) };
}
