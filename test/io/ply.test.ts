import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { readPly, writePly } from '../../src/io/ply.ts';
import { bunnyMesh, cubeMesh } from '../geometry/meshes.ts';
import { makeFrame, maxDifference, text } from './fixtures.ts';

const ASCII = `ply
format ascii 1.0
comment made by hand
comment unit velocity m/s
element vertex 5
property double x
property double y
property double z
property float vx
property float vy
property float vz
property uchar flag
element face 2
property list uchar uint vertex_index
property int32 region
end_header
0 0 0 1 2 3 0
1 0 0 1 2 3 1
1 1 0 1 2 3 2
0 1 0 1 2 3 3

0.5 0.5 1e0 4 5 6 255
4 0 3 2 1 7
3 0 1 4 -9
`;

describe('writing and reading back', () => {
  it.each([false, true])('keeps mesh and fields, double %s', (double) => {
    const { mesh, vertexFields, faceFields } = makeFrame(bunnyMesh());
    const bytes = writePly(mesh, vertexFields, faceFields, { double, comments: ['two\nlines'] });
    const back = readPly(bytes, 'bunny.ply');
    expect(back.vertexCount).toBe(mesh.vertexCount);
    expect(back.triangleCount).toBe(mesh.triangleCount);
    expect(back.triangle).toEqual(mesh.triangle);
    expect(maxDifference(back.position, double ? mesh.position : mesh.position.map(Math.fround))).toBe(0);
    expect(Object.keys(back.attributes)).toEqual(['velocity', 'age']);
    expect(back.attributes['velocity'].unit).toBe('m/s');
    expect(back.attributes['velocity'].components).toBe(3);
    expect(back.attributes['velocity'].values).toBeInstanceOf(double ? Float64Array : Float32Array);
    expect(maxDifference(back.attributes['velocity'].values, vertexFields['velocity'].values)).toBeLessThan(
      1e-7,
    );
    expect(back.attributes['age']).toEqual(vertexFields['age']);
    expect(back.faceAttributes['region']).toEqual(faceFields['region']);
  });

  it('is what three.js reads', () => {
    const { mesh, vertexFields, faceFields } = makeFrame(bunnyMesh());
    const loader = new PLYLoader();
    loader.setCustomPropertyNameMapping({
      velocity: ['velocity_x', 'velocity_y', 'velocity_z'],
      age: ['age'],
    });
    const geometry = loader.parse(writePly(mesh, vertexFields, faceFields).buffer);
    expect(maxDifference(geometry.getAttribute('position').array, mesh.position.map(Math.fround))).toBe(0);
    expect(maxDifference(geometry.getIndex()!.array, mesh.triangle)).toBe(0);
    expect(
      maxDifference(geometry.getAttribute('velocity').array, vertexFields['velocity'].values),
    ).toBeLessThan(1e-7);
    expect(geometry.getAttribute('age').count).toBe(mesh.vertexCount);
  });

  it('writes an empty frame', () => {
    const empty = {
      vertexCount: 0,
      triangleCount: 0,
      position: new Float64Array(),
      triangle: new Int32Array(),
    };
    expect(readPly(writePly(empty), 'empty.ply').triangleCount).toBe(0);
  });

  it('refuses fields that do not fit', () => {
    const short = { components: 3 as const, unit: '', values: new Float32Array(3) };
    expect(() => writePly(cubeMesh(), { short })).toThrow(
      /PLY field short: it has 3 numbers for 8 elements of 3/,
    );
    const spaced = { components: 1 as const, unit: '', values: new Float32Array(8) };
    expect(() => writePly(cubeMesh(), { 'a b': spaced })).toThrow(/holds a space/);
  });
});

describe('reading', () => {
  it('ascii with polygons, attributes, units, empty lines', () => {
    const mesh = readPly(text(ASCII), 'hand.ply');
    expect(mesh.vertexCount).toBe(5);
    expect([...mesh.position.slice(12)]).toEqual([0.5, 0.5, 1]);
    expect(mesh.triangleCount).toBe(3);
    expect([...mesh.triangle.slice(6)]).toEqual([0, 1, 4]);
    expect([...mesh.faceAttributes['region'].values]).toEqual([7, 7, -9]);
    expect([...mesh.attributes['velocity'].values.slice(12)]).toEqual([4, 5, 6]);
    expect(mesh.attributes['velocity'].unit).toBe('m/s');
    expect([...mesh.attributes['flag'].values]).toEqual([0, 1, 2, 3, 255]);
  });

  it('Windows line ends', () => {
    expect(readPly(text(ASCII.replaceAll('\n', '\r\n')), 'hand.ply').triangleCount).toBe(3);
  });

  it('binary big-endian with every scalar type and an element to pass over', () => {
    const header =
      'ply\nformat binary_big_endian 1.0\nelement camera 1\nproperty list uchar short ids\nproperty char c\n' +
      'element vertex 3\nproperty double x\nproperty float y\nproperty int z\nproperty ushort s\nproperty uint big\n' +
      'element face 1\nproperty list int ushort vertex_indices\nend_header\n';
    const view = new DataView(new ArrayBuffer(6 + 3 * 22 + 10));
    view.setUint8(0, 2);
    view.setInt16(1, -5);
    view.setInt16(3, 6);
    view.setInt8(5, -1);
    for (let v = 0; v < 3; v++) {
      const at = 6 + 22 * v;
      view.setFloat64(at, v + 0.1);
      view.setFloat32(at + 8, v + 0.5);
      view.setInt32(at + 12, -v);
      view.setUint16(at + 16, 60000 + v);
      view.setUint32(at + 18, 4000000000 + v);
    }
    view.setInt32(72, 3);
    for (let i = 0; i < 3; i++) view.setUint16(76 + 2 * i, 2 - i);
    const bytes = new Uint8Array([...text(header), ...new Uint8Array(view.buffer)]);
    const mesh = readPly(bytes, 'big.ply');
    expect([...mesh.position]).toEqual([0.1, 0.5, 0, 1.1, 1.5, -1, 2.1, 2.5, -2]);
    expect([...mesh.triangle]).toEqual([2, 1, 0]);
    expect([...mesh.attributes['s'].values]).toEqual([60000, 60001, 60002]);
    expect([...mesh.attributes['big'].values]).toEqual([4000000000, 4000000001, 4000000002]);
  });

  it('binary with faces of different lengths', () => {
    const header =
      'ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n' +
      'element face 2\nproperty list uchar int vertex_indices\nproperty short tag\nend_header\n';
    const view = new DataView(new ArrayBuffer(48 + 15 + 19));
    [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0].forEach((x, i) => {
      view.setFloat32(4 * i, x, true);
    });
    view.setUint8(48, 3);
    [0, 1, 2].forEach((v, i) => {
      view.setInt32(49 + 4 * i, v, true);
    });
    view.setInt16(61, -7, true);
    view.setUint8(63, 4);
    [3, 2, 1, 0].forEach((v, i) => {
      view.setInt32(64 + 4 * i, v, true);
    });
    view.setInt16(80, 8, true);
    const mesh = readPly(new Uint8Array([...text(header), ...new Uint8Array(view.buffer)]), 'mixed.ply');
    expect(mesh.triangleCount).toBe(3);
    expect([...mesh.triangle.slice(0, 3)]).toEqual([0, 1, 2]);
    expect([...mesh.faceAttributes['tag'].values]).toEqual([-7, 8, 8]);
  });

  it('keeps a concave polygon inside itself', () => {
    // An L of area 3: a fan from its first corner would cover the notch.
    const points = [
      [1, 1],
      [1, 2],
      [0, 2],
      [0, 0],
      [2, 0],
      [2, 1],
    ];
    const header = `ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n`;
    const mesh = readPly(
      text(`${header}${points.map((p) => `${p.join(' ')} 0\n`).join('')}6 0 1 2 3 4 5\n`),
      'l.ply',
    );
    let area = 0;
    for (let t = 0; t < mesh.triangleCount; t++) {
      const [a, b, c] = [...mesh.triangle.slice(3 * t, 3 * t + 3)].map((v) => points[v]);
      const twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      expect(twice).toBeGreaterThan(0);
      area += twice / 2;
    }
    expect(area).toBe(3);
  });
});

describe('errors name the place', () => {
  const cases: [string, Uint8Array, RegExp][] = [
    ['not ply', text('hello\nworld\n'), /x\.ply:1: first line is "hello"/],
    ['no end', text('ply\nformat ascii 1.0\n'), /without end_header/],
    ['format', text('ply\nformat odd 1.0\nend_header\n'), /x\.ply:2: format "odd"/],
    ['type', text(ASCII.replace('float vx', 'flot vx')), /x\.ply:9: "property flot vx" is no property line/],
    ['number', text(ASCII.replace('1 1 0 1', '1 1 O 1')), /x\.ply:19: "O" is not a number/],
    ['too many', text(ASCII.replace('2 3 2\n', '2 3 2 8\n')), /x\.ply:19: 1 more numbers/],
    ['too few rows', text(ASCII.replace('3 0 1 4 -9\n', '')), /ends before all the elements/],
    ['index', text(ASCII.replace('3 0 1 4', '3 0 1 5')), /face 1 refers to vertex 5 of 5/],
    ['two corners', text(ASCII.replace('3 0 1 4', '2 0 1')), /face 1 has 2 corners/],
    ['cloud', text(ASCII.replace('element face', 'element edge')), /no face element/],
    ['cut', writePly(cubeMesh()).slice(0, -5), /ends at byte \d+, before all the elements/],
  ];
  it.each(cases)('%s', (_name, bytes, message) => {
    expect(() => readPly(bytes, 'x.ply')).toThrow(InputError);
    expect(() => readPly(bytes, 'x.ply')).toThrow(message);
  });
});
