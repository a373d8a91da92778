/** Reads a triangle mesh file of any known format; the first bytes decide, then the name. */
import { InputError } from '../core/errors.ts';
import { LIMITS, refuseBeyond } from '../core/limits.ts';
import type { MeshFile } from './mesh-file.ts';
import { readObj } from './obj.ts';
import { readPly } from './ply.ts';
import { readStl } from './stl.ts';

export type { MeshFile } from './mesh-file.ts';

/** Mesh file formats that can be read, by file name ending. */
export const MESH_EXTENSIONS = ['obj', 'ply', 'stl'] as const;

export function readTriMesh(bytes: Uint8Array, fileName: string): MeshFile {
  refuseBeyond(
    LIMITS.meshFileBytes,
    bytes.length,
    fileName,
    (n, most) => `it has ${n} bytes, more than ${most}`,
    'make it coarser (decimate) in a modelling program',
  );
  if (bytes.length === 0) throw new InputError(fileName, 'the file has 0 bytes', 'give a mesh file');
  const extension = fileName.toLowerCase().split('.').at(-1) ?? '';
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4));
  let mesh: MeshFile;
  if (/^ply\s/.test(start) || extension === 'ply') mesh = readPly(bytes, fileName);
  else if (extension === 'stl') mesh = readStl(bytes, fileName);
  else if (extension === 'obj') mesh = readObj(bytes, fileName);
  else {
    throw new InputError(
      fileName,
      `no reader for files ending in ".${extension}"`,
      `give one of ${MESH_EXTENSIONS.map((e) => `.${e}`).join(', ')}`,
    );
  }
  refuseBeyond(
    LIMITS.meshTriangles,
    mesh.triangleCount,
    fileName,
    (n, most) => `it has ${n} triangles, more than ${most}`,
    'make it coarser (decimate) in a modelling program',
  );
  if (mesh.triangleCount === 0) {
    throw new InputError(
      fileName,
      `it has ${mesh.vertexCount} vertices and 0 triangles`,
      'give a closed surface',
    );
  }
  return mesh;
}
