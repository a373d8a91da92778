/**
 * Wavefront OBJ: `v` and `f` lines (with any of the v, v/t, v//n, v/t/n forms and negative ids). Objects and
 * groups are read as one mesh; texture coordinates, normals, materials and lines are not geometry of a liquid
 * and are passed over. Writing: positions and triangles only, since the format has no place for attributes.
 */
import { InputError } from '../core/errors.ts';
import type { TriMesh } from '../mesh/trimesh.ts';
import type { FacesOfPart } from './frames.ts';
import { addPolygon, checkCorners, F64List, type MeshFile } from './mesh-file.ts';
import { parseNumber } from './ply-source.ts';

export function readObj(bytes: Uint8Array, fileName: string): MeshFile {
  // A line that ends in a backslash goes on in the next; an empty line in its place keeps the count.
  const text = new TextDecoder().decode(bytes).replace(/\\\r?\n([^\n]*)/g, ' $1\n');
  const lines = text.split('\n');
  const position = new F64List();
  const faceLines: { line: number; words: string[]; vertexCount: number }[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const isVertex = line.startsWith('v ') || line.startsWith('v\t');
    if (!isVertex && !line.startsWith('f ') && !line.startsWith('f\t')) continue;
    const words = line.split('#')[0].trim().split(/\s+/);
    if (isVertex) readVertex(words, `${fileName}:${i + 1}`, position);
    else faceLines.push({ line: i + 1, words, vertexCount: position.length / 3 });
  }
  const points = position.toF64();
  const triangle = new F64List();
  for (const { line, words, vertexCount } of faceLines) {
    addPolygon(points, readCorners(words, `${fileName}:${line}`, vertexCount, points.length / 3), triangle);
  }
  const ids = triangle.toI32();
  return {
    vertexCount: points.length / 3,
    triangleCount: ids.length / 3,
    position: points,
    triangle: ids,
    attributes: {},
    faceAttributes: {},
  };
}

function readVertex(words: string[], where: string, out: F64List): void {
  if (words.length < 4) {
    throw new InputError(where, `vertex with ${words.length - 1} coordinates`, 'give three');
  }
  for (let k = 1; k <= 3; k++) {
    const value = parseNumber(words[k]);
    if (value === undefined) throw new InputError(where, `"${words[k]}" is not a number`, 'correct the line');
    out.push(value);
  }
}

/**
 * Vertex ids from 0. Positive ids count from 1 over the whole file; negative ones back from the face's own
 * line.
 */
function readCorners(words: string[], where: string, before: number, total: number): number[] {
  if (words.length < 4)
    throw new InputError(where, `face with ${words.length - 1} corners`, 'give at least three');
  checkCorners(where, words.length - 1);
  return words.slice(1).map((word) => {
    const id = Number(word.split('/')[0]);
    const vertex = id > 0 ? id - 1 : before + id;
    if (!Number.isInteger(id) || id === 0 || vertex < 0 || vertex >= total) {
      throw new InputError(
        where,
        `corner "${word}" refers to no vertex: there are ${total}, numbered from 1`,
        'correct the line',
      );
    }
    return vertex;
  });
}

/**
 * Positions in the shortest decimals that read back exactly, and triangles numbered from 1; where there are
 * several surfaces, an object of each.
 */
export function writeObj(
  mesh: TriMesh,
  comments: readonly string[] = [],
  parts: readonly FacesOfPart[] = [],
): Uint8Array<ArrayBuffer> {
  const lines = comments.map((c) => `# ${c.replace(/[\r\n]+/g, ' ')}`);
  const { position, triangle } = mesh;
  for (let v = 0; v < 3 * mesh.vertexCount; v += 3) {
    lines.push(`v ${position[v]} ${position[v + 1]} ${position[v + 2]}`);
  }
  const addFace = (t: number) =>
    lines.push(`f ${triangle[3 * t] + 1} ${triangle[3 * t + 1] + 1} ${triangle[3 * t + 2] + 1}`);
  if (parts.length === 0) for (let t = 0; t < mesh.triangleCount; t++) addFace(t);
  for (const { name, face } of parts) {
    lines.push(`o ${name}`);
    for (const t of face) addFace(t);
  }
  lines.push('');
  return new TextEncoder().encode(lines.join('\n'));
}
