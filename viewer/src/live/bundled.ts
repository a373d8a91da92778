/** The scenes that ship with meniscus, and the mesh files they name, as Vite bundles them. */
const texts = import.meta.glob<string>('../../../scenes/**/*.jsonc', { query: '?raw', import: 'default' });
const assets = import.meta.glob<string>('../../../scenes/**/*.{ply,obj,stl}', {
  query: '?url',
  import: 'default',
});

const PREFIX = '../../../scenes/';

export interface BundledScene {
  /** `lattice/dam-break` */
  readonly name: string;
  /** `lattice/dam-break.jsonc`: the name in messages, and the base of the mesh files it names. */
  readonly file: string;
  readText(): Promise<string>;
}

export function listBundledScenes(): BundledScene[] {
  return Object.entries(texts)
    .map(([path, readText]) => ({
      name: path.slice(PREFIX.length).replace(/\.jsonc$/, ''),
      file: path.slice(PREFIX.length),
      readText,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a mesh by its path below scenes/, with `..` already possible in it. */
export async function readBundledAsset(path: string): Promise<Uint8Array> {
  const clean = new URL(path, 'file:///').pathname.slice(1);
  const address = assets[PREFIX + clean];
  if (!address) throw new Error(`${path} is not among the bundled files`);
  const response = await fetch(await address());
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
