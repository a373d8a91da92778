/**
 * The header of a PLY file: elements, properties, byte order, and the units our writer leaves in comments.
 */
import { InputError } from '../core/errors.ts';
import { LIMITS, refuseBeyond, showCount } from '../core/limits.ts';
import type { SurfacePart } from '../mesh/fields.ts';

export type PlyScalar = 'char' | 'uchar' | 'short' | 'ushort' | 'int' | 'uint' | 'float' | 'double';

export const SCALAR_SIZE: Record<PlyScalar, number> = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  int: 4,
  uint: 4,
  float: 4,
  double: 8,
};

/** Both spellings in use. */
const SCALAR_NAME: Record<string, PlyScalar> = {
  char: 'char',
  uchar: 'uchar',
  short: 'short',
  ushort: 'ushort',
  int: 'int',
  uint: 'uint',
  float: 'float',
  double: 'double',
  int8: 'char',
  uint8: 'uchar',
  int16: 'short',
  uint16: 'ushort',
  int32: 'int',
  uint32: 'uint',
  float32: 'float',
  float64: 'double',
};

export interface PlyProperty {
  readonly name: string;
  readonly type: PlyScalar;
  /** Type of the count, if the property is a list. */
  readonly list: PlyScalar | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: PlyProperty[];
}

export interface PlyHeader {
  readonly format: 'ascii' | 'binary_little_endian' | 'binary_big_endian';
  readonly elements: PlyElement[];
  readonly units: Record<string, string>;
  /** Surfaces that the mesh consists of, as our writer names them. */
  readonly parts: readonly SurfacePart[];
  readonly bodyOffset: number;
  /** Lines of the header, so that the ascii body can name its own. */
  readonly lineCount: number;
}

export function readPlyHeader(bytes: Uint8Array, fileName: string): PlyHeader {
  const elements: PlyElement[] = [];
  const units: Record<string, string> = {};
  const parts: SurfacePart[] = [];
  let format: PlyHeader['format'] | undefined;
  let offset = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(10, offset);
    if (end < 0) {
      throw new InputError(
        fileName,
        `the PLY header ends at byte ${bytes.length} without end_header`,
        'give a whole file',
      );
    }
    const words = new TextDecoder().decode(bytes.subarray(offset, end)).trim().split(/\s+/);
    offset = end + 1;
    const where = `${fileName}:${line}`;
    if (line === 1 && words[0] !== 'ply') {
      throw new InputError(
        where,
        `first line is "${words.join(' ').slice(0, 40)}", not "ply"`,
        'give a PLY file',
      );
    }
    if (words[0] === 'format') format = parseFormat(words, where);
    else if (words[0] === 'element') elements.push(parseElement(words, where));
    else if (words[0] === 'property') parseProperty(words, where, elements);
    else if (words[0] === 'comment' && words[1] === 'unit' && words.length > 3) {
      units[words[2]] = words.slice(3).join(' ');
    } else if (words[0] === 'comment' && words[1] === 'part' && words.length === 4) {
      if (/^\d{1,9}$/.test(words[2])) parts.push({ label: Number(words[2]), name: words[3] });
    } else if (words[0] === 'end_header') {
      if (!format) throw new InputError(where, 'the PLY header has no format line', 'write the file anew');
      checkCounts(elements, format, bytes.length - offset, fileName);
      return { format, elements, units, parts, bodyOffset: offset, lineCount: line };
    }
  }
}

/**
 * A file cannot hold more rows than it has bytes for: a number of an ascii file takes two, with what parts it
 * from the next.
 */
function checkCounts(
  elements: readonly PlyElement[],
  format: PlyHeader['format'],
  bodyBytes: number,
  fileName: string,
): void {
  let needed = 0;
  for (const { name, count, properties } of elements) {
    refuseBeyond(
      LIMITS.meshFileBytes,
      count,
      fileName,
      (n, most) => `the header declares ${n} rows of "${name}", more than ${most}`,
      'export the mesh anew, or coarser',
    );
    const rowBytes = properties.reduce(
      (sum, p) => sum + (format === 'ascii' ? 2 : SCALAR_SIZE[p.list ?? p.type]),
      0,
    );
    needed += count * rowBytes;
    // The last number of a file may end it.
    if (needed <= bodyBytes + 1) continue;
    throw new InputError(
      fileName,
      `the header declares ${showCount(count)} rows of "${name}", for which the file has too few bytes: ${showCount(bodyBytes)}`,
      'give a whole file',
    );
  }
}

function parseFormat(words: string[], where: string): PlyHeader['format'] {
  const format = words[1];
  if (format === 'ascii' || format === 'binary_little_endian' || format === 'binary_big_endian')
    return format;
  throw new InputError(where, `format "${format}"`, 'use ascii, binary_little_endian or binary_big_endian');
}

function parseElement(words: string[], where: string): PlyElement {
  const count = Number(words[2]);
  if (words.length !== 3 || !Number.isInteger(count) || count < 0) {
    throw new InputError(where, `"${words.join(' ')}" is no element line`, 'write "element NAME COUNT"');
  }
  return { name: words[1], count, properties: [] };
}

function parseProperty(words: string[], where: string, elements: PlyElement[]): void {
  const isList = words[1] === 'list';
  const typeNames = isList ? words.slice(2, 4) : words.slice(1, 2);
  const types = typeNames.map((name) => SCALAR_NAME[name]);
  const element = elements.at(-1);
  const name = words[isList ? 4 : 2];
  if (!element || !name || types.some((type) => !type)) {
    throw new InputError(
      where,
      `"${words.join(' ')}" is no property line`,
      'write "property TYPE NAME" or "property list TYPE TYPE NAME" after an element line',
    );
  }
  element.properties.push({ name, type: types.at(-1)!, list: isList ? types[0] : undefined });
}
