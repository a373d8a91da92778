/**
 * STL, ascii and binary. The format stores every triangle's corners anew; corners at exactly the same
 * position are welded into one vertex, which is what makes a closed surface closed again. Triangles that weld
 * to a line or point are kept: the mesh check counts them.
 */
import { InputError } from '../core/errors.ts';
import { setNormal } from '../math/triangle.ts';
import type { TriMesh } from '../mesh/trimesh.ts';
import { F64List, type MeshFile } from './mesh-file.ts';
import { parseNumber } from './ply-source.ts';

const HEADER_SIZE = 80;
const RECORD_SIZE = 50;

export function readStl(bytes: Uint8Array, fileName: string): MeshFile {
  const corner = isBinary(bytes) ? readBinary(bytes, fileName) : readAscii(bytes, fileName);
  return { ...weldByPosition(corner), attributes: {}, faceAttributes: {} };
}

/** By size, since binary files too may begin with "solid". */
function isBinary(bytes: Uint8Array): boolean {
  if (bytes.length >= HEADER_SIZE + 4) {
    const count = new DataView(bytes.buffer, bytes.byteOffset).getUint32(HEADER_SIZE, true);
    if (bytes.length === HEADER_SIZE + 4 + count * RECORD_SIZE) return true;
  }
  return (
    new TextDecoder('latin1').decode(bytes.subarray(0, 6)).trimStart().slice(0, 5).toLowerCase() !== 'solid'
  );
}

function readBinary(bytes: Uint8Array, fileName: string): Float64Array {
  if (bytes.length < HEADER_SIZE + 4) {
    throw new InputError(fileName, `${bytes.length} bytes are too few for an STL file`, 'give a whole file');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint32(HEADER_SIZE, true);
  const expected = HEADER_SIZE + 4 + count * RECORD_SIZE;
  if (bytes.length < expected) {
    throw new InputError(
      fileName,
      `it declares ${count} triangles (${expected} bytes) and has ${bytes.length} bytes`,
      'give a whole file',
    );
  }
  const corner = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) {
    const at = HEADER_SIZE + 4 + t * RECORD_SIZE + 12;
    for (let i = 0; i < 9; i++) corner[9 * t + i] = view.getFloat32(at + 4 * i, true);
  }
  return corner;
}

function readAscii(bytes: Uint8Array, fileName: string): Float64Array {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const corner = new F64List();
  for (let i = 0; i < lines.length; i++) {
    const words = lines[i].trim().split(/\s+/);
    const keyword = words[0].toLowerCase();
    const where = `${fileName}:${i + 1}`;
    if (keyword === 'endloop' && corner.length % 9 !== 0) {
      throw new InputError(where, 'a facet that is not a triangle', 'give three vertex lines per loop');
    }
    if (keyword !== 'vertex') continue;
    if (words.length !== 4) throw new InputError(where, `${words.length - 1} coordinates`, 'give three');
    for (let k = 1; k <= 3; k++) {
      const value = parseNumber(words[k]);
      if (value === undefined)
        throw new InputError(where, `"${words[k]}" is not a number`, 'correct the line');
      corner.push(value);
    }
  }
  if (corner.length % 9 !== 0) {
    throw new InputError(`${fileName}:${lines.length}`, 'the file ends within a facet', 'give a whole file');
  }
  return corner.toF64();
}

/**
 * One vertex per distinct position, numbered in order of appearance. Open-addressing table over the
 * coordinates' bits.
 */
export function weldByPosition(corner: Float64Array): TriMesh {
  const count = corner.length / 3;
  let size = 16;
  while (size < 2 * count) size *= 2;
  const table = new Int32Array(size).fill(-1);
  // Adding 0 turns -0 into 0, so that the two weld.
  const clean = new Float64Array(corner.length);
  for (let i = 0; i < corner.length; i++) clean[i] = corner[i] + 0;
  const bits = new Int32Array(clean.buffer);
  const position = new Float64Array(corner.length);
  const triangle = new Int32Array(count);
  let vertexCount = 0;
  for (let i = 0; i < count; i++) {
    let hash = 0;
    // Multiply spreads upward, the shift brings high bits down: float32 values leave the low bits of a double
    // zero.
    for (let k = 6 * i; k < 6 * i + 6; k++) {
      hash = Math.imul(hash ^ bits[k], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let at = hash & (size - 1);
    while (table[at] >= 0 && !isSame(position, table[at], clean, i)) at = (at + 1) & (size - 1);
    if (table[at] < 0) {
      table[at] = vertexCount;
      for (let k = 0; k < 3; k++) position[3 * vertexCount + k] = clean[3 * i + k];
      vertexCount++;
    }
    triangle[i] = table[at];
  }
  return {
    vertexCount,
    triangleCount: count / 3,
    position: position.slice(0, 3 * vertexCount),
    triangle,
  };
}

function isSame(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return a[3 * i] === b[3 * j] && a[3 * i + 1] === b[3 * j + 1] && a[3 * i + 2] === b[3 * j + 2];
}

/** Binary STL in float32, with facet normals. */
export function writeStl(mesh: TriMesh): Uint8Array<ArrayBuffer> {
  const { position, triangle, triangleCount } = mesh;
  const out = new Uint8Array(HEADER_SIZE + 4 + triangleCount * RECORD_SIZE);
  const view = new DataView(out.buffer);
  // The header must not begin with "solid": some readers would take the file for ascii.
  out.set(new TextEncoder().encode('binary STL by meniscus, metres'));
  view.setUint32(HEADER_SIZE, triangleCount, true);
  const p = new Float64Array(9);
  const normal = new Float64Array(3);
  for (let t = 0; t < triangleCount; t++) {
    for (let i = 0; i < 9; i++) p[i] = position[3 * triangle[3 * t + Math.floor(i / 3)] + (i % 3)];
    const at = HEADER_SIZE + 4 + t * RECORD_SIZE;
    setNormal(p, 0, 3, 6, normal);
    const length = Math.hypot(normal[0], normal[1], normal[2]);
    for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, length > 0 ? normal[k] / length : 0, true);
    for (let i = 0; i < 9; i++) view.setFloat32(at + 12 + 4 * i, p[i], true);
  }
  return out;
}
