/**
 * Reads VTK XML unstructured grids with appended raw arrays, zlib-compressed or not: what vtu.ts writes, and
 * ParaView's default for tetrahedra. Arrays are copied once, out of the file's bytes.
 */
import { unzlibSync } from 'fflate';
import { InputError } from '../core/errors.ts';
import type { Field, VolumeFrame } from '../mesh/fields.ts';
import { validateIds } from './check-frame.ts';

const VTK_TETRA = 10;

type Values = Float32Array | Float64Array | Int32Array | Uint8Array | BigInt64Array;

/** A DataArray element: its attributes and the section it stands in. */
interface ArrayElement {
  readonly section: string;
  readonly attributes: Record<string, string>;
}

export function readVtu(bytes: Uint8Array, fileName: string): VolumeFrame {
  const { head, dataOffset } = splitHead(bytes, fileName);
  const file = parseAttributes(/<VTKFile\b([^>]*)>/.exec(head)?.[1] ?? '');
  const piece = parseAttributes(/<Piece\b([^>]*)>/.exec(head)?.[1] ?? '');
  const vertexCount = Number(piece['NumberOfPoints']);
  const tetCount = Number(piece['NumberOfCells']);
  const isCount = (n: number) => Number.isSafeInteger(n) && n >= 0;
  if (file['type'] !== 'UnstructuredGrid' || !isCount(vertexCount) || !isCount(tetCount)) {
    throw new InputError(fileName, 'it is no VTK unstructured grid', 'give a .vtu file');
  }
  if (file['byte_order'] !== 'LittleEndian') {
    throw new InputError(fileName, `byte order ${file['byte_order']}`, 'write the file little-endian');
  }
  const source = new AppendedSource(bytes, dataOffset, file, fileName);
  let position: Float64Array | undefined;
  let tet: Int32Array | undefined;
  const vertexFields: Record<string, Field> = {};
  const cellFields: Record<string, Field> = {};
  for (const { section, attributes } of listArrays(head)) {
    const name = attributes['Name'] ?? '';
    if (section === 'Points') position = toF64(source.read(attributes, 3 * vertexCount));
    else if (section === 'Cells' && name === 'connectivity')
      tet = toI32(source.read(attributes, 4 * tetCount));
    else if (section === 'Cells' && name === 'types') {
      checkTets(source.read(attributes, tetCount), fileName);
    } else if (section === 'PointData') vertexFields[name] = readField(source, attributes, vertexCount);
    else if (section === 'CellData') cellFields[name] = readField(source, attributes, tetCount);
  }
  if (!position || !tet) throw new InputError(fileName, 'it has no points or no cells', 'give a whole file');
  validateIds('tetrahedron', tet, 4, vertexCount, fileName);
  return { mesh: { vertexCount, tetCount, position, tet }, vertexFields, cellFields };
}

function checkTets(types: Values, fileName: string): void {
  for (let c = 0; c < types.length; c++) {
    if (Number(types[c]) === VTK_TETRA) continue;
    throw new InputError(
      fileName,
      `cell ${c} is of VTK type ${types[c]}, no tetrahedron`,
      'give tetrahedra only',
    );
  }
}

/** The XML before the data, and where the first byte after the underscore lies. */
function splitHead(bytes: Uint8Array, fileName: string): { head: string; dataOffset: number } {
  const marker = new TextEncoder().encode('<AppendedData');
  let at = -1;
  for (let i = bytes.indexOf(marker[0]); i >= 0 && at < 0; i = bytes.indexOf(marker[0], i + 1)) {
    let k = 1;
    while (k < marker.length && bytes[i + k] === marker[k]) k++;
    if (k === marker.length) at = i;
  }
  const underscore = at < 0 ? -1 : bytes.indexOf(95, bytes.indexOf(62, at));
  if (underscore < 0) {
    throw new InputError(fileName, 'it has no appended data', 'write the file with raw appended data');
  }
  const head = new TextDecoder().decode(bytes.slice(0, underscore));
  if (!/<AppendedData\b[^>]*encoding="raw"/.test(head)) {
    throw new InputError(fileName, 'its appended data is not raw', 'write the file with raw appended data');
  }
  return { head, dataOffset: underscore + 1 };
}

function listArrays(head: string): ArrayElement[] {
  const found: ArrayElement[] = [];
  let section = '';
  for (const match of head.matchAll(/<(Points|Cells|PointData|CellData|DataArray)\b([^>]*?)\/?>/g)) {
    if (match[1] === 'DataArray') found.push({ section, attributes: parseAttributes(match[2]) });
    else section = match[1];
  }
  return found;
}

function parseAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/([\w:]+)="([^"]*)"/g)) {
    attributes[name] = value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  }
  return attributes;
}

function readField(source: AppendedSource, attributes: Record<string, string>, count: number): Field {
  const components = Number(attributes['NumberOfComponents'] ?? 1);
  if (components !== 1 && components !== 3) {
    throw new InputError(
      source.fileName,
      `field ${attributes['Name']} has ${components} components`,
      'use 1 or 3',
    );
  }
  const raw = source.read(attributes, components * count);
  const values = raw instanceof Uint8Array || raw instanceof BigInt64Array ? toI32(raw) : raw;
  return { components, unit: attributes['Unit'] ?? '', values };
}

class AppendedSource {
  private readonly view: DataView;
  private readonly compressed: boolean;
  private readonly wide: boolean;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly dataOffset: number,
    file: Record<string, string>,
    readonly fileName: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.compressed = file['compressor'] === 'vtkZLibDataCompressor';
    this.wide = file['header_type'] === 'UInt64';
    if (file['compressor'] && !this.compressed) {
      throw new InputError(fileName, `compressor ${file['compressor']}`, 'use vtkZLibDataCompressor or none');
    }
  }

  /** The numbers of one array; their count must be the expected one. */
  read(attributes: Record<string, string>, count: number): Values {
    const { type, offset } = attributes;
    const array = Object.hasOwn(ARRAY_TYPES, type ?? '') ? ARRAY_TYPES[type] : undefined;
    if (!array || attributes['format'] !== 'appended' || !/^\d{1,15}$/.test(offset ?? '')) {
      const what = `array ${attributes['Name']} is ${type}, format ${attributes['format']}, offset ${offset}`;
      throw new InputError(this.fileName, what, `use appended ${Object.keys(ARRAY_TYPES).join(', ')}`);
    }
    const at = this.dataOffset + Number(offset);
    const wanted = count * array.BYTES_PER_ELEMENT;
    const size = this.compressed ? this.readCompressedSize(at) : this.readSize(at);
    if (size !== wanted) {
      const what = `array ${attributes['Name']} has ${size / array.BYTES_PER_ELEMENT} numbers, not ${count}`;
      throw new InputError(this.fileName, what, 'write the file anew');
    }
    const bytes = this.compressed ? this.inflate(at, size) : this.slice(at + this.sizeBytes, size);
    return new array(bytes.buffer);
  }

  private readSize(at: number): number {
    if (at + this.sizeBytes > this.view.byteLength) this.failShort();
    return this.wide ? Number(this.view.getBigUint64(at, true)) : this.view.getUint32(at, true);
  }

  private get sizeBytes(): number {
    return this.wide ? 8 : 4;
  }

  /**
   * Head of a compressed array: number of blocks, bytes of each when inflated, bytes of the last if it is
   * smaller; then the size of each as stored.
   */
  private readCompressedSize(at: number): number {
    const [blocks, full, last] = [0, 1, 2].map((k) => this.readSize(at + k * this.sizeBytes));
    if (blocks * this.sizeBytes > this.bytes.length) this.failShort();
    return blocks === 0 ? 0 : (blocks - 1) * full + (last === 0 ? full : last);
  }

  /**
   * `size` bytes in all: a block inflates into its share and no further, so that small files cannot fill the
   * memory.
   */
  private inflate(at: number, size: number): Uint8Array<ArrayBuffer> {
    const step = this.sizeBytes;
    const blocks = this.readSize(at);
    const full = this.readSize(at + step);
    const out = new Uint8Array(size);
    let from = at + step * (3 + blocks);
    for (let b = 0; b < blocks; b++) {
      const stored = this.readSize(at + step * (3 + b));
      const share = out.subarray(b * full, b === blocks - 1 ? size : (b + 1) * full);
      let found: number | string;
      try {
        found = unzlibSync(this.slice(from, stored), { out: share }).length;
      } catch (error) {
        if (error instanceof InputError) throw error;
        found = error instanceof Error ? error.message : String(error);
      }
      if (found !== share.length) {
        const what = `block ${b} at byte ${from} inflates to ${found}, not to ${share.length} bytes`;
        throw new InputError(this.fileName, what, 'write the file anew');
      }
      from += stored;
    }
    return out;
  }

  private slice(at: number, size: number): Uint8Array<ArrayBuffer> {
    if (at + size > this.bytes.length) this.failShort();
    const copy = new Uint8Array(size);
    copy.set(this.bytes.subarray(at, at + size));
    return copy;
  }

  private failShort(): never {
    const what = `the file ends at byte ${this.bytes.length}, within its data`;
    throw new InputError(this.fileName, what, 'give a whole file');
  }
}

const ARRAY_TYPES: Readonly<
  Record<string, { new (buffer: ArrayBuffer): Values; readonly BYTES_PER_ELEMENT: number }>
> = {
  Float64: Float64Array,
  Float32: Float32Array,
  Int32: Int32Array,
  Int64: BigInt64Array,
  UInt8: Uint8Array,
};

function toF64(values: Values): Float64Array {
  return values instanceof Float64Array ? values : Float64Array.from(values as ArrayLike<number>, Number);
}

function toI32(values: Values): Int32Array {
  return values instanceof Int32Array ? values : Int32Array.from(values as ArrayLike<number>, Number);
}
