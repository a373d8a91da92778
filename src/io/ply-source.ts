/** Numbers of a PLY body one after another, whatever its encoding; errors name the line or the byte. */
import { InputError } from '../core/errors.ts';
import { type PlyElement, type PlyScalar, SCALAR_SIZE } from './ply-header.ts';

export interface PlySource {
  read(type: PlyScalar): number;
  endRow(): void;
  /**
   * All rows at once, one array per property (a list's items one after another), if the element's rows are
   * alike: lists of `listLength` items only. Undefined, and nothing read, if they are not, or if this
   * encoding has no such short cut.
   */
  readAlike?(element: PlyElement, listLength: number): Float64Array[] | undefined;
}

export class AsciiPlySource implements PlySource {
  private readonly lines: string[];
  private words: string[] = [];
  private line = 0;
  private word = 0;

  constructor(
    bytes: Uint8Array,
    offset: number,
    private readonly headerLines: number,
    private readonly fileName: string,
  ) {
    this.lines = new TextDecoder().decode(bytes.subarray(offset)).split('\n');
  }

  read(_type: PlyScalar): number {
    if (this.word >= this.words.length) this.nextRow();
    const text = this.words[this.word++];
    const value = parseNumber(text);
    if (value !== undefined) return value;
    throw new InputError(
      `${this.fileName}:${this.lineNumber}`,
      `"${text}" is not a number`,
      'correct the line',
    );
  }

  /** Rows must end with their line; a longer one would shift everything after it. */
  endRow(): void {
    if (this.word === this.words.length) return;
    const extra = this.words.length - this.word;
    throw new InputError(
      `${this.fileName}:${this.lineNumber}`,
      `${extra} more numbers than the header declares`,
      'correct the line or the header',
    );
  }

  private nextRow(): void {
    for (;;) {
      if (this.line >= this.lines.length) {
        throw new InputError(
          `${this.fileName}:${this.lineNumber}`,
          'the file ends before all the elements its header declares',
          'give a whole file',
        );
      }
      const text = this.lines[this.line++].trim();
      if (text === '') continue;
      this.words = text.split(/\s+/);
      this.word = 0;
      return;
    }
  }

  private get lineNumber(): number {
    return this.headerLines + this.line;
  }
}

/**
 * A number as C prints it, NaN and infinities included (they are refused later, with the vertex); undefined
 * if it is none.
 */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  if (!Number.isNaN(value) && text !== '') return value;
  if (/^[+-]?nan(\(.*\))?$/i.test(text)) return NaN;
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return undefined;
}

export class BinaryPlySource implements PlySource {
  private readonly view: DataView;

  constructor(
    bytes: Uint8Array,
    private offset: number,
    private readonly little: boolean,
    private readonly fileName: string,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  read(type: PlyScalar): number {
    const at = this.offset;
    this.offset += SCALAR_SIZE[type];
    if (this.offset > this.view.byteLength) {
      throw new InputError(
        this.fileName,
        `the file ends at byte ${this.view.byteLength}, before all the elements its header declares`,
        'give a whole file',
      );
    }
    switch (type) {
      case 'char':
        return this.view.getInt8(at);
      case 'uchar':
        return this.view.getUint8(at);
      case 'short':
        return this.view.getInt16(at, this.little);
      case 'ushort':
        return this.view.getUint16(at, this.little);
      case 'int':
        return this.view.getInt32(at, this.little);
      case 'uint':
        return this.view.getUint32(at, this.little);
      case 'float':
        return this.view.getFloat32(at, this.little);
      case 'double':
        return this.view.getFloat64(at, this.little);
    }
  }

  endRow(): void {}

  readAlike(element: PlyElement, listLength: number): Float64Array[] | undefined {
    const { properties, count } = element;
    const sizes = properties.map((p) =>
      p.list ? SCALAR_SIZE[p.list] + listLength * SCALAR_SIZE[p.type] : SCALAR_SIZE[p.type],
    );
    const stride = sizes.reduce((sum, size) => sum + size, 0);
    const begin = this.offset;
    if (begin + count * stride > this.view.byteLength) return undefined;
    const columns: Float64Array[] = [];
    let at = begin;
    for (let p = 0; p < properties.length; p++) {
      const { list, type } = properties[p];
      const items = list ? listLength : 1;
      if (list) {
        const length = new Float64Array(count);
        this.readColumn(list, at, stride, length, 1, 0);
        for (let row = 0; row < count; row++) if (length[row] !== listLength) return undefined;
      }
      const column = new Float64Array(items * count);
      const first = at + (list ? SCALAR_SIZE[list] : 0);
      for (let i = 0; i < items; i++) {
        this.readColumn(type, first + i * SCALAR_SIZE[type], stride, column, items, i);
      }
      columns.push(column);
      at += sizes[p];
    }
    this.offset = begin + count * stride;
    return columns;
  }

  /**
   * Every `stride` bytes from `begin` a number, into out[first], out[first + step], ... The type is looked at
   * once.
   */
  private readColumn(
    type: PlyScalar,
    begin: number,
    stride: number,
    out: Float64Array,
    step: number,
    first: number,
  ): void {
    const { view, little } = this;
    let at = begin;
    if (type === 'float') {
      for (let i = first; i < out.length; i += step, at += stride) out[i] = view.getFloat32(at, little);
    } else if (type === 'double') {
      for (let i = first; i < out.length; i += step, at += stride) out[i] = view.getFloat64(at, little);
    } else if (type === 'int') {
      for (let i = first; i < out.length; i += step, at += stride) out[i] = view.getInt32(at, little);
    } else if (type === 'uchar') {
      for (let i = first; i < out.length; i += step, at += stride) out[i] = view.getUint8(at);
    } else {
      const here = this.offset;
      for (let i = first; i < out.length; i += step, at += stride) {
        this.offset = at;
        out[i] = this.read(type);
      }
      this.offset = here;
    }
  }
}
