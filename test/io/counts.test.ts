/** Counts in mesh files are held to the file's own size before anything is read or allocated. */
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { readPly } from '../../src/io/ply.ts';
import { readTriMesh } from '../../src/io/read-trimesh.ts';

const points = 'property float x\nproperty float y\nproperty float z';
const corners = 'property list uchar int vertex_indices';
const body = '0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n';

function ply(vertices: string, faces: string, more = '', format = 'ascii'): Uint8Array {
  const header = `element vertex ${vertices}\n${points}\nelement face ${faces}\n${corners}${more}`;
  return new TextEncoder().encode(`ply\nformat ${format} 1.0\n${header}\nend_header\n${body}`);
}

test.each(['ascii', 'binary_little_endian'])('%s: more rows than the file has bytes for', (format) => {
  const read = (vertices: string, faces: string) => () => readPly(ply(vertices, faces, '', format), 'a.ply');
  expect(read('1000000000000', '4')).toThrow(/declares 1\.00e\+12 rows of "vertex", more than 536,870,912/);
  expect(read('1000000', '4')).toThrow(
    /declares 1,000,000 rows of "vertex", for which the file has too few bytes/,
  );
  expect(read('4', '100000000')).toThrow(
    /declares 100,000,000 rows of "face", for which the file has too few/,
  );
});

test('as many rows as there are pass', () => {
  expect(readPly(ply('4', '4'), 'a.ply').triangleCount).toBe(4);
  const packed = new TextEncoder().encode(
    `ply\nformat ascii 1.0\nelement vertex 1\n${points}\nelement face 1\n${corners}\nend_header\n0 0 0\n3 0 0 0`,
  );
  expect(readPly(packed, 'a.ply').vertexCount).toBe(1);
});

test('rows without properties take no time', () => {
  const junk = (count: string) => ply('4', '4', `\nelement junk ${count}`);
  const start = performance.now();
  expect(readPly(junk('500000000'), 'a.ply').triangleCount).toBe(4);
  expect(() => readPly(junk('4000000000'), 'a.ply')).toThrow(/4\.00e\+9 rows of "junk"/);
  expect(performance.now() - start).toBeLessThan(1000);
});

test('polygons of very many corners are refused in PLY and OBJ', () => {
  const many = LIMITS.polygonCorners + 1;
  const obj = new TextEncoder().encode(`v 0 0 0\nv 1 0 0\nv 0 1 0\nf${' 1'.repeat(many)}\n`);
  expect(() => readTriMesh(obj, 'a.obj')).toThrow(/a\.obj:4: a polygon of 1,001 corners, more than 1,000/);
  const header = `element vertex 1\n${points}\nelement face 1\nproperty list int int vertex_indices`;
  const list = new TextEncoder().encode(
    `ply\nformat ascii 1.0\n${header}\nend_header\n0 0 0\n${many}${' 0'.repeat(many)}\n`,
  );
  expect(() => readTriMesh(list, 'a.ply')).toThrow(/a\.ply, face 0: a polygon of 1,001 corners/);
});
