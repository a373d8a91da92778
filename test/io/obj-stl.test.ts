import { BufferGeometry, type Mesh } from 'three';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { validateClosedMesh } from '../../src/geometry/mesh-defects.ts';
import { readObj, writeObj } from '../../src/io/obj.ts';
import { writePly } from '../../src/io/ply.ts';
import { readTriMesh } from '../../src/io/read-trimesh.ts';
import { readStl, writeStl } from '../../src/io/stl.ts';
import { measureVolume } from '../../src/mesh/trimesh-measure.ts';
import { bunnyMesh, cubeMesh } from '../geometry/meshes.ts';
import { maxDifference, text } from './fixtures.ts';

/** Corner coordinates triangle by triangle: what every reader must agree on. */
function corners(mesh: { position: Float64Array; triangle: Int32Array }): number[] {
  return [...mesh.triangle].flatMap((v) => [...mesh.position.subarray(3 * v, 3 * v + 3)]);
}

describe('OBJ', () => {
  it('round-trips exactly', () => {
    const mesh = bunnyMesh();
    const back = readObj(writeObj(mesh, ['a comment']), 'bunny.obj');
    expect(back.position).toEqual(mesh.position);
    expect(back.triangle).toEqual(mesh.triangle);
  });

  it('is what three.js reads', () => {
    const mesh = bunnyMesh();
    const group = new OBJLoader().parse(new TextDecoder().decode(writeObj(mesh)));
    const geometry = (group.children[0] as Mesh).geometry as BufferGeometry;
    expect(geometry).toBeInstanceOf(BufferGeometry);
    expect(maxDifference(geometry.getAttribute('position').array, corners(mesh))).toBeLessThan(1e-6);
  });

  it('reads every form of face, negative ids, continued lines, groups', () => {
    const source = [
      '# comment',
      'o thing',
      'v 0 0 0',
      'v 1 0 0 1.0',
      'v 1 1 0 # with a comment',
      'v 0 1 0',
      'vt 0 0',
      'vn 0 0 1',
      'g part',
      'usemtl water',
      'f 1/1/1 2//1 3/1 \\',
      '  4',
      'f -4 -3 -2',
      '',
    ];
    const mesh = readObj(text(source.join('\r\n')), 'x.obj');
    expect(mesh.vertexCount).toBe(4);
    expect(mesh.triangleCount).toBe(3);
    expect([...mesh.triangle.slice(6)]).toEqual([0, 1, 2]);
  });

  it.each([
    ['v 0 0', /x\.obj:1: vertex with 2 coordinates/],
    ['v 0 0 zero', /x\.obj:1: "zero" is not a number/],
    ['v 0 0 0\nf 1 2 3', /x\.obj:2: corner "2" refers to no vertex: there are 1/],
    ['v 0 0 0\n\nf 1 1', /x\.obj:3: face with 2 corners/],
    ['v 0 0 0\nf -2 1 1', /x\.obj:2: corner "-2"/],
    ['v 0 0 0\nf a 1 1', /x\.obj:2: corner "a"/],
    ['v 0 0 0\nf 0 1 1', /x\.obj:2: corner "0"/],
  ])('%j: the error names the line', (source, message) => {
    expect(() => readObj(text(source), 'x.obj')).toThrow(InputError);
    expect(() => readObj(text(source), 'x.obj')).toThrow(message);
  });
});

describe('STL', () => {
  it('binary round-trips and welds to a closed mesh', () => {
    const mesh = bunnyMesh();
    const back = readStl(writeStl(mesh), 'bunny.stl');
    expect(back.vertexCount).toBe(mesh.vertexCount);
    expect(back.triangleCount).toBe(mesh.triangleCount);
    expect(maxDifference(corners(back), corners(mesh).map(Math.fround))).toBe(0);
    expect(validateClosedMesh(back, 'bunny.stl').volume).toBeCloseTo(measureVolume(mesh), 3);
  });

  it('is what three.js reads, normals included', () => {
    const mesh = cubeMesh();
    const geometry = new STLLoader().parse(writeStl(mesh).buffer);
    expect(maxDifference(geometry.getAttribute('position').array, corners(mesh))).toBe(0);
    expect([...geometry.getAttribute('normal').array.slice(0, 3)]).toEqual([-0, -0, -1].map((x) => x + 0));
  });

  it('ascii, welding 0 and -0', () => {
    const facet = (a: string, b: string, c: string) =>
      `facet normal 0 0 0\n outer loop\n  vertex ${a}\n  vertex ${b}\n  vertex ${c}\n endloop\nendfacet\n`;
    const source =
      `solid tet\n${facet('0 0 0', '0 1 0', '1 0 -0.0')}${facet('0 0 0', '1 0 0', '0 0 1')}` +
      `${facet('0 0 0', '0 0 1', '0 1 0')}${facet('1 0 0', '0 1 0', '0 0 1')}endsolid tet\n`;
    const mesh = readStl(text(source), 'tet.stl');
    expect(mesh.vertexCount).toBe(4);
    expect(validateClosedMesh(mesh, 'tet.stl').volume).toBeCloseTo(1 / 6, 14);
    const geometry = new STLLoader().parse(source);
    expect(maxDifference(geometry.getAttribute('position').array, corners(mesh))).toBe(0);
  });

  it('a binary file that begins with "solid" is binary all the same', () => {
    const bytes = writeStl(cubeMesh());
    bytes.set(text('solid '));
    expect(readStl(bytes, 'x.stl').vertexCount).toBe(8);
  });

  it.each([
    [writeStl(cubeMesh()).slice(0, -1), /declares 12 triangles \(684 bytes\) and has 683/],
    [text('solid x\nfacet\nouter loop\nvertex 0 0 b\n'), /x\.stl:4: "b" is not a number/],
    [
      text('solid x\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nendloop\n'),
      /x\.stl:5: a facet that is not a triangle/,
    ],
    [text('solid x\nouter loop\nvertex 0 0\n'), /x\.stl:3: 2 coordinates/],
    [text('solid x\nouter loop\nvertex 0 0 1'), /ends within a facet/],
    [text('abc'), /3 bytes are too few/],
  ])('errors name the place (%#)', (bytes, message) => {
    expect(() => readStl(bytes, 'x.stl')).toThrow(message);
  });
});

describe('readTriMesh', () => {
  it('goes by content, then by name', () => {
    const mesh = cubeMesh();
    expect(readTriMesh(writePly(mesh), 'no-ending').triangleCount).toBe(12);
    expect(readTriMesh(writeObj(mesh), 'CUBE.OBJ').triangleCount).toBe(12);
    expect(readTriMesh(writeStl(mesh), 'cube.stl').triangleCount).toBe(12);
    expect(readTriMesh(writePly(mesh), 'a.ply').attributes).toEqual({});
  });

  it('says what it cannot read', () => {
    expect(() => readTriMesh(text('x'), 'a.fbx')).toThrow(
      /no reader for files ending in "\.fbx"; give one of \.obj/,
    );
    expect(() => readTriMesh(new Uint8Array(), 'a.obj')).toThrow(/0 bytes/);
    expect(() => readTriMesh(text('v 0 0 0\n'), 'a.obj')).toThrow(/1 vertices and 0 triangles/);
  });
});
