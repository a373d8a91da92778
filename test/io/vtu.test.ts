import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readVtu, writePvd, writeSurfaceVtu, writeVtu } from '../../src/io/vtu.ts';
import type { Field } from '../../src/mesh/fields.ts';
import { bunnyMesh } from '../geometry/meshes.ts';
import { makeFrame, maxDifference, text, twoTets } from './fixtures.ts';

const vertexFields: Record<string, Field> = {
  velocity: { components: 3, unit: 'm/s', values: Float32Array.from({ length: 15 }, (_, i) => i / 3) },
  'a < "b"': { components: 1, unit: '', values: Float64Array.from([1, 2, 3, 4, Math.PI]) },
};
const cellFields: Record<string, Field> = {
  level: { components: 1, unit: '', values: Int32Array.from([-3, 4]) },
};

/** Independent reader: scans the XML tag by tag and follows the VTK file format description. */
function parseVtk(bytes: Uint8Array) {
  const latin = Buffer.from(bytes).toString('latin1');
  const data = latin.indexOf('_', latin.indexOf('<AppendedData')) + 1;
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const compressed = /<VTKFile[^>]*compressor="vtkZLibDataCompressor"/.test(latin);
  const arrays: Record<string, number[]> = {};
  const sizes = { Float64: 8, Float32: 4, Int32: 4, UInt8: 1 };
  for (const tag of latin.slice(0, data).match(/<DataArray[^>]*>/g) ?? []) {
    const at = data + Number(attribute(tag, 'offset'));
    const source = Buffer.from(bytes);
    let raw: Buffer;
    if (compressed) {
      const blocks = Number(source.readBigUInt64LE(at));
      let offset = at + 8 * (3 + blocks);
      const parts: Buffer[] = [];
      for (let b = 0; b < blocks; b++) {
        const size = Number(source.readBigUInt64LE(at + 8 * (3 + b)));
        parts.push(inflateSync(source.subarray(offset, offset + size)));
        offset += size;
      }
      raw = Buffer.concat(parts);
      const blockSize = Number(source.readBigUInt64LE(at + 8));
      const last = Number(source.readBigUInt64LE(at + 16));
      expect(raw.length).toBe(last === 0 ? blocks * blockSize : (blocks - 1) * blockSize + last);
    } else raw = source.subarray(at + 8, at + 8 + Number(source.readBigUInt64LE(at)));
    const type = attribute(tag, 'type') as keyof typeof sizes;
    arrays[attribute(tag, 'Name')!] = Array.from({ length: raw.length / sizes[type] }, (_, i) =>
      type === 'Float64'
        ? raw.readDoubleLE(8 * i)
        : type === 'Float32'
          ? raw.readFloatLE(4 * i)
          : type === 'Int32'
            ? raw.readInt32LE(4 * i)
            : raw.readUInt8(i),
    );
  }
  const piece = /<Piece[^>]*>/.exec(latin)![0];
  return {
    points: Number(attribute(piece, 'NumberOfPoints')),
    cells: Number(attribute(piece, 'NumberOfCells')),
    arrays,
  };
}

describe.each([false, true])('VTU, compressed %s', (compress) => {
  it('round-trips bit for bit', () => {
    const mesh = twoTets();
    const back = readVtu(writeVtu(mesh, vertexFields, cellFields, { compress }), 'x.vtu');
    expect(back).toEqual({ mesh, vertexFields, cellFields });
  });

  it('is what an independent reader finds', () => {
    const mesh = twoTets();
    const { points, cells, arrays } = parseVtk(writeVtu(mesh, vertexFields, cellFields, { compress }));
    expect([points, cells]).toEqual([5, 2]);
    expect(arrays['Points']).toEqual([...mesh.position]);
    expect(arrays['connectivity']).toEqual([...mesh.tet]);
    expect(arrays['offsets']).toEqual([4, 8]);
    expect(arrays['types']).toEqual([10, 10]);
    expect(arrays['velocity']).toEqual([...vertexFields['velocity'].values]);
    expect(arrays['a &lt; &quot;b&quot;']).toEqual([1, 2, 3, 4, Math.PI]);
    expect(arrays['level']).toEqual([-3, 4]);
  });

  it('surfaces are triangles', () => {
    const frame = makeFrame(bunnyMesh());
    const { cells, arrays } = parseVtk(
      writeSurfaceVtu(frame.mesh, frame.vertexFields, frame.faceFields, { compress }),
    );
    expect(cells).toBe(frame.mesh.triangleCount);
    expect(new Set(arrays['types'])).toEqual(new Set([5]));
    expect(arrays['offsets'].at(-1)).toBe(3 * cells);
    expect(maxDifference(arrays['connectivity'], frame.mesh.triangle)).toBe(0);
    expect(maxDifference(arrays['Points'], frame.mesh.position)).toBe(0);
    expect(arrays['region'].length).toBe(cells);
  });
});

it('compressed arrays of several blocks', () => {
  const tetCount = 80_000;
  const mesh = {
    vertexCount: 4,
    tetCount,
    position: Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    tet: Int32Array.from({ length: 4 * tetCount }, (_, i) => i % 4),
  };
  const bytes = writeVtu(mesh, {}, {}, { compress: true });
  expect(bytes.length).toBeLessThan(200_000);
  expect(parseVtk(bytes).arrays['connectivity'].length).toBe(4 * tetCount);
  expect(maxDifference(readVtu(bytes, 'x.vtu').mesh.tet, mesh.tet)).toBe(0);
});

it('reads from bytes that start anywhere in a buffer', () => {
  const bytes = writeVtu(twoTets());
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(readVtu(shifted.subarray(3), 'x.vtu').mesh.tet).toEqual(twoTets().tet);
});

it('PVD names files and times', () => {
  const pvd = new TextDecoder().decode(
    writePvd([
      { file: 'volume/000000.vtu', time: 0 },
      { file: 'a&b.vtu', time: 1 / 3 },
    ]),
  );
  const sets = [...pvd.matchAll(/<DataSet timestep="([^"]*)" group="" part="0" file="([^"]*)"\/>/g)];
  expect(sets.map((m) => [Number(m[1]), m[2]])).toEqual([
    [0, 'volume/000000.vtu'],
    [1 / 3, 'a&amp;b.vtu'],
  ]);
});

describe('VTU errors', () => {
  const good = writeVtu(twoTets(), vertexFields, cellFields);
  const edit = (from: string, to: string) =>
    Uint8Array.from(Buffer.from(Buffer.from(good).toString('latin1').replace(from, to), 'latin1'));
  it.each([
    [text('<VTKFile/>'), /no appended data/],
    [good.slice(0, -60), /ends at byte \d+, within its data/],
    [edit('UnstructuredGrid"', 'PolyData"'), /no VTK unstructured grid/],
    [edit('LittleEndian', 'BigEndian'), /byte order BigEndian/],
    [edit('encoding="raw"', 'encoding="base64"'), /not raw/],
    [edit('NumberOfCells="2"', 'NumberOfCells="3"'), /array connectivity has 8 numbers, not 12/],
    [edit('type="Float32"', 'type="Float16"'), /array velocity is Float16/],
    [edit('type="Float32"', 'type="constructor"'), /array velocity is constructor/],
    [edit('offset="0"', 'offset="x"'), /offset x/],
    [edit('NumberOfPoints="5"', 'NumberOfPoints="-5"'), /no VTK unstructured grid/],
    [edit('NumberOfPoints="5"', 'NumberOfPoints="1000000000000"'), /numbers, not 3000000000000/],
    [writeSurfaceVtu(bunnyMesh()), /array connectivity has/],
  ])('%#', (bytes, message) => {
    expect(() => readVtu(bytes, 'x.vtu')).toThrow(message);
  });

  it('refuses fields that do not fit', () => {
    expect(() => writeVtu(twoTets(), {}, vertexFields)).not.toThrow();
    expect(() => writeVtu(twoTets(), cellFields)).toThrow(/VTU field level: it has 2 numbers for 5 elements/);
  });
});

it('refuses corners that are no vertices, and blocks that do not inflate to their size', () => {
  const mesh = twoTets();
  const tet = Int32Array.from(mesh.tet);
  for (const id of [-1, 5, 1_000_000]) {
    tet[5] = id;
    expect(() => readVtu(writeVtu({ ...mesh, tet }), 'a.vtu')).toThrow(
      `a.vtu: tetrahedron 1 has the corner ${id}, and there are 5 vertices`,
    );
  }
  // A head of one block for the positions: 15 doubles, of which the block has other bytes.
  const bytes = Buffer.from(writeVtu(mesh, {}, {}, { compress: true }));
  const start = bytes.indexOf('_', bytes.indexOf('<AppendedData')) + 1;
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, start + 32, start + 40);
  expect(() => readVtu(damaged, 'a.vtu')).toThrow(/block 0 at byte \d+ inflates to .*, not to 120 bytes/);
  const bomb = Buffer.from(bytes);
  bomb.writeBigUInt64LE(2n ** 40n, start + 16);
  expect(() => readVtu(bomb, 'a.vtu')).toThrow(/has \d+ numbers, not 15/);
});
