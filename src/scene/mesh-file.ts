import { InputError } from '../core/errors.ts';
import type { Implicit } from '../geometry/implicit.ts';

/** Mesh files named in scenes: found beside the scene, read once, held closed. */

/** `file` as seen from the scene: relative names count from the scene's own folder. */
export function resolveBeside(scene: string, file: string): string {
  if (/^(\/|[A-Za-z]:[\\/]|[a-z]+:\/\/)/.test(file)) return file;
  const folder = /^.*[\\/]/.exec(scene)?.[0] ?? '';
  return folder + file;
}

export async function loadMeshShape(
  file: string,
  scene: string,
  assets: Map<string, Uint8Array>,
  readFile: (path: string) => Promise<Uint8Array>,
): Promise<Implicit> {
  const path = resolveBeside(scene, file);
  let bytes = assets.get(file);
  if (bytes === undefined) {
    try {
      bytes = await readFile(path);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new InputError(
        path,
        `cannot be read (${reason})`,
        'give the name of a mesh file relative to the scene file',
        { cause },
      );
    }
    assets.set(file, bytes);
  }
  throw new InputError(path, 'meshes are not built yet', 'wait');
}
