/**
 * VTK XML unstructured grids (.vtu) and the collections that give them times (.pvd), for ParaView and the
 * viewer.
 *
 * Arrays are appended raw in little-endian order, each after its length as UInt64; with `compress` each is
 * one or more zlib blocks after [blocks, block size, last block size, compressed sizes...], as
 * vtkZLibDataCompressor has it. Units travel as attribute `Unit` of the DataArray, which other readers pass
 * over. Reader: vtu-read.ts.
 */
import { zlibSync } from 'fflate';
import { InputError } from '../core/errors.ts';
import type { Seconds } from '../core/types.ts';
import type { Field, ParticleFrame } from '../mesh/fields.ts';
import type { TetMesh } from '../mesh/tetmesh.ts';
import type { TriMesh } from '../mesh/trimesh.ts';
import { concatBytes, toBytes } from './bytes.ts';

export { readVtu } from './vtu-read.ts';

export interface VtuOptions {
  /** zlib: about a third of the size at a tenth of the speed. */
  readonly compress?: boolean;
}

/** VTK's numbers for cell types. */
const VTK_VERTEX = 1;
const VTK_TRIANGLE = 5;
const VTK_TETRA = 10;
/**
 * Bytes per compressed block; VTK's own default is 32 kB, larger blocks compress better and are as readable.
 */
const BLOCK_SIZE = 1 << 20;
/** fflate level: higher ones gain little on floating-point data. */
const ZLIB_LEVEL = 4;

/** Writes a mesh with fields on its vertices and cells. */
type WriteMesh<M> = (
  mesh: M,
  vertexFields?: Record<string, Field>,
  cellFields?: Record<string, Field>,
  options?: VtuOptions,
) => Uint8Array<ArrayBuffer>;

/** Tetrahedra. */
export const writeVtu: WriteMesh<TetMesh> = (mesh, vertexFields, cellFields, options) => {
  const cells = { type: VTK_TETRA, corners: 4, corner: mesh.tet, count: mesh.tetCount };
  return writeGrid({ ...mesh, cells, vertexFields, cellFields }, options);
};

/** Triangles, for runs that kept no volume. */
export const writeSurfaceVtu: WriteMesh<TriMesh> = (mesh, vertexFields, cellFields, options) => {
  const cells = { type: VTK_TRIANGLE, corners: 3, corner: mesh.triangle, count: mesh.triangleCount };
  return writeGrid({ ...mesh, cells, vertexFields, cellFields }, options);
};

/** Particles, each a cell of its own, so that readers draw them. */
export function writePointsVtu(
  { count, position, fields }: ParticleFrame,
  options?: VtuOptions,
): Uint8Array<ArrayBuffer> {
  const corner = Int32Array.from({ length: count }, (_, p) => p);
  const cells = { type: VTK_VERTEX, corners: 1, corner, count };
  return writeGrid({ position, vertexCount: count, cells, vertexFields: fields }, options);
}

/** Names frames and their times; files are relative to the .pvd. */
export function writePvd(
  entries: readonly { readonly file: string; readonly time: Seconds }[],
): Uint8Array<ArrayBuffer> {
  const lines = entries.map(
    ({ file, time }) => `    <DataSet timestep="${time}" group="" part="0" file="${escapeXml(file)}"/>`,
  );
  const text = [
    '<?xml version="1.0"?>',
    '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">',
    '  <Collection>',
    ...lines,
    '  </Collection>',
    '</VTKFile>',
    '',
  ].join('\n');
  return new TextEncoder().encode(text);
}

/** Points, cells of one kind, and fields on both. */
interface Grid {
  readonly position: Float64Array;
  readonly vertexCount: number;
  readonly cells: {
    /** VTK's number of the kind */
    readonly type: number;
    /** Corners of a cell. */
    readonly corners: number;
    readonly corner: Int32Array;
    readonly count: number;
  };
  readonly vertexFields?: Record<string, Field> | undefined;
  readonly cellFields?: Record<string, Field> | undefined;
}

function writeGrid(grid: Grid, options: VtuOptions = {}): Uint8Array<ArrayBuffer> {
  const { position, vertexCount, cells, vertexFields = {}, cellFields = {} } = grid;
  const { type: cellType, corners, corner, count: cellCount } = cells;
  const data = new AppendedData(options.compress ?? false);
  const offsets = new Int32Array(cellCount);
  for (let c = 0; c < cellCount; c++) offsets[c] = corners * (c + 1);
  const lines = [
    '<?xml version="1.0"?>',
    '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64"' +
      `${options.compress ? ' compressor="vtkZLibDataCompressor"' : ''}>`,
    '  <UnstructuredGrid>',
    `    <Piece NumberOfPoints="${vertexCount}" NumberOfCells="${cellCount}">`,
    '      <Points>',
    data.add('Points', 3, position.subarray(0, 3 * vertexCount), 'm'),
    '      </Points>',
    '      <Cells>',
    data.add('connectivity', 1, corner.subarray(0, corners * cellCount)),
    data.add('offsets', 1, offsets),
    data.add('types', 1, new Uint8Array(cellCount).fill(cellType)),
    '      </Cells>',
    '      <PointData>',
    ...Object.entries(vertexFields).map(([name, field]) => data.addField(name, field, vertexCount)),
    '      </PointData>',
    '      <CellData>',
    ...Object.entries(cellFields).map(([name, field]) => data.addField(name, field, cellCount)),
    '      </CellData>',
    '    </Piece>',
    '  </UnstructuredGrid>',
    '  <AppendedData encoding="raw">',
    '    _',
  ];
  const encoder = new TextEncoder();
  return concatBytes([
    encoder.encode(lines.join('\n')),
    ...data.parts,
    encoder.encode('\n  </AppendedData>\n</VTKFile>\n'),
  ]);
}

/** The appended blocks, and the DataArray elements that point at them. */
class AppendedData {
  readonly parts: Uint8Array[] = [];
  private offset = 0;

  constructor(private readonly compress: boolean) {}

  addField(name: string, field: Field, count: number): string {
    const { components, values, unit } = field;
    if (values.length < components * count) {
      throw new InputError(
        `VTU field ${name}`,
        `it has ${values.length} numbers for ${count} elements of ${components}`,
        'give one value per element',
      );
    }
    return this.add(name, components, values.subarray(0, components * count), unit);
  }

  add(
    name: string,
    components: number,
    values: Float32Array | Float64Array | Int32Array | Uint8Array,
    unit = '',
  ): string {
    const type =
      values instanceof Float64Array
        ? 'Float64'
        : values instanceof Float32Array
          ? 'Float32'
          : values instanceof Int32Array
            ? 'Int32'
            : 'UInt8';
    const element =
      `        <DataArray type="${type}" Name="${escapeXml(name)}" NumberOfComponents="${components}" ` +
      `format="appended" offset="${this.offset}"${unit ? ` Unit="${escapeXml(unit)}"` : ''}/>`;
    const bytes = toBytes(values);
    const blocks = this.compress ? compressBlocks(bytes) : [toHeader([bytes.length]), bytes];
    for (const block of blocks) {
      this.parts.push(block);
      this.offset += block.length;
    }
    return element;
  }
}

function compressBlocks(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = [];
  for (let begin = 0; begin < bytes.length; begin += BLOCK_SIZE) {
    // A copy, since the source may lie on shared memory.
    blocks.push(zlibSync(bytes.slice(begin, begin + BLOCK_SIZE), { level: ZLIB_LEVEL }));
  }
  const last = bytes.length % BLOCK_SIZE;
  return [toHeader([blocks.length, BLOCK_SIZE, last, ...blocks.map((b) => b.length)]), ...blocks];
}

function toHeader(sizes: number[]): Uint8Array {
  return toBytes(BigUint64Array.from(sizes, BigInt));
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
