import { readFileSync } from 'node:fs';
import { type Document, WebIO } from '@gltf-transform/core';

/** A GLB file as another library reads it, and the names of its nodes. */
export async function readGlb(file: string): Promise<{ document: Document; names: string[] }> {
  const document = await new WebIO().readBinary(readFileSync(file));
  const nodes = document.getRoot().listNodes();
  return { document, names: nodes.map((node) => node.getName()) };
}
