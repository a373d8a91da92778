import { InputError } from '../core/errors.ts';
import type { Implicit } from '../geometry/implicit.ts';
import { validateClosedMesh } from '../geometry/mesh-defects.ts';
import { type MeshResources, meshImplicit } from '../geometry/mesh-distance.ts';
import { refuseRoundoff } from '../geometry/roundoff.ts';
import { readTriMesh } from '../io/read-trimesh.ts';
import { measureBounds } from '../mesh/trimesh-measure.ts';

/** Mesh files named in scenes: found beside the scene, read once, held to be closed surfaces. */

/** The distance field of a mesh file's bytes; throws InputError that names the defect and where it is. */
export function buildMeshShape(bytes: Uint8Array, name: string, resources?: MeshResources): Implicit {
  const mesh = readTriMesh(bytes, name);
  const box = measureBounds(mesh);
  const size = Math.max(...box.max.map((x, k) => x - box.min[k]));
  if (size > 0) refuseRoundoff(box, size, name, 'its size');
  validateClosedMesh(mesh, name);
  return meshImplicit(mesh, resources);
}

/** `file` as seen from the scene: relative names count from the scene's own folder. */
export function resolveBeside(scene: string, file: string): string {
  if (/^(\/|[A-Za-z]:[\\/]|[a-z]+:\/\/)/.test(file)) return file;
  const folder = /^.*[\\/]/.exec(scene)?.[0] ?? '';
  return folder + file;
}

/**
 * The field of a mesh file named in a scene; `assets` keeps the bytes by that name, so that each is read
 * once.
 */
export async function loadMeshShape(
  file: string,
  scene: string,
  assets: Map<string, Uint8Array>,
  readFile: (path: string) => Promise<Uint8Array>,
  resources?: () => Promise<MeshResources>,
): Promise<Implicit> {
  const path = resolveBeside(scene, file);
  let bytes = assets.get(file);
  if (bytes === undefined) {
    try {
      bytes = await readFile(path);
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const remedy = 'give the name of a mesh file relative to the scene file';
      throw new InputError(path, `cannot be read (${reason})`, remedy, { cause });
    }
    assets.set(file, bytes);
  }
  return buildMeshShape(bytes, path, await resources?.());
}
